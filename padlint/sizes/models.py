"""Models of layers: in a Sequential each layer reads what the one before leaves; a Model is a whole graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Family
from padlint.sites.site import Site
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Extent, Known, Lost
from padlint.sizes.held import Constant, Graph, Held, Items, Layer, Stack, tensor
from padlint.sizes.operands import aligned
from padlint.syntax.scopes import BindingKind, Scope
from padlint.syntax.units import Unit
from padlint.syntax.values import UNKNOWN

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

# What can be asked of a model without changing its layers.
HARMLESS = frozenset(
    {"summary", "compile", "build", "fit", "evaluate", "predict", "output_shape", "trainable"}
)
HARMLESS_OF_MODULES = frozenset(
    {
        *(
            "parameters",
            "named_parameters",
            "state_dict",
            "load_state_dict",
            "eval",
            "train",
            "zero_grad",
            "to",
        ),
        *("cuda", "cpu", "half", "float", "double", "requires_grad_", "training", "modules"),
    }
)
_NOT_PARSED = frozenset({BindingKind.IMPORT, BindingKind.DEFINITION, BindingKind.CLASS})
_UNKNOWN = Lost("an element before it is not a layer that padlint knows")


def container(body: Expressions, site: Site, environment: Environment) -> Held:
    """A model with the layers that are written in its call."""
    if site.operator.short == "Model":
        return _graph(body, site, environment)
    stack = Stack(body.flow.sources(body.unit).container(site))
    for element in _elements(site):
        if isinstance(element, cst.StarredElement):
            body.visit(element.value, environment)
            stack = _broken(stack)
        else:
            stack = _with(body, stack, element, environment)
    return stack


def _broken(stack: Stack) -> Stack:
    return replace(stack, extent=_UNKNOWN, elements=(*stack.elements, None))


def _with(body: Expressions, stack: Stack, element: cst.BaseExpression, environment: Environment) -> Stack:
    """The model with one more layer, or with all layers of another model."""
    site = body.flow.site_at(element) if isinstance(element, cst.Call) else None
    if site is not None and site.operator.family is Family.INPUT:
        site = site.at(body.point(environment))
        declared = body.flow.sources(body.unit).declared(site, sequential=True)
        return replace(stack, extent=declared, declared=True)
    held = body.held(element, environment)
    body.flow.applications.handed(held)
    if isinstance(held, Stack):
        held.record.applied = True
        for inner in held.elements:
            stack = _with_layer(body, stack, inner)
        return stack
    return _with_layer(body, stack, held.site if isinstance(held, Layer) else None)


def _with_layer(body: Expressions, stack: Stack, site: Site | None) -> Stack:
    if site is None:
        return _broken(stack)
    extent = stack.extent
    if not stack.elements and not stack.declared:
        # Only the layer that opens a model is heard.
        declared = body.flow.sources(body.unit).declared_by_layer(site)
        if declared is not None:
            extent, stack = declared, replace(stack, declared=True)
    left = body.flow.reach(body, site, extent, None if stack.declared else stack.record)
    return replace(stack, extent=left, elements=(*stack.elements, site))


def applied(body: Expressions, stack: Stack, extent: Known) -> Known:
    """What a Sequential gives for a tensor."""
    stack.record.applied = True
    for site in stack.elements:
        if site is None or stack.record.changed:
            return Lost("a model has an element that is not a layer that padlint knows")
        extent = body.flow.reach(body, site, extent)
    return extent


def _graph(body: Expressions, site: Site, environment: Environment) -> Held:
    """`Model(inputs, outputs)`."""
    found: dict[str, Held] = {}
    for i, arg in enumerate(site.call.args):
        name = arg.keyword.value if arg.keyword is not None else ("inputs", "outputs")[i] if i < 2 else ""
        found[name] = body.held(arg.value, environment)
    inputs, output = found.get("inputs"), found.get("outputs")
    if inputs is None or output is None:
        return Lost("it is a model")
    enter = inputs.items if isinstance(inputs, Items) else (inputs,)
    return Graph(tuple(map(tensor, enter)), output)


def called(graph: Graph, given: Held) -> Held:
    """What a functional model gives for tensors of the sizes that it was made with."""
    tensors = given.items if isinstance(given, Items) else (given,)
    same = len(tensors) == len(graph.inputs) and all(map(_fits, graph.inputs, map(tensor, tensors)))
    return graph.output if same else Lost("a model is applied to something else than its own inputs")


def _fits(declared: Known, given: Known) -> bool:
    if not isinstance(declared, Extent) or not isinstance(given, Extent):
        return False
    pair = aligned(declared, given)
    return pair is not None and pair[0] == pair[1]


def _elements(site: Site) -> Iterable[cst.BaseExpression]:
    """The layers written inside a container call; starred ones stay starred."""
    for arg in site.call.args:
        if arg.keyword is not None and arg.keyword.value != "layers":
            continue
        if arg.star:
            yield cst.StarredElement(arg.value)
        elif isinstance(arg.value, (cst.List, cst.Tuple)):
            for element in arg.value.elements:
                yield element if isinstance(element, cst.StarredElement) else element.value
        else:
            yield arg.value


def added(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """`model.add(layer)` on a name that holds a Sequential; None for any other call."""
    func = node.func
    if not (isinstance(func, cst.Attribute) and func.attr.value == "add" and len(node.args) == 1):
        return None
    model, element = func.value, node.args[0].value
    if not isinstance(model, cst.Name) or body.flow.site_at(node) is not None:  # tf.add and the like
        return None
    stack = environment.get(model.value)
    if not isinstance(stack, Stack):
        unknown = Stack(Lost(f"{model.value} is not made in this function"), declared=True)
        _with(body, unknown, element, environment)
    elif model.value in stack.record.names and is_private(body.unit, model.value, body.scope):
        added_to = _with(body, stack, element, environment)
        environment.bind(model.value, added_to)
    else:
        stack.record.changed = True
        body.visit(element, environment)
        environment.lose([model.value], "{} has layers that are not followed")
    return Constant(UNKNOWN)


def bound_elsewhere(unit: Unit, name: str, scope: Scope) -> str:
    """How a name may be bound out of sight of the code of its scope; empty if it is not."""
    return unit.once(_bound_elsewhere, name, scope)


def _bound_elsewhere(unit: Unit, name: str, scope: Scope) -> str:
    if name in unit.facts.outer:
        return f"another function may assign {name}"
    if scope.kind == "module":  # where imports and definitions need not be among the parsed statements
        kinds = {binding.kind for binding in scope.bindings.get(name, ())}
        if not kinds.isdisjoint(_NOT_PARSED) or scope.later_stars(name):
            return f"{name} is also imported or defined"
    return ""


def is_private(unit: Unit, name: str, scope: Scope) -> bool:
    """Whether only the code of one function (or of the module) can reach what a name of it holds."""
    return unit.once(_is_private, name, scope)


def _is_private(unit: Unit, name: str, scope: Scope) -> bool:
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
