"""PAD401: torch's padding="same" with a stride."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Finding, Fix, Severity
from padlint.geometry import same_pads_of, static_same_padding, torch_same_padding
from padlint.rewrites import torch
from padlint.rules import wording
from padlint.rules.at_runtime import computed_fix, computes
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.proposal import propose
from padlint.rules.same import same_convolutions, sizes_of, unsure_arguments
from padlint.sites.reading import Reading
from padlint.sites.site import BY_DEFAULT, Site


class SameWithStride(Rule):
    """A PyTorch convolution combines `padding="same"` with a stride, which raises.

    Why
        `nn.Conv2d(..., stride=2, padding="same")` raises ValueError when the layer is built, and `F.conv2d`
        RuntimeError when it runs: PyTorch has no SAME padding that depends on the input size. There are two
        candidates for what was meant: TensorFlow's pads, which depend on the size, and the symmetric padding
        that is usual in PyTorch. Both give ceil(n / stride) outputs, with different numbers.

    Example
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, stride=2, padding="same")

    Use instead
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)

    Fix safety
        Unsafe: code that raises has no result to compare with. Where TensorFlow's pads are the same at every
        size or the size is known, the fix writes those; else the symmetric padding, and the message names
        both. With `--unknown-size runtime` a function that is written into the file computes TensorFlow's
        pads at every call, where the convolution is called in a forward pass; both exporters to ONNX keep
        them right at every size.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD401"
    name = "same-with-stride"
    severity = Severity.ERROR
    fix = "unsafe"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report strided "same" convolutions of PyTorch, in whatever case the word is written."""
        reported: set[Site] = set()
        for site, reading in same_convolutions(context, ("torch",)):
            if site in reported or not reading.strided:
                continue
            if BY_DEFAULT in reading.origins:
                continue
            reported.add(site)
            sizes = sizes_of(site, reading, context.input_of(site))
            message = _message(site, reading)
            data = wording.numbers(site, reading, sizes)
            yield context.finding(type(self), site, message, _fix(context, site, reading), data)


def _message(site: Site, reading: Reading) -> str:
    axes = reading.axes
    stride = wording.stride_text(axes)
    what = f'{site.written} raises: padding="same" is not supported with stride {stride}'
    what += wording.learned(reading)
    if any(axis.kernel is None for axis in axes):
        return what
    tables = wording.per_axis(axes, [wording.by_residue(axis) for axis in axes])
    return f"{what}; TensorFlow's SAME would pad {tables}"


def _fix(context: FileContext, site: Site, reading: Reading) -> Fix | str:
    if reading.padding != "same":
        return "write the word in lower case first; which padding is meant with a stride is open"
    known = _pads(context, site, reading)
    if known is None and computes(context) and isinstance(fix := computed_fix(context, site, reading), Fix):
        return fix
    if any(axis.kernel is None for axis in reading.axes):
        return "the kernel size is not known"
    if not reading.sure:
        return unsure_arguments(site, reading)
    if known is not None:
        return _write(context, site, known, "TensorFlow's SAME")
    symmetric = [torch_same_padding(axis.kernel or 1, axis.dilation) for axis in reading.axes]
    if any(before != after for before, after in symmetric):
        return "the pads of SAME depend on the input size, and no symmetric padding keeps the shape"
    return _write(context, site, symmetric, "the usual symmetric padding")


def _pads(context: FileContext, site: Site, reading: Reading) -> list[tuple[int, int]] | None:
    """What TensorFlow's SAME would pad wherever the call may run, None if that is not known."""
    if not reading.sure or any(axis.kernel is None for axis in reading.axes):
        return None
    sizes = sizes_of(site, reading, context.input_of(site))
    pads = [
        static_same_padding(axis.kernel or 1, axis.stride, axis.dilation)
        or same_pads_of(size, axis.kernel or 1, axis.stride, axis.dilation)
        for axis, size in zip(reading.axes, sizes, strict=True)
    ]
    known = [pair for pair in pads if pair is not None]
    return known if len(known) == len(pads) else None


def _write(context: FileContext, site: Site, pads: list[tuple[int, int]], meaning: str) -> Fix | str:
    if all(before == after for before, after in pads):
        rewrite = torch.symmetric_padding(site, [before for before, _ in pads])
        message = f"Write padding={torch.numbers([before for before, _ in pads])}, {meaning}"
        return propose(site, rewrite, message, None)
    rewritten = torch.explicit_padding(context.file, site, pads)
    amounts = ", ".join(map(str, dict.fromkeys(pads)))
    return propose(site, rewritten, f"Pad {amounts} with F.pad, {meaning}", None)
