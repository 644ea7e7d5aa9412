"""What computes the same in another framework, where that takes more than one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padlint import catalogue
from padlint.catalogue.model import Family, PadStyle
from padlint.geometry import (
    UNKNOWN,
    Form,
    Pads,
    Reduce,
    Same,
    Size,
    Transposed,
    Window,
    equal_residues,
    keras_transposed_crop,
    prove,
)
from padlint.rules import wording
from padlint.rules.context import FileContext
from padlint.rules.same import Decided, decide, problem_of, sizes_of
from padlint.rules.transposed import crops_of, torch_twin
from padlint.sites.reading import Axis, Reading, readings
from padlint.sites.site import Site
from padlint.sites.zero_pads import is_zero_pad, zero_pads
from padlint.sizes.extent import Extent
from padlint.sizes.operators import explicit_pads

_CROPPING = ("keras", "tf_layers")  # whose transposed SAME depends on the kernel and the stride only


@dataclass(frozen=True)
class Twin:
    """The code that computes the same, and what it pads or crops per axis where that is known."""

    reading: Reading
    code: str
    pads: Sequence[Pads | None]


def _geometry(site: Site) -> Reading | None:
    """The geometry of a call that can have no other."""
    reading = next(iter(readings(site)), None)
    if reading is None or not reading.sure or not site.sure or problem_of(site, reading):
        return None
    return reading


def in_torch(context: FileContext, site: Site) -> Twin | None:
    """SAME with a stride, causal, transposed SAME and unequal pads in PyTorch.

    None if one call does it, or if it is not known.
    """
    reading = _geometry(site)
    if reading is None or not isinstance(reading.padding, str):
        return None
    family, framework, word = site.operator.family, site.operator.framework, reading.padding
    if family is Family.TRANSPOSED and reading.same and framework in _CROPPING:
        crops = crops_of(site, reading)
        return None if crops is None or torch_twin(crops) else _cropped_in_torch(reading, crops)
    if family not in (Family.CONV, Family.DEPTHWISE):
        return None
    if word.lower() == "causal" and framework == "keras":
        return _padded_in_torch(reading, [((axis.reach or 1) - 1, 0) for axis in reading.axes])
    if word.lower() == "valid":
        return _behind_pad_in_torch(context, site, reading)
    if not reading.same or not reading.strided or (framework == "tf" and word != "SAME"):
        return None
    known = context.input_of(site)
    decided = decide(site, reading, known)
    if not isinstance(decided, Decided):
        return _padded_in_torch(reading, None)
    rests = any(size != UNKNOWN for size in decided.sizes)
    where = f" for {known.story}" if rests and isinstance(known, Extent) else ""
    return _padded_in_torch(reading, decided.pads, where)


def _behind_pad_in_torch(context: FileContext, site: Site, reading: Reading) -> Twin | None:
    """A convolution without padding behind a zero pad of unequal sides, as a port of SAME writes it."""
    makers = context.producers(site.unit).inputs(site)
    pads = [made.site for made in makers if made is not None and is_zero_pad(made.site)]
    amounts = [zero_pads(pad, site) for pad in pads]
    first = amounts[0] if amounts else None
    if first is None or len(pads) != len(makers) or any(other != first for other in amounts):
        return None
    if any(amount < 0 for pair in first for amount in pair):
        return None  # a shift
    return _padded_in_torch(reading, first, f" for {pads[0].written}")


def _padded_in_torch(reading: Reading, pads: list[Pads] | None, what: str = "") -> Twin | None:
    axes = reading.axes
    if pads is not None and all(before == after for before, after in pads):
        return None  # padding= does it
    conv = f"nn.Conv{len(axes)}d(..., {_options(axes, 'stride', 'dilation')}padding=0)"
    if pads is not None:
        amounts = catalogue.write_pads(PadStyle.TORCH, pads)
        return Twin(reading, f"F.pad(x, {amounts}){what}, then {conv}", pads)
    table = wording.per_axis(axes, [wording.by_residue(axis) for axis in axes])
    return Twin(reading, f"F.pad(x, ...) by the input size ({table}), then {conv}", [None] * len(axes))


def _cropped_in_torch(reading: Reading, crops: list[Pads]) -> Twin:
    axes = reading.axes
    conv = f"nn.ConvTranspose{len(axes)}d(..., {_options(axes, 'stride', 'dilation')}padding=0)(x)"
    parts = [f"{before or ''}:{-after or ''}" for before, after in crops]
    return Twin(reading, f"{conv}[..., {', '.join(parts)}]", crops)


def in_keras(context: FileContext, site: Site) -> Twin | None:
    """Explicit padding of PyTorch in Keras, which has SAME and none; None if one call does it, or unknown."""
    reading = _geometry(site)
    if reading is None or isinstance(reading.padding, str):
        return None
    if any(axis.dilation > 1 for axis in reading.axes) and reading.strided:
        return None  # Keras has no layer for that
    pads = [pair for i in range(len(reading.axes)) if (pair := explicit_pads(site, reading, i)) is not None]
    if len(pads) < len(reading.axes):
        return None
    if site.operator.family is Family.TRANSPOSED:
        return _transposed_in_keras(site, reading, pads)
    if not any(map(any, pads)):
        return None
    if site.operator.family in (Family.AVERAGE_POOL, Family.MAX_POOL):
        return _pool_in_keras(context, site, reading, pads)
    if site.operator.family is Family.CONV:
        return _convolution_in_keras(context, site, reading, pads)
    return None


def _convolution_in_keras(
    context: FileContext, site: Site, reading: Reading, pads: list[Pads]
) -> Twin | None:
    mode = site.value("padding_mode") if site.has("padding_mode") else None
    if mode is not None and not mode.known:
        return None
    conv = f'Conv{len(pads)}D(..., {_options(reading.axes, "strides", "dilation_rate")}padding="valid")'
    if mode is None or mode.only == "zeros":
        if _is_same_window(context, site, reading, pads, "conv"):
            return None
        return Twin(reading, f"{_zeros(pads)}, then {conv}{_same_sizes(reading.axes, pads, 'conv')}", pads)
    code = {
        "reflect": f'keras.ops.pad(x, ..., mode="reflect") by {wording.pads_text(pads)}',
        "replicate": "a gather with clipped indices, since Keras on TensorFlow has no such mode",
        "circular": "both ends concatenated by hand, since Keras on TensorFlow has no such mode",
    }.get(str(mode.only))
    return Twin(reading, f"{code}, then {conv}", pads) if code is not None else None


def _pool_in_keras(context: FileContext, site: Site, reading: Reading, pads: list[Pads]) -> Twin | None:
    """An average pool that counts what it pads, or a max pool, before one without padding."""
    rounds_up = site.value("ceil_mode")
    if not rounds_up.known or rounds_up.only or any(axis.dilation > 1 for axis in reading.axes):
        return None
    options = f'{wording.kernel_text(reading.axes)}, {wording.stride_text(reading.axes)}, padding="valid"'
    if site.operator.family is Family.MAX_POOL:
        if _is_same_window(context, site, reading, pads, "max"):
            return None
        pad = f'keras.ops.pad(x, ..., constant_values=float("-inf")) by {wording.pads_text(pads)}'
        some = _same_sizes(reading.axes, pads, "max")
        return Twin(reading, f"{pad}, then MaxPooling{len(pads)}D({options}){some}", pads)
    counts = site.value("count_include_pad")
    if not counts.known or counts.only is not True or site.argument("divisor") is not None:
        return None
    return Twin(reading, f"{_zeros(pads)}, then AveragePooling{len(pads)}D({options})", pads)


def _same_sizes(axes: Sequence[Axis], pads: list[Pads], reduce: Reduce) -> str:
    """Where SAME computes what explicit pads do, if that is at some sizes."""
    stride = axes[0].stride
    residues = set(range(stride))
    for axis, pair in zip(axes, pads, strict=True):
        shape = _shape(axis)
        here, same = (Window(*shape, *pair, reduce),), (Same(*shape, reduce=reduce),)
        residues &= equal_residues(here, same, axis.stride) or set()
    if any(axis.stride != stride for axis in axes) or not residues:
        return ""
    names = " or ".join(wording.residue_name(residue, stride) for residue in sorted(residues))
    return f'; {f"at {names} sizes" if stride == 2 else f"where {names}"} padding="same" does it alone'


def _equals_same(axis: Axis, pads: Pads, reduce: Reduce, size: Size) -> bool:
    shape = _shape(axis)
    return prove((Window(*shape, *pads, reduce),), (Same(*shape, reduce=reduce),), size) is None


def _is_same_window(
    context: FileContext, site: Site, reading: Reading, pads: list[Pads], reduce: Reduce
) -> bool:
    """Whether SAME computes what explicit pads do, for all that is known of the input size."""
    sizes = sizes_of(site, reading, context.input_of(site))
    return all(
        _equals_same(axis, pair, reduce, size)
        for axis, pair, size in zip(reading.axes, pads, sizes, strict=True)
    )


def _transposed_in_keras(site: Site, reading: Reading, pads: list[Pads]) -> Twin | None:
    extra = site.value("output_padding")
    extras = catalogue.spatial_entries(extra.only, len(pads)) if extra.known else None
    if extras is None or not all(isinstance(n, int) for n in extras):
        return None
    crops = [(before, after - more) for (before, after), more in zip(pads, extras, strict=True)]
    if any(
        after < 0 or (axis.reach or 1) < axis.stride
        for axis, (_, after) in zip(reading.axes, crops, strict=True)
    ):
        return None  # outputs that no input reaches
    if not any(map(any, crops)) or _is_same(reading.axes, crops):
        return None
    rank = len(crops)
    conv = f'Conv{rank}DTranspose(..., {_options(reading.axes, "strides", "dilation_rate")}padding="valid")'
    amounts = catalogue.write_pads(PadStyle.KERAS, crops)
    return Twin(reading, f"{conv}, then Cropping{rank}D({amounts})", crops)


def _is_same(axes: Sequence[Axis], crops: list[Pads]) -> bool:
    """Whether transposed SAME of Keras crops like this."""
    for axis, crop in zip(axes, crops, strict=True):
        here: Form = (Transposed(*_shape(axis), crop),)
        same = keras_transposed_crop(*_shape(axis))
        if prove(here, (Transposed(*_shape(axis), same),), UNKNOWN) is not None:
            return False
    return True


def _shape(axis: Axis) -> tuple[int, int, int]:
    return axis.kernel or 1, axis.stride, axis.dilation


def _zeros(pads: list[Pads]) -> str:
    return f"ZeroPadding{len(pads)}D({catalogue.write_pads(PadStyle.KERAS, pads)})"


def _options(axes: Sequence[Axis], stride: str, dilation: str) -> str:
    """The arguments that are not 1, each with a comma behind it."""
    text = f"{stride}={wording.stride_text(axes)}, " if any(axis.stride > 1 for axis in axes) else ""
    if any(axis.dilation > 1 for axis in axes):
        rates = [axis.dilation for axis in axes]
        text += f"{dilation}={rates[0] if len(set(rates)) == 1 else tuple(rates)}, "
    return text
