"""PAD206: an asymmetric zero pad directly before a convolution."""

from __future__ import annotations

import re
from collections.abc import Iterator

from padlint.findings import Finding, Severity
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.reading import AXIS_NAMES

_MODULE = re.compile(r"ZeroPad[123]d")


class AsymmetricZeroPad(Rule):
    """A ZeroPad module pads one side more than the other, directly before a convolution.

    Why
        This is how TensorFlow's SAME is written in PyTorch, and it is right. It matters when the model is
        exported: the default ONNX exporter folds the pad into asymmetric `Conv.pads`, which a few importers
        reject; the older exporter and CoreML keep a separate Pad. The numbers are the same everywhere.

    Example
        from torch import nn

        down = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(8, 8, 3, stride=2))

    Use instead
        from torch import nn

        down = nn.Sequential(nn.Conv2d(8, 8, 3, stride=2, padding=1))

    Fix safety
        There is no fix: the symmetric padding above has the same shape and other numbers, which only
        retraining makes good.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.ZeroPad2d.html
        https://onnx.ai/onnx/operators/onnx__Conv.html
    """

    code = "PAD206"
    name = "asymmetric-zero-pad"
    severity = Severity.INFO
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report ZeroPad modules with unequal sides whose output feeds a convolution."""
        for found in context.padded_convs:
            pads = found.pads
            if not _MODULE.fullmatch(found.pad.operator.short) or all(b == a for b, a in pads):
                continue
            if found.between:
                continue  # which keeps the two from being one in a graph
            if any(amount < 0 for pair in pads for amount in pair):
                continue  # a crop on one side is a shift, not padding
            names = AXIS_NAMES[len(pads)]
            amounts = "; ".join(f"{name} {pair}" for name, pair in zip(names, pads, strict=True))
            message = (
                f"{found.pad.written} pads {amounts} before {found.conv.written}: the default ONNX exporter "
                "writes asymmetric Conv.pads, older exporters and CoreML keep a separate Pad"
            )
            numbers = wording.pad_numbers(found.pad, pads)
            reason = "no symmetric padding computes the same numbers"
            yield context.finding(type(self), found.pad, message, reason, numbers)
