"""ONNX nodes, which `onnx.helper.make_node("Conv", inputs, outputs, auto_pad="SAME_UPPER", ...)` makes."""

from __future__ import annotations

from padlint.catalogue.model import Family

AUTO_PAD = {
    "Conv": Family.CONV,
    "ConvInteger": Family.CONV,
    "QLinearConv": Family.CONV,
    "ConvTranspose": Family.TRANSPOSED,
    "MaxPool": Family.MAX_POOL,
    "AveragePool": Family.AVERAGE_POOL,
    "LpPool": Family.LP_POOL,
}
"""The types of node that have an `auto_pad` attribute (NOTSET, SAME_UPPER, SAME_LOWER or VALID).

They spell their geometry `kernel_shape`, `strides`, `dilations` and `pads` (all befores, then all afters).
"""


def is_make_node(dotted: str) -> bool:
    """True for the function that makes a node; its first argument `op_type` is the type."""
    return dotted == "onnx.helper.make_node"
