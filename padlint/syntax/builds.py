"""Where a file makes instances of its own classes, directly or through `functools.partial`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import libcst as cst

from padlint.syntax.binding import bind
from padlint.syntax.callers import is_partial, partial_calls
from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import Unit
from padlint.syntax.values import UNKNOWN, Evaluator, Value

_REPEATED = (cst.For, cst.While, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


class _Parameter(NamedTuple):
    name: str
    keyword_only: bool


@dataclass(frozen=True)
class Build:
    """A call that makes an instance, with its arguments and the defaults by parameter.

    `repeated` tells that it stands in a loop.
    """

    unit: Unit
    call: cst.Call
    arguments: Mapping[str, cst.BaseExpression]
    defaults: Mapping[str, Value]
    repeated: bool

    def value(self, name: str) -> Value:
        """What a parameter can be worth."""
        argument = self.arguments.get(name)
        return (
            Evaluator(self.unit).value(argument) if argument is not None else self.defaults.get(name, UNKNOWN)
        )


def builds(units: Sequence[Unit], init: cst.FunctionDef, owner: cst.ClassDef) -> Iterator[Build]:
    """Every build of a class of the module with this constructor, in source order per unit."""
    parameters = [*init.params.params[1:], *init.params.kwonly_params]
    signature = [_Parameter(p.name.value, p not in init.params.params) for p in parameters]
    home = next(unit for unit in units if init in unit.index.parents)
    defaults = {p.name.value: Evaluator(home).value(p.default) for p in parameters if p.default is not None}
    for unit in units:
        for call in unit.index.calls:
            for made, arguments in _made(unit, call, owner, signature):
                yield Build(unit, made, arguments, defaults, _repeats(unit, made))


def _made(
    unit: Unit, call: cst.Call, owner: cst.ClassDef, signature: Sequence[_Parameter]
) -> Iterator[tuple[cst.Call, dict[str, cst.BaseExpression]]]:
    """The call itself if it names the class; the calls of what it makes if it is a partial of it."""
    if _names(unit, call.func, owner):
        yield call, _bound(call.args, signature)
    elif call.args and _names(unit, call.args[0].value, owner) and is_partial(unit, call):
        given = _bound(call.args[1:], signature)
        positions = sum(arg.keyword is None for arg in call.args[1:])
        for user in partial_calls(unit, call):
            yield user, {**given, **_bound(user.args, signature[positions:])}


def _names(unit: Unit, node: cst.BaseExpression, owner: cst.ClassDef) -> bool:
    """Whether an expression is the name of the class, which the module binds once."""
    if not isinstance(node, cst.Name) or node.value != owner.name.value:
        return False
    found = unit.index.scope_of(node).lookup(node.value)
    return found is not None and [binding.kind for binding in found[1]] == [BindingKind.CLASS]


def _bound(args: Sequence[cst.Arg], signature: Sequence[_Parameter]) -> dict[str, cst.BaseExpression]:
    bound = bind(cst.Call(cst.Name("build"), list(args)), signature)
    return {name: argument.value for name, argument in bound.arguments.items()}


def _repeats(unit: Unit, call: cst.Call) -> bool:
    for ancestor in unit.ancestors(call):
        if isinstance(ancestor, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return False
        if isinstance(ancestor, _REPEATED):
            return True
    return False
