"""PAD301: a symmetric zero pad that the convolution behind it could do itself."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.rewrites.pads import PaddedConv
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.folding import fold_fix, pool_takes
from padlint.sites.site import Site


class FoldableZeroPad(Rule):
    """A symmetric zero pad stands directly before a convolution that could pad itself.

    Why
        `nn.ZeroPad2d(1)` or `F.pad(x, (1, 1, 1, 1))` before a convolution computes exactly what `padding=1`
        computes, with a copy of the whole tensor and one more operation: up to a third slower on a CPU, and a
        separate Pad (with six helper nodes) for the TorchScript ONNX exporter and for CoreML. ReLU and other
        functions that keep zeros may stand in between. Average pools count the zeros in the same way,
        unless told otherwise.

    Example
        from torch import nn

        net = nn.Sequential(nn.ZeroPad2d(2), nn.Conv2d(3, 8, 5, stride=2), nn.BatchNorm2d(8))

    Use instead
        from torch import nn

        net = nn.Sequential(nn.Identity(), nn.Conv2d(3, 8, 5, stride=2, padding=2), nn.BatchNorm2d(8))

    Fix safety
        Safe: `nn.Identity()` in the place of the pad keeps every index and parameter name. Unsafe if the file
        reads or assigns `.padding` or other geometry of layers that were built before, mentions the class of
        the pad without calling it, walks over modules (`children()`, `named_modules()`) or hands the
        Sequential on, since what it meets is another module then. No fix if the
        padded tensor or the pad has another reader, if the convolution also runs without the pad, is reached
        from outside of the class or subclassed in the file, or has a string or non-zero padding mode, or if
        something in between works in place.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD301"
    name = "foldable-zero-pad"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report symmetric zero pads of PyTorch that feed a convolution or an average pool."""
        seen: set[Site] = set()
        for found in _foldable(context):
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
            yield context.finding(type(self), found.pad, message, fold_fix(found), numbers)


def _foldable(context: FileContext) -> Iterator[PaddedConv]:
    """Padded convolutions, and average pools that count their own padding."""
    yield from context.padded_convs
    for found in context.padded_pools:
        if found.conv.operator.family is not Family.AVERAGE_POOL:
            continue
        counts, divisor = found.conv.value("count_include_pad"), found.conv.argument("divisor")
        if counts.known and counts.only is True and divisor is None and pool_takes(found):
            yield found
