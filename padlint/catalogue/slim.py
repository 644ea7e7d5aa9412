"""TF-Slim: `tf_slim`, and the same functions in TF 1's `tf.contrib.slim` and `tf.contrib.layers`.

Convolutions pad SAME and apply ReLU by default, pools pad VALID with stride 2. An `arg_scope` around a call
may give other defaults.
"""

from __future__ import annotations

import re

from padlint.catalogue.model import Family, Kind
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "inputs": "input",
    "logits": "input",
    "num_outputs": "out_channels",
    "kernel_size": "kernel",
    "stride": "stride",
    "rate": "dilation",
    "dilation_rate": "dilation",
    "padding": "padding",
    "data_format": "data_format",
    "activation_fn": "activation",
    "pooling_type": "pooling_type",
    "conv_dims": "rank",
}

_WEIGHTS = (
    "activation_fn=..., normalizer_fn=None, normalizer_params=None, weights_initializer=..., "
    "weights_regularizer=None, biases_initializer=..., biases_regularizer=None, reuse=None, "
    "variables_collections=None, outputs_collections=None, trainable=True, scope=None"
)
_SEPARABLE = _WEIGHTS.replace("initializer=..., ", "initializer=..., pointwise_initializer=None, ", 1)
_SIZES = "inputs, num_outputs, kernel_size"
_SAME = "stride=1, padding='SAME'"
_CONV = f"{_SIZES}, {_SAME}, data_format=None, rate=1, {_WEIGHTS}"
_POOL = (
    "inputs, kernel_size, stride=2, padding='VALID', data_format={NHWC}, outputs_collections=None, scope=None"
)
_VARIABLES = "reuse=None, variables_collections=None, outputs_collections=None, trainable=True"
_CENTER = "inputs, center=True, scale=True"

FUNCTIONS = Namespace(
    "tf_slim",
    "slim",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.CONV, "conv#d=convolution#d", _CONV),
        Row(Family.CONV, "convolution", f"{_CONV}, conv_dims=None", rank="rank kernel stride"),
        Row(
            Family.SEPARABLE,
            "separable_conv#d=separable_convolution#d",
            f"{_SIZES}, depth_multiplier=1, {_SAME}, data_format={{NHWC}}, rate=1, {_SEPARABLE}",
            dims="2",
        ),
        Row(
            Family.DEPTHWISE,  # with one filter for all channels
            "conv#d_in_plane=convolution#d_in_plane",
            f"inputs, kernel_size, {_SAME}, {_WEIGHTS}",
            dims="2",
        ),
        Row(
            Family.TRANSPOSED,
            "conv#d_transpose=convolution#d_transpose",
            f"{_SIZES}, {_SAME}, data_format={{NHWC}}, {_WEIGHTS}",
            dims="23",
        ),
        Row(Family.MAX_POOL, "max_pool#d", _POOL, dims="23"),
        Row(Family.AVERAGE_POOL, "avg_pool#d", _POOL, dims="23"),
        Row(
            Family.AVERAGE_POOL,  # or max pooling: `pooling_type` tells
            "pool",
            "inputs, kernel_size, pooling_type, padding='VALID', data_format=None, dilation_rate=1, "
            "stride=1, outputs_collections=None, scope=None",
            rank="kernel stride",
        ),
        Row(Family.FLATTEN, "flatten", "inputs, outputs_collections=None, scope=None"),
        Row(Family.DENSE, "fully_connected", f"inputs, num_outputs, {_WEIGHTS}"),
        # `fully_connected` with an activation, or none.
        Row(Family.DENSE, "relu relu6 elu", f"inputs, num_outputs, *, {_WEIGHTS}"),
        Row(Family.DENSE, "linear", f"inputs, num_outputs, *, {_WEIGHTS.replace('...', 'None', 1)}"),
        same(
            "dropout",
            "inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None, "
            "scope=None, seed=None",
            zero=True,
        ),
        same("softmax", "logits, scope=None", positive=True),
        same(
            "bias_add",
            f"inputs, activation_fn=None, initializer=..., regularizer=None, {_VARIABLES}, "
            "data_format='NHWC', scope=None",
        ),
        same(
            "batch_norm",
            "inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None, "
            "param_initializers=None, param_regularizers=None, updates_collections='update_ops', "
            f"is_training=True, {_VARIABLES}, batch_weights=None, fused=None, data_format='NHWC', "
            "zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None, "
            "renorm_decay=0.99, adjustment=None",
        ),
        same(
            "layer_norm",
            f"{_CENTER}, activation_fn=None, {_VARIABLES}, begin_norm_axis=1, begin_params_axis=-1, "
            "scope=None",
        ),
        same(
            "instance_norm",
            f"{_CENTER}, epsilon=1e-06, activation_fn=None, param_initializers=None, {_VARIABLES}, "
            "data_format='NHWC', scope=None",
        ),
        same(
            "group_norm",
            "inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True, scale=True, "
            f"epsilon=1e-06, activation_fn=None, param_initializers=None, {_VARIABLES}, scope=None, "
            "mean_close_to_zero=False",
        ),
        same("unit_norm", "inputs, dim, epsilon=1e-07, scope=None"),
    ),
)

_ARG_SCOPE = re.compile(
    r"(tf_slim(\.arg_scope_lib|\.ops\.arg_scope)?"
    r"|tensorflow\.contrib\.(slim|framework(\.python\.ops(\.arg_scope)?)?))\.arg_scope"
)


def is_arg_scope(dotted: str) -> bool:
    """True for the context manager that gives the calls inside it other defaults."""
    return _ARG_SCOPE.fullmatch(dotted) is not None


PACKAGES = ("tf_slim", "tensorflow")
NAMESPACES = (FUNCTIONS,)
SPELLINGS = (
    Spelling(r"tf_slim(\.layers(\.layers)?)?", FUNCTIONS.name, star=True),
    Spelling(
        r"tf_slim\.layers\.normalization", FUNCTIONS.name, only=frozenset({"group_norm", "instance_norm"})
    ),
    Spelling(r"tensorflow\.contrib\.(slim|layers)", FUNCTIONS.name, star=True),
    Spelling(r"tensorflow\.contrib\.layers\.python\.layers(\.(layers|normalization))?", FUNCTIONS.name),
)
