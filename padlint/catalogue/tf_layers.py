"""`tf.layers` of TF 1 (`tf.compat.v1.layers`), which needs Keras 2: functions, and layers as classes.

Read from `tensorflow.python.keras.legacy_tf_layers`, which still has them.
"""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "inputs": "input",
    "filters": "out_channels",
    "units": "out_channels",
    "kernel_size": "kernel",
    "pool_size": "kernel",
    "strides": "stride",
    "dilation_rate": "dilation",
    "padding": "padding",
    "data_format": "data_format",
    "activation": "activation",
    "activity_regularizer": "activity_regularizer",
}

_WEIGHTS = (
    "activation=None, use_bias=True, kernel_initializer=None, bias_initializer=..., kernel_regularizer=None, "
    "bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, "
    "trainable=True, name=None"
)
_SEPARABLE = (
    "depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None, "
    "pointwise_initializer=None, bias_initializer=..., depthwise_regularizer=None, "
    "pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None, trainable=True, name=None"
)
_CONV = "filters, kernel_size, strides={1}, padding='valid', data_format='channels_last'"
_DILATED = f"{_CONV}, dilation_rate={{1}}"
_POOL = "pool_size, strides, padding='valid', data_format='channels_last', name=None"
_NORM = (
    "axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, beta_initializer=..., "
    "gamma_initializer=..., moving_mean_initializer=..., moving_variance_initializer=..., "
    "beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None"
)
_RENORM = "renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None"
_DROPOUT = "rate=0.5, noise_shape=None, seed=None"


def both(
    family: Family,
    functions: str,
    layers: str,
    signature: str,
    dims: str = "123",
    reuse: str = ", reuse=None",
) -> tuple[Row, Row]:
    """A function and the class of the layers that it builds and applies."""
    return (
        Row(family, functions, f"inputs, {signature}{reuse}", dims=dims),
        Row(family, layers, f"{signature}, **kwargs", dims=dims, kind=Kind.LAYER),
    )


LAYERS = Namespace(
    "tf.compat.v1.layers",
    "tf_layers",
    Kind.FUNCTION,
    _ROLES,
    (
        *both(Family.CONV, "conv#d=convolution#d", "Conv#D=Convolution#D", f"{_DILATED}, {_WEIGHTS}"),
        *both(Family.SEPARABLE, "separable_conv#d", "SeparableConv#D", f"{_DILATED}, {_SEPARABLE}", "1"),
        *both(
            Family.SEPARABLE,
            "separable_conv#d=separable_convolution#d",
            "SeparableConv#D=SeparableConvolution#D",
            f"{_DILATED}, {_SEPARABLE}",
            "2",
        ),
        *both(
            Family.TRANSPOSED,
            "conv#d_transpose=convolution#d_transpose=deconvolution#d=deconv#d",
            "Conv#DTranspose=Convolution#DTranspose=Deconvolution#D=Deconv#D",
            f"{_CONV}, {_WEIGHTS}",
            "23",
        ),
        *both(Family.MAX_POOL, "max_pooling#d", "MaxPooling#D", _POOL, "13", reuse=""),
        *both(Family.MAX_POOL, "max_pooling#d=max_pool#d", "MaxPooling#D=MaxPool#D", _POOL, "2", reuse=""),
        *both(Family.AVERAGE_POOL, "average_pooling#d", "AveragePooling#D", _POOL, "13", reuse=""),
        *both(
            Family.AVERAGE_POOL,
            "average_pooling#d=avg_pool#d",
            "AveragePooling#D=AvgPool#D",
            _POOL,
            "2",
            reuse="",
        ),
        *both(Family.DENSE, "dense=fully_connected", "Dense=FullyConnected", f"units, {_WEIGHTS}"),
        Row(Family.FLATTEN, "flatten", "inputs, name=None, data_format='channels_last'"),
        Row(Family.FLATTEN, "Flatten", "data_format=None, **kwargs", kind=Kind.LAYER),
        same("dropout", f"inputs, {_DROPOUT}, training=False, name=None", zero=True),
        same("Dropout", f"{_DROPOUT}, name=None, **kwargs", zero=True, kind=Kind.LAYER),
        same(
            "batch_normalization=batch_norm",
            f"inputs, {_NORM}, training=False, trainable=True, name=None, reuse=None, {_RENORM}, "
            "virtual_batch_size=None, adjustment=None",
        ),
        same(
            "BatchNormalization=BatchNorm",
            f"{_NORM}, {_RENORM}, trainable=True, virtual_batch_size=None, adjustment=None, name=None, "
            "**kwargs",
            kind=Kind.LAYER,
        ),
    ),
)

PACKAGES = ("tensorflow",)
NAMESPACES = (LAYERS,)
SPELLINGS = (
    Spelling(r"tensorflow(\.compat\.v1)?\.layers", LAYERS.name, star=True),
    Spelling(r"tensorflow\.python\.(layers|keras\.legacy_tf_layers)\.[a-z]\w*", LAYERS.name),
)
