"""Calls of the file's own functions: the body is run with what the call gives to the parameters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from padlint.sizes.blueprints import named_operator
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Extent, Lost
from padlint.sizes.held import Closure, Constant, Held, Items, OperatorName, key, keys
from padlint.sizes.steps import Step
from padlint.syntax.attributes import decorator_names
from padlint.syntax.binding import Bound, bind
from padlint.syntax.bindings import At
from padlint.syntax.functions import Function, Parameter
from padlint.syntax.possible import Origin
from padlint.syntax.scopes import BindingKind, Scope
from padlint.syntax.values import UNKNOWN, Evaluator, Value
from padlint.syntax.walk import descendants

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

_DEEPEST = 12  # calls in calls
_CODE = (cst.FunctionDef, cst.BaseExpression)
_STALE = (cst.For, cst.While, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp)


@dataclass(frozen=True)
class Result:
    """What a call gave; of an extent the parameter that it came from, and the steps since then."""

    held: Held
    origin: str = ""
    steps: tuple[Step, ...] = ()


def follow(body: Expressions, node: cst.Call, closure: Closure, environment: Environment) -> Held | None:
    """What a call of a function of the file gives; None where it is not followed."""
    given = arguments(body, node, closure, environment)
    held = enter(body, closure, given, environment) if given is not None else None
    if held is None:
        body.flow.runs.refused.add(closure.function.node)
        return None
    body.flow.runs.followed.add(node)
    _note_closure(body, node, held)
    return held


def enter(
    body: Expressions, closure: Closure, given: dict[str, Held], environment: Environment
) -> Held | None:
    """What a function gives for these parameters; None where it is not followed."""
    flow, function = body.flow, closure.function
    active = function.node in flow.active or body.depth >= _DEEPEST
    if active or not _plain(function, method=closure.me is not None) or not flow.afford(function.unit):
        flow.runs.refused.add(function.node)
        return None
    around = _around(body, closure, environment)
    told: Hashable = (function.node, keys(given.values()), body.outside, _outer_key(body, function, around))
    known = flow.results.get(told)
    if known is None:
        flow.active.add(function.node)
        flow.runs.entered.add(function.node)
        inner = flow.body(function, around, body.outside, body.depth + 1)
        held = inner.run(function.node, Environment(dict(given)))
        flow.active.discard(function.node)
        known = flow.results[told] = _result(held, given)
    return _told_anew(known, given)


def _note_closure(body: Expressions, node: cst.Call, held: Held) -> None:
    """A function that a call gives can be called at once, or by the name that it is assigned to."""
    if not isinstance(held, Closure):
        return
    parent = body.unit.index.parents[node]
    named = isinstance(parent, cst.Assign) and all(isinstance(t.target, cst.Name) for t in parent.targets)
    if not named and not isinstance(parent, cst.Return) and getattr(parent, "func", None) is not node:
        body.flow.runs.escape(held.function.node, body.outside)


def _plain(function: Function, *, method: bool = False) -> bool:
    """Whether a call runs nothing but the body: no decorator, no generator, no coroutine."""
    node = function.node
    if isinstance(node, cst.Lambda):
        return True
    plain = len(node.decorators) <= len({"staticmethod"} & decorator_names(node))
    if node.asynchronous is not None or not (method or plain):
        return False
    return not function.suspends


def _around(
    body: Expressions, closure: Closure, environment: Environment
) -> tuple[tuple[Scope, Environment], ...]:
    """The names around a function that stands in another one."""
    return closure.around or body.around_of(closure.function.scope.parent, environment)


def _outer_key(
    body: Expressions, function: Function, around: tuple[tuple[Scope, Environment], ...]
) -> Hashable:
    """What a function reads of the names around it."""
    if not around:
        return ()
    if function.node not in body.flow.reads:
        body.flow.reads[function.node] = _reads(function)
    return tuple(
        (id(scope), name, key(held))
        for scope, environment in around
        for name in body.flow.reads[function.node]
        if (held := environment.get(name)) is not None
    )


def _reads(function: Function) -> list[str]:
    """The names that a function reads, and those read by what it takes from the functions around it."""
    index, found = function.unit.index, set[str]()
    waiting: list[cst.CSTNode] = [function.node]
    looked_at: set[cst.CSTNode] = set()
    while waiting:
        node = waiting.pop()
        if node in looked_at:
            continue
        looked_at.add(node)
        for name in descendants(node):
            if isinstance(name, cst.Name):
                found.add(name.value)
                owner, bindings = index.scope_of(name).lookup(name.value) or (None, ())
                if owner is not None and owner.kind == "function":
                    definitions = (binding.value or binding.node for binding in bindings)
                    waiting += (each for each in definitions if isinstance(each, _CODE))
    return sorted(found)


def captured(body: Expressions, closure: Closure, environment: Environment) -> Closure:
    """A function that outlives the one around it, with the names that cannot change any more."""
    scope = body.scope
    if closure.around or closure.function.scope.parent is not scope:
        return closure
    stable = {name: held for name, held in environment.flat().items() if _is_stable(body, scope, name)}
    return Closure(closure.function, ((scope, Environment(stable)), *body.around))


def _is_stable(body: Expressions, scope: Scope, name: str) -> bool:
    """Whether a name of a function has one value in each run."""
    bindings = scope.bindings.get(name, [])
    if len(bindings) != 1 or name in body.unit.facts.outer:
        return False
    (binding,) = bindings
    if binding.kind is BindingKind.PARAMETER:
        return True
    if binding.kind is not BindingKind.ASSIGN or binding.node is None:
        return False
    return not any(isinstance(around, _STALE) for around in body.unit.ancestors(binding.node))


def arguments(
    body: Expressions,
    node: cst.Call,
    closure: Closure,
    environment: Environment,
    given_on: Sequence[cst.Arg] | None = None,
) -> dict[str, Held] | None:
    """What the parameters hold; None where the call does not fit the definition.

    `given_on` are the arguments of the call that reach the function, where these are not all.
    """
    function = closure.function
    params = function.node.params
    if isinstance(params.star_arg, cst.Param) and function.method:
        return None
    plain = [*params.posonly_params, *params.params]
    signature = [Parameter(param.name.value) for param in plain[function.method :]]
    signature += [Parameter(param.name.value, keyword_only=True) for param in params.kwonly_params]
    bound = bind(node if given_on is None else node.with_changes(args=given_on), signature)
    held = {id(arg): body.held(arg.value, environment) for arg in node.args}
    open_ended = isinstance(params.star_arg, cst.Param), params.star_kwarg is not None
    if (bound.surplus and not open_ended[0]) or (bound.unknown and not open_ended[1]):
        return None
    given: dict[str, Held] = {}
    if function.method:
        given[plain[0].name.value] = closure.me or Lost("it is the object itself")
    for param in (*plain[function.method :], *params.kwonly_params):
        name = param.name.value
        argument = bound.arguments.get(name)
        given[name] = held[id(argument)] if argument is not None else default(function, param, bound)
        if isinstance(given[name], Constant) and argument is not None:
            given[name] = _with_origin(given[name], name, At(body.unit, node))
    if isinstance(function.node, cst.FunctionDef) and plain[function.method :]:
        first = plain[function.method].name.value
        if isinstance(given[first], Lost):
            promised = body.flow.sources(function.unit).promises.of_first(function.node)
            given[first] = promised or given[first]
    for extra in (params.star_arg, params.star_kwarg):
        if isinstance(extra, cst.Param):
            given[extra.name.value] = Lost(f"{extra.name.value} may hold anything")
    return given


def _with_origin(held: Held, name: str, call: At) -> Held:
    if not isinstance(held, Constant):
        return held
    return Constant(held.value.learned(lambda o: o.origin or Origin(f"{name}={o.value!r}", (call,))))


def default(function: Function, param: cst.Param, bound: Bound) -> Held:
    """What a parameter holds that a call does not give."""
    if param.default is None:
        return Lost(f"{param.name.value} is not given")
    scope = function.scope.parent or function.scope
    value = Evaluator(function.unit).value(param.default, scope)
    if bound.star is not None or bound.double_star is not None:
        value = Value(value.options, False)
    elif not value.options and (named := named_operator(scope, param.default)) is not None:
        return OperatorName(named)
    return Constant(value) if value.options else Constant(UNKNOWN)


def _result(held: Held, given: Mapping[str, Held]) -> Result:
    if isinstance(held, Extent):
        for name, argument in given.items():
            if not isinstance(argument, Extent) or not argument.steps:
                continue
            added = held.steps.since(argument.steps)
            if added is not None:
                return Result(held, name, added)
    return Result(held)


def _told_anew(result: Result, given: Mapping[str, Held]) -> Held:
    """The result, with the way that led to it in this call."""
    argument = given.get(result.origin)
    if isinstance(result.held, Extent) and isinstance(argument, Extent):
        return replace(result.held, steps=argument.steps.and_then(result.steps))
    if isinstance(result.held, Items) and result.held.changes:
        return Items(result.held.items, changes=True)
    return result.held
