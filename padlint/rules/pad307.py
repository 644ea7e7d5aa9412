"""PAD307: SAME padding of Keras that an export from its torch backend bakes in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.geometry import UNKNOWN, Size, same_padding, static_same_padding
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.same import CONVOLUTIONS, sizes_of
from padlint.sites.reading import Axis, Reading, readings
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, Lost

_ON_TORCH = re.compile(
    r"""^[^#\n]*(?:KERAS_BACKEND["']?\]?\s*[=,:]|set_backend\()\s*["']torch["']""", re.MULTILINE
)
_POOLS = frozenset({Family.MAX_POOL, Family.AVERAGE_POOL})


class KerasDynamicExport(Rule):
    """Keras on torch exports strided SAME padding of an open input size to ONNX with the pads of one size.

    Why
        `model.export(format="onnx")` of a Keras model on the torch backend traces it with 1 in the place of
        every None, and SAME pads by the size: the graph has the pads of a 1x1 image. With kernel 3 and stride
        2 these are (1, 1), right for odd sizes; even ones get the same shape and other numbers, without an
        error. Pools of this kind fail to export. From TensorFlow the same model exports as it is meant.

    Example
        import os

        os.environ["KERAS_BACKEND"] = "torch"

        from keras import Input, Model, layers

        image = Input(shape=(None, None, 3))
        model = Model(image, layers.Conv2D(8, 3, strides=2, padding="same")(image))
        model.export("model.onnx", format="onnx")

    Use instead
        import os

        os.environ["KERAS_BACKEND"] = "torch"

        from keras import Input, Model, layers

        image = Input(shape=(224, 224, 3))
        model = Model(image, layers.Conv2D(8, 3, strides=2, padding="same")(image))
        model.export("model.onnx", format="onnx")

    Fix safety
        There is no fix: which sizes are meant is not in the file. Give the Input its size, or pad explicitly
        where all sizes have the same remainder.

    References
        https://keras.io/api/models/model_saving_apis/export/
    """

    code = "PAD307"
    name = "keras-dynamic-export"
    severity = Severity.WARNING
    fix = "none"
    targets = frozenset({"onnx"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report strided SAME layers behind an Input with None sizes, where the file chooses torch."""
        if not context.file.source.holds(_ON_TORCH):
            return
        # The exporter sees the declared sizes, whatever the user promises.
        options = replace(context.options, input_size=None, input_multiple=None)
        declared = FileContext(context.file, options)
        for site in declared.select(("keras",)):
            if site.operator.family not in CONVOLUTIONS | _POOLS:
                continue
            known = declared.input_of(site)
            for reading in readings(site)[:1]:
                sizes = sizes_of(site, reading, known)
                if reading.same and _is_baked(reading, sizes, known):
                    message = f"{site.written} {_effect(site, reading)}"
                    reason = "which sizes are meant is not in the file"
                    numbers = wording.numbers(site, reading, sizes)
                    yield declared.finding(type(self), site, message, reason, numbers)


def _is_baked(reading: Reading, sizes: tuple[Size, ...], known: Known) -> bool:
    """Whether the pads of an axis depend on a size that a declared input leaves open."""
    if not isinstance(known, Extent) and not (isinstance(known, Lost) and known.open):
        return False
    return any(size == UNKNOWN and _depends(axis) for axis, size in zip(reading.axes, sizes, strict=True))


def _depends(axis: Axis) -> bool:
    return axis.kernel is not None and static_same_padding(axis.kernel, axis.stride, axis.dilation) is None


def _effect(site: Site, reading: Reading) -> str:
    if site.operator.family in _POOLS:
        return "with SAME padding and a stride fails to export from Keras on torch while a size is None"
    axes = reading.axes
    pads = [str(same_padding(1, axis.kernel or 1, axis.stride, axis.dilation)) for axis in axes]
    baked = wording.per_axis(axes, pads)
    tables = wording.per_axis(axes, [wording.by_residue(axis) for axis in axes])
    return (
        f"pads by the input size ({tables}), which is None: Keras on torch exports it with the pads of "
        f"size 1, {baked}, for all sizes"
    )
