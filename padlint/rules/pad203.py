"""PAD203: an average pool that counts what it pads."""

from __future__ import annotations

from collections.abc import Iterator

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.geometry import UNKNOWN
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.reading import Reading, readings
from padlint.sites.site import Site


class AveragePoolCountsPadding(Rule):
    """An average pool counts the zeros that it pads, which TensorFlow's do not.

    Why
        PyTorch and Flax divide by the whole window unless `count_include_pad` is False: over a border of
        ones, window 3 with padding 1 gives 4/9 in the corner. TensorFlow, Keras and TFLite divide by the
        number of real elements and give 1. The shapes are equal, so that nothing raises.

    Example
        from torch import nn

        pool = nn.AvgPool2d(3, 2, padding=1)

    Use instead
        from torch import nn

        pool = nn.AvgPool2d(3, 2, padding=1, count_include_pad=False)

    Fix safety
        There is no fix: not to count the pads computes another mean. Weights that were trained with the
        counted zeros keep them in Keras by a ZeroPadding layer and a pool without padding.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.AvgPool2d.html
        https://keras.io/api/layers/pooling_layers/average_pooling2d/
    """

    code = "PAD203"
    name = "average-pool-counts-padding"
    severity = Severity.WARNING
    fix = "none"
    targets = frozenset({"keras", "tflite"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report average pools of PyTorch and Flax that pad and count it."""
        for site in context.select(("torch", "flax")):
            if site.operator.family is not Family.AVERAGE_POOL or not _counts(site):
                continue
            reading = next((reading for reading in readings(site) if _pads(site, reading)), None)
            if reading is None:
                continue
            axes = [wording.axis_numbers(axis, UNKNOWN, None) for axis in reading.axes]
            message = (
                f"{site.written} with window {wording.kernel_text(reading.axes)} and padding "
                f"{reading.padding!r} counts the pads in its mean; TensorFlow's average pools leave them out"
            )
            reason = "another divisor computes another mean; in Keras a ZeroPadding layer keeps this one"
            numbers = {"op": site.operator.name, "axes": axes, "others": {"padding": reading.padding}}
            yield context.finding(type(self), site, message, reason, numbers)


def _counts(site: Site) -> bool:
    counts = site.value("count_include_pad")
    return counts.known and bool(counts.only) and site.argument("divisor") is None


def _pads(site: Site, reading: Reading) -> bool:
    """Whether a pool pads anything at some size."""
    if reading.same:
        return any(axis.kernel is not None and axis.kernel > 1 for axis in reading.axes)
    if isinstance(reading.padding, str) or site.operator.pads is None:
        entries = catalogue.spatial_entries(reading.padding, len(reading.axes)) or ()
        return any(isinstance(amount, int) and amount > 0 for amount in entries)
    pads = catalogue.read_pads(site.operator.pads, reading.padding, len(reading.axes))
    return pads is not None and any(map(any, pads))
