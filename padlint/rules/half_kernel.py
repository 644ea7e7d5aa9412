"""`padding=kernel // 2`, SAME padding as people write it out for stride 1, and the code around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.sites.reading import Axis, Reading, readings
from padlint.sites.site import Site
from padlint.syntax.attributes import class_around
from padlint.syntax.formulas import Formulas
from padlint.syntax.walk import descendants

_DIVISIONS = (cst.FloorDivide, cst.Divide)


class HalfKernel(NamedTuple):
    """One axis of a call whose padding is computed as half of its kernel, and the expression for that."""

    reading: Reading
    axis: Axis
    node: cst.BaseExpression


def half_kernels(site: Site) -> Iterator[HalfKernel]:
    """Every axis on which the padding is written with a division and is half the kernel, rounded down."""
    argument, family = site.argument("padding"), site.operator.family
    if argument is None or not _takes_ints(site) or not (family is Family.CONV or family.is_pooling):
        return
    formulas = Formulas(site.unit)
    for reading in readings(site):
        rank = len(reading.axes)
        amounts = catalogue.spatial_entries(reading.padding, rank)
        if amounts is None:
            continue
        written = formulas.resolved(argument.value)
        nodes = _per_axis(written if written in site.unit.index.parents else argument.value, rank)
        for axis, amount, node in zip(reading.axes, amounts, nodes, strict=True):
            half = axis.kernel // 2 if axis.kernel is not None else 0
            if half > 0 and amount == half and isinstance(amount, int) and _divides(formulas, node):
                yield HalfKernel(reading, axis, node)


def _takes_ints(site: Site) -> bool:
    return site.operator.framework == "torch" or (
        site.operator.framework == "flax" and site.operator.family is Family.CONV
    )


def _per_axis(node: cst.BaseExpression, rank: int) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.Tuple, cst.List)) and len(node.elements) == rank:
        return [element.value for element in node.elements]
    return [node] * rank


def _divides(formulas: Formulas, node: cst.BaseExpression) -> bool:
    return any(
        isinstance(part, cst.BinaryOperation) and isinstance(part.operator, _DIVISIONS)
        for part in descendants(formulas.resolved(node))
    )


def definition_around(site: Site) -> cst.CSTNode:
    """The class that a call stands in, else the outermost function, else the statement."""
    owner = class_around(site.scope)
    if owner is not None:
        return owner
    chain = [site.call, *site.unit.ancestors(site.call)]
    functions = [node for node in chain if isinstance(node, cst.FunctionDef)]
    return functions[-1] if functions else chain[-2]
