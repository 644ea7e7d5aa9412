"""PAD302: a pad whose amounts depend on the size of its input."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Applicability, Finding, Fix, Severity
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.computed import ComputedPad
from padlint.rules.context import FileContext
from padlint.rules.rounding import Arithmetic
from padlint.rules.traced_pads import traced_amounts


class SizeDependentPad(Rule):
    """The amounts of a spatial pad are computed from the size of the tensor.

    Why
        An export with fixed sizes writes down the amounts of the example. One with dynamic sizes turns the
        arithmetic into 30 to 90 extra nodes and a Pad that no runtime can fold into the convolution; where
        Python itself decides (`if`, `math.ceil`, `max`), it or `torch.jit.trace` may keep the decision for
        the example, and other sizes get wrong pads without an error.

    Example
        from torch import nn
        from torch.nn import functional as F

        class Down(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2)

            def forward(self, x):
                h, w = x.shape[-2:]
                return self.conv(F.pad(x, (0, 1 + w % 2, 0, 1 + h % 2)))

    Use instead
        from torch import nn

        class Down(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)

            def forward(self, x):
                return self.conv(x)

    Fix safety
        Constant amounts compute something else at other sizes. What can be mended is arithmetic that exports
        with dynamic sizes get wrong (PAD303): where all of it can be rewritten safely, the fix does so, and
        the pad stays as dynamic as it was. With a trace, amounts that were always the same
        are written out: unsafe, and exact for the traced sizes.

    References
        https://pytorch.org/docs/stable/onnx_export.html
        https://pytorch.org/docs/stable/generated/torch.jit.trace.html
    """

    code = "PAD302"
    name = "size-dependent-pad"
    severity = Severity.INFO
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report pads with such amounts on two axes, or before a convolution or pool."""
        arithmetic = context.arithmetic
        for pad in arithmetic.pads:
            if pad.axes < 2 and pad.reader is None:
                continue  # one axis is a sequence of tokens more often than not
            decided = any(arithmetic.origins.of(pad.site.unit, test).sizes for test in pad.tests)
            numbers = {"op": pad.site.operator.name, "axes": [], "others": {"computed_axes": pad.axes}}
            fix = _fix(pad, arithmetic) if not decided else _NO_FIX
            if isinstance(fix, str):
                fix = traced_amounts(pad.site) or fix
            message = _message(pad, decided) + wording.seen(pad.site)
            yield context.finding(type(self), pad.site, message, fix, numbers)


_NO_FIX = "no constant amounts compute the same at every size"


def _fix(pad: ComputedPad, arithmetic: Arithmetic) -> Fix | str:
    """The amounts as an export with dynamic sizes writes them rightly, if that is certain for all of them."""
    unsafe = arithmetic.unsafe[pad.site]
    ceils = [part.ceil for part in unsafe if part.ceil is not None]
    if not ceils or len(ceils) < len(unsafe):
        return _NO_FIX
    fix = arithmetic.fix(ceils, pad.site)
    return fix if isinstance(fix, Fix) and fix.applicability is Applicability.SAFE else _NO_FIX


def _message(pad: ComputedPad, decided: bool) -> str:
    before = f" before {pad.reader.written}" if pad.reader is not None else ""
    text = (
        f"{pad.site.written}{before} pads by amounts computed from the size of its input: a trace may keep "
        "those of its example, an export with dynamic sizes has a Pad that cannot be folded"
    )
    if decided:
        text += ", and the test around it is decided by the example"
    return text
