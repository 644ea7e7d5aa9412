"""PAD303: arithmetic on sizes that exporters get wrong, feeding a pad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from padlint.findings import Finding, Fix, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.rounding import Unsafe
from padlint.sites.site import Site


class ExportUnsafeCeil(Rule):
    """The amounts of a pad rest on arithmetic that an export to ONNX changes.

    Why
        `-(-n // s)` rounds up in Python; both ONNX exporters of PyTorch write `//` as a Div, which rounds
        towards zero, so the graph pads too little. `math.ceil` is computed once, for the example, by the
        TorchScript exporter and by torch.jit.trace (inside of `int()` by the default exporter too), and a
        test such as `if n % s` is decided once by all of them. Nothing raises; the output has other numbers
        or another shape.

    Example
        from torch import nn
        from torch.nn import functional as F

        class Whole(nn.Module):
            def forward(self, x):
                n = x.shape[-1]
                return F.pad(x, (0, -(-n // 32) * 32 - n))

    Use instead
        from torch import nn
        from torch.nn import functional as F

        class Whole(nn.Module):
            def forward(self, x):
                n = x.shape[-1]
                return F.pad(x, (0, (n + 31) // 32 * 32 - n))

    Fix safety
        Safe where n is a size, or an int computed from one, and s a known positive int: both are equal then.
        Unsafe where s or n comes from a caller. There is no fix for tests; `n % s or s` is also
        `(n - 1) % s + 1`, and what is missing to a multiple of s is `-n % s` without any test.

    References
        https://onnx.ai/onnx/operators/onnx__Div.html
        https://pytorch.org/docs/stable/onnx_export.html
    """

    code = "PAD303"
    name = "export-unsafe-ceil"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report such arithmetic wherever a pad's amounts lead to it, in helper functions too."""
        for pad, parts in context.arithmetic.unsafe.items():
            for part in parts:
                yield self._finding(context, pad, part)

    def _finding(self, context: FileContext, pad: Site, part: Unsafe) -> Finding:
        feeds = f"{pad.written} in line {pad.unit.row(pad.call)}"
        fix: Fix | str = "what computes the same without a test is open"
        message = f"{part.text} decides about {feeds}: {part.effect}"
        if part.ceil is not None:
            fix = context.arithmetic.fix([part.ceil], pad)
            message = f"{part.text} feeds {feeds}: {part.effect}; write {part.ceil.text}"
        start, end = context.place(part.unit, part.node)
        return replace(context.finding(type(self), pad, message, fix), location=start, end_location=end)
