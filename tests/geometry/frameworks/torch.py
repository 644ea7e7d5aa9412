"""PyTorch: measured with 2.13 on the CPU."""

from __future__ import annotations

from typing import Any

from padlint.geometry import (
    Form,
    Pad,
    PadMode,
    Pads,
    Transposed,
    Window,
    effective_kernel,
    torch_same_padding,
    torch_transposed_crop,
)
from tests.geometry.frameworks.common import Call, Rejected, both, integers, require
from tests.geometry.probes import Probe

MODES: dict[str, PadMode] = {"reflect": "reflect", "replicate": "edge", "circular": "circular"}
PAD_LAYERS = {"Reflection": "reflect", "Replication": "replicate", "Circular": "circular"}


def call(probe: Probe) -> Call:
    """The forms of a torch operator."""
    name = probe.op.removeprefix("torch.nn.").removeprefix("functional.")
    if "arg" in probe.arguments:
        return _pad(probe, name)
    if name.startswith("ConvTranspose"):
        return _transposed(probe)
    if name.startswith(("MaxPool", "AvgPool", "LPPool")):
        return _pool(probe, name)
    return _conv(probe)


def _axes(probe: Probe) -> zip[tuple[int, int, int]]:
    return zip(probe.per_axis("k"), probe.per_axis("s"), probe.per_axis("d"), strict=True)


def _conv(probe: Probe) -> Call:
    mode = probe.arguments.get("mode", "zeros")
    padding = _conv_padding(probe, probe.arguments["p"], mode)
    forms: list[Form] = []
    for (kernel, stride, dilation), (before, after) in zip(_axes(probe), padding, strict=True):
        if mode == "zeros":
            forms.append((Window(kernel, stride, dilation, before, after),))
        else:
            forms.append((Pad(before, after, MODES[mode]), Window(kernel, stride, dilation)))
    return Call(tuple(forms))


def _conv_padding(probe: Probe, padding: Any, mode: str) -> tuple[Pads, ...]:
    if padding == "valid":
        return ((0, 0),) * probe.ndim
    if padding == "same":
        require(all(stride == 1 for stride in probe.per_axis("s")), "'same' is not supported with a stride")
        return tuple(torch_same_padding(kernel, dilation) for kernel, _, dilation in _axes(probe))
    if mode == "zeros" and isinstance(padding, list) and len(padding) == 1:
        padding = padding[0]  # a list of one is broadcast, but only by the convolution itself
    amounts = integers(padding, probe.ndim)
    require(mode != "zeros" or min(amounts) >= 0, "negative padding is not supported")
    return both(amounts)


def _transposed(probe: Probe) -> Call:
    output_padding = probe.arguments["outpad"]
    crop = torch_transposed_crop(integers(probe.arguments["p"], 1)[0], output_padding)
    forms = []
    for kernel, stride, dilation in _axes(probe):
        require(output_padding < max(stride, dilation), "output padding must be smaller than a stride")
        forms.append((Transposed(kernel, stride, dilation, crop),))
    return Call(tuple(forms))


def _pool(probe: Probe, name: str) -> Call:
    padding = probe.arguments.get("p", 0)
    forms = []
    for kernel, stride, dilation in _axes(probe):
        require(2 * padding <= min(kernel, effective_kernel(kernel, dilation)), "at most half of the kernel")
        window = Window(
            kernel,
            stride,
            dilation,
            padding,
            padding,
            "max" if name.startswith("MaxPool") else "average",
            "padded" if probe.arguments.get("cip", True) else "real",
            probe.arguments["ceil"],
        )
        forms.append((window,))
    return Call(tuple(forms))


def _pad(probe: Probe, name: str) -> Call:
    """`F.pad` and the pad layers: amounts from the last axis on."""
    mode = name.partition(":")[2].partition("(")[0]
    for prefix, layer_mode in PAD_LAYERS.items():
        mode = layer_mode if name.startswith(prefix) else mode
    amounts = probe.arguments["arg"]
    if not name.startswith("pad:") and isinstance(amounts, int):
        amounts = [amounts] * (2 * probe.ndim)
    require(isinstance(amounts, list) and all(isinstance(amount, int) for amount in amounts), "integers")
    require(len(amounts) % 2 == 0, "pairs")
    if mode in ("constant", "") or name.startswith(("Zero", "Constant")):
        fill = "9" if name.startswith("Constant") else "zero"
        return Call(tuple((Pad(*item, fill=fill),) for item in _by_axis(amounts, probe.ndim)))
    if mode not in MODES:
        raise Rejected(mode)
    require(len(amounts) >= 2 * probe.ndim, "a pair for each spatial axis")
    return Call(tuple((Pad(*item, MODES[mode]),) for item in _by_axis(amounts, probe.ndim)))


def _by_axis(amounts: list[int], ndim: int) -> tuple[Pads, ...]:
    """Pairs in axis order; axes that the list does not reach are not padded, further pairs must be zero."""
    items = list(zip(amounts[::2], amounts[1::2], strict=True))
    require(not any(map(any, items[ndim:])), "only spatial axes are padded")
    return tuple(reversed((items + [(0, 0)] * ndim)[:ndim]))
