"""A call that stands for an operator of the catalogue, with its arguments bound and evaluated on demand."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import REQUIRED, Family, Kind, Operator
from padlint.sites.arg_scope import Opaque, by_scope, scoped_argument
from padlint.syntax.assumption import Assumption
from padlint.syntax.binding import Bound, bind
from padlint.syntax.scopes import Scope, resolve
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import Use, UseKind, use_of
from padlint.syntax.values import UNKNOWN, Bindings, Evaluator, Option, Value, combine, constant

BY_DEFAULT = "the default"
"""Origin of a value that holds unless `*args` or `**kwargs` carry another."""


@lru_cache(maxsize=1)
def interesting_names() -> frozenset[str]:
    """Names whose mention makes a definition worth parsing: convolutions, pools, pads and ONNX nodes."""
    return catalogue.operator_names(catalogue.PADDED) | {"make_node"}


@dataclass(eq=False)
class Site:
    """One call of one operator.

    `sure` is False where the name may also stand for something that padlint does not know; a fix is then
    unsafe. `bindings` are what names are worth where the call runs, if one run of it is meant.
    """

    unit: Unit
    call: cst.Call
    operator: Operator
    scope: Scope
    sure: bool
    bindings: Bindings | None = None
    bound: Bound = field(init=False)
    memo: dict[str, Any] = field(default_factory=dict, init=False)  # what is computed of it only once

    def __post_init__(self) -> None:
        self.bound = bind(self.call, self.operator.signature)

    def at(self, bindings: Bindings) -> Site:
        """The same call in one run of it."""
        site = copy(self)
        site.bindings = bindings
        return site

    def has(self, role: str) -> bool:
        """Whether a parameter of the operator plays a role."""
        return role in self.operator.roles or role in self.operator.per_axis

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

    def value(self, role: str, assume: Assumption | None = None, bindings: Bindings | None = None) -> Value:
        """What the parameter of a role can be worth, by argument or by the operator's default.

        `bindings` are names with another value than the file shows, such as the parameters in one call.
        """
        evaluator = Evaluator(self.unit, assume, self.bindings if bindings is None else bindings)
        if role in self.operator.per_axis:
            return self._per_axis(self.operator.per_axis[role], evaluator)
        name = self.operator.roles.get(role)
        if name is None:
            return UNKNOWN
        argument = self.argument(role)
        if argument is not None:
            return evaluator.value(argument.value, self.scope)
        if self.operator.framework == "slim":
            return self._scoped(name, role, evaluator)
        return self._default(name, role)

    def _default(self, name: str, role: str) -> Value:
        default = self.operator.default(role)
        if isinstance(default, list):  # values are tuples, however they are written
            default = tuple(default)
        if default is REQUIRED or default is ...:
            return UNKNOWN
        if self.bound.may_carry(name):
            return Value((Option(default, BY_DEFAULT),), False)
        return constant(default)

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
        options = self._default(name, role).options
        return Value(tuple(Option(option.value, by_scope(name)) for option in options), False)

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


def collect(file: File, wrappers: Mapping[str, str] | None = None) -> list[Site]:
    """Every call of a catalogued operator in the parsed parts of the file, in source order per unit.

    `wrappers` maps the dotted paths of the user's own operators to those that they behave like.
    """
    return [site for unit in file.units for site in collect_in(unit, wrappers)]


def collect_in(unit: Unit, wrappers: Mapping[str, str] | None = None) -> list[Site]:
    """The same for one unit."""
    sites: list[Site] = []
    wrappers = wrappers or {}
    names = _all_names() | {path.rpartition(".")[2] for path in wrappers}
    for call in unit.index.calls:
        func = call.func
        if not isinstance(func, (cst.Name, cst.Attribute)):
            continue
        last = func.value if isinstance(func, cst.Name) else func.attr.value
        scope = None
        if last not in names:
            # An alias of an operator is a plain name that is not an operator's own.
            if not isinstance(func, cst.Name):
                continue
            scope = unit.index.scope_of(call)
            if scope.lookup(last) is None:
                continue
        site = _site(unit, call, scope or unit.index.scope_of(call), wrappers)
        if site is not None:
            sites.append(site)
    return sites


@lru_cache(maxsize=1)
def _all_names() -> frozenset[str]:
    return catalogue.operator_names(frozenset(Family))


def _site(unit: Unit, call: cst.Call, scope: Scope, wrappers: Mapping[str, str]) -> Site | None:
    candidates = resolve(scope, call.func, catalogue.star_exports)
    wrapped = any(path in wrappers for path in candidates.paths)
    found = [catalogue.lookup(wrappers.get(path, path)) for path in candidates.paths]
    known = {operator.name: operator for operator in found if operator is not None}
    if len(known) != 1:
        return None
    sure = not candidates.open and not candidates.unsure and None not in found and not wrapped
    if any(path.rpartition(".")[2] in unit.facts.patched for path in candidates.paths):
        sure = False  # `nn.Conv2d = ...` somewhere in the file
    return Site(unit, call, _generation(call, next(iter(known.values()))), scope, sure)


def _generation(call: cst.Call, operator: Operator) -> Operator:
    """The operator with the signature that the call binds to: today's, or that of Keras 2 and TF 1."""
    generation = operator
    while (older := catalogue.older(generation)) is not None:
        if _fits(call, generation, older):
            return generation
        generation = older
    bound = bind(call, generation.signature)
    return operator if bound.surplus or (bound.unknown and not generation.var_keyword) else generation


def _fits(call: cst.Call, operator: Operator, older: Operator) -> bool:
    """Whether a call binds, without keywords that only the older signature has."""
    bound = bind(call, operator.signature)
    unknown = set(bound.unknown)
    if operator.var_keyword:
        unknown &= {parameter.name for parameter in older.signature}
    return not bound.surplus and not unknown
