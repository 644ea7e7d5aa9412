"""Where the frameworks depart from their own rules, and what was not measured.

Each exception is a condition on the probe. Its two counts are how many probes it covers, and how many of
these the geometry does not explain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from padlint.geometry import effective_kernel, flax_wrap_padding, same_total, window_count
from tests.geometry.frameworks.tensorflow import spatial_pairs
from tests.geometry.probes import Probe


@dataclass(frozen=True)
class Defect:
    """Probes that are not expected to agree with the geometry, and what every one of them shows instead."""

    name: str
    covers: Callable[[Probe], bool]
    shows: Callable[[Any], bool]
    count: int
    unexplained: int


def _raises(result: Any) -> bool:
    return result is None


def _garbage(result: Any) -> bool:
    return result == "garbage"


def _irregular(result: Any) -> bool:
    """A size was measured, but no regular grid explains the taps."""
    return result[1] is None and result[0] > 0


def _anything(result: Any) -> bool:
    return True


def _padded(probe: Probe) -> int:
    """Input size of a TensorFlow or ONNX operator on the probed axis, with explicit pads."""
    padding, n = probe.arguments["p"], probe.sizes[0]
    if isinstance(padding, dict):
        pads = padding.get("pads", [0, 0, 0, 0])
        return n + pads[0] + pads[2]
    return n + (sum(spatial_pairs(padding)[0]) if isinstance(padding, list) else 0)


def _strides_dilated(probe: Probe) -> bool:
    return probe.op == "tf.nn.depthwise_conv2d" and probe.at("s") > 1 and probe.at("d") > 1


def _onednn_empty(probe: Probe) -> bool:
    """TensorFlow convolutions whose output size, by a division that truncates, is zero.

    With a dilation, all but tf.nn.conv2d work on each phase of the input by itself, Keras with stride 1.
    """
    words = ("Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2D")
    ours = probe.op in (*(f"keras.layers.{word}" for word in words), "tf.nn.conv2d", "tf.nn.depthwise_conv2d")
    if not ours or "sp" in probe.arguments or probe.key == "*" or _strides_dilated(probe):
        return False
    if isinstance(probe.arguments["p"], str) and probe.arguments["p"].lower() != "valid":
        return False
    kernel, stride, dilation, size = probe.at("k"), probe.at("s"), probe.at("d"), _padded(probe)
    if dilation > 1 and probe.op != "tf.nn.conv2d":
        size = -(-size // dilation)
        stride = 1 if probe.op.startswith("keras") else stride
    else:
        kernel = effective_kernel(kernel, dilation)
    return kernel - 2 * stride < size < kernel


def _dying_max_pool(probe: Probe) -> bool:
    """TensorFlow max pools without padding on less than a window.

    They abort; if no axis has any output, they divide by zero.
    """
    if probe.op not in ("keras.layers.MaxPooling1D", "keras.layers.MaxPooling2D", "tf.nn.max_pool2d"):
        return False
    if str(probe.arguments["p"]).lower() != "valid" or probe.n >= probe.at("k"):
        return False
    rest = probe.n - probe.at("k") + probe.at("s")
    return rest > 0 or (probe.ndim == 1 and rest > -probe.at("s"))


def _uncropped_even(probe: Probe) -> bool:
    return (
        probe.op in ("keras.layers.Conv1DTranspose", "keras.layers.Conv2DTranspose")
        and (probe.arguments["p"], probe.arguments["outpad"]) == ("same", 0)
        and effective_kernel(probe.at("k"), probe.at("d")) % 2 == 0
        and probe.key != "*"
        and probe.n > 1
    )


def _short_transposed(probe: Probe) -> bool:
    """VALID accepts an output that is shorter than what the input reaches."""
    if probe.op != "tf.nn.conv2d_transpose" or probe.arguments["p"] != "VALID":
        return False
    kernel, stride = probe.at("k"), probe.at("s")
    room = probe.requested - kernel
    truncated = room // stride if room >= 0 else -(-room // stride)
    return truncated + 1 == probe.n and probe.requested < (probe.n - 1) * stride + kernel


def _replicating_average(probe: Probe) -> bool:
    """An odd total on any axis makes the torch backend of Keras repeat the edge and divide by the kernel."""
    if probe.op != "keras[torch].layers.AveragePooling2D" or probe.arguments["p"] != "same":
        return False
    return any(same_total(n, probe.at("k"), probe.at("s"), 1) % 2 for n in probe.sizes)


def _onnx_pool(probe: Probe) -> bool:
    return probe.op in ("onnx.MaxPool", "onnx.AveragePool") and probe.key != "*"


def _onnx_same(probe: Probe) -> bool:
    return probe.arguments["p"].get("auto_pad", "").startswith("SAME")


def _truncating_floor(probe: Probe) -> bool:
    if not _onnx_pool(probe) or _onnx_same(probe) or "ceil_mode" in probe.arguments["ex"]:
        return False
    return -probe.at("s") < _padded(probe) - effective_kernel(probe.at("k"), probe.at("d")) < 0


def _onnx_pool_same_dilated(probe: Probe) -> bool:
    return _onnx_pool(probe) and _onnx_same(probe) and probe.at("d") > 1


def _onnx_pool_same_unclamped(probe: Probe) -> bool:
    """A negative total is not raised to 0. MaxPool refuses it on any axis, AveragePool crops."""
    if not _onnx_pool(probe) or not _onnx_same(probe) or probe.at("d") > 1:
        return False
    kernel, stride = probe.at("k"), probe.at("s")
    sizes = probe.sizes if probe.op == "onnx.MaxPool" else probe.sizes[:1]
    return any(kernel - stride + -n % stride < 0 for n in sizes)


def _lowest(probe: Probe) -> bool:
    """Both pads of 1 are read and the one element between is not: a maximum of nothing."""
    if probe.op != "onnx.MaxPool" or probe.arguments["p"] != {"pads": [1, 1, 1, 1]} or probe.key != "1":
        return False
    axis = probe.at("k"), probe.at("s"), probe.at("d")
    return probe.at("d") == 2 and window_count(1, *axis, 1, 1, "ceil_mode" in probe.arguments["ex"]) >= 1


def _onnx_conv_same_dilated(probe: Probe) -> bool:
    return (
        probe.op == "onnx.Conv" and _onnx_same(probe) and len(probe.arguments["p"]) == 1 and probe.at("d") > 1
    )


def _empty_transposed(probe: Probe) -> bool:
    """torch refuses an output of zero elements up to kernel 3, and returns it above."""
    if probe.op != "torch.nn.ConvTranspose2d" or probe.key == "*" or probe.at("k") < 4:
        return False
    reach = effective_kernel(probe.at("k"), probe.at("d"))
    output_padding = probe.arguments["outpad"]
    out = (probe.n - 1) * probe.at("s") + reach - 2 * probe.arguments["p"] + output_padding
    return out == 0 and output_padding < max(probe.at("s"), probe.at("d"))


def _reflected_twice(probe: Probe) -> bool:
    """Only pads that one reflection on each side fills were recognised."""
    if not probe.op.startswith("flax") or probe.arguments["p"] != "REFLECT" or probe.n < 3:
        return False
    kernel, stride, n = probe.at("k"), probe.at("s"), probe.n
    before, _ = flax_wrap_padding(kernel, probe.at("d"))
    used = (-(-n // stride) - 1) * stride + effective_kernel(kernel, probe.at("d")) - n - before
    return before > 2 * n - 2 or used > n - 1


def _wrapped_transposed(probe: Probe) -> bool:
    return (
        probe.op == "flax.linen.ConvTranspose"
        and probe.arguments["p"] == "CIRCULAR"
        and probe.at("k") > probe.at("s")
    )


DEFECTS = (
    Defect("TF+oneDNN: an empty convolution is garbage", _onednn_empty, _garbage, 386, 386),
    Defect("tf.nn.depthwise_conv2d: strides with dilations", _strides_dilated, _anything, 462, 403),
    Defect("TF max pool: an empty output aborts the process", _dying_max_pool, _raises, 49, 49),
    Defect("TF transposed same, output_padding 0, even kernel", _uncropped_even, _raises, 54, 54),
    Defect("tf.nn.conv2d_transpose VALID cuts outputs silently", _short_transposed, _anything, 11, 11),
    Defect("keras[torch] average pool repeats the edge", _replicating_average, _anything, 54, 28),
    Defect("ORT pools: floor truncates to one window", _truncating_floor, _anything, 162, 162),
    Defect("ORT pools: SAME ignores the dilation", _onnx_pool_same_dilated, _anything, 648, 602),
    Defect("ORT pools: SAME with kernel < stride crops", _onnx_pool_same_unclamped, _anything, 176, 84),
    Defect("ORT max pool: a window of pads is lowest()", _lowest, _anything, 7, 7),
    Defect("ORT Conv: SAME with dilation is refused", _onnx_conv_same_dilated, _raises, 504, 504),
    Defect("torch ConvTranspose returns an empty output", _empty_transposed, _anything, 12, 12),
    Defect("not measured: flax pads reflected on both sides", _reflected_twice, _irregular, 8, 8),
    Defect("not measured: flax CIRCULAR transposed", _wrapped_transposed, _irregular, 18, 18),
)
