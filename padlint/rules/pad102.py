"""PAD102: a pool with SAME padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from padlint.findings import Finding, Severity
from padlint.geometry import same_totals
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.pool_fixes import pool_fix
from padlint.rules.pools import divisor, reduction, same_pools, torch_twin
from padlint.rules.same import sizes_of
from padlint.sites.reading import Axis, Reading
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known


class SamePool(Rule):
    """A pool uses SAME padding that depends on the input size, or on what the mean counts.

    Why
        With a stride, SAME pads by the input size: window 3 with stride 2 pads (0, 1) where it is even and
        (1, 1) where it is odd. No pad layer can stand in for it: a maximum ignores what it pads, which zeros
        do not, and TensorFlow's mean divides by the number of real elements, PyTorch's and Flax's by all of
        them unless told otherwise. An even window pads unequally at stride 1 too.

    Example
        from keras import Input, layers

        x = Input(shape=(224, 224, 3))
        x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)

    Use instead
        from keras import Input, layers

        x = Input(shape=(224, 224, 3))
        x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = layers.MaxPooling2D(3, strides=2, padding="valid")(x)

    Fix safety
        Safe where nothing is padded at the known size, in Flax and JAX, whose pools take the amounts, and
        before a max pool behind ReLU or the like, where zeros are harmless; a concatenation of such tensors
        and a function of the file that returns nothing else count too. Unsafe with the amounts in
        tf.nn.max_pool, which the TFLite converter and XLA refuse, and with a pad of -inf. No fix for a mean
        that leaves the pad out. With `--unknown-size runtime` an unsafe fix computes the pad at every call
        where no size decides it.

    References
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
        https://keras.io/api/layers/pooling_layers/
    """

    code = "PAD102"
    name = "same-pool"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report every SAME pool whose pads depend on the size, are unequal, or enter a mean."""
        reported: set[Site] = set()
        for site, reading in same_pools(context):
            if site in reported or not any(_matters(site, axis) for axis in reading.axes):
                continue
            reported.add(site)
            known = context.input_of(site, reading)
            sizes = sizes_of(site, reading, known)
            twin = torch_twin(site, reading.axes)
            nothing = wording.known_pads(reading.axes, sizes) == [(0, 0)] * len(sizes)
            mild = nothing or (twin and reduction(site) == "max")
            yield context.finding(
                type(self),
                site,
                _message(site, reading, known, nothing)
                + _meaning(site, reading.axes, twin)
                + wording.seen(site),
                pool_fix(context, site, reading, known),
                {**wording.numbers(site, reading, sizes), "others": {"torch_pool": twin or None}},
                severity=Severity.INFO if mild else None,
            )


def _matters(site: Site, axis: Axis) -> bool:
    """Whether one axis is padded in a way that differs between sizes, sides or frameworks."""
    if axis.kernel is None or axis.kernel == 1:
        return False
    return axis.stride > 1 or reduction(site) == "average" or (axis.reach or 1) % 2 == 0


def _message(site: Site, reading: Reading, known: Known, nothing: bool) -> str:
    axes = reading.axes
    what = f"{site.written} with window {wording.kernel_text(axes)}, stride {wording.stride_text(axes)} "
    what += f"and SAME padding{wording.learned(reading)}"
    tables = wording.per_axis(axes, [wording.by_residue(axis) for axis in axes])
    if not reading.strided:
        return f"{what} pads {tables} at every size"
    if nothing and isinstance(known, Extent) and known.steps:
        return f"{what} pads nothing at {known.steps.last.size}, but something at other sizes ({tables})"
    return f"{what} pads by the input size ({tables})"


def _meaning(site: Site, axes: Sequence[Axis], twin: str) -> str:
    """What becomes of the pad, and of the pool in another framework."""
    kind = reduction(site)
    if kind is None:
        return ""
    text = ""
    if kind == "average":
        counted = {"real": ", which the mean leaves out", "kernel": ", which the mean counts"}
        text = counted.get(divisor(site) or "", "")
        if site.operator.framework == "keras" and any(map(_unequal, axes)):
            text += "; on its PyTorch backend Keras computes other numbers"
    if twin:
        return f"{text}; PyTorch's pool equals it with {twin}"
    return f"{text}; no arguments of PyTorch's pools equal it at every size"


def _unequal(axis: Axis) -> bool:
    totals = same_totals(axis.kernel or 1, axis.stride, axis.dilation)
    return len(totals) > 1 or totals[0] % 2 == 1
