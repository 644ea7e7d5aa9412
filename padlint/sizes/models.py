"""Sequential models: in each the layers read what the one before leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Family
from padlint.sites.site import Site
from padlint.sizes.environment import Environment, Stack
from padlint.sizes.extent import Known, Lost
from padlint.syntax.scopes import BindingKind, Scope
from padlint.syntax.units import Unit

if TYPE_CHECKING:
    from padlint.sizes.flow import Flow

# What can be asked of a model without changing its layers.
HARMLESS = frozenset(
    {"summary", "compile", "build", "fit", "evaluate", "predict", "output_shape", "trainable"}
)
_NOT_PARSED = frozenset({BindingKind.IMPORT, BindingKind.DEFINITION, BindingKind.CLASS})
_UNKNOWN = Lost("an element before it is not a layer that padlint knows")


def container(flow: Flow, site: Site, environment: Environment) -> Stack:
    """A Sequential with the layers that are written in its call."""
    stack = Stack(flow.sources.container(site), empty=True)
    for element in _elements(site):
        layer = flow.sites.get(element) if isinstance(element, cst.Call) else None
        if layer is None:
            flow.visit(element, environment)
            stack = Stack(_UNKNOWN)
        elif layer.operator.family is Family.CONTAINER:
            container(flow, layer, environment)
            stack = Stack(Lost("a nested model before it is not followed"))
        else:
            stack = _with(flow, stack, layer)
    return stack


def _with(flow: Flow, stack: Stack, layer: Site) -> Stack:
    """The model with one more layer."""
    if layer.operator.family is Family.INPUT:
        return Stack(flow.sources.declared(layer, sequential=True))
    extent = stack.extent
    if stack.empty:
        # Only the layer that opens a model is heard.
        extent = flow.sources.declared_by_layer(layer) or extent
    return Stack(flow.reach(layer, extent))


def _elements(site: Site) -> list[cst.BaseExpression]:
    """The layers written inside a container call; starred ones are cut off with a placeholder."""
    values: list[cst.BaseExpression] = []
    for arg in site.call.args:
        if arg.keyword is not None and arg.keyword.value != "layers":
            continue
        if isinstance(arg.value, (cst.List, cst.Tuple)):
            values += [element.value for element in arg.value.elements]
        else:
            values.append(arg.value)
    return values


def added(flow: Flow, node: cst.Call, environment: Environment) -> Known | None:
    """`model.add(layer)` on a name that holds a Sequential; None for any other call."""
    func = node.func
    if not (isinstance(func, cst.Attribute) and func.attr.value == "add" and len(node.args) == 1):
        return None
    model, element = func.value, node.args[0].value
    if not isinstance(model, cst.Name):
        return None
    layer = flow.sites.get(element) if isinstance(element, cst.Call) else None
    stack = environment.models.get(model.value)
    if layer is None or layer.operator.family is Family.CONTAINER:
        flow.visit(element, environment)
        if stack is not None:
            environment.models[model.value] = Stack(_UNKNOWN)
        return Lost("add returns nothing")
    if stack is None:
        flow.reach(layer, Lost(f"{model.value} is not made in this function"))
    else:
        environment.models[model.value] = _with(flow, stack, layer)
    return Lost("add returns nothing")


def bound_elsewhere(unit: Unit, name: str, scope: Scope) -> str:
    """How a name may be bound out of sight of the code of its scope; empty if it is not."""
    if name in unit.facts.outer:
        return f"another function may assign {name}"
    if scope.kind == "module":  # where imports and definitions need not be among the parsed statements
        kinds = {binding.kind for binding in scope.bindings.get(name, ())}
        if not kinds.isdisjoint(_NOT_PARSED) or scope.later_stars(name):
            return f"{name} is also imported or defined"
    return ""


def is_private(unit: Unit, name: str, scope: Scope) -> bool:
    """Whether only the code of one function (or of the module) can reach what a name of it holds."""
    if bound_elsewhere(unit, name, scope):
        return False
    names = unit.index.names.get(name, ())
    if scope.kind == "module" and unit.facts.mentions[name] > len(names):
        return False
    for node in names:
        reader = unit.index.scope_of(node)
        found = reader.lookup(name)
        if reader is not scope and found is not None and found[0] is scope:
            return False
    return True
