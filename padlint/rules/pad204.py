"""PAD204: a zero pad before a transposed convolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Finding, Fix, Severity
from padlint.geometry import keras_transposed_crop
from padlint.rewrites import Refusal
from padlint.rewrites.crop import crop_instead
from padlint.rewrites.pads import PaddedConv
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.folding import known_axes, own_padding
from padlint.rules.padded import ZeroPadded, zero_padded
from padlint.rules.proposal import propose
from padlint.sites.site import Site

Crops = list[tuple[int, int]]


class PadBeforeTransposedConv(Rule):
    """A zero pad stands before a transposed convolution, where it means the reverse.

    Why
        A transposed convolution spreads its input out, and its `padding` crops the result. Each zero behind
        the input adds `stride` outputs at the end, so that less is cropped there: with kernel 4 and stride 1,
        `F.pad(x, (0, 1, 0, 1))` and `padding=2` crop (2, 1), TensorFlow's SAME crops (1, 2). Nothing raises,
        the shapes are equal, and the numbers are those of a shifted image.

    Example
        from torch.nn import functional as F

        def up(x, w):
            return F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, padding=2)

    Use instead
        from torch.nn import functional as F

        def up(x, w):
            return F.conv_transpose2d(x, w, padding=0)[..., 1:-2, 1:-2]

    Fix safety
        Unsafe, since it computes something else: the mirrored crop. It is offered in PyTorch where pad and
        padding together crop one more at the start than at the end, which is SAME the wrong way round.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.ConvTranspose2d.html
        https://www.tensorflow.org/api_docs/python/tf/nn/conv2d_transpose
    """

    code = "PAD204"
    name = "pad-before-transposed-conv"
    severity = Severity.WARNING
    fix = "unsafe"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report zero pads before transposed convolutions, unless together they are SAME."""
        folds = {found.pad: found for found in context.padded_transposed if not found.between}
        for found in zero_padded(context, frozenset({Family.TRANSPOSED})):
            padded = folds.get(found.pad)
            crops = _crops(padded) if padded is not None else None
            if crops is not None and crops == _same(found.reader):
                continue
            message = _message(found, crops)
            fix = _fix(padded, crops)
            yield context.finding(
                type(self), found.pad, message, fix, wording.pad_numbers(found.pad, found.pads)
            )


def _crops(found: PaddedConv) -> Crops | None:
    """What pad and padding together cut off the full output of the input without the pad."""
    conv = found.conv
    own, stride, extra = own_padding(found), conv.value("stride"), conv.value("output_padding")
    if isinstance(own, Refusal) or not stride.known or not extra.known:
        return None
    strides = catalogue.spatial_entries(stride.only, len(own))
    if strides is None or extra.only not in (0, (0,) * len(own)):
        return None
    return [
        (p - step * before, p - step * after)
        for p, step, (before, after) in zip(own, strides, found.pads, strict=True)
    ]


def _same(site: Site) -> Crops | None:
    """What TensorFlow's SAME cuts off, where the geometry is known."""
    axes = known_axes(site)
    if axes is None:
        return None
    return [keras_transposed_crop(axis.kernel or 1, axis.stride, axis.dilation) for axis in axes]


def _message(found: ZeroPadded, crops: Crops | None) -> str:
    what = f"{found.pad.written} pads {wording.pads_text(found.pads)} before {found.reader.written}"
    what += ", where a pad adds outputs at its side, and only padding= crops"
    if crops is None or any(amount < 0 for pair in crops for amount in pair):
        return what
    same = _same(found.reader)
    other = f"; TensorFlow's SAME crops {wording.pads_text(same)}" if same is not None else ""
    return f"{what}: both together crop {wording.pads_text(crops)} of the full output{other}"


def _fix(found: PaddedConv | None, crops: Crops | None) -> Fix | str:
    if found is None or crops is None:
        return "what is meant instead is open"
    same = _same(found.conv)
    mirrored = [(after, before) for before, after in crops]
    if not _same_shaped(mirrored) or (same is not None and same != mirrored):
        return "pad and padding together are no SAME the wrong way round, so what is meant is open"
    message = f"Crop {wording.pads_text(mirrored)} of the full output instead"
    return propose(found.conv, crop_instead(found, mirrored), message, None)


def _same_shaped(crops: Sequence[tuple[int, int]]) -> bool:
    """Whether SAME could crop like this: at most one more at the end than at the start, and so somewhere."""
    surplus = [after - before for before, after in crops]
    return min(min(pair) for pair in crops) >= 0 and set(surplus) <= {0, 1} and any(surplus)
