"""PAD205: a pool that rounds its output size up."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.geometry import UNKNOWN, Form, Reduce, Same, Window, equal_residues
from padlint.geometry.taps import Divisor
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.reading import Axis, Reading, readings
from padlint.sites.site import Site
from padlint.sizes.operators import explicit_pads


class PoolCeilMode(Rule):
    """A pool has `ceil_mode=True`, which TensorFlow and JAX lack.

    Why
        The output size is rounded up: the last window may hang over the end, unless it would start behind
        it. TensorFlow has that only as SAME, which equals it for some windows and sizes and not for others:
        window 2 with stride 2 at every size, window 3 with stride 2 at even sizes. ONNX has the attribute,
        but runtimes disagreed for years about the last window and about what a mean over it divides by.

    Example
        from torch import nn

        pool = nn.MaxPool2d(3, 2, ceil_mode=True)

    Use instead
        from torch import nn

        pool = nn.MaxPool2d(3, 2)

    Fix safety
        There is no fix: without `ceil_mode` the output may be smaller.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html
        https://onnx.ai/onnx/operators/onnx__AveragePool.html
    """

    code = "PAD205"
    name = "pool-ceil-mode"
    severity = Severity.INFO
    fix = "none"
    targets = frozenset({"keras", "jax", "onnx", "onnx-legacy", "tflite"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report pools of PyTorch with ceil_mode."""
        for site in context.select(("torch",)):
            if not site.operator.family.is_pooling or not site.has("ceil_mode"):
                continue
            ceil_mode = site.value("ceil_mode")
            if not ceil_mode.known or ceil_mode.only is not True:
                continue
            reading = next(
                (r for r in readings(site) if r.sure and all(axis.kernel for axis in r.axes)), None
            )
            if reading is not None and not reading.strided:
                continue  # nothing is rounded
            message = f"{site.written} rounds its output size up"
            axes = []
            if reading is not None:
                if site.operator.family is not Family.LP_POOL:
                    message += _meaning(site, reading)
                axes = [wording.axis_numbers(axis, UNKNOWN, None) for axis in reading.axes]
            numbers = {"op": site.operator.name, "axes": axes, "others": {}}
            reason = "without ceil_mode the output may be smaller"
            yield context.finding(type(self), site, message, reason, numbers)


def _meaning(site: Site, reading: Reading) -> str:
    """At which sizes SAME is the same function, in words."""
    found = [_equal_residues(site, reading, i) for i in range(len(reading.axes))]
    texts = [_sizes(axis, of) for axis, of in zip(reading.axes, found, strict=True) if of is not None]
    if len(texts) < len(found):
        return ""
    return f"; TensorFlow's SAME computes the same {wording.per_axis(reading.axes, texts)}"


def _sizes(axis: Axis, residues: set[int]) -> str:
    if len(residues) == axis.stride:
        return "at every size"
    if not residues:
        return "at no size"
    names = " or ".join(wording.residue_name(residue, axis.stride) for residue in sorted(residues))
    return f"at {names} sizes only" if axis.stride == 2 else f"where {names} only"


def _equal_residues(site: Site, reading: Reading, index: int) -> set[int] | None:
    """The sizes modulo the stride at which SAME equals a pool with ceil_mode on one axis."""
    axis, pads = reading.axes[index], explicit_pads(site, reading, index)
    if pads is None:
        return set()
    reduce: Reduce = "max" if site.operator.family is Family.MAX_POOL else "average"
    counts = site.value("count_include_pad") if site.has("count_include_pad") else None
    divisor: Divisor = "padded" if counts is None or not counts.known or counts.only else "real"
    shape = (axis.kernel or 1, axis.stride, axis.dilation)
    same: Form = (Same(*shape, reduce=reduce),)
    here: Form = (Window(*shape, *pads, reduce, divisor, ceil_mode=True),)
    return equal_residues(here, same, axis.stride)
