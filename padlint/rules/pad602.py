"""PAD602: a window that is larger than what reaches it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from padlint.findings import Finding, Severity
from padlint.geometry import Exact, window_count
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.same import CONVOLUTIONS, WITH_SAME, problem_of, sizes_of
from padlint.sites.reading import Axis, Reading, readings
from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Extent
from padlint.sizes.operators import explicit_pads


class VanishingMap(Rule):
    """A convolution or pool has a window that is larger than its padded input.

    Why
        Every layer without padding takes a border away and every stride divides the size, until no window
        fits any more. PyTorch and Keras then raise, JAX returns an empty array, and TensorFlow run eagerly
        may return numbers that mean nothing, or end the process.

    Example
        import keras
        from keras import layers

        inputs = keras.Input((28, 28, 1))
        x = layers.Conv2D(8, 5, strides=4)(inputs)
        x = layers.MaxPooling2D(2)(x)
        x = layers.Conv2D(8, 5)(x)

    Use instead
        import keras
        from keras import layers

        inputs = keras.Input((28, 28, 1))
        x = layers.Conv2D(8, 5, strides=4)(inputs)
        x = layers.MaxPooling2D(2)(x)
        x = layers.Conv2D(8, 3)(x)

    Fix safety
        There is no fix: a smaller kernel, a pad, a larger input and fewer strides before it are all possible.

    References
        https://keras.io/api/layers/convolution_layers/convolution2d/
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD602"
    name = "vanishing-map"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report convolutions and pools with explicit pads that no window of a known input fits."""
        for site in context.select(("torch", *WITH_SAME)) if context.sizes_enter else ():
            family = site.operator.family
            if family not in CONVOLUTIONS and not family.is_pooling:
                continue
            known = context.input_of(site)
            # A Sequential model takes other sizes than the declared one, but it is built with that one first.
            if not site.sure or not isinstance(known, Extent) or known.basis is Basis.ASSUMED:
                continue
            reading = next(iter(readings(site)), None)
            if reading is None or not reading.sure or problem_of(site, reading):
                continue
            lacking = list(_lacking(site, reading, known))
            if not lacking:
                continue
            axes = [wording.axis_numbers(one.axis, Exact(one.size), one.pads) for one in lacking]
            numbers = {"op": site.operator.name, "axes": axes, "others": {"sizes": known.story}}
            reason = "a smaller kernel, a pad, a larger input and fewer strides before it are all possible"
            yield context.finding(type(self), site, _message(site, lacking, known), reason, numbers)


@dataclass(frozen=True)
class _Lacking:
    """An axis that no window fits, its size and the pads."""

    axis: Axis
    size: int
    pads: tuple[int, int]

    @property
    def text(self) -> str:
        room = f"{self.size}"
        if any(self.pads):
            room += f" + {sum(self.pads)} of padding = {self.size + sum(self.pads)}"
        return f"spans {self.axis.reach} elements and its input has {room}"


def _lacking(site: Site, reading: Reading, known: Extent) -> Iterator[_Lacking]:
    ceil_mode = site.value("ceil_mode") if site.has("ceil_mode") else None
    if ceil_mode is not None and not ceil_mode.known:
        return
    rounds_up = ceil_mode is not None and bool(ceil_mode.only)
    for i, (axis, size) in enumerate(zip(reading.axes, sizes_of(site, reading, known), strict=True)):
        pads = explicit_pads(site, reading, i)
        if pads is None or axis.kernel is None or not isinstance(size, Exact) or size.n < 1:
            continue
        if window_count(size.n, axis.kernel, axis.stride, axis.dilation, *pads, rounds_up) < 1:
            yield _Lacking(axis, size.n, pads)


def _message(site: Site, lacking: list[_Lacking], known: Extent) -> str:
    axes = " and ".join(one.axis.name for one in lacking)
    texts = wording.per_axis([one.axis for one in lacking], [one.text for one in lacking])
    what = f"{site.written} {texts}, so that no window fits its {axes}"
    return f"{what}: {known.story}" if known.steps else what
