"""Keras 3.15 on its TensorFlow, torch and JAX backends."""

from __future__ import annotations

from typing import Any

from padlint.geometry import (
    Form,
    Pad,
    Reduce,
    Same,
    Transposed,
    TransposedPadding,
    Window,
    causal_padding,
    keras_transposed_crop,
)
from tests.geometry.frameworks.common import Call, both, integers, pair, require
from tests.geometry.frameworks.tensorflow import require_room
from tests.geometry.probes import Probe


def call(probe: Probe) -> Call:
    """The forms of a Keras layer. What an empty result does is up to the backend."""
    backend, _, layer = probe.op.partition(".layers.")
    if layer.startswith("ZeroPadding"):
        return Call(tuple(_zero_padding(probe, backend)))
    if "Pooling" in layer:
        return Call(tuple(_pooling(probe, layer)), may_be_empty=backend != "keras[torch]")
    if "Transpose" in layer:
        return Call(tuple(_transposed(probe)), may_be_empty=True)
    return Call(tuple(_conv(probe, layer)))


def _axes(probe: Probe) -> list[tuple[int, int, int]]:
    return list(zip(probe.per_axis("k"), probe.per_axis("s"), probe.per_axis("d"), strict=True))


def _padding(probe: Probe, *allowed: str) -> Any:
    padding = probe.arguments["p"]
    require(isinstance(padding, str) and padding.lower() in allowed, "one of the known words")
    return padding.lower()


def _conv(probe: Probe, layer: str) -> list[Form]:
    words = ("same", "valid", "causal") if layer == "Conv1D" else ("same", "valid")
    padding = _padding(probe, *words)
    if layer.startswith("Conv"):
        _require_no_dilated_stride(probe)
    if padding == "same":
        return [(Same(*axis),) for axis in _axes(probe)]
    if padding == "causal":
        return [(Window(*axis, *causal_padding(axis[0], axis[2])),) for axis in _axes(probe)]
    return [(Window(*axis),) for axis in _axes(probe)]


def _pooling(probe: Probe, layer: str) -> list[Form]:
    reduce: Reduce = "max" if layer.startswith("Max") else "average"
    if _padding(probe, "same", "valid") == "same":
        return [(Same(*axis, reduce=reduce),) for axis in _axes(probe)]
    if probe.op.startswith("keras."):
        for n, axis in zip(probe.sizes, _axes(probe), strict=True):
            require_room(n, *axis)
    return [(Window(*axis, reduce=reduce),) for axis in _axes(probe)]


def _transposed(probe: Probe) -> list[Form]:
    padding: TransposedPadding = _padding(probe, "same", "valid")
    output_padding = probe.arguments["outpad"]
    require(output_padding is None or output_padding < min(probe.per_axis("s")), "less than the strides")
    _require_no_dilated_stride(probe)
    return [
        (Transposed(*axis, keras_transposed_crop(*axis, padding, output_padding)),) for axis in _axes(probe)
    ]


def _require_no_dilated_stride(probe: Probe) -> None:
    """Refused even if the stride and the dilation are on different axes."""
    require(max(probe.per_axis("s")) == 1 or max(probe.per_axis("d")) == 1, "strides with dilation")


def _zero_padding(probe: Probe, backend: str) -> list[Form]:
    amounts = probe.arguments["arg"]
    require(not probe.arguments["kw"], "no further keywords")
    if isinstance(amounts, int):
        padding = both(integers(amounts, probe.ndim))
    elif probe.ndim == 1:
        padding = (pair(amounts),)
    else:
        require(isinstance(amounts, list) and len(amounts) == probe.ndim, "an item for each axis")
        padding = tuple(_item(item) for item in amounts)
    require(backend == "keras[torch]" or min(map(min, padding)) >= 0, "only torch crops")
    return [(Pad(before, after),) for before, after in padding]


def _item(item: Any) -> tuple[int, int]:
    return (item, item) if isinstance(item, int) else pair(item)
