"""Flax: `flax.linen` and `flax.nnx`. The activations that they hand on are in `jax`.

A convolution's number of spatial axes is the length of its `kernel_size`, an int being one axis; a pool's is
that of its `window_shape`. Convolutions pad SAME by default, pools VALID with stride 1.
"""

from __future__ import annotations

from functools import partial

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "inputs": "input",
    "features": "out_channels",
    "in_features": "in_channels",
    "out_features": "out_channels",
    "kernel_size": "kernel",
    "window_shape": "kernel",
    "strides": "stride",
    "kernel_dilation": "dilation",
    "input_dilation": "input_dilation",
    "padding": "padding",
    "feature_group_count": "groups",
    "count_include_pad": "count_include_pad",
    "reduce_fn": "pooling_type",
    "layers": "layers",
}

_SPECIAL = "dtype=None, param_dtype=..., precision=None, kernel_init=..., bias_init=..."
_MODULE = "parent=..., name=None"  # the fields of every linen module
_DILATED = "input_dilation=1, kernel_dilation=1, feature_group_count=1, use_bias=True, mask=None"
_TRANSPOSED = "kernel_dilation=None, use_bias=True, mask=None"
_BIAS_SCALE = "use_bias=True, use_scale=True, bias_init=..., scale_init=..."
_ACROSS = "axis_name=None, axis_index_groups=None, use_fast_variance=True"
_LINEN_ACROSS = f"{_ACROSS}, force_float32_reductions=True, {_MODULE}"
_NNX_ACROSS = f"{_ACROSS}, promote_dtype=..., rngs"
_TYPES = "dtype=None, param_dtype=..."
_METADATA = "kernel_metadata=..., bias_metadata=..."
_POOL = "inputs, window_shape, strides=None, padding='VALID'"

pool = partial(Row, pads=PadStyle.PAIRS, rank="kernel", kind=Kind.FUNCTION)

LINEN = Namespace(
    "flax.linen",
    "flax",
    Kind.LAYER,
    _ROLES,
    (
        Row(
            Family.CONV,
            "Conv ConvLocal",
            f"features, kernel_size, strides=1, padding='SAME', {_DILATED}, {_SPECIAL}, promote_dtype=..., "
            f"conv_general_dilated=None, conv_general_dilated_cls=None, {_MODULE}",
            pads=PadStyle.FLAX,
            rank="kernel",
        ),
        Row(
            Family.TRANSPOSED,
            "ConvTranspose",
            f"features, kernel_size, strides=None, padding='SAME', {_TRANSPOSED}, {_SPECIAL}, "
            f"transpose_kernel=False, promote_dtype=..., preferred_element_type=None, {_MODULE}",
            pads=PadStyle.FLAX,
            rank="kernel",
        ),
        Row(
            Family.DENSE,
            "Dense",
            f"features, use_bias=True, {_SPECIAL}, promote_dtype=..., dot_general=None, "
            f"dot_general_cls=None, {_MODULE}",
        ),
        pool(Family.MAX_POOL, "max_pool", _POOL),
        pool(Family.AVERAGE_POOL, "avg_pool", f"{_POOL}, count_include_pad=True"),
        pool(Family.WINDOW, "pool", "inputs, init, reduce_fn, window_shape, strides, padding"),
        Row(Family.CONTAINER, "Sequential", f"layers, {_MODULE}"),
        same(
            "Dropout",
            f"rate, broadcast_dims=(), deterministic=None, rng_collection='dropout', {_MODULE}",
            zero=True,
        ),
        same("PReLU", f"param_dtype=..., negative_slope_init=0.01, {_MODULE}", zero=True),
        same(
            "BatchNorm",
            f"use_running_average=None, axis=-1, momentum=0.99, epsilon=1e-05, {_TYPES}, {_BIAS_SCALE}, "
            f"{_LINEN_ACROSS}",
        ),
        same(
            "LayerNorm",
            f"epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, reduction_axes=-1, feature_axes=-1, {_LINEN_ACROSS}",
        ),
        same("InstanceNorm", f"epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, feature_axes=-1, {_LINEN_ACROSS}"),
        same(
            "GroupNorm",
            f"num_groups=32, group_size=None, epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, reduction_axes=None, "
            f"{_LINEN_ACROSS}",
        ),
        same(
            "RMSNorm",
            f"epsilon=1e-06, {_TYPES}, use_scale=True, scale_init=..., reduction_axes=-1, feature_axes=-1, "
            f"{_LINEN_ACROSS}",
        ),
    ),
)

NNX = Namespace(
    "flax.nnx",
    "flax",
    Kind.LAYER,
    _ROLES,
    (
        Row(
            Family.CONV,
            "Conv",
            f"in_features, out_features, kernel_size, strides=1, *, padding='SAME', {_DILATED}, {_SPECIAL}, "
            f"conv_general_dilated=..., promote_dtype=..., preferred_element_type=None, rngs, {_METADATA}",
            pads=PadStyle.FLAX,
            rank="kernel",
        ),
        Row(
            Family.TRANSPOSED,
            "ConvTranspose",
            f"in_features, out_features, kernel_size, strides=None, *, padding='SAME', {_TRANSPOSED}, "
            f"{_SPECIAL}, transpose_kernel=False, promote_dtype=..., preferred_element_type=None, rngs, "
            f"{_METADATA}",
            pads=PadStyle.FLAX,
            rank="kernel",
        ),
        pool(Family.WINDOW, "min_pool", _POOL),
        Row(
            Family.DENSE,
            "Linear",
            f"in_features, out_features, *, use_bias=True, {_SPECIAL}, dot_general=..., promote_dtype=..., "
            f"preferred_element_type=None, rngs, {_METADATA}",
        ),
        Row(Family.CONTAINER, "Sequential", "*fns"),
        same(
            "Dropout",
            "rate, *, broadcast_dims=(), deterministic=False, rng_collection='dropout', rngs=None",
            zero=True,
        ),
        same(
            "PReLU",
            f"negative_slope_init=0.01, *, {_TYPES}, promote_dtype=..., negative_slope_metadata=...",
            zero=True,
        ),
        same(
            "BatchNorm",
            f"num_features, *, use_running_average=False, axis=-1, momentum=0.99, epsilon=1e-05, {_TYPES}, "
            f"{_BIAS_SCALE}, {_NNX_ACROSS}, bias_metadata=..., scale_metadata=...",
        ),
        same(
            "LayerNorm",
            f"num_features, *, epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, reduction_axes=-1, feature_axes=-1, "
            f"{_NNX_ACROSS}, bias_metadata=..., scale_metadata=...",
        ),
        same(
            "InstanceNorm",
            f"num_features, *, epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, feature_axes=-1, {_NNX_ACROSS}, "
            "bias_metadata=..., scale_metadata=...",
        ),
        same(
            "GroupNorm",
            f"num_features, num_groups=32, group_size=None, *, epsilon=1e-06, {_TYPES}, {_BIAS_SCALE}, "
            f"reduction_axes=None, {_NNX_ACROSS}, bias_metadata=..., scale_metadata=...",
        ),
        same(
            "RMSNorm",
            f"num_features, *, epsilon=1e-06, {_TYPES}, use_scale=True, scale_init=..., reduction_axes=-1, "
            f"feature_axes=-1, {_NNX_ACROSS}, scale_metadata=...",
        ),
    ),
)

_POOLS = frozenset({"max_pool", "avg_pool", "pool"})

PACKAGES = ("flax",)
NAMESPACES = (LINEN, NNX)
SPELLINGS = (
    Spelling(r"flax\.linen", LINEN.name, star=True),
    Spelling(r"flax\.linen\.[a-z]\w*", LINEN.name),
    Spelling(r"flax\.linen\.pooling", NNX.name, only=frozenset({"min_pool"})),
    Spelling(r"flax\.(experimental\.)?nnx", NNX.name, star=True),
    Spelling(r"flax\.(experimental\.)?nnx\.nn\.[a-z]\w*", NNX.name),
    Spelling(r"flax\.(experimental\.)?nnx", LINEN.name, only=_POOLS, star=True),
)
