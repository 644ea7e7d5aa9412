"""Rounding up a division, in a way that every exporter of PyTorch writes as it is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.findings import Edit, Program
from padlint.rewrites.calls import SAMPLE
from padlint.rewrites.model import Refusal, Rewrite
from padlint.sites.site import Site
from padlint.syntax.units import Unit

_PLACES = (cst.Name, cst.Attribute, cst.Subscript)
_FACTORS = (cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.MatrixMultiply)


@dataclass(frozen=True)
class Ceil:
    """An expression that computes `dividend / divisor`, rounded up.

    `known` says that the file shows the divisor's value.
    """

    unit: Unit
    node: cst.BaseExpression
    dividend: cst.BaseExpression
    divisor: cst.BaseExpression
    known: bool = False

    @property
    def text(self) -> str:
        """`(n + s - 1) // s`."""
        n, s = self.unit.text(self.dividend), self.unit.text(self.divisor)
        if isinstance(self.divisor, cst.Integer) and (number := int(self.divisor.value, 0)) > 1:
            return f"({n} + {number - 1}) // {s}"
        return f"({n} + {s} - 1) // {s}"

    @property
    def replacement(self) -> str:
        """The same, in brackets where it would be torn apart by what stands around it."""
        return f"({self.text})" if _needs_brackets(self) else self.text


def round_up(site: Site, ceils: Sequence[Ceil]) -> Rewrite | Refusal:
    """The expressions with `//` alone; `site` is a pad that they feed."""
    edits: list[Edit] = []
    for ceil in ceils:
        if _is_computed(ceil.divisor):
            return Refusal("the divisor would be computed twice")
        if "\n" in ceil.text or "\r" in ceil.text:
            return Refusal("its operands stand on several rows")
        edits.append(ceil.unit.replace(ceil.node, ceil.replacement))
    before, after = _programs(site, ceils)
    return Rewrite(tuple(edits), before, after)


def _programs(site: Site, ceils: Sequence[Ceil]) -> tuple[Program, Program] | tuple[None, None]:
    """F.pad by these amounts, one axis each, with a size as every dividend.

    None where the pad is a layer, or a dividend is no name.
    """
    if site.operator.kind is Kind.LAYER:
        return None, None
    setup: dict[str, str] = {}
    amounts: list[tuple[str, str]] = []
    for ceil in ceils:
        places = {ceil.dividend: f"{SAMPLE}.shape[-1]"} | ({} if ceil.known else {ceil.divisor: "2"})
        if not all(isinstance(place, _PLACES) for place in places):
            return None, None
        setup |= {ceil.unit.text(place): value for place, value in places.items()}
        amounts.append((f"0, {ceil.unit.text(ceil.node)}", f"0, {ceil.replacement}"))
    statements = tuple(f"{place} = {value}" for place, value in setup.items())
    before, after = (f"{site.written}({SAMPLE}, ({', '.join(side)}))" for side in zip(*amounts, strict=True))
    return Program(statements, before, SAMPLE), Program(statements, after, SAMPLE)


def _is_computed(node: cst.BaseExpression) -> bool:
    """Whether an expression does more than read names, attributes, items and numbers."""
    if isinstance(node, (cst.Name, cst.BaseNumber)):
        return False
    if isinstance(node, cst.Attribute):
        return _is_computed(node.value)
    if isinstance(node, cst.Subscript):
        item = node.slice[0].slice
        plain = len(node.slice) == 1 and isinstance(item, cst.Index) and not _is_computed(item.value)
        return not plain or _is_computed(node.value)
    if isinstance(node, cst.UnaryOperation):
        return _is_computed(node.expression)
    if isinstance(node, cst.BinaryOperation):
        return _is_computed(node.left) or _is_computed(node.right)
    return True


def _needs_brackets(ceil: Ceil) -> bool:
    """Whether what stands around an expression binds more tightly than `//`."""
    parent = ceil.unit.index.parents[ceil.node]
    if isinstance(parent, cst.BinaryOperation):
        if isinstance(parent.operator, cst.Power):
            return True
        return parent.right is ceil.node and isinstance(parent.operator, _FACTORS)
    if isinstance(parent, cst.UnaryOperation):
        return not isinstance(parent.operator, cst.Not)
    return isinstance(parent, (cst.Attribute, cst.Subscript, cst.Call, cst.Await))
