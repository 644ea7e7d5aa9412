"""PAD301: a symmetric zero pad that the convolution behind it could do itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from padlint import catalogue
from padlint.findings import Finding, Fix, Severity
from padlint.geometry import UNKNOWN, Form, Pad, Window
from padlint.rewrites.fold import fold
from padlint.rewrites.pads import PaddedConv
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.proposal import TOUCHED, Claim, propose, touches_layers
from padlint.sites.reading import readings
from padlint.sites.site import Site

# A fold holds for every kernel, stride and dilation; these are compared where the call does not show its own.
_SAMPLES = tuple(product((1, 2, 3, 5), (1, 2, 3), (1, 2)))


class FoldableZeroPad(Rule):
    """A symmetric zero pad stands directly before a convolution that could pad itself.

    Why
        `nn.ZeroPad2d(1)` or `F.pad(x, (1, 1, 1, 1))` before a convolution computes exactly what `padding=1`
        computes, with a copy of the whole tensor and one more operation: up to a third slower on a CPU, and a
        separate Pad (with six helper nodes) for the TorchScript ONNX exporter and for CoreML.

    Example
        from torch import nn

        net = nn.Sequential(nn.ZeroPad2d(2), nn.Conv2d(3, 8, 5, stride=2), nn.BatchNorm2d(8))

    Use instead
        from torch import nn

        net = nn.Sequential(nn.Identity(), nn.Conv2d(3, 8, 5, stride=2, padding=2), nn.BatchNorm2d(8))

    Fix safety
        Safe: `nn.Identity()` in the place of the pad keeps every index and parameter name. Unsafe if the file
        reads or assigns `.padding` or other geometry of layers that were built before. No fix if the
        padded tensor or the pad has another reader, if the convolution also runs without the pad, is reached
        from outside of the class or subclassed in the file, or has a string or non-zero padding mode.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD301"
    name = "foldable-zero-pad"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report symmetric zero pads of PyTorch that feed a convolution."""
        seen: set[Site] = set()
        for found in context.padded_convs:
            if not found.symmetric or found.pad in seen:
                continue
            seen.add(found.pad)
            pads = [before for before, _ in found.pads]
            amount = str(pads[0]) if len(set(pads)) == 1 else str(tuple(pads))
            message = (
                f"{found.pad.written} pads {amount} on both sides before {found.conv.written}, "
                "which could pad itself without a copy of the tensor"
            )
            numbers = wording.pad_numbers(found.pad, found.pads)
            yield context.finding(type(self), found.pad, message, _fix(found), numbers)


def _fix(found: PaddedConv) -> Fix | str:
    conv, rank = found.conv, len(found.pads)
    if found.problem:
        return found.problem
    mode = conv.value("padding_mode") if "padding_mode" in conv.operator.roles else None
    if mode is not None and not (mode.known and mode.only == "zeros"):
        return "the convolution pads itself with something other than zeros"
    if conv.bound.star is not None or conv.bound.double_star is not None:
        return "*args or **kwargs may carry the convolution's own padding"
    own = conv.value("padding")
    if not own.known or isinstance(own.only, str):
        return "the convolution's own padding is a word or not known"
    entries = catalogue.spatial_entries(own.only, rank)
    if entries is None or not all(isinstance(p, int) and p >= 0 for p in entries):
        return "the convolution's own padding is not one number per axis"
    claim = _claim(found, list(entries))
    return propose(conv, fold(found, list(entries)), f"Fold the pad into {conv.written}", claim)


def _claim(found: PaddedConv, own: list[int]) -> Claim:
    """The two forms, for the geometry of the call or, where it is not shown, for every one of the samples."""
    doubts = [*found.doubts, *([TOUCHED] if touches_layers(found.conv) else [])]
    if not found.pad.sure:
        doubts.append(f"{found.pad.written} may also be something else")
    known = [r for r in readings(found.conv) if r.sure and all(axis.kernel for axis in r.axes)]
    before: list[Form] = []
    after: list[Form] = []
    for i, ((front, back), mine) in enumerate(zip(found.pads, own, strict=True)):
        shapes = [(a.kernel or 1, a.stride, a.dilation) for a in (known[0].axes[i],)] if known else _SAMPLES
        for size, stride, dilation in shapes:
            before.append((Pad(front, back), Window(size, stride, dilation, mine, mine)))
            after.append((Window(size, stride, dilation, front + mine, back + mine),))
    if not known:
        rank = len(own)
        sizes = [UNKNOWN] * len(before)
        return Claim(before, after, sizes, doubts, kernel=(3,) * rank, shapes=((16,) * rank,))
    kernel = tuple(axis.kernel or 1 for axis in known[0].axes)
    return Claim(before, after, [UNKNOWN] * len(before), doubts, kernel=kernel)
