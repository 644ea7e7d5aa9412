"""The fix that turns an asymmetric zero pad into symmetric padding and a crop of the output."""

from __future__ import annotations

from dataclasses import dataclass

from padlint.findings import Fix
from padlint.geometry import UNKNOWN, Crop, Form, Pad, Pads, Size, Window, residue_class
from padlint.rewrites import Refusal
from padlint.rewrites.crop import symmetric_instead
from padlint.rewrites.pads import PaddedConv
from padlint.rewrites.torch import numbers
from padlint.rules import wording
from padlint.rules.context import FileContext
from padlint.rules.folding import doubts_of, known_axes, own_zeros
from padlint.rules.proposal import Claim, propose
from padlint.rules.same import rest_on_size
from padlint.sites.reading import Axis
from padlint.sizes.extent import Extent


def symmetric_fix(context: FileContext, found: PaddedConv, target: str) -> Fix | str:
    """Padding on both sides that starts the windows where they start now, or why there is none."""
    own, axes = own_zeros(found), known_axes(found.conv)
    if isinstance(own, Refusal):
        return own.reason
    if axes is None:
        return "which padding starts the windows alike depends on the convolution's stride and kernel"
    known = context.input_of(found.pad)
    sizes = known.spatial(len(axes), channels_last=False) if isinstance(known, Extent) else None
    before: list[Form] = []
    chosen: list[_Choice] = []
    for axis, mine, pair, size in zip(axes, own, found.pads, sizes or (UNKNOWN,) * len(axes), strict=True):
        one = _choose(axis, (pair[0] + mine, pair[1] + mine), size)
        if one is None:
            return (
                "how much of the output symmetric padding adds at the end depends on the input size, "
                "which is not known"
            )
        shape = (axis.kernel or 1, axis.stride, axis.dilation)
        before.append((Pad(*pair), Window(*shape, mine, mine)))
        chosen.append(one)
    after = [one.form(axis) for one, axis in zip(chosen, axes, strict=True)]
    padding, crops = [one.padding for one in chosen], [one.crop for one in chosen]
    doubts = [f"it computes outputs that are cropped, which only pays where {target} wants no such pad"]
    claim = Claim(before, after, [one.size for one in chosen], [*doubts, *doubts_of(found)])
    claim.kernel = tuple(axis.kernel or 1 for axis in axes)
    rest_on_size(claim, known)
    message = f"Pad {numbers(padding)} on both sides in {found.conv.written}"
    if any(map(any, crops)):
        message += f" and crop {wording.pads_text(crops)} of its output"
    return propose(found.conv, symmetric_instead(found, padding, crops), message, claim)


@dataclass(frozen=True)
class _Choice:
    """Symmetric padding on one axis, what it adds to the output, and the sizes for which that is so."""

    padding: int
    crop: Pads
    size: Size

    def form(self, axis: Axis) -> Form:
        window = Window(axis.kernel or 1, axis.stride, axis.dilation, self.padding, self.padding)
        return (window, Crop(*self.crop))


def _choose(axis: Axis, pads: Pads, size: Size) -> _Choice | None:
    """The least padding that is a number of whole strides more than the pad at the start."""
    (left, right), stride = pads, axis.stride
    padding = left + -(-max(right - left, 0) // stride) * stride
    front = (padding - left) // stride
    if (padding - right) % stride == 0:
        return _Choice(padding, (front, (padding - right) // stride), UNKNOWN)
    remainder, modulus = residue_class(size)
    if modulus % stride:
        return None
    room = remainder + left - (axis.reach or 1)
    return _Choice(padding, (front, (room + padding) // stride - (room + right) // stride), size)
