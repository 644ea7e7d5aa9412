"""Haiku: its convolutions pad SAME by default; its pools take a window with an entry for every axis.

`SeparableDepthwiseConv2D` is left out: it is two convolutions, one for each axis, which both pad by the given
amounts, and only the first has the stride.
"""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "value": "input",
    "x": "input",
    "num_spatial_dims": "rank",
    "output_channels": "out_channels",
    "output_size": "out_channels",
    "kernel_shape": "kernel",
    "window_shape": "kernel",
    "stride": "stride",
    "strides": "stride",
    "rate": "dilation",
    "padding": "padding",
    "output_shape": "output_size",
    "data_format": "data_format",
    "feature_group_count": "groups",
    "layers": "layers",
}

_INIT = "with_bias=True, w_init=None, b_init=None"
_CONV = f"kernel_shape, stride=1, rate=1, padding='SAME', {_INIT}"
_CONV_TAIL = "mask=None, feature_group_count=1, name=None"
_TRANSPOSED = f"output_channels, kernel_shape, stride=1, output_shape=None, padding='SAME', {_INIT}"
_POOL = "window_shape, strides, padding, channel_axis=-1"
_CREATE = "create_scale, create_offset"
_INITS = "eps=1e-05, scale_init=None, offset_init=None"

LAYERS = Namespace(
    "haiku",
    "haiku",
    Kind.LAYER,
    _ROLES,
    (
        Row(
            Family.CONV,
            "Conv#D",
            f"output_channels, {_CONV}, data_format={{NHWC}}, {_CONV_TAIL}",
            pads=PadStyle.HAIKU,
        ),
        Row(
            Family.CONV,
            "ConvND",
            f"num_spatial_dims, output_channels, {_CONV}, data_format='channels_last', {_CONV_TAIL}",
            pads=PadStyle.HAIKU,
            rank="rank",
        ),
        Row(
            Family.DEPTHWISE,
            "DepthwiseConv#D",
            f"channel_multiplier, {_CONV}, data_format={{NHWC}}, name=None",
            pads=PadStyle.PAIRS,
        ),
        Row(
            Family.TRANSPOSED,
            "Conv#DTranspose",
            f"{_TRANSPOSED}, data_format={{NHWC}}, mask=None, name=None",
            pads=PadStyle.HAIKU,
        ),
        Row(
            Family.TRANSPOSED,
            "ConvNDTranspose",
            f"num_spatial_dims, {_TRANSPOSED}, data_format='channels_last', mask=None, name=None",
            pads=PadStyle.HAIKU,
            rank="rank",
        ),
        Row(Family.MAX_POOL, "MaxPool", f"{_POOL}, name=None", rank="kernel+2"),
        Row(Family.AVERAGE_POOL, "AvgPool", f"{_POOL}, name=None", rank="kernel+2"),
        Row(Family.MAX_POOL, "max_pool", f"value, {_POOL}", rank="kernel+2", kind=Kind.FUNCTION),
        Row(Family.AVERAGE_POOL, "avg_pool", f"value, {_POOL}", rank="kernel+2", kind=Kind.FUNCTION),
        Row(Family.FLATTEN, "Flatten", "preserve_dims=1, name=None"),
        Row(Family.DENSE, "Linear", f"output_size, {_INIT}, name=None"),
        Row(Family.CONTAINER, "Sequential", "layers, name=None"),
        same("dropout", "rng, rate, x, broadcast_dims=()", zero=True, kind=Kind.FUNCTION),
        same("Bias", "output_size=None, bias_dims=None, b_init=None, name=None"),
        same(
            "BatchNorm",
            f"{_CREATE}, decay_rate, {_INITS}, axis=None, cross_replica_axis=None, "
            "cross_replica_axis_index_groups=None, data_format='channels_last', name=None",
        ),
        same(
            "LayerNorm", f"axis, {_CREATE}, {_INITS}, use_fast_variance=False, name=None, *, param_axis=None"
        ),
        same("InstanceNorm", f"{_CREATE}, {_INITS}, data_format='channels_last', name=None"),
        same(
            "GroupNorm",
            f"groups, axis=..., create_scale=True, create_offset=True, {_INITS}, "
            "data_format='channels_last', name=None",
        ),
        same("RMSNorm", "axis, eps=1e-05, scale_init=None, name=None, create_scale=True, *, param_axis=None"),
    ),
)

PACKAGES = ("haiku",)
NAMESPACES = (LAYERS,)
SPELLINGS = (Spelling(r"haiku", LAYERS.name, star=True),)
