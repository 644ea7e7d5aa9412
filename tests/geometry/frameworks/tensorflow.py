"""TensorFlow 2.21 on the CPU, with oneDNN as by default."""

from __future__ import annotations

from typing import Any

from padlint.geometry import (
    Form,
    Pad,
    PadMode,
    Pads,
    Same,
    Transposed,
    Window,
    effective_kernel,
    keras_transposed_crop,
    tf_transposed_crop,
)
from tests.geometry.frameworks.common import Call, Rejected, pairs, require
from tests.geometry.probes import Probe

MODES: dict[str, PadMode] = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


def call(probe: Probe) -> Call:
    """The forms of a TensorFlow function, in the layout NHWC."""
    name = probe.op.removeprefix("tf.")
    if name == "pad":
        return _pad(probe)
    if name == "nn.conv2d_transpose":
        return Call(_transposed(probe))
    reduce = {"nn.max_pool2d": "max", "nn.avg_pool2d": "average"}.get(name, "conv")
    return Call(tuple(_windows(probe, reduce)), may_be_empty=reduce != "conv")


def _axes(probe: Probe) -> list[tuple[int, int, int]]:
    return list(zip(probe.per_axis("k"), probe.per_axis("s"), probe.per_axis("d"), strict=True))


def _windows(probe: Probe, reduce: Any) -> list[Form]:
    padding = probe.arguments["p"]
    if padding == "SAME":
        return [(Same(*axis, reduce=reduce),) for axis in _axes(probe)]
    explicit: tuple[Pads, ...] = ((0, 0), (0, 0))
    if padding != "VALID":
        explicit = spatial_pairs(padding)
        require(reduce != "average", "avg_pool2d takes no explicit padding")
        require(
            reduce == "conv" or max(map(max, explicit)) < min(probe.per_axis("k")), "less than the window"
        )
    for n, axis, pads in zip(probe.sizes, _axes(probe), explicit, strict=True):
        require_room(n + sum(pads), *axis)
    return [(Window(*axis, *pads, reduce),) for axis, pads in zip(_axes(probe), explicit, strict=True)]


def require_room(n: int, kernel: int, stride: int, dilation: int) -> None:
    """An output of zero elements is computed by a division that truncates; anything below is refused."""
    require(n - effective_kernel(kernel, dilation) + 2 * stride > 0, "a negative output size")


def spatial_pairs(padding: Any) -> tuple[Pads, ...]:
    """One pair for each of the four axes; that of the channels is ignored."""
    return pairs(padding, 4)[1:3]


def _transposed(probe: Probe) -> tuple[Form, ...]:
    kernel, stride, _ = _axes(probe)[0]
    padding = probe.arguments["p"].lower()
    try:
        crop = tf_transposed_crop(probe.n, probe.requested, kernel, stride, padding=padding)
    except ValueError as error:
        raise Rejected(str(error)) from error
    width: Form = (Transposed(kernel, stride, 1, keras_transposed_crop(kernel, stride, 1, padding)),)
    return (Transposed(kernel, stride, 1, crop),), width


def _pad(probe: Probe) -> Call:
    mode = probe.arguments["mode"]
    require(mode in MODES, "a known mode")
    before, after = probe.arguments["arg"]
    return Call(((Pad(before, after, MODES[mode]),),))
