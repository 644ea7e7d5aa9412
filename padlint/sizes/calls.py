"""What calls give: operators that are applied, models, and the file's own functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.sites.site import Site
from padlint.sizes import building, instances, lambdas, models, modules
from padlint.sizes.blueprints import FRAMEWORKS
from padlint.sizes.environment import Environment, changes_its_object, target_names
from padlint.sizes.extent import Known, Lost, NotFollowed
from padlint.sizes.following import follow
from padlint.sizes.held import Closure, Constant, Graph, Held, Items, Layer, Stack, tensor
from padlint.sizes.operands import combined, concatenated
from padlint.syntax.functions import Function
from padlint.syntax.scopes import resolve
from padlint.syntax.values import UNKNOWN
from padlint.syntax.walk import code_children

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

_PLAIN = frozenset({"training", "mask"})  # arguments of an application that change no size
_SEVERAL = frozenset({Family.JOIN, Family.CONCAT})


def result(body: Expressions, node: cst.Call, environment: Environment) -> Held:
    """What a call gives."""
    changed = building.extended(body, node, environment) or _method(body, node, environment)
    if changed is not None:
        return changed
    site = body.flow.site_at(node)
    if site is not None:
        return _operator(body, node, site.at(body.point(environment)), environment)
    callee = _callee(body, node, environment)
    if isinstance(callee, Layer):
        return apply(body, callee.site, node, environment)
    held = instances.called(body, node, callee, environment)
    if held is not None:
        return held
    applied = body.flow.applied(node)
    if applied is not None:
        return apply(body, applied, node, environment)
    if isinstance(callee, Stack):
        return models.applied(body, callee, tensor(_only_argument(body, node, environment)))
    if isinstance(callee, Graph):
        given = _only_argument(body, node, environment)
        body.flow.applications.applied(node, callee, given)
        return models.called(callee, given)
    if isinstance(callee, Closure):
        followed = follow(body, node, callee, environment)
        if followed is not None:
            return followed
    else:
        known = lambdas.applied(body, node, environment)
        if known is not None:
            return known
        if not isinstance(node.func, (cst.Name, cst.Attribute)):
            body.visit(node.func, environment)
        held = instances.tensor_call(body, node, environment)
        if held is not None:
            return held
    names = [path.rpartition(".")[2] for path in resolve(body.scope, node.func).paths]
    if not names or any(name[:1].isupper() for name in names):  # of what is imported, classes wrap models
        _hand_on(body, node, environment)
    return Lost(NotFollowed(body.unit, node))


def _method(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """`model.add(layer)`, `items.append(x)` and other calls that change what a name holds."""
    func = node.func
    if not (isinstance(func, cst.Attribute) and changes_its_object(node)):
        return None
    added = models.added(body, node, environment)
    if added is not None:
        return added
    held = environment.get(func.value.value) if isinstance(func.value, cst.Name) else None
    if isinstance(held, Items) and func.attr.value == "append" and len(node.args) == 1:
        item = body.held(node.args[0].value, environment)
        (name,) = target_names(func.value)
        body.flow.applications.named(func.value, item)
        if environment.get(name) is held and models.is_private(body.unit, name, body.scope):
            environment.bind(name, Items((*held.items, item), changes=True))
            return Constant(UNKNOWN)
    if body.flow.site_at(node) is not None:
        return None
    for child in code_children(node):
        body.visit(child, environment)
    environment.lose(target_names(func.value), "{} is changed in place")
    return Lost(f"what .{func.attr.value} gives is not followed")


def _callee(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """What is called, as far as it is known."""
    func = node.func
    if isinstance(func, cst.Call):
        return body.held(func, environment)
    held = instances.callee(body, func, environment)
    if held is not None:
        return held
    if isinstance(func, cst.Name):
        held = body.peek(func, environment)
        if not isinstance(held, Lost):
            return held
        if environment.get(func.value) is not None:
            return None
    function = body.flow.functions.called(body.unit, node, body.scope)
    return Closure(function) if function is not None else None


def _operator(body: Expressions, node: cst.Call, site: Site, environment: Environment) -> Held:
    """A call of an operator: the layer that it builds, or what the function gives."""
    family = site.operator.family
    if family is Family.INPUT and site.operator.kind is Kind.FUNCTION:
        _arguments(body, node, environment)
        return body.flow.sources(body.unit).declared(site)
    if site.operator.short != "Model":
        _hand_on(body, node, environment)
    if family is Family.CONTAINER:
        if site.operator.framework in FRAMEWORKS:
            return modules.container(body, site, environment)
        return models.container(body, site, environment)
    if site.operator.kind is Kind.FUNCTION:
        return apply(body, site, node, environment)
    _arguments(body, node, environment)
    return Layer(site.at(body.point(environment).of(*node.args)))


def _hand_on(body: Expressions, node: cst.Call, environment: Environment) -> None:
    """Note the functional models that a call may apply."""
    for arg in node.args:
        if isinstance(arg.value, cst.Name):
            body.flow.applications.handed(body.peek(arg.value, environment))


def _arguments(body: Expressions, node: cst.Call, environment: Environment, *besides: cst.Arg) -> None:
    """Look at the arguments of an operator, which changes no list that it gets."""
    for arg in node.args:
        name = arg.value.value if isinstance(arg.value, cst.Name) else None
        if arg not in besides and (name is None or isinstance(environment.get(name), Stack)):
            body.visit(arg, environment)


def apply(body: Expressions, site: Site, node: cst.Call, environment: Environment) -> Known:
    """An operator that runs on a tensor."""
    body.flow.runs.followed.add(node)
    source = site.input_of(node)
    others = [arg for arg in node.args if arg.value is not source]
    if site.operator.family in _SEVERAL:
        return _several(body, site, node, environment)
    _arguments(body, node, environment, *(arg for arg in node.args if arg.value is source))
    extent: Known = Lost("its input is not written")
    if source is not None:
        extent = body.extent(source, environment)
    result = body.flow.reach(body, site, extent)
    plain = all(arg.keyword is not None and arg.keyword.value in _PLAIN for arg in others)
    if site.operator.kind is Kind.LAYER and not plain:
        return Lost(f"{site.written} is given more than its input")
    return result


def _several(body: Expressions, site: Site, node: cst.Call, environment: Environment) -> Known:
    """An operator that puts several tensors together."""
    operands: list[Known] = []
    complete = True
    for arg in node.args:
        if arg.star:
            body.visit(arg, environment)
            complete = False
            continue
        held = _listed(body, arg.value, environment)
        if isinstance(held, Items):
            operands += map(tensor, held.items)
        elif arg.value is site.input_of(node) or _is_other(site, arg):
            operands.append(tensor(held))
    if not complete or not operands:
        return Lost(f"what {site.written} in line {site.unit.row(node)} puts together is not known")
    if site.operator.family is Family.CONCAT:
        return concatenated(body.flow, site, node, operands)
    return combined(body.flow, body.unit, node, operands, sure=site.sure)


def _is_other(site: Site, arg: cst.Arg) -> bool:
    other = site.argument("other")
    return other is not None and other is arg


def _listed(body: Expressions, node: cst.BaseExpression, environment: Environment) -> Held:
    """The tensors in a list, which the operator leaves as it is."""
    held = environment.get(node.value) if isinstance(node, cst.Name) else None
    return held if isinstance(held, Items) else body.held(node, environment)


def _only_argument(body: Expressions, node: cst.Call, environment: Environment) -> Held:
    """The tensor that a model is applied to."""
    found: Held = Lost("its input is not written")
    for i, arg in enumerate(node.args):
        held = _listed(body, arg.value, environment)
        if i == 0 and not arg.star and arg.keyword is None:
            found = held
    plain = all(arg.keyword is not None and arg.keyword.value in _PLAIN for arg in node.args[1:])
    return found if plain else Lost("a model is given more than its input")


__all__ = ["Function", "apply", "result"]
