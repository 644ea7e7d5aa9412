"""PAD101: a convolution with SAME padding and a stride."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from padlint.findings import Finding, Fix, Severity
from padlint.geometry import Size
from padlint.rules import wording
from padlint.rules.at_runtime import computed_fix, computes
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.explicit import explicit_fix
from padlint.rules.same import (
    CONVOLUTIONS,
    WITH_SAME,
    pads_something,
    same_convolutions,
    sizes_of,
    unlike_same,
)
from padlint.sites.open_stride import open_reading
from padlint.sites.reading import Reading
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known

_MOST_OTHERS = 3  # that a message names


class StridedSameConv(Rule):
    """A convolution with a stride above 1 uses SAME padding.

    Why
        SAME pads by the input size: with kernel 3 and stride 2, TensorFlow pads (0, 1) where the size is even
        and (1, 1) where it is odd. PyTorch's `padding=1` always pads (1, 1). At even sizes both give the same
        shape and different numbers, and nothing raises. Kernel 1 never pads and is not reported.

    Example
        from keras import Input, layers

        x = Input(shape=(224, 224, 3))
        x = layers.Conv2D(32, 3, strides=2, padding="same")(x)

    Use instead
        from keras import Input, layers

        x = Input(shape=(224, 224, 3))
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = layers.Conv2D(32, 3, strides=2, padding="valid")(x)

    Fix safety
        Offered only where the pads are the same at every size (an even effective kernel with stride 2, for
        example) or the input size is known. Safe if the size is literal in a functional model or promised
        with `--input-size` or `--input-multiple`; unsafe if it rests on an assumption, if the file reads the
        list of a model's layers, if the pad stands in one of several branches of a functional model (whose
        weights are saved by depth), or if the name may mean something else. With `--unknown-size runtime` an
        unsafe fix computes the pads at every call where no size decides them, also where the stride is an
        expression: exact for all its values, by a definition that is written into the file once. Exporters
        fold a pad of known amounts and the convolution into one again: the fix makes the padding visible and
        portable, it does not remove asymmetric pads from a graph.

    References
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
        https://keras.io/api/layers/convolution_layers/convolution2d/
    """

    code = "PAD101"
    name = "strided-same-conv"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report every strided SAME convolution of Keras and tf.nn once."""
        reported: set[Site] = set()
        for site, ways in groupby(same_convolutions(context, WITH_SAME), key=lambda way: way[0]):
            strided = [reading for _, reading in ways if reading.strided and pads_something(reading)]
            if site.has("kernel"):
                strided = [r for r in strided if all(axis.kernel is not None for axis in r.axes)]
            if not strided:
                continue
            reported.add(site)
            reading = strided[0]
            known = context.input_of(site, reading)
            sizes = sizes_of(site, reading, known)
            fix = explicit_fix(context, site, reading, known)
            data = wording.numbers(site, reading, sizes)
            message = _message(site, reading, sizes, known) + _others(strided[1:]) + wording.seen(site)
            yield context.finding(type(self), site, message, fix, data)
        for site, reading in _open_strides(context) if computes(context) else ():
            fix = computed_fix(context, site, reading)
            if site not in reported and isinstance(
                fix, Fix
            ):  # what may have no stride is reported to be fixed
                reported.add(site)
                yield context.finding(type(self), site, _open_message(site), fix, severity=Severity.INFO)


def _open_strides(context: FileContext) -> Iterator[tuple[Site, Reading]]:
    """Every SAME convolution whose stride may be anything, but for kernels of 1."""
    for site in context.select(WITH_SAME):
        reading = open_reading(site) if site.operator.family in CONVOLUTIONS else None
        if reading is not None and pads_something(reading) and not unlike_same(site, reading):
            yield site, reading


def _open_message(site: Site) -> str:
    argument = site.argument("stride")
    name = f", {site.unit.text(argument.value)}," if argument is not None else ""
    return f"{site.written} with SAME padding pads by the input size where its stride{name} is above 1"


def _others(readings: Sequence[Reading]) -> str:
    """The other strided ways in which the call runs."""
    texts = [wording.geometry_text(reading) for reading in readings[:_MOST_OTHERS]]
    more = len(readings) - len(texts)
    return f"; also with {'; '.join(texts)}{f' and {more} more' if more else ''}" if texts else ""


def _message(site: Site, reading: Reading, sizes: tuple[Size, ...], known: Known) -> str:
    axes = reading.axes
    stride = wording.stride_text(axes)
    what = f"{site.written} with stride {stride} and SAME padding{wording.learned(reading)}"
    if any(axis.kernel is None for axis in axes):
        return f"{what} pads by the input size: more after than before where the total is odd"
    tables = wording.per_axis(axes, [wording.by_residue(axis) for axis in axes])
    pads = wording.known_pads(axes, sizes)
    decided = isinstance(known, Extent) and pads is not None
    if not decided or pads is None or not isinstance(known, Extent):
        return f"{what} pads by the input size ({tables}); {wording.symmetric_text(axes)}"
    here = wording.per_axis(axes, [str(pair) for pair in pads])
    at = known.steps.last.size if known.steps else "this size"
    if all(before == after for before, after in pads):
        return f"{what} pads {here} at {at}, but other amounts at other sizes ({tables})"
    symmetric = wording.per_axis(axes, [str((max(pair), max(pair))) for pair in pads])
    return f"{what} pads {here} at {at}; PyTorch's symmetric padding would pad {symmetric}: other numbers"
