"""JAX: `jax.lax`, and the functions of `jax.nn`, `jax.numpy` and `jax.image` that matter here."""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "lhs": "input",
    "operand": "input",
    "operands": "input",
    "array": "input",
    "arrays": "input",
    "image": "input",
    "x": "input",
    "rhs": "weight",
    "filter_shape": "kernel",
    "window_dimensions": "kernel",
    "window_strides": "stride",
    "strides": "stride",
    "rhs_dilation": "dilation",
    "window_dilation": "dilation",
    "lhs_dilation": "input_dilation",
    "base_dilation": "input_dilation",
    "padding": "padding",
    "padding_config": "padding",
    "pad_width": "padding",
    "padding_value": "value",
    "mode": "mode",
    "dimension_numbers": "data_format",
    "feature_group_count": "groups",
    "computation": "pooling_type",
    "dimension": "axis",
    "axis": "axis",
    "shape": "output_shape",
}
_CONV = "lhs, rhs, window_strides, padding"
_TAIL = "precision=None, preferred_element_type=None"
_DILATED = "lhs_dilation=None, rhs_dilation=None, dimension_numbers=None"

LAX = Namespace(
    "jax.lax",
    "jax",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.CONV, "conv", f"{_CONV}, {_TAIL}", pads=PadStyle.PAIRS, rank="stride"),
        Row(
            Family.CONV,
            "conv_with_general_padding",
            f"{_CONV}, lhs_dilation, rhs_dilation, {_TAIL}",
            pads=PadStyle.PAIRS,
            rank="stride",
        ),
        Row(
            Family.CONV,
            "conv_general_dilated",
            f"{_CONV}, {_DILATED}, feature_group_count=1, batch_group_count=1, {_TAIL}, out_sharding=None",
            pads=PadStyle.PAIRS,
            rank="stride",
        ),
        Row(
            Family.CONV,
            "conv_general_dilated_local",
            f"{_CONV}, filter_shape, {_DILATED}, precision=None",
            pads=PadStyle.PAIRS,
            rank="stride kernel",
        ),
        Row(
            Family.UNFOLD,
            "conv_general_dilated_patches",
            f"lhs, filter_shape, window_strides, padding, {_DILATED}, {_TAIL}",
            pads=PadStyle.PAIRS,
            rank="stride kernel",
        ),
        Row(
            Family.TRANSPOSED,
            "conv_transpose",
            "lhs, rhs, strides, padding, rhs_dilation=None, dimension_numbers=None, transpose_kernel=False, "
            f"{_TAIL}, use_consistent_padding=False",
            pads=PadStyle.PAIRS,
            rank="stride",
            channels_last=True,
        ),
        Row(
            Family.WINDOW,
            "reduce_window",
            "operand, init_value, computation, window_dimensions, window_strides=None, padding='VALID', "
            "base_dilation=None, window_dilation=None",
            pads=PadStyle.TENSORFLOW,
            rank="kernel+2",
            channels_last=True,
        ),
        Row(Family.PAD, "pad", "operand, padding_value, padding_config", channels_last=True),
        Row(Family.CONCAT, "concatenate", "operands, dimension"),
        same("tanh", "x, *, accuracy=None", zero=True),
        same("logistic", "x, *, accuracy=None", positive=True),
    ),
    pads=PadStyle.LAX,
    channels_last=False,  # of a convolution without dimension numbers; a pad's are in the order of its axes
)

NN = Namespace(
    "jax.nn",
    "jax",
    Kind.FUNCTION,
    _ROLES,
    (
        same("relu relu6", "x", zero=True, positive=True),
        same("elu celu", "x, alpha=1.0", zero=True),
        same("leaky_relu", "x, negative_slope=0.01", zero=True),
        same("gelu", "x, approximate=True", zero=True),
        same("selu silu=swish hard_silu=hard_swish mish soft_sign tanh hard_tanh identity", "x", zero=True),
        same("sigmoid hard_sigmoid softplus sparse_plus sparse_sigmoid", "x", positive=True),
        same("squareplus", "x, b=4", positive=True),
        same("softmax", "x, axis=-1, where=None", positive=True),
        same("log_softmax", "x, axis=-1, where=None"),
        same("log_sigmoid", "x"),
        same(
            "standardize=normalize",
            "x, axis=-1, mean=None, variance=None, epsilon=1e-05, where=None, *, algorithm='fast'",
        ),
    ),
)

NUMPY = Namespace(
    "jax.numpy",
    "jax",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.PAD, "pad", "array, pad_width, mode='constant', **kwargs"),
        Row(Family.CONCAT, "concatenate", "arrays, axis=0, dtype=None"),
        Row(Family.CONCAT, "concat", "arrays, *, axis=0"),
        same("tanh", "x", zero=True),
    ),
    pads=PadStyle.TENSORFLOW,
)

IMAGE = Namespace(
    "jax.image",
    "jax",
    Kind.FUNCTION,
    _ROLES,
    (Row(Family.RESIZE, "resize", "image, shape, method, antialias=True, precision=..."),),
)

# What flax hands on of `jax.nn`.
_IN_FLAX = frozenset(
    {
        *("relu", "relu6", "elu", "celu", "leaky_relu", "gelu", "selu", "silu", "swish", "hard_silu", "tanh"),
        *("hard_swish", "soft_sign", "hard_tanh", "sigmoid", "hard_sigmoid", "softplus", "softmax"),
        *("log_softmax", "log_sigmoid", "standardize"),
    }
)

PACKAGES = ("jax", "flax")
NAMESPACES = (LAX, NN, NUMPY, IMAGE)
SPELLINGS = (
    Spelling(r"jax\.lax", LAX.name, star=True),
    Spelling(r"jax\.nn", NN.name, star=True),
    Spelling(r"jax\.numpy", NUMPY.name, star=True),
    Spelling(r"jax\.image", IMAGE.name, star=True),
    Spelling(r"flax\.linen(\.activation)?", NN.name, only=_IN_FLAX | {"normalize"}, star=True),
    Spelling(r"flax\.nnx(\.nn\.activations)?", NN.name, only=_IN_FLAX | {"identity"}, star=True),
)
