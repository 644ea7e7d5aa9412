"""Keras 3, and what Keras 2 (`tf_keras`, older `tf.keras`) does otherwise."""

from __future__ import annotations

import re

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "inputs": "input",
    "axis": "axis",
    "filters": "out_channels",
    "units": "out_channels",
    "kernel_size": "kernel",
    "pool_size": "kernel",
    "strides": "stride",
    "dilation_rate": "dilation",
    "padding": "padding",
    "output_padding": "output_padding",
    "cropping": "cropping",
    "data_format": "data_format",
    "groups": "groups",
    "activation": "activation",
    "activity_regularizer": "activity_regularizer",
    "size": "scale",
    "output_size": "output_size",
    "target_shape": "output_shape",
    "shape": "shape",
    "input_shape": "shape",
    "batch_shape": "batch_shape",
    "keepdims": "keepdims",
    "height": "output_size*",
    "width": "output_size*",
    "layers": "layers",
}

_WEIGHTS = (
    "activation=None, use_bias=True, kernel_initializer='glorot_uniform', bias_initializer='zeros', "
    "kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, "
    "bias_constraint=None"
)
_DEPTHWISE = _WEIGHTS.replace("kernel_", "depthwise_")
_SEPARABLE = (
    "activation=None, use_bias=True, depthwise_initializer='glorot_uniform', "
    "pointwise_initializer='glorot_uniform', bias_initializer='zeros', depthwise_regularizer=None, "
    "pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None, "
    "depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None"
)
_CONV = "filters, kernel_size, strides={1}, padding='valid'"
_FORMAT = "data_format=None, dilation_rate={1}"
_TRANSPOSED = f"{_CONV}, output_padding=None, {_FORMAT}, {_WEIGHTS}, **kwargs"
_POOL = "strides=None, padding='valid', data_format=None, name=None, **kwargs"
_GAMMA = "beta_regularizer=None, gamma_regularizer=None, beta_constraint=None, gamma_constraint=None"
_NORM = (
    "epsilon=0.001, center=True, scale=True, beta_initializer='zeros', gamma_initializer='ones', "
    f"{_GAMMA}, **kwargs"
)
_RESIZING = (
    "interpolation='bilinear', crop_to_aspect_ratio=False, pad_to_aspect_ratio=False, fill_mode='constant', "
    "fill_value=0.0, antialias=False, data_format=None"
)
_INPUT = "sparse=None, ragged=None, batch_shape=None"

LAYERS = Namespace(
    "keras.layers",
    "keras",
    Kind.LAYER,
    _ROLES,
    (
        Row(Family.CONV, "Conv#D=Convolution#D", f"{_CONV}, {_FORMAT}, groups=1, {_WEIGHTS}, **kwargs"),
        Row(
            Family.DEPTHWISE,
            "DepthwiseConv#D",
            "kernel_size, strides={1}, padding='valid', depth_multiplier=1, "
            f"{_FORMAT}, {_DEPTHWISE}, **kwargs",
            dims="12",
        ),
        Row(
            Family.SEPARABLE,
            "SeparableConv#D=SeparableConvolution#D",
            f"{_CONV}, {_FORMAT}, depth_multiplier=1, {_SEPARABLE}, **kwargs",
            dims="12",
        ),
        Row(Family.TRANSPOSED, "Conv#DTranspose=Convolution#DTranspose", _TRANSPOSED, dims="12"),
        Row(
            Family.TRANSPOSED,
            "Conv#DTranspose=Convolution#DTranspose",
            f"{_CONV}, data_format=None, output_padding=None, dilation_rate={{1}}, {_WEIGHTS}, **kwargs",
            dims="3",
            older=_TRANSPOSED,
        ),
        Row(Family.MAX_POOL, "MaxPooling#D=MaxPool#D", f"pool_size={{2}}, {_POOL}"),
        Row(
            Family.AVERAGE_POOL,
            "AveragePooling#D=AvgPool#D",
            f"pool_size, {_POOL}",
            dims="1",
            older="pool_size=2, strides=None, padding='valid', data_format='channels_last', **kwargs",
        ),
        Row(
            Family.AVERAGE_POOL,
            "AveragePooling#D=AvgPool#D",
            f"pool_size, {_POOL}",
            dims="23",
            older="pool_size={2}, strides=None, padding='valid', data_format=None, **kwargs",
        ),
        Row(
            Family.ADAPTIVE_POOL,
            "AdaptiveAveragePooling#D AdaptiveMaxPooling#D",
            "output_size, data_format=None, **kwargs",
        ),
        Row(
            Family.FLATTEN,
            "GlobalMaxPooling#D=GlobalMaxPool#D GlobalAveragePooling#D=GlobalAvgPool#D",
            "data_format=None, keepdims=False, **kwargs",
        ),
        Row(Family.FLATTEN, "Flatten", "data_format=None, **kwargs"),
        Row(Family.PAD, "ZeroPadding#D", "padding=1, data_format=None, **kwargs", dims="1"),
        Row(Family.PAD, "ZeroPadding#D", "padding={1}, data_format=None, **kwargs", dims="2"),
        Row(
            Family.PAD,
            "ZeroPadding#D",
            "padding=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs",
            dims="3",
        ),
        Row(Family.CROP, "Cropping#D", "cropping=(1, 1), **kwargs", dims="1"),
        Row(Family.CROP, "Cropping#D", "cropping=((0, 0), (0, 0)), data_format=None, **kwargs", dims="2"),
        Row(
            Family.CROP,
            "Cropping#D",
            "cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs",
            dims="3",
        ),
        Row(Family.UPSAMPLE, "UpSampling#D", "size=2, **kwargs", dims="1"),
        Row(
            Family.UPSAMPLE,
            "UpSampling#D",
            "size={2}, data_format=None, interpolation='nearest', **kwargs",
            dims="2",
        ),
        Row(Family.UPSAMPLE, "UpSampling#D", "size={2}, data_format=None, **kwargs", dims="3"),
        Row(Family.RESIZE, "Resizing", f"height, width, {_RESIZING}, **kwargs", ndim=2),
        Row(Family.RESIZE, "CenterCrop", "height, width, data_format=None, **kwargs", ndim=2),
        Row(Family.RESHAPE, "Reshape", "target_shape, **kwargs"),
        Row(Family.JOIN, "Add Subtract Multiply Average Maximum Minimum", "**kwargs"),
        Row(
            Family.JOIN,
            "add subtract multiply average maximum minimum",
            "inputs, **kwargs",
            kind=Kind.FUNCTION,
        ),
        Row(Family.CONCAT, "Concatenate", "axis=-1, **kwargs"),
        Row(Family.CONCAT, "concatenate", "inputs, axis=-1, **kwargs", kind=Kind.FUNCTION),
        Row(
            Family.DENSE,
            "Dense",
            f"units, {_WEIGHTS}, lora_rank=None, lora_alpha=None, quantization_config=None, **kwargs",
        ),
        Row(
            Family.INPUT,
            "InputLayer",
            f"shape=None, batch_size=None, dtype=None, {_INPUT}, input_tensor=None, optional=False, "
            "name=None, **kwargs",
            older="input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=None, name=None, "
            "ragged=None, type_spec=None, optional=False, **kwargs",
        ),
        same("Activation", "activation, **kwargs"),
        same(
            "ReLU",
            "max_value=None, negative_slope=0.0, threshold=0.0, **kwargs",
            zero=True,
            positive=True,
            unless="negative_slope threshold",
        ),
        same("LeakyReLU", "negative_slope=0.3, **kwargs", zero=True, older="alpha=0.3, **kwargs"),
        same("ELU", "alpha=1.0, **kwargs", zero=True),
        same(
            "PReLU",
            "alpha_initializer='Zeros', alpha_regularizer=None, alpha_constraint=None, shared_axes=None, "
            "**kwargs",
        ),
        same("Softmax", "axis=-1, **kwargs", positive=True),
        same("Identity", "**kwargs", zero=True),
        same("Dropout", "rate, noise_shape=None, seed=None, **kwargs", zero=True),
        same("AlphaDropout", "rate, noise_shape=None, seed=None, **kwargs"),
        same("GaussianDropout", "rate, seed=None, **kwargs", zero=True),
        same("GaussianNoise", "stddev, seed=None, **kwargs"),
        same(
            "SpatialDropout#D",
            "rate, seed=None, name=None, dtype=None",
            dims="1",
            zero=True,
            older="rate, **kwargs",
        ),
        same(
            "SpatialDropout#D",
            "rate, data_format=None, seed=None, name=None, dtype=None",
            dims="23",
            zero=True,
            older="rate, data_format=None, **kwargs",
        ),
        same(
            "BatchNormalization",
            "axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, beta_initializer='zeros', "
            "gamma_initializer='ones', moving_mean_initializer='zeros', moving_variance_initializer='ones', "
            f"{_GAMMA}, renorm=False, renorm_clipping=None, renorm_momentum=0.99, synchronized=False, "
            "**kwargs",
        ),
        same("LayerNormalization", f"axis=-1, {_NORM}"),
        same("GroupNormalization", f"groups=32, axis=-1, {_NORM}"),
        same("RMSNormalization", "axis=-1, epsilon=1e-06, **kwargs"),
        same("UnitNormalization", "axis=-1, **kwargs"),
        same("Normalization", "axis=-1, mean=None, variance=None, invert=False, **kwargs"),
        same("Rescaling", "scale, offset=0.0, **kwargs"),
    ),
    pads=PadStyle.KERAS,
    stride_is_kernel=True,
    older="keras 1",
)

TOP = Namespace(
    "keras",
    "keras",
    Kind.LAYER,
    _ROLES,
    (
        Row(Family.CONTAINER, "Sequential", "layers=None, trainable=True, name=None"),
        Row(Family.CONTAINER, "Model", "*args, **kwargs"),
        Row(
            Family.INPUT,
            "Input",
            f"shape=None, batch_size=None, dtype=None, {_INPUT}, name=None, tensor=None, optional=False",
            kind=Kind.FUNCTION,
            older="shape=None, batch_size=None, name=None, dtype=None, sparse=None, tensor=None, "
            "ragged=None, type_spec=None, optional=False, **kwargs",
        ),
    ),
)

KERAS = r"(keras(\.src|\.api(\._v[12]\.keras)?|\._tf_keras\.keras)?|tensorflow(\.compat\.v[12])?\.keras)"
KERAS_2 = (
    r"(tf_keras(\.src|\.api(\._v[12]\.keras)?)?|tensorflow\.python\.keras"
    r"|tensorflow\.contrib\.keras(\.python\.keras)?)"
)
"""The packages of today's Keras and of Keras 2, as patterns of their dotted paths."""

IMAGE_FORMAT = re.compile(rf"({KERAS}|{KERAS_2})\.(backend|config)(\.\w+)*\.image_data_format")
"""The function that tells the global data_format."""

LAMBDA = re.compile(rf"({KERAS}|{KERAS_2})\.layers(\.\w+)*\.Lambda")
"""The layer that runs a function of the file."""

_INNER = r"(\.[a-z]\w*)*"
_MODELS = frozenset({"Sequential", "Model"})
_INPUT_ONLY = frozenset({"Input"})


def _spellings(root: str, *, older: bool) -> tuple[Spelling, ...]:
    """How the operators are spelled below the package `root`."""
    return (
        Spelling(rf"{root}\.layers", LAYERS.name, star=True, older=older),
        Spelling(rf"{root}\.layers{_INNER}", LAYERS.name, older=older),
        Spelling(rf"{root}\.engine{_INNER}", LAYERS.name, only=frozenset({"InputLayer"}), older=older),
        Spelling(rf"{root}\.layers", TOP.name, only=_INPUT_ONLY, star=True, older=older),
        Spelling(rf"{root}\.(layers|models|engine){_INNER}", TOP.name, older=older),
        Spelling(rf"{root}\.models", TOP.name, only=_MODELS, star=True, older=older),
        Spelling(root, TOP.name, star=True, older=older),
    )


PACKAGES = ("keras", "tf_keras", "tensorflow")
NAMESPACES = (LAYERS, TOP)
SPELLINGS = (*_spellings(KERAS, older=False), *_spellings(KERAS_2, older=True))

HANDED_OVER = {
    "get_submodules_from_kwargs": {
        "layers": "keras.layers",
        "models": "keras.models",
        "backend": "keras.backend",
    }
}
"""Functions of keras_applications and its kind that return modules of Keras, and their usual names."""
