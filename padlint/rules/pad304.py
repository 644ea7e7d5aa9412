"""PAD304: F.pad without a value before a convolution."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.catalogue.model import Family, Kind
from padlint.findings import Finding, Fix, Severity
from padlint.geometry import UNKNOWN, Form, Pad
from padlint.rewrites.filled import zero_value
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.behind import padded_reads
from padlint.rules.context import FileContext
from padlint.rules.proposal import Claim, propose
from padlint.sites.site import Site
from padlint.sites.zero_pads import is_zero_pad, zero_pads


class UnfoldedFunctionalPad(Rule):
    """F.pad names no value before a convolution, so that a TorchScript ONNX graph keeps the pad.

    Why
        The TorchScript exporter (`dynamo=False`) writes the fill of `F.pad(x, p)` as an empty input of Pad,
        and ONNX Runtime folds no such Pad into the convolution behind it: one more pass over the tensor. For
        `F.pad(x, p, value=0)`, which computes the same, it writes a constant, and Conv pads itself.

    Example
        from torch.nn import functional as F

        def down(x, weight):
            return F.conv2d(F.pad(x, (0, 1, 0, 1)), weight, stride=2)

    Use instead
        from torch.nn import functional as F

        def down(x, weight):
            return F.conv2d(F.pad(x, (0, 1, 0, 1), value=0), weight, stride=2)

    Fix safety
        Safe: 0 is what PyTorch takes for no value.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.functional.pad.html
        https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html
    """

    code = "PAD304"
    name = "unfolded-functional-pad"
    severity = Severity.WARNING
    fix = "safe"
    targets = frozenset({"onnx-legacy"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report constant pads by F.pad that a convolution reads and that name no value."""
        for pad, conv in padded_reads(context, lambda family: family is Family.CONV):
            amounts = zero_pads(pad, conv) if _names_no_value(pad) else None
            if amounts is None or not any(map(any, amounts)) or any(n < 0 for pair in amounts for n in pair):
                continue  # neither is folded in any way of writing it
            message = (
                f"{pad.written} before {conv.written} names no value: the TorchScript ONNX exporter then "
                "writes a Pad that ONNX Runtime cannot fold into the convolution"
            )
            fix = _fix(pad, amounts)
            yield context.finding(type(self), pad, message, fix, wording.pad_numbers(pad, amounts))


def _names_no_value(pad: Site) -> bool:
    value = pad.value("value") if pad.operator.kind is Kind.FUNCTION else None
    return value is not None and value.known and value.only is None and is_zero_pad(pad)


def _fix(pad: Site, amounts: list[tuple[int, int]]) -> Fix | str:
    forms: list[Form] = [(Pad(before, after),) for before, after in amounts]
    return propose(pad, zero_value(pad), "Write value=0", Claim(forms, forms, [UNKNOWN] * len(forms)))
