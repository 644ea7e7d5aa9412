"""PyTorch's quantised layers and those trained to be: `torch.ao.nn`, formerly `torch.nn.quantized` and so on.

Their elementwise operators, which take a scale and a zero point, are left out.
"""

from __future__ import annotations

from functools import partial

from padlint.catalogue import torch
from padlint.catalogue.model import Family, Kind
from padlint.catalogue.table import Namespace, Row, Spelling

_ROLES = torch.LAYERS.roles
_SIZES = "in_channels, out_channels, kernel_size, stride=1, padding=0"
_CONV = f"{_SIZES}, dilation=1, groups=1, bias=True, padding_mode='zeros'"
_TRANSPOSED = f"{_SIZES}, output_padding=0, groups=1, bias=True, dilation=1, padding_mode='zeros'"
_TYPES = "device=None, dtype=None"
_LINEAR = "in_features, out_features, bias_=True, dtype=..."
_F_CONV = "input, weight, bias, stride=1, padding=0, dilation=1, groups=1, padding_mode='zeros'"
_F_MAX_POOL = "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
_F_AVERAGE_POOL = (
    "input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None"
)
_UPSAMPLE = "input, size=None, scale_factor=None"

space = partial(Namespace, roles=_ROLES, stride_is_kernel=True, channels_last=False, quantized=True)


def layers(name: str, *rows: Row) -> Namespace:
    """A namespace of layers."""
    return space(name, "torch", Kind.LAYER, rows=rows)


QUANTIZED = layers(
    "torch.ao.nn.quantized",
    Row(Family.CONV, "Conv#d", f"{_CONV}, {_TYPES}"),
    Row(Family.TRANSPOSED, "ConvTranspose#d", f"{_TRANSPOSED}, {_TYPES}"),
    Row(Family.DENSE, "Linear", _LINEAR),
)
DYNAMIC = layers(
    "torch.ao.nn.quantized.dynamic",
    Row(Family.CONV, "Conv#d", f"{_CONV}, {_TYPES}, reduce_range=True", dims="1"),
    Row(Family.CONV, "Conv#d", f"{_CONV}, {_TYPES}", dims="23"),
    Row(Family.TRANSPOSED, "ConvTranspose#d", f"{_TRANSPOSED}, {_TYPES}"),
    Row(Family.DENSE, "Linear", _LINEAR),
)
REFERENCE = layers(
    "torch.ao.nn.quantized.reference",
    Row(Family.CONV, "Conv#d", f"{_CONV}, {_TYPES}, weight_qparams=None"),
    Row(Family.TRANSPOSED, "ConvTranspose#d", f"{_TRANSPOSED}, {_TYPES}, weight_qparams=None"),
    Row(Family.DENSE, "Linear", f"in_features, out_features, bias_=True, {_TYPES}, weight_qparams=None"),
)
QAT = layers(
    "torch.ao.nn.qat",
    Row(Family.CONV, "Conv#d", f"{_CONV}, qconfig=None, {_TYPES}"),
    Row(Family.DENSE, "Linear", f"in_features, out_features, bias=True, qconfig=None, {_TYPES}"),
)
INTRINSIC = layers(
    "torch.ao.nn.intrinsic.quantized",
    Row(Family.CONV, "ConvReLU#d", f"{_CONV}, {_TYPES}"),
    Row(Family.CONV, "ConvAdd2d ConvAddReLU2d", f"{_CONV}, {_TYPES}", ndim=2),
)
INTRINSIC_QAT = layers(
    "torch.ao.nn.intrinsic.qat",
    Row(Family.CONV, "ConvReLU#d", f"{_CONV}, qconfig=None"),
    Row(
        Family.CONV,
        "ConvBn#d ConvBnReLU#d",
        f"{_SIZES}, dilation=1, groups=1, bias=None, padding_mode='zeros', eps=1e-05, momentum=0.1, "
        "freeze_bn=False, qconfig=None",
    ),
)
FUNCTIONS = space(
    "torch.ao.nn.quantized.functional",
    "torch",
    Kind.FUNCTION,
    rows=(
        Row(Family.CONV, "conv#d", f"{_F_CONV}, scale=1.0, zero_point=0, dtype=..."),
        Row(Family.MAX_POOL, "max_pool#d", _F_MAX_POOL, dims="12"),
        Row(Family.AVERAGE_POOL, "avg_pool#d", _F_AVERAGE_POOL, dims="23"),
        Row(Family.ADAPTIVE_POOL, "adaptive_avg_pool#d", "input, output_size", dims="23"),
        Row(Family.UPSAMPLE, "interpolate upsample", f"{_UPSAMPLE}, mode='nearest', align_corners=None"),
        Row(Family.UPSAMPLE, "upsample_nearest upsample_bilinear", _UPSAMPLE),
        Row(Family.DENSE, "linear", "input, weight, bias=None, scale=None, zero_point=None"),
    ),
)


PACKAGES = ("torch",)
NAMESPACES = (FUNCTIONS, QUANTIZED, DYNAMIC, REFERENCE, QAT, INTRINSIC, INTRINSIC_QAT)


def _spelling(namespace: Namespace) -> Spelling:
    """The module and its submodules, which were all without `ao` once."""
    inner = namespace.name.removeprefix("torch.ao.").replace(".", r"\.")
    return Spelling(rf"torch(\.ao)?\.{inner}(\.modules(\.[a-z]\w*)?)?", namespace.name)


SPELLINGS = (
    *map(_spelling, NAMESPACES),
    Spelling(r"torch(\.ao)?\.nn\.quantized(\.modules)?", torch.LAYERS.name, only=frozenset({"MaxPool2d"})),
)
