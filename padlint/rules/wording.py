"""The numbers of a finding, in words and as JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from padlint.geometry import (
    Exact,
    Size,
    Unknown,
    residue_table,
    same_pads_of,
    same_totals,
    symmetric_residues,
)
from padlint.geometry.padding import same_total, split
from padlint.sites.arg_scope import joined
from padlint.sites.reading import AXIS_NAMES, Axis, Reading
from padlint.sites.site import BY_DEFAULT, Site

_MOST_RESIDUES = 8  # that are shown in words
_MOST_ROWS = 256  # of a table as data


def learned(reading: Reading) -> str:
    """` (default of s in block())`: where values were learned that the call does not show."""
    origins = [origin for origin in reading.origins if origin != BY_DEFAULT]
    return f" ({joined(origins)})" if origins else ""


def seen(site: Site) -> str:
    """`; seen 3 times in the traced run, sizes 112 and 56`, empty if there is no trace."""
    return f"; {site.seen}" if site.seen is not None else ""


def case_text(reading: Reading) -> str:
    """`kernel 3, stride 1, padding 'same' (stride=1 from line 12)`."""
    return f"{_shape_text(reading.axes)}, padding {reading.padding!r}{learned(reading)}"


def geometry_text(reading: Reading) -> str:
    """`kernel 3, stride 2 (stride=2 from line 12)`."""
    return f"{_shape_text(reading.axes)}{learned(reading)}"


def _shape_text(axes: Sequence[Axis]) -> str:
    kernel = "" if any(axis.kernel is None for axis in axes) else f"kernel {kernel_text(axes)}, "
    return f"{kernel}stride {stride_text(axes)}"


def residue_name(residue: int, stride: int) -> str:
    """`even`, `odd`, or `n % 3 == 1`."""
    if stride == 2:
        return "odd" if residue else "even"
    return f"n % {stride} == {residue}"


def by_residue(axis: Axis) -> str:
    """`even: (0, 1), odd: (1, 1)`, or one pair where all residues agree."""
    shape, stride = (axis.kernel or 1, axis.stride, axis.dilation), axis.stride
    totals = same_totals(*shape)
    if len(totals) == 1:
        return str(split(totals[0]))
    shown = range(stride) if stride <= _MOST_RESIDUES else (0, 1, stride - 1)
    return residues_text({residue: split(same_total(residue, *shape)) for residue in shown}, stride)


def residues_text(table: Mapping[int, tuple[int, int]], stride: int) -> str:
    """The pads for every residue of the size modulo the stride, or one pair where all agree."""
    if len(set(table.values())) == 1:
        return str(next(iter(table.values())))
    texts = [f"{residue_name(r, stride)}: {pads}" for r, pads in sorted(table.items())]
    if stride > _MOST_RESIDUES:
        texts[2:-1] = [f"{stride - 3} more"]
    return ", ".join(texts)


def per_axis(axes: Sequence[Axis], texts: Sequence[str]) -> str:
    """One text if all axes agree, else one per axis with its name."""
    if len(set(texts)) == 1:
        return texts[0]
    return "; ".join(f"{axis.name} {text}" for axis, text in zip(axes, texts, strict=True))


def known_pads(axes: Sequence[Axis], sizes: Sequence[Size]) -> list[tuple[int, int]] | None:
    """The SAME pads per axis where all are determined by what is known of the sizes."""
    pads = [
        same_pads_of(size, axis.kernel, axis.stride, axis.dilation) if axis.kernel else None
        for axis, size in zip(axes, sizes, strict=True)
    ]
    found = [pair for pair in pads if pair is not None]
    return found if len(found) == len(pads) else None


def stride_text(axes: Sequence[Axis]) -> str:
    """`2`, or `(2, 1)`."""
    strides = [axis.stride for axis in axes]
    return str(strides[0]) if len(set(strides)) == 1 else str(tuple(strides))


def kernel_text(axes: Sequence[Axis]) -> str:
    """`3`, or `(3, 5)`."""
    kernels = [axis.kernel for axis in axes]
    return str(kernels[0]) if len(set(kernels)) == 1 else str(tuple(kernels))


def symmetric_text(axes: Sequence[Axis]) -> str:
    """What PyTorch's int padding could do for SAME, in words."""
    found = [same_totals(axis.kernel or 1, axis.stride, axis.dilation) for axis in axes]
    if any(len(totals) > 1 or totals[0] % 2 for totals in found):
        return "no symmetric padding equals it at every size"
    return f"padding={found[-1][0] // 2} equals it at every size"


def numbers(site: Site, reading: Reading, sizes: Sequence[Size]) -> Mapping[str, Any]:
    """The JSON data of a SAME call: per axis what is padded, and what a symmetric padding would be."""
    axes = []
    symmetric = {}
    for axis, size in zip(reading.axes, sizes, strict=True):
        pads = same_pads_of(size, axis.kernel, axis.stride, axis.dilation) if axis.kernel else None
        few = axis.kernel is not None and axis.stride <= _MOST_ROWS
        table = residue_table(axis.kernel or 1, axis.stride, axis.dilation) if few else {}
        axes.append(axis_numbers(axis, size, pads, {str(r): list(p) for r, p in sorted(table.items())}))
        if few:
            found = symmetric_residues(axis.kernel or 1, axis.stride, axis.dilation)
            symmetric[axis.name] = {str(residue): found[residue] for residue in sorted(found)}
    return {"op": site.operator.name, "axes": axes, "others": {"torch_symmetric_padding": symmetric}}


def pads_text(pads: Sequence[tuple[int, int]]) -> str:
    """`(0, 1)`, or `height (2, 3); width (0, 1)`."""
    if len(set(pads)) == 1:
        return str(pads[0])
    return "; ".join(f"{name} {pair}" for name, pair in zip(AXIS_NAMES[len(pads)], pads, strict=True))


def pad_numbers(site: Site, pads: Sequence[tuple[int, int]]) -> Mapping[str, Any]:
    """The JSON data of an explicit pad."""
    blank = {"size": None, "kernel": None, "stride": None, "dilation": None}
    axes = [
        {"axis": name, **blank, "pads": list(pair), "by_residue": None}
        for name, pair in zip(AXIS_NAMES[len(pads)], pads, strict=True)
    ]
    return {"op": site.operator.name, "axes": axes, "others": {}}


def axis_numbers(
    axis: Axis, size: Size, pads: tuple[int, int] | None, residues: Mapping[str, list[int]] | None = None
) -> dict[str, Any]:
    """One entry of `axes`."""
    return {
        "axis": axis.name,
        "size": size.n if isinstance(size, Exact) else None if isinstance(size, Unknown) else str(size),
        "kernel": axis.kernel,
        "stride": axis.stride,
        "dilation": axis.dilation,
        "pads": list(pads) if pads is not None else None,
        "by_residue": dict(residues) if residues else None,
    }
