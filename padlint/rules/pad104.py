"""PAD104: SAME padding at stride 1 that is not symmetric."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.catalogue.model import Kind
from padlint.findings import Applicability, Finding, Fix, Severity
from padlint.geometry import same_padding
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.explicit import explicit_fix
from padlint.rules.same import WITH_SAME, same_convolutions, sizes_of
from padlint.sites.reading import Reading
from padlint.sites.site import Site
from padlint.syntax.uses import UseKind


class EvenKernelSame(Rule):
    """A convolution with stride 1 uses SAME padding that differs by one on both sides.

    Why
        If (kernel - 1) * dilation is odd, SAME pads one element more after the input than before it: kernel 4
        pads (1, 2). PyTorch's int padding cannot express that, so a port with `padding=2` grows the output by
        one. PyTorch's own `padding="same"` pads like TensorFlow, but needs a separate pad in every graph.

    Example
        from keras import layers

        def block(x):
            return layers.Conv2D(32, 4, padding="same")(x)

    Use instead
        from keras import layers

        def block(x):
            return layers.Conv2D(32, 4, padding="valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

    Fix safety
        The explicit form is exact at every input size: safe for Keras and tf.nn. For PyTorch it is unsafe and
        offered only where the convolution is called in a forward pass, since the traced graph stays the same.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD104"
    name = "even-kernel-same"
    severity = Severity.INFO
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report SAME convolutions at stride 1 whose total padding is odd on some axis."""
        reported: set[Site] = set()
        for site, reading in same_convolutions(context, (*WITH_SAME, "torch")):
            if site in reported or reading.strided or not _asymmetric(reading):
                continue
            if site.operator.framework == "torch" and reading.padding != "same":
                continue
            reported.add(site)
            known = context.input_of(site, reading)
            data = wording.numbers(site, reading, sizes_of(site, reading, known))
            yield context.finding(
                type(self), site, _message(site, reading), _fix(context, site, reading), data
            )


def _pads(reading: Reading) -> list[tuple[int, int]]:
    return [same_padding(1, axis.kernel or 1, 1, axis.dilation) for axis in reading.axes]


def _asymmetric(reading: Reading) -> bool:
    if any(axis.kernel is None for axis in reading.axes):
        return False
    return any(before != after for before, after in _pads(reading))


def _message(site: Site, reading: Reading) -> str:
    axes = reading.axes
    pads = wording.per_axis(axes, [str(pair) for pair in _pads(reading)])
    return (
        f"{site.written} with kernel {wording.kernel_text(axes)} and SAME padding pads {pads} at every size; "
        "no symmetric padding equals it"
    )


def _fix(context: FileContext, site: Site, reading: Reading) -> Fix | str:
    torch = site.operator.framework == "torch"
    if torch and site.operator.kind is Kind.LAYER and site.use.kind is not UseKind.ATTRIBUTE:
        return "it is not called in a forward pass, and an even kernel needs a separate pad in every graph"
    fix = explicit_fix(context, site, reading, context.input_of(site, reading))
    if isinstance(fix, str) or not torch or fix.applicability is Applicability.UNSAFE:
        return fix
    why = "the traced graph stays the same"
    if site.operator.kind is Kind.LAYER:
        why = f"the attribute .padding changes, and {why}"
    message = f"{fix.message} (unsafe: {why})"
    return Fix(Applicability.UNSAFE, message, fix.edits, fix.proof, fix.layer)
