"""Finds the calls at a place, and says what each pads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Family, PadStyle
from padlint.conventions import Convention, at_size, transposed_conventions, window_conventions
from padlint.explain.model import Explanation, Way
from padlint.findings import Location
from padlint.geometry import (
    UNKNOWN,
    Pads,
    Size,
    Unknown,
    causal_padding,
    flax_wrap_padding,
    residue_table,
    static_same_padding,
    torch_same_padding,
    torch_transposed_crop,
)
from padlint.options import Options
from padlint.rules import wording
from padlint.rules.context import FileContext
from padlint.rules.same import sizes_of, unlike_same
from padlint.rules.transposed import crops_of
from padlint.sites.collecting import interesting_names
from padlint.sites.reading import AXIS_NAMES, Axis, Reading, data_format, readings, spatial_rank
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, describe
from padlint.sizes.operators import after, explicit_pads
from padlint.syntax.units import Unparsable, open_file

_SHOWN = 4  # conventions of a window: the others are for `padlint shape`


def explain(text: str, options: Options, row: int, column: int | None = None) -> list[Explanation]:
    """What the calls at a place do: the innermost one around a character, or all that touch a row.

    Empty if there is none, or if the text cannot be parsed.
    """
    try:
        file = open_file(text, interesting_names() | options.wrappers)
    except Unparsable:
        return []
    context = FileContext(file, options)
    found: list[tuple[Location, Location, Site]] = []
    for site in context.sites:
        if site.operator.family not in catalogue.PADDED:
            continue
        start, end = context.place(site.unit, site.call)
        if _covers(start, end, row, column):
            found.append((start, end, site))
    found.sort(key=lambda item: item[:2])
    if column is not None:
        found = found[-1:]  # of calls around one character the innermost starts last
    return [_explanation(context, *item) for item in found]


def _covers(start: Location, end: Location, row: int, column: int | None) -> bool:
    if column is None:
        return start.row <= row <= end.row
    return start <= Location(row, column) < end


def _explanation(context: FileContext, start: Location, end: Location, site: Site) -> Explanation:
    operator = site.operator
    if operator.family is Family.PAD:
        ways = _pad(context, site)
    else:
        ways = [_way(context, site, reading) for reading in readings(site)]
    return Explanation(site.written, operator.name, operator.family.value, start, end, tuple(ways))


def _way(context: FileContext, site: Site, reading: Reading) -> Way:
    known = context.input_of(site, reading)
    sizes = sizes_of(site, reading, known)
    transposed = site.operator.family is Family.TRANSPOSED
    pads = _crops(site, reading) if transposed else _pads(site, reading, sizes)
    here = _here(site, reading, pads, "crops" if transposed else "pads")
    outputs = _outputs(site, reading, sizes)
    others = _transposed_others(reading, sizes) if transposed else _others(reading, sizes)
    axes = []
    for axis, size, pair, out in zip(reading.axes, sizes, pads, outputs, strict=True):
        axes.append({**wording.axis_numbers(axis, size, pair), "output": _plain(out)})
    return Way(
        wording.case_text(reading), here, _input(known), _sizes_text(outputs), tuple(others), tuple(axes)
    )


def _pads(site: Site, reading: Reading, sizes: Sequence[Size]) -> list[Pads | None]:
    numbered = enumerate(zip(reading.axes, sizes, strict=True))
    return [_pad_of(site, reading, i, axis, size) for i, (axis, size) in numbered]


def _pad_of(site: Site, reading: Reading, index: int, axis: Axis, size: Size) -> Pads | None:
    """What one axis is padded with; None if that is not known, or if the call raises."""
    if not isinstance(reading.padding, str):
        return explicit_pads(site, reading, index)
    word, kernel = reading.padding.lower(), axis.kernel
    if word == "valid":
        return 0, 0
    if kernel is None or unlike_same(site, reading):
        return None
    if word == "same" and site.operator.framework == "torch":
        return torch_same_padding(kernel, axis.dilation) if not reading.strided else None
    if word in ("same", "same_lower"):
        pads = at_size(residue_table(kernel, axis.stride, axis.dilation), size)
        return pads if pads is None or word == "same" else (pads[1], pads[0])
    if word == "causal":
        return causal_padding(kernel, axis.dilation)
    return flax_wrap_padding(kernel, axis.dilation) if word in ("circular", "reflect") else None


def _crops(site: Site, reading: Reading) -> list[Pads | None]:
    """What a transposed convolution cuts off its full output, where that is known."""
    rank = len(reading.axes)
    unknown: list[Pads | None] = [None] * rank
    if any(axis.kernel is None for axis in reading.axes) or site.operator.framework in ("tf", "jax"):
        return unknown
    if isinstance(reading.padding, str):
        word = reading.padding.lower()
        if word not in ("same", "valid") or site.operator.framework == "torch":
            return unknown
        return [*(crops_of(site, reading, "same" if word == "same" else "valid") or unknown)]
    pads = [explicit_pads(site, reading, i) for i in range(rank)]
    extra = site.value("output_padding")
    extras = catalogue.spatial_entries(extra.only, rank) if extra.known else None
    if site.operator.framework != "torch" or extras is None or not all(type(n) is int for n in extras):
        return unknown
    return [pair and torch_transposed_crop(pair[0], more) for pair, more in zip(pads, extras, strict=True)]


def _here(site: Site, reading: Reading, pads: Sequence[Pads | None], verb: str) -> str:
    if problem := unlike_same(site, reading):
        return problem
    if site.operator.framework == "torch" and reading.same and reading.strided:
        return "raises: PyTorch refuses padding='same' with a stride"
    padding = reading.padding
    if site.operator.framework == "tf" and isinstance(padding, str) and padding != padding.upper():
        return f"raises: TensorFlow knows {padding.upper()!r} only"
    known = [pair for pair in pads if pair is not None]
    if len(known) == len(pads):
        return f"{verb} {wording.pads_text(known)}"
    if reading.same and verb == "pads" and all(axis.kernel for axis in reading.axes):
        texts = [_by_size(axis) for axis in reading.axes]
        return f"pads by the input size: {wording.per_axis(reading.axes, texts)}"
    if reading.same and verb == "pads":
        return "pads by its kernel, which is not known, and by the input size"
    return f"what it {verb} is not known"


def _by_size(axis: Axis) -> str:
    """What SAME pads by the size, and the pair that computes the same at every size, if there is one."""
    text = wording.by_residue(axis)
    pair = static_same_padding(axis.kernel or 1, axis.stride, axis.dilation)
    return text if pair is None or text == str(pair) else f"{text}; {pair} computes the same at every size"


def _others(reading: Reading, sizes: Sequence[Size]) -> list[tuple[str, str]]:
    """What other frameworks pad for this geometry."""
    axes = reading.axes
    if any(axis.kernel is None for axis in axes):
        return []
    found = [
        window_conventions(axis.kernel or 1, axis.stride, axis.dilation, size)[:_SHOWN]
        for axis, size in zip(axes, sizes, strict=True)
    ]
    return _per_convention(axes, found)


def _transposed_others(reading: Reading, sizes: Sequence[Size]) -> list[tuple[str, str]]:
    axes = reading.axes
    if any(axis.kernel is None for axis in axes):
        return []
    found = [
        transposed_conventions(axis.kernel or 1, axis.stride, axis.dilation, size)
        for axis, size in zip(axes, sizes, strict=True)
    ]
    return _per_convention(axes, found)


def _per_convention(axes: Sequence[Axis], found: Sequence[Sequence[Convention]]) -> list[tuple[str, str]]:
    rows = []
    for conventions in zip(*found, strict=True):
        names = [convention.who for convention in conventions]
        texts = [convention_text(c, axis.stride) for c, axis in zip(conventions, axes, strict=True)]
        if len(set(names)) == 1:
            rows.append((names[0], wording.per_axis(axes, texts)))
        else:
            numbered = zip(axes, names, texts, strict=True)
            rows += ((f"{name} ({axis.name})", text) for axis, name, text in numbered)
    return rows


def convention_text(convention: Convention, stride: int) -> str:
    """`(0, 1)`, `even: (0, 1), odd: (1, 1)`, `(1, 1), as SAME at odd sizes`."""
    if convention.refused:
        return convention.refused
    pads = convention.pads
    text = str(pads) if pads is not None else wording.residues_text(convention.by_residue, stride)
    if convention.equals_same is None:
        return text
    residues = sorted(convention.equals_same)
    if not residues:
        return f"{text}, never SAME"
    if len(residues) == stride or residues == [0] == [*convention.by_residue]:
        return f"{text}, SAME at every size"
    names = " or ".join(wording.residue_name(residue, stride) for residue in residues[:_SHOWN])
    return f"{text}, SAME at {names} sizes" if stride == 2 else f"{text}, SAME where {names}"


def _pad(context: FileContext, site: Site) -> list[Way]:
    """The amounts of a pad operator."""
    value, rank = site.value("padding"), spatial_rank(site)
    style = site.operator.pads
    if not value.known or style is None:
        return []
    known = context.input_of(site)
    if rank is None and isinstance(value.only, tuple):
        if style is PadStyle.TENSORFLOW:
            text = ", ".join(f"axis {i} {pair}" for i, pair in enumerate(value.only) if pair != (0, 0))
            return [Way("", f"pads {text or 'nothing'}", _input(known), "", (), ())]
        rank = len(value.only) // 2 if style is PadStyle.TORCH else None
    if rank not in AXIS_NAMES:
        return []
    amounts = catalogue.read_pads(style, value.only, rank, data_format(site) != "channels_first")
    if amounts is None:
        return []
    layout = data_format(site) == "channels_last"
    sizes = known.spatial(rank, layout) if isinstance(known, Extent) else None
    outputs = (after(site, sizes) if sizes is not None else None) or (UNKNOWN,) * rank
    numbers = wording.pad_numbers(site, amounts)["axes"]
    axes = tuple({**axis, "output": _plain(out)} for axis, out in zip(numbers, outputs, strict=True))
    return [Way("", f"pads {wording.pads_text(amounts)}", _input(known), _sizes_text(outputs), (), axes)]


def _outputs(site: Site, reading: Reading, sizes: tuple[Size, ...]) -> tuple[Size, ...]:
    found = after(site, sizes) if reading.sure else None
    return found if found is not None else (UNKNOWN,) * len(sizes)


def _input(known: Known) -> str:
    return known.story if isinstance(known, Extent) else f"not known: {known.reason}"


def _sizes_text(sizes: Sequence[Size]) -> str:
    return "" if all(isinstance(size, Unknown) for size in sizes) else describe(tuple(sizes))


def _plain(size: Size) -> Any:
    return getattr(size, "n", None if isinstance(size, Unknown) else str(size))
