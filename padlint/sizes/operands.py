"""Tensors that are added, multiplied or concatenated: what their sizes say of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from padlint.geometry import UNKNOWN, Exact, Size, Unknown, residue_class, size_class
from padlint.sites.reading import AXIS_NAMES, data_format
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, Lost, describe
from padlint.syntax.units import Unit

if TYPE_CHECKING:
    from padlint.sizes.flow import Flow


@dataclass(frozen=True)
class Mismatch:
    """Two tensors whose sizes cannot be put together by the call or operation `node`."""

    unit: Unit
    node: cst.CSTNode
    first: Extent
    second: Extent
    sizes: tuple[tuple[Size, ...], tuple[Size, ...]]
    joined: str = ""  # the axis that is concatenated


def combined(
    flow: Flow, unit: Unit, node: cst.CSTNode, operands: Sequence[Known], *, sure: bool = True
) -> Known:
    """What element-wise arithmetic gives: equal sizes, or 1 on one side, which is then repeated."""
    known = [operand for operand in operands if isinstance(operand, Extent)]
    if not known:
        return next(operand for operand in operands if isinstance(operand, Lost))
    if len(operands) == 1:
        return operands[0]
    result = known[0]
    for other in known[1:]:
        pair = aligned(result, other)
        if pair is None:
            return Lost("what is put together has different numbers of axes")
        sizes = [_broadcast(a, b) for a, b in zip(*pair, strict=True)]
        if None in sizes and sure:
            flow.mismatch(Mismatch(unit, node, result, other, pair))
        if None in sizes:
            return Lost("what is put together has different sizes")
        result = _merged(result, other, tuple(size for size in sizes if size is not None), pair)
    if len(known) < len(operands):
        # An unknown side may be larger on an axis of size 1, and nowhere else.
        result = _each(result, lambda size: UNKNOWN if _may_be_one(size) else size)
    return result


def concatenated(flow: Flow, site: Site, node: cst.Call, operands: Sequence[Known]) -> Known:
    """What concatenation gives: all axes but one are equal."""
    known = [operand for operand in operands if isinstance(operand, Extent)]
    if not known:
        return next(operand for operand in operands if isinstance(operand, Lost))
    axis = _axis(site, known)
    where = f"{site.written} in line {site.unit.row(node)}"
    if axis is None:
        return Lost(f"which axis {where} joins is not known")
    result = known[0]
    spatial = axis != "channels"
    for other in known[1:]:
        pair = aligned(result, other)
        if pair is None:
            return Lost(f"what {where} joins has different numbers of axes")
        sizes: list[Size] = []
        for i, (a, b) in enumerate(zip(*pair, strict=True)):
            size = _sum(a, b) if i == axis else _equal(a, b)
            if size is None and _is_channels(result, i, len(pair[0])) and not spatial:
                size = UNKNOWN
            if size is None:
                if site.sure:
                    flow.mismatch(Mismatch(site.unit, node, result, other, pair, _called(axis, result)))
                return Lost(f"what {where} joins has different sizes")
            sizes.append(size)
        result = _merged(result, other, tuple(sizes), pair)
    if spatial and len(known) < len(operands):
        return Lost(f"a size of what {where} joins is not known")
    return result


def _called(axis: int | str, extent: Extent) -> str:
    """The joined axis in words."""
    if isinstance(axis, str):
        return axis
    names = AXIS_NAMES.get(len(extent.sizes) - extent.channels, ())
    place = axis - (extent.channels and extent.channels_last is False)
    return names[place] if 0 <= place < len(names) else "given axis"


def _axis(site: Site, known: Sequence[Extent]) -> int | str | None:
    """The index of the joined axis among the sizes, or `channels`; None if it is not known."""
    value = site.value("axis")
    ranks = {len(extent.sizes) - extent.channels for extent in known if extent.every_axis is None}
    if len(ranks) > 1 or not value.options or not value.complete:
        return None
    rank = ranks.pop() if ranks else None
    found = {_place(option.value, rank, site, known) for option in value.options}
    return found.pop() if len(found) == 1 else None


def _place(axis: object, rank: int | None, site: Site, known: Sequence[Extent]) -> int | str | None:
    if not isinstance(axis, int):
        return None
    layout = next((e.channels_last for e in known if e.channels_last is not None), None)
    last = layout if layout is not None else data_format(site) != "channels_first"
    if axis == -1 and last:
        return "channels"
    if rank is None:
        return "channels" if axis == (-1 if last else 1) else None
    place = axis % (rank + 2) if -(rank + 2) <= axis < rank + 2 else 0
    if place == (rank + 1 if last else 1):
        return "channels"
    spatial = place - 1 if last else place - 2
    if not 0 <= spatial < rank:
        return None  # the batch
    return spatial + (not last and any(extent.channels for extent in known))


def _is_channels(extent: Extent, index: int, count: int) -> bool:
    """Whether an aligned axis may be that of the channels."""
    if not extent.channels:
        return False
    return (
        index in (0, count - 1)
        if extent.channels_last is None
        else index == (count - 1 if extent.channels_last else 0)
    )


def aligned(first: Extent, second: Extent) -> tuple[tuple[Size, ...], tuple[Size, ...]] | None:
    """The sizes of both, axis by axis; None where they have not the same axes."""
    for one, other in ((first, second), (second, first)):
        if one.every_axis is not None:
            count = 1 if other.every_axis is not None else len(other.sizes) - other.channels
            repeated = (one.every_axis,) * count
            theirs = (other.every_axis,) if other.every_axis is not None else _without_channels(other)
            if theirs is None:
                return None
            return (repeated, theirs) if one is first else (theirs, repeated)
    if first.channels == second.channels:
        return (first.sizes, second.sizes) if len(first.sizes) == len(second.sizes) else None
    if first.channels:
        swapped = aligned(second, first)
        return (swapped[1], swapped[0]) if swapped is not None else None
    last = first.channels_last
    sizes = second.spatial(len(first.sizes), last) if last is not None else None
    return (first.sizes, sizes) if sizes is not None else None


def _without_channels(extent: Extent) -> tuple[Size, ...] | None:
    if not extent.channels:
        return extent.sizes
    first, last = extent.sizes[1:], extent.sizes[:-1]
    if extent.channels_last is None and first != last:
        return last  # as layers have it that do not say otherwise
    return first if extent.channels_last is False else last


def _merged(
    first: Extent, second: Extent, sizes: tuple[Size, ...], pair: tuple[tuple[Size, ...], tuple[Size, ...]]
) -> Extent:
    """The extent that both give together: that of the better founded side where it already says it all."""
    for one, own in sorted(zip((first, second), pair, strict=True), key=lambda side: side[0].effective_basis):
        if own == sizes:
            return _with(one, sizes, first, second)
    worse = first if first.effective_basis >= second.effective_basis else second
    return _with(worse, sizes, first, second)


def _with(one: Extent, sizes: tuple[Size, ...], first: Extent, second: Extent) -> Extent:
    layout = first.channels_last if first.channels_last is not None else second.channels_last
    if one.every_axis is not None and first.every_axis is not None and second.every_axis is not None:
        return replace(one, every_axis=sizes[0], channels_last=layout)
    channels = first.channels and second.channels
    return replace(one, sizes=sizes, every_axis=None, channels=channels, channels_last=layout)


def _each(extent: Extent, function: object) -> Extent:
    assert callable(function)
    if extent.every_axis is not None:
        return replace(extent, every_axis=function(extent.every_axis))
    return replace(extent, sizes=tuple(map(function, extent.sizes)))


def _may_be_one(size: Size) -> bool:
    remainder, modulus = residue_class(size)
    return remainder == 1 if modulus == 0 else (1 - remainder) % modulus == 0


def _broadcast(a: Size, b: Size) -> Size | None:
    """The size of both together; None where they cannot fit."""
    if a == b:
        return a
    for one, other in ((a, b), (b, a)):
        if one == Exact(1):
            return other
        if _may_be_one(one):
            return other if not _may_be_one(other) else UNKNOWN
    return _equal(a, b)


def _equal(a: Size, b: Size) -> Size | None:
    """What is known of a size of which both hold; None where that cannot be."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Unknown):
            return other
        remainder, modulus = residue_class(one)
        n, exact = residue_class(other)
        if exact == 0:
            fits = n == remainder if modulus == 0 else n % modulus == remainder
            return other if fits else None
        if modulus and exact % modulus == 0:
            return other if n % modulus == remainder else None
    return a


def _sum(a: Size, b: Size) -> Size:
    first, modulus = residue_class(a)
    second, other = residue_class(b)
    if modulus == 0 or other == 0:
        return size_class(first + second, modulus or other)
    return UNKNOWN


__all__ = ["Mismatch", "aligned", "combined", "concatenated", "describe"]
