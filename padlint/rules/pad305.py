"""PAD305: torch's padding="same" where an int is identical."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.findings import Finding, Fix, Severity
from padlint.geometry import UNKNOWN, Same, Window, torch_same_padding
from padlint.rewrites import torch
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.proposal import TOUCHED, Claim, propose, touches_layers
from padlint.rules.same import pads_something, same_convolutions, unsure_arguments
from padlint.sites.reading import Reading
from padlint.sites.site import Site


class SameString(Rule):
    """A PyTorch convolution says `padding="same"` where an int is bit-identical.

    Why
        At stride 1 with an even total, "same" is the symmetric padding (kernel - 1) * dilation / 2. The int
        computes the same bits, and it is what quantised convolutions, the TorchScript ONNX exporter (with
        dilation) and several converters understand; they refuse the string.

    Example
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, padding="same")

    Use instead
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, padding=1)

    Fix safety
        Safe, unless the file reads or assigns `.padding`, `.dilation`, `.kernel_size` or `.padding_mode` of
        some layer, or the call has a `*args` or `**kwargs` that may change its geometry: then unsafe.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD305"
    name = "same-string"
    severity = Severity.INFO
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report stride-1 "same" convolutions of PyTorch whose total padding is even on every axis."""
        reported: set[Site] = set()
        for site, reading in same_convolutions(context, ("torch",)):
            if site in reported or reading.strided or reading.padding != "same":
                continue
            amounts = _amounts(reading)
            if amounts is None or not pads_something(reading):
                continue
            reported.add(site)
            content = torch.numbers(amounts)
            kernel = f"{wording.kernel_text(reading.axes)}{wording.learned(reading)}"
            message = (
                f'{site.written} with kernel {kernel} and padding="same" pads '
                f"{content} on each side at every size; quantisation and older exporters need the int"
            )
            data = wording.numbers(site, reading, (UNKNOWN,) * len(reading.axes))
            yield context.finding(type(self), site, message, _fix(site, reading, amounts), data)


def _amounts(reading: Reading) -> list[int] | None:
    """The symmetric padding per axis, None where the total is odd or the kernel unknown."""
    amounts: list[int] = []
    for axis in reading.axes:
        if axis.kernel is None:
            return None
        before, after = torch_same_padding(axis.kernel, axis.dilation)
        if before != after:
            return None
        amounts.append(before)
    return amounts


def _fix(site: Site, reading: Reading, amounts: list[int]) -> Fix | str:
    argument = site.argument("padding")
    if argument is None or not isinstance(argument.value, cst.SimpleString):
        return "the word comes from somewhere else, which may serve other layers too"
    doubts: list[str] = []
    if not reading.sure:
        if wording.learned(reading) or site.bound.star is not None:
            return unsure_arguments(site, reading)
        doubts.append("**kwargs may change stride, dilation or kernel")
    if touches_layers(site):
        doubts.append(TOUCHED)
    axes = reading.axes
    claim = Claim(
        [(Same(axis.kernel or 1, 1, axis.dilation),) for axis in axes],
        [(Window(axis.kernel or 1, 1, axis.dilation, p, p),) for axis, p in zip(axes, amounts, strict=True)],
        [UNKNOWN] * len(axes),
        doubts,
        kernel=tuple(axis.kernel or 1 for axis in axes),
    )
    return propose(
        site, torch.symmetric_padding(site, amounts), f"Write padding={torch.numbers(amounts)}", claim
    )
