"""What SAME transposed convolutions crop, and how the crop is written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from padlint import catalogue
from padlint.catalogue.model import Family, Kind
from padlint.findings import Fix
from padlint.geometry import (
    UNKNOWN,
    Crop,
    Exact,
    Form,
    Pads,
    Size,
    Transposed,
    TransposedPadding,
    keras_transposed_crop,
    tf_transposed_crop,
)
from padlint.rewrites import Refusal, Rewrite, crop, pairs
from padlint.rules.context import FileContext
from padlint.rules.nonnegative import activation_of
from padlint.rules.proposal import Claim, propose
from padlint.rules.same import WITH_SAME, problem_of
from padlint.sites.reading import Axis, Reading, data_format, readings
from padlint.sites.site import Site
from padlint.syntax.values import Evaluator

Crops = list[Pads]


def same_transposed(context: FileContext) -> Iterator[tuple[Site, Reading]]:
    """Every SAME transposed convolution of known geometry with each way that it may be read."""
    for site in context.select(WITH_SAME):
        if site.operator.family is not Family.TRANSPOSED:
            continue
        for reading in readings(site):
            right_case = site.operator.framework != "tf" or reading.padding == "SAME"
            if reading.same and right_case and all(axis.kernel for axis in reading.axes):
                yield site, reading


def crops_of(site: Site, reading: Reading, padding: TransposedPadding = "same") -> Crops | None:
    """(before, after) per axis that SAME, or VALID, cuts off, where it is the same at every size."""
    extras = _output_padding(site, len(reading.axes))
    if extras is None:
        return None
    found = [_crop(axis, padding, extra) for axis, extra in zip(reading.axes, extras, strict=True)]
    return [(before, max(after, 0)) for before, after in found]


def _crop(axis: Axis, padding: TransposedPadding, extra: int | None) -> Pads:
    return keras_transposed_crop(axis.kernel or 1, axis.stride, axis.dilation, padding, extra)


def _output_padding(site: Site, rank: int) -> Sequence[int | None] | None:
    """The output_padding per axis; None where it is not known."""
    if not site.has("output_padding"):
        return (None,) * rank
    value = site.value("output_padding")
    if not value.known:
        return None
    if value.only is None:
        return (None,) * rank
    entries = catalogue.spatial_entries(value.only, rank)
    return entries if entries and all(isinstance(n, int) for n in entries) else None


def torch_twin(crops: Crops) -> str:
    """The padding of PyTorch that crops alike; empty if there is none."""
    if any(before != after for before, after in crops):
        return ""
    amounts = [before for before, _ in crops]
    return f"padding={amounts[0] if len(set(amounts)) == 1 else tuple(amounts)}"


def transposed_fix(context: FileContext, site: Site, reading: Reading, twin: str) -> Fix | str:
    """The convolution without padding and a crop behind it, or why that cannot be written.

    `twin` are the arguments of PyTorch that crop the same, empty if there are none.
    """
    doubts = [f"{twin} crops the same in PyTorch, so nothing but a visible crop is gained"] if twin else []
    problem = problem_of(site, reading)
    if problem:
        return problem
    if site.operator.framework in ("flax", "jax", "haiku"):
        return _pairs(site, reading, doubts)
    if site.operator.framework == "tf":
        return _slice(site, reading, doubts)
    if site.operator.framework != "keras" or site.operator.kind is not Kind.LAYER:
        return f"what {site.written} does to its output besides is not written as a crop here"
    return _layer(context, site, reading, doubts)


def _layer(context: FileContext, site: Site, reading: Reading, useless: list[str]) -> Fix | str:
    rank = len(reading.axes)
    extras = _output_padding(site, rank) or (None,) * rank
    if any(e == 0 and (a.kernel or 0) % 2 == 0 for a, e in zip(reading.axes, extras, strict=True)):
        return "TensorFlow refuses output_padding=0 with an even kernel"
    if rank == 1 and _layout(site) != "channels_last":
        return "Cropping1D crops the first axis behind the batch, which may be that of the channels"
    doubts = _activation_doubts(site)
    if isinstance(doubts, Refusal):
        return doubts.reason
    before: list[Form] = []
    after: list[Form] = []
    crops: Crops = []
    for axis, extra in zip(reading.axes, extras, strict=True):
        same, valid = _crop(axis, "same", extra), _crop(axis, "valid", extra)
        cut = (same[0] - valid[0], same[1] - valid[1])
        crops.append(cut)
        before.append((_form(axis, same),))
        after.append((_form(axis, valid), Crop(*cut)))
    rewrite = crop.by_layer(context.file, site, crops)
    claim = Claim(before, after, [UNKNOWN] * rank, [*doubts, *useless])
    return propose(site, rewrite, f"Convolve without padding and crop {_text(crops)} of the output", claim)


def _activation_doubts(site: Site) -> list[str] | Refusal:
    """Why a function of the output may not be one of the cropped output."""
    doubts: list[str] = []
    regularizer = site.argument("activity_regularizer")
    if regularizer is not None and site.unit.text(regularizer.value) != "None":
        doubts.append("the activity regularizer would count what is cropped")
    argument = site.argument("activation")
    if argument is None or site.unit.text(argument.value) == "None":
        return doubts
    function = activation_of(site)
    if function is None:
        doubts.append("the activation may not work on each element alone")
    elif function.parameter("axis") is not None and _layout(site) != "channels_last":
        return Refusal(f"{function.short} works along an axis that is cropped, unless the channels are last")
    return doubts


def _layout(site: Site) -> str | None:
    """The data_format of a layer, None where the file may set another default."""
    if site.argument("data_format") is None and site.unit.source.holds("set_image_data_format"):
        return None
    return data_format(site)


def _slice(site: Site, reading: Reading, doubts: list[str]) -> Fix | str:
    layout, argument = data_format(site), site.argument("output_shape")
    if layout is None or any(axis.dilation > 1 for axis in reading.axes):
        return "its data_format is computed, or it is dilated"
    outputs = _outputs(site, len(reading.axes), layout == "channels_last") if argument is not None else None
    if outputs is None:
        return "the shape of its output is computed, and VALID needs another"
    before: list[Form] = []
    after: list[Form] = []
    sizes: list[Size] = []
    crops: Crops = []
    for axis, output in zip(reading.axes, outputs, strict=True):
        n = -(-output // axis.stride)
        same = tf_transposed_crop(n, output, axis.kernel or 1, axis.stride)
        cut = same if sum(same) > 0 else (0, 0)
        crops.append(cut)
        sizes.append(Exact(n))
        before.append((_form(axis, same),))
        after.append((_form(axis, (same[0] - cut[0], same[1] - cut[1])), Crop(*cut)))
    rewrite: Rewrite | Refusal = crop.by_slice(site, outputs, crops, layout == "channels_last")
    claim = Claim(before, after, sizes, doubts, kernel=tuple(axis.kernel or 1 for axis in reading.axes))
    return propose(site, rewrite, f"Convolve without padding and crop {_text(crops)} of the output", claim)


def _outputs(site: Site, rank: int, channels_last: bool) -> list[int] | None:
    """The spatial sizes that a literal output_shape asks for; its other entries may be anything."""
    argument = site.argument("output_shape")
    elements = getattr(argument.value, "elements", ()) if argument is not None else ()
    if len(elements) != rank + 2:
        return None
    evaluator = Evaluator(site.unit)
    spatial = elements[1:-1] if channels_last else elements[2:]
    values = [evaluator.value(element.value, site.scope) for element in spatial]
    known = [value.only for value in values if value.known]
    numbers = [number for number in known if isinstance(number, int) and number > 0]
    return numbers if len(numbers) == rank else None


def _pairs(site: Site, reading: Reading, doubts: list[str]) -> Fix | str:
    """JAX pads the spread input: what it pads less than kernel - 1 is cropped."""
    shape = site.argument("output_shape") or site.argument("output_size")
    if shape is not None:
        return "the shape of its output decides the pads"
    before: list[Form] = []
    amounts: list[Pads] = []
    for axis in reading.axes:
        same = _crop(axis, "same", None)
        border = (axis.reach or 1) - 1
        amounts.append((border - same[0], border - same[1]))
        before.append((_form(axis, same),))
    claim = Claim(before, before, [UNKNOWN] * len(before), doubts)
    message = f"Pad {_text(amounts)} in its own arguments, which crops the same"
    return propose(site, pairs.explicit_padding(site, amounts), message, claim)


def _form(axis: Axis, cut: Pads) -> Transposed:
    return Transposed(axis.kernel or 1, axis.stride, axis.dilation, cut)


def _text(crops: Sequence[Pads]) -> str:
    return ", ".join(map(str, dict.fromkeys(crops)))
