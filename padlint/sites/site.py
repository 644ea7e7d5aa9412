"""A call that stands for an operator of the catalogue, with its arguments bound and evaluated on demand."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import libcst as cst

from padlint.catalogue.model import REQUIRED, Kind, Operator
from padlint.sites.arg_scope import ByScope, Opaque, scoped_argument
from padlint.sites.traced import Seen, Traced
from padlint.syntax.binding import Bound, bind
from padlint.syntax.possible import Origin
from padlint.syntax.scopes import Scope
from padlint.syntax.splats import ABSENT, NOTHING, present
from padlint.syntax.units import Unit
from padlint.syntax.uses import Use, UseKind, use_of
from padlint.syntax.values import UNKNOWN, Bindings, Evaluator, Value, combine, constant
from padlint.syntax.worlds import Cases

BY_DEFAULT = Origin("the default")
"""Origin of a value that holds unless `*args` or `**kwargs` carry another."""


@dataclass(frozen=True)
class Partial:
    """A call `functools.partial(operator, ...)` and the scope that it stands in."""

    call: cst.Call
    scope: Scope
    bound: Bound

    @property
    def positions(self) -> int:
        """The number of arguments by position that it gives."""
        return sum(arg.keyword is None and not arg.star for arg in self.call.args[1:])

    def entry(self, names: Sequence[str], evaluator: Evaluator) -> Value:
        """What it gives for a parameter with these names."""
        given = next((self.bound.arguments[name] for name in names if name in self.bound.arguments), None)
        if given is not None:
            return evaluator.value(given.value, self.scope)
        entry = NOTHING
        for splat in self.bound.splats:
            for key in names:
                entry = present(evaluator.entry(splat.value, self.scope, key), entry)
        return entry.open if self.bound.star is not None else entry


@dataclass(eq=False)
class Site:
    """One call of one operator.

    `sure` is False where the name may also stand for something that padlint does not know; a fix is then
    unsafe. `bindings` are what names are worth where the call runs, if one run of it is meant; `cases` finds
    what the code around shows of its arguments. `partial` holds those that `functools.partial` bound before.
    `traced` is what a run showed of the calls of the file.
    """

    unit: Unit
    call: cst.Call
    operator: Operator
    scope: Scope
    sure: bool
    cases: Cases
    partial: Partial | None = None
    bindings: Bindings | None = None
    traced: Traced | None = None
    bound: Bound = field(init=False)
    memo: dict[str, Any] = field(default_factory=dict, init=False)  # what is computed of it only once

    def __post_init__(self) -> None:
        skip = self.partial.positions if self.partial is not None else 0
        self.bound = bind(self.call, self.operator.signature[skip:])

    def at(self, bindings: Bindings) -> Site:
        """The same call in one run of it."""
        site = copy(self)
        site.bindings = bindings
        return site

    def has(self, role: str) -> bool:
        """Whether a parameter of the operator plays a role."""
        return role in self.operator.roles or role in self.operator.per_axis

    @cached_property
    def seen(self) -> Seen | None:
        """What a traced run showed of the call."""
        return self.traced.of(self.unit, self.call, self.operator) if self.traced is not None else None

    @cached_property
    def use(self) -> Use:
        """What the file does with the result."""
        return use_of(self.unit, self.call)

    def argument(self, role: str) -> cst.Arg | None:
        """The argument written for a role, or None."""
        name = self.operator.roles.get(role)
        if name is None:
            return None
        names = [name, *(alias for alias, target in self.operator.aliases.items() if target == name)]
        return next((self.bound.arguments[n] for n in names if n in self.bound.arguments), None)

    def value(self, role: str, bindings: Bindings | None = None) -> Value:
        """What the parameter of a role can be worth, by argument or by the operator's default.

        `bindings` are what is taken for granted, such as the arguments in one call of the function around.
        """
        return self.evaluated(role, Evaluator(self.unit, self.bindings if bindings is None else bindings))

    def evaluated(self, role: str, evaluator: Evaluator) -> Value:
        """What the parameter of a role can be worth, as an evaluator of the unit sees it."""
        if role in self.operator.per_axis:
            return self._per_axis(self.operator.per_axis[role], evaluator)
        name = self.operator.roles.get(role)
        if name is None:
            return UNKNOWN
        argument = self.argument(role)
        if argument is not None:
            return evaluator.value(argument.value, self.scope)
        return present(self._carried(name, evaluator), self._left_out(role, name, evaluator))

    def _left_out(self, role: str, name: str, evaluator: Evaluator) -> Value:
        """What a parameter is worth that the call does not give."""
        if self.operator.framework == "slim":
            return self._scoped(name, role, evaluator)
        default = self.operator.default(role)
        if isinstance(default, list):  # values are tuples, however they are written
            default = tuple(default)
        if default is REQUIRED or default is ...:
            return UNKNOWN
        return constant(default, BY_DEFAULT if self.bound.may_carry(name) else None)

    def _carried(self, name: str, evaluator: Evaluator) -> Value:
        """What reaches a parameter through `functools.partial`, or in `*args` and `**kwargs`."""
        names = [name, *(alias for alias, target in self.operator.aliases.items() if target == name)]
        entry = NOTHING
        if self.partial is not None:
            entry = self.partial.entry(names, evaluator)
        for splat in self.bound.splats:
            for key in names:
                entry = present(evaluator.entry(splat.value, self.scope, key), entry)
        return entry.open if self.bound.star is not None else entry

    @cached_property
    def gathered(self) -> str:
        """Where the file writes arguments that matter and are not in the call; empty if there are none."""
        if self.partial is not None:
            return "functools.partial"
        evaluator = Evaluator(self.unit)
        for role, name in self.operator.roles.items():
            if self.argument(role) is not None or not self.bound.splats:
                continue
            if any(option.value is not ABSENT for option in self._carried(name, evaluator).options):
                return ", ".join(self.unit.text_of_argument(splat) for splat in self.bound.splats)
        return ""

    def carries(self, name: str) -> bool:
        """Whether `functools.partial`, `*args` or `**kwargs` may give a parameter of this name."""
        return self._carried(name, Evaluator(self.unit)) != NOTHING

    def _per_axis(self, names: tuple[str, ...], evaluator: Evaluator) -> Value:
        """One parameter per spatial axis, as Keras 1 has them (`nb_row`, `nb_col`)."""
        values = [evaluator.value(self.bound.value(name), self.scope) for name in names]
        return combine(values, lambda *numbers: numbers)

    def _scoped(self, name: str, role: str, evaluator: Evaluator) -> Value:
        """A default of slim, which scopes around the call or around its callers may replace."""
        found = scoped_argument(self.unit, self.call, self.operator.name, name)
        if isinstance(found, Opaque):
            return UNKNOWN
        if found is not None:
            return evaluator.value(found.value, self.unit.index.scope_of(found.value))
        default = self.operator.default(role)
        return UNKNOWN if default is REQUIRED or default is ... else constant(default, ByScope(name)).open

    @cached_property
    def applications(self) -> list[cst.Call]:
        """The calls that run the operator on a tensor, as far as the file shows."""
        if self.operator.kind is Kind.FUNCTION:
            return [self.call]
        use = self.use
        if use.kind is UseKind.APPLIED and use.outer is not None:
            return [use.outer]
        return use.calls

    def input_of(self, application: cst.Call) -> cst.BaseExpression | None:
        """The expression of the tensor that an application runs on."""
        if self.operator.kind is Kind.FUNCTION:
            argument = self.argument("input")
            return argument.value if argument is not None else None
        plain = [arg for arg in application.args if not arg.star and arg.keyword is None]
        if plain and application.args[0] is plain[0]:
            return plain[0].value
        named = [arg for arg in application.args if arg.keyword is not None]
        first = next(
            (a for a in named if a.keyword is not None and a.keyword.value in ("inputs", "input")), None
        )
        return first.value if first is not None else None

    @property
    def written(self) -> str:
        """The operator as the file spells it: `layers.Conv2D`."""
        return cst.Module([]).code_for_node(self.call.func)
