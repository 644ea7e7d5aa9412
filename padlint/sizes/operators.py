"""What one operator makes of the sizes of its input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, PadStyle
from padlint.geometry import (
    UNKNOWN,
    Exact,
    Size,
    pad_output,
    same_output,
    transposed_output,
    upsample_output,
    window_output,
)
from padlint.sites.reading import Axis, Reading, data_format, readings, spatial_rank
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, Lost, describe
from padlint.sizes.steps import Step, Steps

_WINDOWED = frozenset(
    {
        Family.CONV,
        Family.DEPTHWISE,
        Family.SEPARABLE,
        Family.MAX_POOL,
        Family.AVERAGE_POOL,
        Family.LP_POOL,
    }
)
_PAIRED = frozenset({"flax", "jax", "haiku"})  # whose convolutions and pools take (before, after) per axis


def output(site: Site, extent: Extent) -> Known:
    """The extent behind a site, or why it is lost."""
    return doubted(site, _output(site, extent))


def doubted(site: Site, extent: Known) -> Known:
    """What a site leaves, where the name of its operator may mean something else too."""
    if site.sure or not isinstance(extent, Extent):
        return extent
    return extent.doubted(f"{site.written} is {site.operator.name}")


def regained(site: Site, lost: Lost) -> Known:
    """What leaves an operator whose output has the same size whatever reaches it."""
    given = _given(site)
    return lost if given is None else doubted(site, given)


def _given(site: Site) -> Extent | None:
    """The size that a call gives to its output; None if it gives none for sure."""
    role = {Family.RESIZE: "output_size", Family.RESHAPE: "output_shape"}.get(site.operator.family)
    if role is None or site.operator.unless & site.bound.arguments.keys():
        return None
    value = site.value(role)
    sizes = value.only if value.known else None
    if not isinstance(sizes, tuple) or not all(isinstance(n, int) for n in sizes):
        return None
    found = tuple(Exact(n) if n > 0 else UNKNOWN for n in sizes)
    channels = site.operator.family is Family.RESHAPE
    shown = found[:-1] if channels else found
    if not shown or all(size is UNKNOWN for size in shown):
        return None
    step = Step(describe(shown), f"{site.operator.short}, line {site.unit.row(site.call)}")
    layout = None if channels else data_format(site) == "channels_last"
    return Extent(found, steps=Steps([step]), channels=channels, channels_last=layout)


def _output(site: Site, extent: Extent) -> Known:
    family = site.operator.family
    if extent.chain is not None:
        if family is Family.FLATTEN and site.operator.short == "Flatten":
            extent.chain.flattened = True
        elif family is Family.DENSE and extent.chain.flattened:
            extent.chain.pinned = True
    if family is Family.ELEMENTWISE:
        return extent
    if family is Family.DENSE:
        return _dense(site, extent)
    if family is Family.FLATTEN and site.operator.short == "Flatten":
        return replace(extent, sizes=(), channels=False, every_axis=None)
    given = _given(site)
    if given is not None:
        return given
    row = site.unit.row(site.call)
    if _returns_more(site):
        return Lost(f"{site.written} in line {row} returns indices too")
    where = f"line {row}"
    layout = data_format(site)
    if layout is None and (extent.channels or site.operator.pads is not None):
        return Lost(f"the data_format of {site.written} in line {row} is not known")
    rank = _rank(site, extent)
    sizes = extent.spatial(rank, layout == "channels_last") if rank is not None else None
    if sizes is None:
        return Lost(f"{site.written} in line {row} ends the spatial axes or has another rank")
    if extent.chain is not None:
        extent.chain.layers.append((site, sizes))
    behind = after(site, sizes)
    if behind is None:
        return Lost(f"what {site.written} in line {row} does to the size is not known")
    last = None if layout is None else layout == "channels_last"
    return extent.after(behind, where, moved=behind != sizes, channels_last=last)


def _dense(site: Site, extent: Extent) -> Known:
    """A dense layer changes the last axis, which need not be that of the channels."""
    if site.operator.framework != "torch":
        if extent.channels:
            return replace(extent, sizes=(*extent.sizes[:-1], UNKNOWN))
        if extent.channels_last:
            return extent
    return Lost(f"{site.written} in line {site.unit.row(site.call)} may change a spatial axis")


def _rank(site: Site, extent: Extent) -> int | None:
    rank = spatial_rank(site)
    if rank is not None:
        return rank
    if extent.every_axis is not None or not extent.sizes:
        return None
    return len(extent.sizes) - extent.channels


def after(site: Site, sizes: tuple[Size, ...]) -> tuple[Size, ...] | None:
    """The spatial sizes behind a site; None where they are not known."""
    family = site.operator.family
    if family in _WINDOWED or family is Family.TRANSPOSED:
        reading = _only(readings(site))
        if reading is None or _is_dilated(site):
            return None
        function = _transposed if family is Family.TRANSPOSED else _windowed
        return function(site, reading, sizes)
    if family in (Family.PAD, Family.CROP):
        amounts = pad_amounts(site, len(sizes))
        if amounts is None:
            return None
        sign = 1 if family is Family.PAD else -1
        return tuple(pad_output(n, sign * b, sign * a) for n, (b, a) in zip(sizes, amounts, strict=True))
    if family is Family.UPSAMPLE:
        return _upsampled(site, sizes)
    if family is Family.ADAPTIVE_POOL and site.operator.short.lower().startswith("adaptive"):
        return _fixed(site, sizes)
    return None


def _is_dilated(site: Site) -> bool:
    """Whether a convolution may read zeros between the elements of its input."""
    if not site.has("input_dilation"):
        return False
    value = site.value("input_dilation")
    factors = value.only if value.known else 0
    return any(factor not in (1, None) for factor in (factors if isinstance(factors, tuple) else (factors,)))


def _fixed(site: Site, sizes: tuple[Size, ...]) -> tuple[Size, ...] | None:
    """The sizes that a call asks for, where None keeps that of the input."""
    asked = site.value("output_size")
    entries = catalogue.spatial_entries(asked.only, len(sizes)) if asked.known else None
    if entries is None or any(n is not None and (type(n) is not int or n < 1) for n in entries):
        return None
    return tuple(size if n is None else Exact(n) for size, n in zip(sizes, entries, strict=True))


def _upsampled(site: Site, sizes: tuple[Size, ...]) -> tuple[Size, ...] | None:
    asked = site.value("output_size") if site.has("output_size") else None
    if asked is not None and not (asked.known and asked.only is None):
        return _fixed(site, sizes)
    factor = site.value("scale")
    factors = catalogue.spatial_entries(factor.only, len(sizes)) if factor.known else None
    if factors is None or not all(type(f) in (int, float) and f > 0 for f in factors):
        return None
    return tuple(_scaled(n, f) for n, f in zip(sizes, factors, strict=True))


def _scaled(size: Size, factor: float) -> Size:
    if factor == int(factor):
        return upsample_output(size, int(factor))
    count = math.floor(size.n * factor) if isinstance(size, Exact) else 0
    return Exact(count) if count > 0 else UNKNOWN


def _returns_more(site: Site) -> bool:
    """Whether a pool may return the indices of its maxima too."""
    if site.operator.parameter("return_indices") is None:
        return False
    argument = site.bound.arguments.get("return_indices")
    if argument is None:
        return site.bound.may_carry("return_indices")
    return not (isinstance(argument.value, cst.Name) and argument.value.value == "False")


def _only(found: Sequence[Reading]) -> Reading | None:
    return found[0] if len(found) == 1 and found[0].sure else None


def _windowed(site: Site, reading: Reading, sizes: tuple[Size, ...]) -> tuple[Size, ...] | None:
    ceil_mode = site.value("ceil_mode") if "ceil_mode" in site.operator.roles else None
    if ceil_mode is not None and not ceil_mode.known:
        return None
    result: list[Size] = []
    for i, (axis, n) in enumerate(zip(reading.axes, sizes, strict=True)):
        pads = explicit_pads(site, reading, i)
        if reading.same or (isinstance(reading.padding, str) and reading.padding.lower() == "causal"):
            result.append(same_output(n, axis.stride))
        elif pads is None or axis.kernel is None:
            return None
        else:
            mode = bool(ceil_mode.only) if ceil_mode is not None else False
            result.append(window_output(n, axis.kernel, axis.stride, axis.dilation, *pads, ceil_mode=mode))
    return tuple(result)


def explicit_pads(site: Site, reading: Reading, index: int) -> tuple[int, int] | None:
    """The pads of the operator itself on one spatial axis: of `valid`, an int, a tuple or tf.nn's pairs."""
    padding: Any = reading.padding
    if isinstance(padding, str):
        return (0, 0) if padding.lower() == "valid" else None
    rank = len(reading.axes)
    if site.operator.framework == "torch":
        entries = catalogue.spatial_entries(padding, rank)
        if entries is None or not all(isinstance(p, int) and p >= 0 for p in entries):
            return None
        return entries[index], entries[index]
    if site.operator.framework in _PAIRED:
        found = read_pads(site.operator.pads, padding, rank, data_format(site) != "channels_first")
        return found[index] if found is not None else None
    if isinstance(padding, tuple) and len(padding) == rank + 2:
        pairs = padding[1:-1] if data_format(site) == "channels_last" else padding[2:]
        pair = pairs[index]
        if isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(p, int) for p in pair):
            return pair
    return None


def _transposed(site: Site, reading: Reading, sizes: tuple[Size, ...]) -> tuple[Size, ...] | None:
    extra = site.value("output_padding")
    if "output_padding" in site.operator.roles and not extra.known:
        return None
    if "output_shape" in site.operator.roles or site.operator.framework == "tf":
        return None
    given = extra.only if extra.known else None
    rank = len(reading.axes)
    extras = catalogue.spatial_entries(given, rank) if given is not None else (None,) * rank
    if extras is None:
        return None
    result: list[Size] = []
    for i, (axis, n) in enumerate(zip(reading.axes, sizes, strict=True)):
        padding = _transposed_padding(site, reading, i)
        if padding is None or axis.kernel is None:
            return None
        result.append(transposed_output(n, axis.kernel, axis.stride, axis.dilation, padding, extras[i]))
    return tuple(result)


def _transposed_padding(site: Site, reading: Reading, index: int) -> Any:
    if isinstance(reading.padding, str):
        word = reading.padding.lower()
        return word if word in ("same", "valid") and site.operator.framework != "torch" else None
    return explicit_pads(site, reading, index)


def pad_amounts(site: Site, rank: int) -> list[tuple[int, int]] | None:
    """(before, after) per spatial axis of a pad or crop operator, None where they are not known."""
    value = site.value("padding") if "padding" in site.operator.roles else site.value("cropping")
    if not value.known:
        return None
    return read_pads(site.operator.pads, value.only, rank, data_format(site) != "channels_first")


def read_pads(
    style: PadStyle | None, raw: Any, rank: int, channels_last: bool
) -> list[tuple[int, int]] | None:
    """Pads as written in a style, as (before, after) per spatial axis; None if they mean anything else."""
    if style is None:
        return None
    return catalogue.read_pads(style, raw, rank, channels_last)


def same_axis(axis: Axis) -> bool:
    """Whether SAME needs no pad at all on this axis."""
    return axis.kernel is not None and axis.reach == 1


__all__ = ["UNKNOWN", "after", "doubted", "explicit_pads", "output", "pad_amounts", "read_pads", "same_axis"]
