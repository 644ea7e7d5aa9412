"""Instances of the file's module classes as their constructors build them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from padlint.sizes import models, modules
from padlint.sizes.blueprints import Blueprint
from padlint.sizes.environment import Environment, bound_names, target_names
from padlint.sizes.extent import Lost
from padlint.sizes.following import arguments
from padlint.sizes.held import Closure, Constant, Held, Instance, Items, Listed
from padlint.sizes.points import me_of
from padlint.syntax.binding import bind
from padlint.syntax.functions import Function
from padlint.syntax.values import UNKNOWN
from padlint.syntax.walk import code_children, is_expression

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

_DEEPEST = 25  # constructors that build each other


def builds(target: cst.CSTNode, environment: Environment) -> bool:
    """Whether a target is an attribute of an instance whose constructor runs."""
    if not isinstance(target, cst.Attribute) or not isinstance(target.value, cst.Name):
        return False
    held = environment.get(target.value.value)
    return isinstance(held, Instance) and held.me and held.building


def extended(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """`self.layers.append(module)` in a constructor, or of a list that a name holds."""
    func = node.func
    if (
        not isinstance(func, cst.Attribute)
        or func.attr.value not in ("append", "extend")
        or len(node.args) != 1
    ):
        return None
    if not isinstance(func.value, cst.Name) and not builds(func.value, environment):
        return None
    (name,) = target_names(func.value)
    held = environment.get(name)
    if not isinstance(held, (Listed, Items)):
        return None
    local = isinstance(held, Items) and "." not in name  # `append` is the same for any list
    if local and (func.attr.value == "append" or not models.is_private(body.unit, name, body.scope)):
        return None
    value = body.held(node.args[0].value, environment)
    more: tuple[Held, ...] | None = (value,)
    if func.attr.value == "extend":
        more = modules.items(value)
    if more is None or (isinstance(held, Listed) and held.names):
        environment.bind(name, Lost(f"what is added to {name} is not known"))
    elif isinstance(held, Listed):
        environment.bind(name, Listed((*held.modules, *more)))
    else:
        environment.bind(name, Items((*held.items, *more), held.changes))
    return Constant(UNKNOWN)


def build(body: Expressions, blueprint: Blueprint, node: cst.Call, environment: Environment) -> Held:
    """The instance that a call builds."""
    method = blueprint.method(blueprint.protocol.build)
    given: dict[str, Held] | None
    me = Instance(blueprint, me=True, building=True)
    if blueprint.protocol.fields:
        given = _fields(body, blueprint, node, environment)
    elif method is None:
        for arg in node.args:
            body.visit(arg, environment)
        given = {}
    else:
        given = arguments(
            body, node, Closure(Function(blueprint.unit, method, method=True), me=me), environment
        )
    hidden = method is None and blueprint.protocol.build in blueprint.methods
    built = None if given is None or hidden else construct(body, blueprint, method, given)
    if built is None:
        return Lost(f"how {blueprint.name} is built in line {body.unit.row(node)} is not followed")
    return body.flow.parts.built(body, replace(built, call=node))


def construct(
    body: Expressions, blueprint: Blueprint, method: cst.FunctionDef | None, given: dict[str, Held]
) -> Instance | None:
    """The instance that a constructor makes of its parameters; None where it is not followed."""
    parts = body.flow.parts
    key = parts.key_of(blueprint, given)
    if key in parts.known:
        return parts.known[key]
    fields = {name: held for name, held in given.items() if blueprint.protocol.fields}
    if method is None:
        instance = Instance(blueprint, parts.sealed(blueprint, fields))
    else:
        if method in body.flow.active or body.depth >= _DEEPEST or not body.flow.afford(blueprint.unit):
            return None
        name = me_of(method)
        start: dict[str, Held] = dict(given)
        if blueprint.protocol.fields:
            start = {f"{name}.{field}": held for field, held in fields.items()}
        start[name] = Instance(blueprint, me=True, building=True)
        inside = Environment(start)
        _run(body, blueprint, method, inside)
        found = {
            held_name.partition(".")[2]: held
            for held_name, held in inside.flat().items()
            if held_name.startswith(f"{name}.")
        }
        instance = Instance(blueprint, parts.sealed(blueprint, found))
    parts.known[key] = instance
    return instance


def _run(body: Expressions, blueprint: Blueprint, method: cst.FunctionDef, inside: Environment) -> Held:
    flow = body.flow
    flow.active.add(method)
    flow.runs.entered.add(method)
    run = flow.body(Function(blueprint.unit, method, method=True), (), body.outside, body.depth + 1)
    held = run.run(method, inside)
    flow.active.discard(method)
    if _returns_early(method):
        inside.lose(_assigned(method), "{} depends on where the constructor returns")
    return held


def step(body: Expressions, node: cst.Call, closure: Closure, environment: Environment) -> Held | None:
    """What a method returns that the constructor calls; None where it is not followed."""
    flow, function, me = body.flow, closure.function, closure.me
    method = function.node
    given = arguments(body, node, closure, environment)
    assert me is not None
    assert isinstance(method, cst.FunctionDef)
    names = environment.flat().items()
    holder = next(name for name, held in names if isinstance(held, Instance) and held.building and held.me)
    mine = me_of(method)
    if given is None or method in flow.active or body.depth >= _DEEPEST or not flow.afford(function.unit):
        flow.runs.refused.add(method)
        lost = [name.partition(".")[2] for name in _assigned(method) if "." in name]
        environment.lose([f"{holder}.{name}" for name in lost], "{} is not followed")
        return None
    inside = Environment(dict(given))
    for name, held in environment.flat().items():
        if name.startswith(f"{holder}."):
            inside.own[f"{mine}.{name.partition('.')[2]}"] = held
    held = _run(body, me.blueprint, method, inside)
    for name, value in inside.flat().items():
        if name.startswith(f"{mine}."):
            environment.own[f"{holder}.{name.partition('.')[2]}"] = value
    flow.runs.followed.add(node)
    return held


class _Field(NamedTuple):
    name: str
    keyword_only: bool = False


def _fields(
    body: Expressions, blueprint: Blueprint, node: cst.Call, environment: Environment
) -> dict[str, Held] | None:
    """What the fields of a dataclass hold (Flax); None where the call hides it."""
    own = [(cst.ensure_type(field.target, cst.Name).value, field) for field in blueprint.fields]
    bound = bind(node, [_Field(name) for name, _ in own])
    held = {id(arg): body.held(arg.value, environment) for arg in node.args}
    if bound.star is not None or bound.double_star is not None or "__post_init__" in blueprint.methods:
        return None
    inside = body.flow.body_of(blueprint.unit, blueprint.scope, (), body.outside)
    found: dict[str, Held] = {}
    for name, field in own:
        argument = bound.arguments.get(name)
        if argument is not None:
            found[name] = held[id(argument)]
        elif field.value is not None:
            found[name] = inside.held(field.value, Environment())
    return found


def _returns_early(method: cst.FunctionDef) -> bool:
    """Whether a method has a return statement anywhere but at its end."""
    lines = method.body.body
    last = lines[-1] if lines else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    waiting: list[cst.CSTNode] = [method.body]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is cst.Return and node is not small:
            return True
        if kind is not cst.FunctionDef and kind is not cst.ClassDef and not is_expression(node):
            waiting += code_children(node)
    return False


def _assigned(method: cst.FunctionDef) -> Sequence[str]:
    """The names that a method assigns, attributes of its object among them."""
    return bound_names(method.body)
