"""PAD206: an asymmetric zero pad directly before a convolution."""

from __future__ import annotations

import re
from collections.abc import Iterator

from padlint.findings import Finding, Fix, Severity
from padlint.geometry import same_totals
from padlint.geometry.padding import split
from padlint.rewrites import Refusal
from padlint.rewrites.pads import PaddedConv
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.folding import known_axes, own_padding
from padlint.rules.symmetric import symmetric_fix
from padlint.sites.reading import AXIS_NAMES

_MODULE = re.compile(r"ZeroPad[123]d")

# What becomes of the pad, by target.
_EFFECTS = {
    "onnx": "the default ONNX exporter writes asymmetric Conv.pads, which a few importers reject",
    "onnx-legacy": "the TorchScript exporter keeps a separate Pad",
    "coreml": "CoreML keeps a separate pad",
    "tensorrt": "TensorRT before 8.2 takes few separate Pads",
    "tflite": "TFLite needs a separate PAD, since SAME never pads like this",
}
_BY_DEFAULT = (
    "the default ONNX exporter writes asymmetric Conv.pads, older exporters and CoreML keep a separate Pad"
)
# Symmetric padding with a stride costs TFLite the same PAD.
_FIXED = frozenset(_EFFECTS) - {"tflite"}


class AsymmetricZeroPad(Rule):
    """A zero pad directly before a convolution pads one side more than the other.

    Why
        This is how TensorFlow's SAME is written in PyTorch, and it is right. It matters when the model is
        exported: the default ONNX exporter folds the pad into asymmetric `Conv.pads`, which a few importers
        reject; the older exporter and CoreML keep a separate Pad. The numbers are the same everywhere. With
        `--target` onnx, onnx-legacy, coreml, tensorrt or tflite (if SAME never pads like this) `F.pad` and
        other zero pads are reported too.

    Example
        from torch import nn

        down = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(8, 8, 3, stride=2))

    Use instead
        from torch import nn

        down = nn.Sequential(nn.Conv2d(8, 8, 3, stride=2, padding=1))

    Fix safety
        The symmetric padding above has the same shape and other numbers, which only retraining makes good: no
        fix writes that. With a target other than tflite there is an unsafe fix for an attribute and its
        calls: padding on both sides that is whole strides more than the pad at the start, and a crop of the
        output (`padding=2` and `[..., 1:, 1:]` for the example at even sizes). It computes the same, and
        more than is needed. Both sides must differ by whole strides, or the input size must be known.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.ZeroPad2d.html
        https://onnx.ai/onnx/operators/onnx__Conv.html
    """

    code = "PAD206"
    name = "asymmetric-zero-pad"
    severity = Severity.INFO
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report zero pads with unequal sides whose output feeds a convolution."""
        for found in context.padded_convs:
            pads = found.pads
            if all(before == after for before, after in pads) or found.between:
                continue  # symmetric, or no longer one with the convolution in a graph
            if any(amount < 0 for pair in pads for amount in pair):
                continue  # a crop on one side is a shift, not padding
            targets = [target for target in _EFFECTS if target in context.options.targets]
            if "tflite" in targets and not _never_same(found):
                targets.remove("tflite")
            if not targets and not _MODULE.fullmatch(found.pad.operator.short):
                continue
            numbers = wording.pad_numbers(found.pad, pads)
            yield context.finding(
                type(self), found.pad, _message(found, targets), _fix(context, found, targets), numbers
            )


def _message(found: PaddedConv, targets: list[str]) -> str:
    names = AXIS_NAMES[len(found.pads)]
    amounts = "; ".join(f"{name} {pair}" for name, pair in zip(names, found.pads, strict=True))
    effects = ", ".join(_EFFECTS[target] for target in targets) or _BY_DEFAULT
    return f"{found.pad.written} pads {amounts} before {found.conv.written}: {effects}"


def _fix(context: FileContext, found: PaddedConv, targets: list[str]) -> Fix | str:
    fixed = [target for target in targets if target in _FIXED]
    if targets and not fixed:
        return "symmetric padding costs TFLite a separate PAD too, unless SAME pads like it"
    if not fixed:
        return "no symmetric padding computes the same numbers"
    return symmetric_fix(context, found, " or ".join(fixed))


def _never_same(found: PaddedConv) -> bool:
    """Whether SAME pads differently at every size, for all that is known."""
    own, axes = own_padding(found), known_axes(found.conv)
    if isinstance(own, Refusal) or axes is None:
        return False
    totals = [(before + mine, after + mine) for (before, after), mine in zip(found.pads, own, strict=True)]
    return any(
        pair != split(sum(pair)) or sum(pair) not in same_totals(axis.kernel or 1, axis.stride, axis.dilation)
        for pair, axis in zip(totals, axes, strict=True)
    )
