"""PAD801: a call that the target framework needs several calls for."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Finding, Severity
from padlint.geometry import UNKNOWN
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.same import WITH_SAME
from padlint.rules.twins import in_keras, in_torch


class NoSingleCallTwin(Rule):
    """The padding of a call has no equivalent in one call of the target framework.

    Why
        PyTorch pads both sides alike, by a number; Keras pads as SAME or not at all. Where the one cannot say
        what the other does, a port that keeps the shapes still shifts the numbers. The message shows the
        calls that compute the same. For PyTorch as the target these are SAME with a stride, a pad of unequal
        sides in front, causal padding and transposed SAME with kernel - stride odd; for Keras explicit
        padding that is not SAME at the known sizes, other padding modes, average pools that count what they
        pad, and cropped transposed convolutions. Selected without a target, the rule looks at both.

    Example
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)

    Use instead
        from torch import nn

        conv = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, stride=2))

    Fix safety
        There is no fix: the code runs where it is, and the port is written elsewhere.

    References
        https://keras.io/api/layers/convolution_layers/convolution2d/
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
        https://pytorch.org/docs/stable/generated/torch.nn.ConvTranspose2d.html
    """

    code = "PAD801"
    name = "no-single-call-twin"
    severity = Severity.INFO
    fix = "none"
    targets = frozenset({"keras", "torch"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report calls of other frameworks whose padding takes several calls in a target."""
        wanted = self.targets & context.options.targets or self.targets
        for target, name, frameworks, twin_in in (
            ("keras", "Keras", ("torch",), in_keras),
            ("torch", "PyTorch", WITH_SAME, in_torch),
        ):
            for site in context.select(frameworks) if target in wanted else ():
                twin = twin_in(context, site)
                if twin is None:
                    continue
                axes = [
                    wording.axis_numbers(axis, UNKNOWN, pair)
                    for axis, pair in zip(twin.reading.axes, twin.pads, strict=True)
                ]
                numbers = {"op": site.operator.name, "axes": axes, "others": {"target": target}}
                message = f"{site.written} has no equivalent in one call of {name}: {twin.code}"
                reason = "the code runs where it is, and the port is written elsewhere"
                yield context.finding(type(self), site, message, reason, numbers)
