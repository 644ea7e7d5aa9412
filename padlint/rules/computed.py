"""Pads of PyTorch whose amounts are computed from the size of the tensor that they pad, in code of models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.rules.behind import padded_reads
from padlint.sites.site import Site
from padlint.sizes.origins import Origins, tests_around
from padlint.syntax.scopes import Scope
from padlint.syntax.units import File
from padlint.syntax.uses import UseKind
from padlint.syntax.values import Evaluator

if TYPE_CHECKING:
    from padlint.rules.context import FileContext

_SAME = re.compile("same", re.IGNORECASE)  # in the name of a function that pads as TensorFlow does


@dataclass(frozen=True)
class ComputedPad:
    """A pad with such amounts.

    `amounts` is the expression. `axes` counts the axes with an amount that depends on the size, as far as the
    call shows them. `reader` is a convolution or pool that reads the padded tensor. `tests` are the
    conditions under which the pad runs.
    """

    site: Site
    amounts: cst.BaseExpression
    axes: int
    reader: Site | None
    tests: tuple[cst.BaseExpression, ...]


def computed_pads(context: FileContext, origins: Origins) -> Iterator[ComputedPad]:
    """Every F.pad, and every layer built for one call, whose amounts depend on the size of the tensor.

    Data is also padded before it gets to a model, where no export ever sees it. So the call has to feed a
    convolution or pool, or stand in a class with a forward pass or a function that such a class calls.
    """
    pads = [site for site in context.select(("torch",)) if _is_open(site)]
    if not pads:
        return
    readers, helpers = dict(padded_reads(context, _has_window)), _helpers(context.file)
    weights = _weights(context, origins)
    for site in pads:
        reader = readers.get(site)
        if reader is not None or _in_model(site, helpers):
            yield from _computed(site, reader, origins, weights)


def _has_window(family: Family) -> bool:
    return family.is_convolution or family.is_pooling


def _computed(
    site: Site, reader: Site | None, origins: Origins, weights: frozenset[cst.Param]
) -> Iterator[ComputedPad]:
    amounts, source = site.argument("padding"), site.input_of(site.applications[0])
    if amounts is None or source is None:
        return
    tensor = origins.of(site.unit, source, site.scope).values - weights

    def depends(amount: cst.BaseExpression) -> bool:
        return bool(tensor & origins.of(site.unit, amount, site.scope).sizes)

    if depends(amounts.value):
        axes = {i // 2 for i, amount in enumerate(_elements(site, amounts.value)) if depends(amount)}
        tests = tuple(tests_around(site.unit, site.call))
        yield ComputedPad(site, amounts.value, len(axes), reader, tests)


def _is_open(site: Site) -> bool:
    operator = site.operator
    if operator.family is not Family.PAD or site.scope.kind == "module":
        return False
    applied = operator.kind is Kind.FUNCTION or site.use.kind is UseKind.APPLIED
    return applied and not site.value("padding").known


def _weights(context: FileContext, origins: Origins) -> frozenset[cst.Param]:
    """Parameters that are weights of a convolution: their sizes are fixed."""
    found: set[cst.Param] = set()
    for site in context.select(("torch",)):
        argument = site.argument("weight") if site.operator.kind is Kind.FUNCTION else None
        if argument is not None:
            found |= origins.of(site.unit, argument.value, site.scope).values
    return frozenset(found)


def _helpers(file: File) -> set[str]:
    """The names of functions that classes with a forward pass call."""
    return {
        call.func.value
        for unit in file.units
        for call in unit.index.calls
        if isinstance(call.func, cst.Name) and _has_forward(unit.index.scope_of(call))
    }


def _has_forward(scope: Scope) -> bool:
    owner = scope.class_scope
    return owner is not None and "forward" in owner.bindings


def _in_model(site: Site, helpers: set[str]) -> bool:
    functions = (scope.node for scope in site.scope.chain() if isinstance(scope.node, cst.FunctionDef))
    return _has_forward(site.scope) or any(
        f.name.value in helpers or _SAME.search(f.name.value) for f in functions
    )


def _elements(site: Site, node: cst.BaseExpression | None, named: bool = False) -> list[cst.BaseExpression]:
    """The amounts one by one; none where they are not written as a list of them, perhaps with a name."""
    if isinstance(node, cst.Name) and not named:
        found = site.scope.lookup(node.value)
        return _elements(site, found[1][0].value, named=True) if found and len(found[1]) == 1 else []
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        times = Evaluator(site.unit).value(node.right, site.scope)
        return _elements(site, node.left, named) * times.only if times.known and times.only in (2, 3) else []
    if not isinstance(node, (cst.Tuple, cst.List)):
        return []
    if not all(isinstance(element, cst.Element) for element in node.elements):
        return []
    return [element.value for element in node.elements]
