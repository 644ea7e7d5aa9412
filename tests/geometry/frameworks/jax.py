"""JAX and flax: measured with jax 0.10.2 and flax 0.12.8."""

from __future__ import annotations

from padlint.geometry import (
    Divisor,
    Form,
    Pad,
    PadMode,
    Reduce,
    Same,
    Transposed,
    Window,
    causal_padding,
    flax_wrap_padding,
    keras_transposed_crop,
)
from tests.geometry.frameworks.common import Call, Rejected, both, integers, pairs, require
from tests.geometry.probes import Probe

MODES: dict[str, PadMode] = {"CIRCULAR": "circular", "REFLECT": "reflect"}


def call(probe: Probe) -> Call:
    """The forms of a JAX or flax operator. A result without elements is no error."""
    if "Transpose" in probe.op:
        return Call(tuple(_transposed(probe)), may_be_empty=True)
    if "pool" in probe.op:
        return Call(tuple(_pool(probe)), may_be_empty=True)
    return Call(tuple(_conv(probe)), may_be_empty=True)


def _axes(probe: Probe) -> list[tuple[int, int, int]]:
    return list(zip(probe.per_axis("k"), probe.per_axis("s"), probe.per_axis("d"), strict=True))


def _conv(probe: Probe) -> list[Form]:
    padding = probe.arguments["p"]
    if not isinstance(padding, str):
        explicit = _flax_pairs(probe) if probe.op.startswith("flax") else pairs(padding, probe.ndim)
        return [(Window(*axis, *pads),) for axis, pads in zip(_axes(probe), explicit, strict=True)]
    if probe.op.startswith("flax"):
        if padding in MODES:
            return [_wrapped(*axis, MODES[padding]) for axis in _axes(probe)]
        if padding == "CAUSAL":
            require(probe.ndim == 1, "causal padding is for one axis")
            return [(Window(*axis, *causal_padding(axis[0], axis[2])),) for axis in _axes(probe)]
    return [_by_name(padding, axis) for axis in _axes(probe)]


def _by_name(padding: str, axis: tuple[int, int, int]) -> Form:
    name = padding.upper()
    if name == "VALID":
        return (Window(*axis),)
    if name in ("SAME", "SAME_LOWER"):
        return (Same(*axis, lower=name == "SAME_LOWER"),)
    raise Rejected(padding)


def _wrapped(kernel: int, stride: int, dilation: int, mode: PadMode) -> Form:
    before, after = flax_wrap_padding(kernel, dilation)
    return Pad(before, after, mode, repeated=True), Window(kernel, stride, dilation)


def _flax_pairs(probe: Probe) -> tuple[tuple[int, int], ...]:
    """flax also takes an integer, and an integer or a pair for each axis."""
    padding = probe.arguments["p"]
    if isinstance(padding, int):
        return both((padding,) * probe.ndim)
    require(len(padding) == probe.ndim, "an item for each axis")
    if all(isinstance(item, int) for item in padding):
        return both(integers(padding, probe.ndim))
    return pairs(padding, probe.ndim)


def _transposed(probe: Probe) -> list[Form]:
    forms: list[Form] = []
    for kernel, stride, dilation in _axes(probe):
        padding = probe.arguments["p"].lower()
        if padding == "circular":
            # What overhangs n * stride outputs is added at the other end. A kernel that is no larger than the
            # stride has nothing to add; for any other, the size is that of "same".
            padding = "valid" if kernel <= stride else "same"
        crop = keras_transposed_crop(kernel, stride, dilation, padding)
        forms.append((Transposed(kernel, stride, dilation, crop, flipped=True),))
    return forms


def _pool(probe: Probe) -> list[Form]:
    padding = probe.arguments["p"]
    reduce: Reduce = "max" if "max" in probe.op else "average"
    divisor: Divisor = "real" if "count_include_pad=False" in probe.op else "kernel"
    if padding == "SAME":
        return [(Same(*axis, False, reduce, divisor),) for axis in _axes(probe)]
    explicit = both((0,) * probe.ndim) if padding == "VALID" else pairs(padding, probe.ndim)
    return [
        (Window(*axis, *pads, reduce, divisor),) for axis, pads in zip(_axes(probe), explicit, strict=True)
    ]
