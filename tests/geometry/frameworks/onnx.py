"""ONNX operators in onnxruntime 1.32 on the CPU."""

from __future__ import annotations

from padlint.geometry import (
    Divisor,
    Form,
    Pads,
    Reduce,
    Same,
    Transposed,
    Window,
    effective_kernel,
    window_count,
)
from tests.geometry.frameworks.common import Call, require
from tests.geometry.frameworks.tensorflow import require_room
from tests.geometry.probes import Probe

REDUCE: dict[str, Reduce] = {"MaxPool": "max", "AveragePool": "average"}


def call(probe: Probe) -> Call:
    """The forms of an ONNX node with attributes `auto_pad` or `pads`."""
    attributes = probe.arguments["p"]
    require(len(attributes) == 1, "auto_pad and pads exclude each other")
    name = probe.op.removeprefix("onnx.")
    if name == "ConvTranspose":
        return Call(tuple(_transposed(probe)))
    return Call(tuple(_windows(probe, name)), may_be_empty=name != "Conv")


def _axes(probe: Probe) -> list[tuple[int, int, int]]:
    return list(zip(probe.per_axis("k"), probe.per_axis("s"), probe.per_axis("d"), strict=True))


def _explicit(probe: Probe) -> tuple[Pads, ...]:
    """`pads` lists all starts, then all ends."""
    pads = probe.arguments["p"].get("pads", [0] * (2 * probe.ndim))
    return tuple(zip(pads[: probe.ndim], pads[probe.ndim :], strict=True))


def _windows(probe: Probe, name: str) -> list[Form]:
    extra = probe.arguments.get("ex", {})
    reduce = REDUCE.get(name, "conv")
    divisor: Divisor = "padded" if extra.get("count_include_pad") else "real"
    auto_pad = probe.arguments["p"].get("auto_pad", "VALID")
    if auto_pad.startswith("SAME"):
        return [(Same(*axis, auto_pad == "SAME_LOWER", reduce, divisor),) for axis in _axes(probe)]
    explicit = _explicit(probe)
    require(name == "Conv" or max(map(max, explicit)) < min(probe.per_axis("k")), "less than the kernel")
    ceil_mode = bool(extra.get("ceil_mode"))
    for n, axis, pads in zip(probe.sizes, _axes(probe), explicit, strict=True):
        if ceil_mode:
            require(window_count(n, *axis, *pads, ceil_mode=True) >= 0, "a negative output size")
        else:
            require_room(n + sum(pads), *axis)
    return [
        (Window(*axis, *pads, reduce, divisor, ceil_mode),)
        for axis, pads in zip(_axes(probe), explicit, strict=True)
    ]


def _transposed(probe: Probe) -> list[Form]:
    output_padding = probe.arguments["outpad"]
    require(output_padding < min(probe.per_axis("s")), "less than the strides")
    auto_pad = probe.arguments["p"].get("auto_pad", "VALID")
    forms: list[Form] = []
    for (kernel, stride, dilation), pads in zip(_axes(probe), _explicit(probe), strict=True):
        crop = pads
        if auto_pad.startswith("SAME"):
            surplus = max(effective_kernel(kernel, dilation) + output_padding - stride, 0)
            smaller, larger = surplus // 2, surplus - surplus // 2
            crop = (larger, smaller) if auto_pad == "SAME_LOWER" else (smaller, larger)
        forms.append((Transposed(kernel, stride, dilation, (crop[0], crop[1] - output_padding)),))
    return forms
