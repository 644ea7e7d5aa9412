"""PAD501: half of an even kernel as padding."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from padlint.findings import Finding, Severity
from padlint.geometry import UNKNOWN, torch_same_padding
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.defaults import depends_on_parameters
from padlint.rules.half_kernel import HalfKernel, definition_around, half_kernels
from padlint.sites.site import Site
from padlint.syntax.walk import descendants

# Layers and functions that take the surplus away again.
_CROPS = re.compile(r"chomp|crop|trim|narrow|same_?pad|remove", re.I)


class HalfKernelEven(Rule):
    """The padding is half of an even kernel, which makes the output one larger than the input.

    Why
        `padding=kernel // 2` keeps the size at stride 1 only for odd kernels. With kernel 4 it pads 4 in all
        where 3 are needed: 16 elements become 17. Sums with the input then raise, and in a stack of such
        layers the size creeps up.

    Example
        from torch import nn

        conv = nn.Conv1d(64, 64, kernel_size=4, padding=4 // 2)

    Use instead
        from torch import nn

        conv = nn.Conv1d(64, 64, kernel_size=4, padding="same")

    Fix safety
        There is no fix: other sizes are a change of behaviour, and which side should be padded less is open.
        PyTorch's `padding="same"` pads less in front.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv1d.html
    """

    code = "PAD501"
    name = "half-kernel-even"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report convolutions and pools with stride 1 whose padding is computed as half of an even kernel."""
        for site in context.sites:
            found = next((half for half in half_kernels(site) if _grows(half)), None)
            if found is None or _expected(site):
                continue
            if depends_on_parameters(site) and not found.reading.sure:
                continue
            reading, axis = found.reading, found.axis
            kernel = axis.kernel or 0
            same = torch_same_padding(kernel)
            message = (
                f"{site.written} with kernel {wording.kernel_text(reading.axes)} and padding="
                f"{reading.padding}{wording.learned(reading)} makes the output one larger than the input: "
                f"it pads {kernel} in all where {kernel - 1} keep the size, as {same} does"
            )
            numbers = {
                "op": site.operator.name,
                "axes": [wording.axis_numbers(axis, UNKNOWN, same)],
                "others": {"padding": reading.padding},
            }
            severity = None if reading.sure else Severity.INFO
            reason = "which side should be padded less is open"
            yield context.finding(type(self), site, message, reason, numbers, severity=severity)


def _grows(half: HalfKernel) -> bool:
    axis = half.axis
    return axis.stride == 1 and axis.dilation == 1 and axis.kernel is not None and axis.kernel % 2 == 0


def _expected(site: Site) -> bool:
    """Whether the definition around a call crops what it computes, or asks whether a number is even."""
    return any(map(_crops, descendants(definition_around(site))))


def _crops(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.Modulo) and getattr(node.right, "value", "") == "2"
    if isinstance(node, cst.Name):  # also of attributes
        return _CROPS.search(node.value) is not None
    return isinstance(node, cst.Slice) and (node.lower or node.upper) is not None
