"""Keras's functions: `keras.ops` of Keras 3, and `keras.activations`."""

from __future__ import annotations

from padlint.catalogue.keras import KERAS, KERAS_2
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, entries, same

_ROLES = {
    "inputs": "input",
    "images": "input",
    "x": "input",
    "x1": "input",
    "x2": "other",
    "xs": "input",
    "axis": "axis",
    "kernel": "weight",
    "depthwise_kernel": "weight",
    "kernel_size": "kernel",
    "pool_size": "kernel",
    "strides": "stride",
    "stride": "stride",
    "dilation_rate": "dilation",
    "dilation": "dilation",
    "padding": "padding",
    "pad_width": "padding",
    "output_padding": "output_padding",
    "data_format": "data_format",
    "output_size": "output_size",
    "size": "output_size",
    "block_size": "scale",
    "mode": "mode",
    "constant_values": "value",
}

ACTIVATIONS = Namespace(
    "keras.activations",
    "keras",
    Kind.FUNCTION,
    _ROLES,
    (
        same(
            "relu",
            "x, negative_slope=0.0, max_value=None, threshold=0.0",
            zero=True,
            positive=True,
            unless="negative_slope alpha threshold",
            older="x, alpha=0.0, max_value=None, threshold=0.0",
        ),
        same("relu6", "x", zero=True, positive=True),
        same("leaky_relu", "x, negative_slope=0.2", zero=True),
        same("elu celu", "x, alpha=1.0", zero=True),
        same("selu silu=swish hard_silu=hard_swish mish softsign", "x", zero=True),
        same("tanh hard_tanh tanh_shrink linear", "x", zero=True),
        same("gelu", "x, approximate=False", zero=True),
        same("hard_shrink soft_shrink", "x, threshold=0.5", zero=True),
        same("sigmoid hard_sigmoid softplus exponential", "x", positive=True),
        same("sparse_plus sparse_sigmoid", "x", positive=True),
        same("softmax sparsemax", "x, axis=-1", positive=True),
        same("log_sigmoid", "x"),
        same("log_softmax", "x, axis=-1"),
    ),
)

_TAIL = "strides=1, padding='valid', data_format=None, dilation_rate=1"
_POOL = "inputs, pool_size, strides=None, padding='valid', data_format=None"

OPS = Namespace(
    "keras.ops",
    "keras",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.CONV, "conv", f"inputs, kernel, {_TAIL}", rank="stride dilation"),
        Row(Family.DEPTHWISE, "depthwise_conv", f"inputs, kernel, {_TAIL}", rank="stride dilation"),
        Row(
            Family.SEPARABLE,
            "separable_conv",
            f"inputs, depthwise_kernel, pointwise_kernel, {_TAIL}",
            rank="stride dilation",
        ),
        Row(
            Family.TRANSPOSED,
            "conv_transpose",
            "inputs, kernel, strides=1, padding='valid', output_padding=None, data_format=None, "
            "dilation_rate=1",
            rank="stride dilation",
        ),
        Row(Family.MAX_POOL, "max_pool", _POOL, rank="kernel stride"),
        Row(Family.AVERAGE_POOL, "average_pool", _POOL, rank="kernel stride"),
        Row(
            Family.ADAPTIVE_POOL,
            "adaptive_average_pool adaptive_max_pool",
            "inputs, output_size, data_format=None",
            rank="output_size",
        ),
        Row(Family.UNFOLD, "unfold", "x, kernel_size, dilation=1, padding=0, stride=1", ndim=2),
        Row(Family.PAD, "pad", "x, pad_width, mode='constant', constant_values=None"),
        Row(Family.UPSAMPLE, "depth_to_space", "x, block_size, data_format='channels_last'", ndim=2),
        Row(Family.CONCAT, "concatenate", "xs, axis=0"),
        Row(Family.JOIN, "add subtract multiply maximum minimum", "x1, x2"),
        same("relu relu6", "x", zero=True, positive=True),
        same("leaky_relu", "x, negative_slope=0.2", zero=True),
        same("elu celu", "x, alpha=1.0", zero=True),
        same("selu silu=swish hard_silu=hard_swish softsign", "x", zero=True),
        same("tanh hard_tanh tanh_shrink", "x", zero=True),
        same("gelu", "x, approximate=True", zero=True),
        same("hard_shrink soft_shrink", "x, threshold=0.5", zero=True),
        same("sigmoid hard_sigmoid softplus", "x", positive=True),
        same("sparse_plus sparse_sigmoid", "x", positive=True),
        same("squareplus", "x, b=4", positive=True),
        same("softmax sparsemax", "x, axis=-1", positive=True),
        same("log_sigmoid", "x"),
        same("log_softmax", "x, axis=-1"),
        same("threshold", "x, threshold, default_value"),
        same("normalize", "x, axis=-1, order=2, epsilon=None"),
        same("batch_normalization", "x, mean, variance, axis, offset=None, scale=None, epsilon=0.001"),
        same("layer_normalization", "x, gamma=None, beta=None, axis=-1, epsilon=None, **kwargs"),
        same("rms_normalization", "x, scale=None, axis=-1, epsilon=None"),
    ),
    pads=PadStyle.TENSORFLOW,
    stride_is_kernel=True,
)

IMAGE = Namespace(
    "keras.ops.image",
    "keras",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(
            Family.RESIZE,
            "resize",
            "images, size, interpolation='bilinear', antialias=False, crop_to_aspect_ratio=False, "
            "pad_to_aspect_ratio=False, fill_mode='constant', fill_value=0.0, data_format=None",
            ndim=2,
        ),
    ),
)

_NUMPY = frozenset({"pad", "concatenate", "add", "subtract", "multiply", "maximum", "minimum", "tanh"})
_NN = frozenset(name for name, _ in entries(OPS)) - _NUMPY

PACKAGES = ("keras", "tf_keras", "tensorflow")
NAMESPACES = (ACTIVATIONS, OPS, IMAGE)
SPELLINGS = (
    Spelling(rf"{KERAS}\.activations(\.activations)?", ACTIVATIONS.name, star=True),
    Spelling(rf"{KERAS_2}\.activations(\.activations)?", ACTIVATIONS.name, star=True, older=True),
    Spelling(rf"{KERAS}\.ops", OPS.name, star=True),
    Spelling(rf"{KERAS}\.ops\.nn", OPS.name, only=_NN, star=True),
    Spelling(rf"{KERAS}\.ops\.numpy", OPS.name, only=_NUMPY, star=True),
    Spelling(rf"{KERAS}\.ops\.image", IMAGE.name, star=True),
)
