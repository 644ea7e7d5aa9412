"""What a loop goes over, where the file tells all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from padlint.sizes import instances
from padlint.sizes.environment import Environment, bound_names
from padlint.sizes.held import Constant, Held, Items
from padlint.syntax.values import constant
from padlint.syntax.walk import code_children, descendants

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

_LONGEST = 64


def ends_early(node: cst.For | cst.While) -> bool:
    """Whether a loop has a `break` or `continue` of its own."""
    return any(isinstance(inner, (cst.Break, cst.Continue)) for inner in _own(node.body))


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements below a node that belong to the same loop."""
    yield node
    if not isinstance(node, (cst.BaseExpression, cst.FunctionDef, cst.ClassDef)):
        for child in code_children(node):
            if isinstance(child, (cst.For, cst.While)):
                if child.orelse is not None:
                    yield from _own(child.orelse)
            else:
                yield from _own(child)


def iterated(body: Expressions, node: cst.For, environment: Environment) -> tuple[Held, ...] | None:
    """The items in order; None where they, or their number, are not known."""
    names = {name.value for name in descendants(node.iter) if isinstance(name, cst.Name)}
    if ends_early(node) or not names.isdisjoint(bound_names(node.body)):
        return None
    items = _items(body, node.iter, environment)
    return items if items is not None and len(items) <= _LONGEST else None


def _items(body: Expressions, node: cst.BaseExpression, environment: Environment) -> tuple[Held, ...] | None:
    if isinstance(node, cst.Name):
        held = environment.get(node.value)
        if isinstance(held, Items):
            return held.items
    if isinstance(node, (cst.Tuple, cst.List)):
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            return None
        return tuple(body.held(element.value, environment) for element in node.elements)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return _built_in(body, node, node.func.value, environment)
    if isinstance(node, (cst.Attribute, cst.Subscript)):
        modules = instances.listed(body, node, environment)
        if modules is not None:
            return modules
    value = body.value(node, environment)
    return _constants(value.known and value.only)


def _constants(items: object) -> tuple[Held, ...] | None:
    return tuple(Constant(constant(item)) for item in items) if isinstance(items, tuple) else None


def comprehended(
    body: Expressions, node: cst.ListComp | cst.GeneratorExp, environment: Environment
) -> Items | None:
    """The items of a comprehension over something known; None for any other."""
    loop = node.for_in
    if loop.ifs or loop.inner_for_in is not None or loop.asynchronous is not None or bound_names(node.elt):
        return None
    items = _items(body, loop.iter, environment)
    if items is None or len(items) > _LONGEST or not body.flow.afford(body.unit, len(items)):
        return None
    found: list[Held] = []
    for item in items:
        inside = environment.branch()
        run = body.flow.part(body, body.unit.index.scopes[node], inside)
        run.store(loop.target, item, inside)
        found.append(run.held(node.elt, inside))
        environment.keep_objects([inside])
    return Items(tuple(found), changes=isinstance(node, cst.ListComp))


def _built_in(
    body: Expressions, node: cst.Call, name: str, environment: Environment
) -> tuple[Held, ...] | None:
    """`range(3)`, `enumerate(items)`, `zip(these, those)`, `reversed(items)`."""
    if body.scope.lookup(name) is not None or any(arg.star or arg.keyword for arg in node.args):
        return None
    arguments = [arg.value for arg in node.args]
    if name == "range":
        values = [body.value(argument, environment) for argument in arguments]
        numbers = [value.only for value in values if value.known and isinstance(value.only, int)]
        if (
            len(numbers) != len(values)
            or not 1 <= len(numbers) <= 3
            or (len(numbers) == 3 and not numbers[2])
        ):
            return None
        counted = range(*numbers)
        return _constants(tuple(counted)) if len(counted) <= _LONGEST else None
    sequences = [_items(body, argument, environment) for argument in arguments]
    known = [items for items in sequences if items is not None]
    if not known or len(known) != len(sequences):
        return None
    if name == "enumerate" and len(known) == 1:
        return tuple(Items((Constant(constant(i)), item)) for i, item in enumerate(known[0]))
    if name in ("reversed", "list", "tuple") and len(known) == 1:
        return known[0][::-1] if name == "reversed" else known[0]
    if name == "zip":
        return tuple(Items(items) for items in zip(*known, strict=False))
    return None


def _range(numbers: list[int], expected: int) -> tuple[Held, ...] | None:
    if len(numbers) != expected or not 1 <= expected <= 3 or numbers[2:] == [0]:
        return None
    counted = range(*numbers)
    return _constants(tuple(counted)) if len(counted) <= _LONGEST else None
