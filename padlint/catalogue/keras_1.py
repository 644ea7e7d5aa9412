"""Keras 1, which counted rows and columns: `Convolution2D(64, 3, 3, border_mode="same", subsample=(2, 2))`.

Read from the source of Keras 1.2.2. Its names that later Keras kept are found through `older`.
"""

from __future__ import annotations

from padlint.catalogue.keras import KERAS
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, entries

_ROLES = {
    "nb_filter": "out_channels",
    "output_dim": "out_channels",
    "filter_length": "kernel",
    "nb_row": "kernel*",
    "nb_col": "kernel*",
    "kernel_dim1": "kernel*",
    "kernel_dim2": "kernel*",
    "kernel_dim3": "kernel*",
    "pool_length": "kernel",
    "pool_size": "kernel",
    "subsample": "stride",
    "subsample_length": "stride",
    "stride": "stride",
    "strides": "stride",
    "atrous_rate": "dilation",
    "border_mode": "padding",
    "padding": "padding",
    "cropping": "cropping",
    "length": "scale",
    "size": "scale",
    "output_shape": "output_shape",
    "dim_ordering": "data_format",
    "activation": "activation",
    "activity_regularizer": "activity_regularizer",
}

_INIT = "init='glorot_uniform', activation=None, weights=None"
_CONV = f"{_INIT}, border_mode='valid', subsample={{1}}"
_WEIGHTS = (
    "W_regularizer=None, b_regularizer=None, activity_regularizer=None, W_constraint=None, "
    "b_constraint=None, bias=True"
)
_TAIL = f"dim_ordering='default', {_WEIGHTS}, **kwargs"
_SIZES = "nb_filter, nb_row, nb_col"
_LENGTHS = "nb_filter, filter_length"
_CONV_1D = f"{_INIT}, border_mode='valid', subsample_length=1"
_POOL = "pool_size={2}, strides=None, border_mode='valid', dim_ordering='default', **kwargs"

LAYERS = Namespace(
    "keras 1",
    "keras",
    Kind.LAYER,
    _ROLES,
    (
        Row(
            Family.CONV,
            "Conv#D=Convolution#D",
            f"{_LENGTHS}, {_CONV_1D}, {_WEIGHTS}, input_dim=None, input_length=None, **kwargs",
            dims="1",
        ),
        Row(Family.CONV, "Conv#D=Convolution#D", f"{_SIZES}, {_CONV}, {_TAIL}", dims="2"),
        Row(
            Family.CONV,
            "Conv#D=Convolution#D",
            f"nb_filter, kernel_dim1, kernel_dim2, kernel_dim3, {_CONV}, {_TAIL}",
            dims="3",
        ),
        Row(
            Family.CONV,
            "AtrousConvolution#D=AtrousConv#D",
            f"{_LENGTHS}, {_CONV_1D}, atrous_rate=1, {_WEIGHTS}, **kwargs",
            dims="1",
        ),
        Row(
            Family.CONV,
            "AtrousConvolution#D=AtrousConv#D",
            f"{_SIZES}, {_CONV}, atrous_rate={{1}}, {_TAIL}",
            dims="2",
        ),
        Row(
            Family.SEPARABLE,
            "SeparableConv#D=SeparableConvolution#D",
            f"{_SIZES}, {_CONV}, depth_multiplier=1, dim_ordering='default', depthwise_regularizer=None, "
            "pointwise_regularizer=None, b_regularizer=None, activity_regularizer=None, "
            "depthwise_constraint=None, pointwise_constraint=None, b_constraint=None, bias=True, **kwargs",
            dims="2",
        ),
        Row(
            Family.TRANSPOSED,
            "Deconvolution#D=Deconv#D",
            f"{_SIZES}, output_shape, {_CONV}, {_TAIL}",
            dims="2",
        ),
        Row(
            Family.MAX_POOL,
            "MaxPooling#D",
            "pool_length=2, stride=None, border_mode='valid', **kwargs",
            dims="1",
        ),
        Row(Family.MAX_POOL, "MaxPooling#D", _POOL, dims="23"),
        Row(
            Family.AVERAGE_POOL,
            "AveragePooling#D",
            "pool_length=2, stride=None, border_mode='valid', **kwargs",
            dims="1",
        ),
        Row(Family.AVERAGE_POOL, "AveragePooling#D", _POOL, dims="23"),
        Row(
            Family.FLATTEN,
            "GlobalMaxPooling#D GlobalAveragePooling#D",
            "dim_ordering='default', **kwargs",
            dims="23",
        ),
        Row(Family.PAD, "ZeroPadding#D", "padding={1}, dim_ordering='default', **kwargs", dims="23"),
        Row(
            Family.CROP,
            "Cropping#D",
            "cropping=((0, 0), (0, 0)), dim_ordering='default', **kwargs",
            dims="2",
        ),
        Row(
            Family.CROP,
            "Cropping#D",
            "cropping=((1, 1), (1, 1), (1, 1)), dim_ordering='default', **kwargs",
            dims="3",
        ),
        Row(Family.UPSAMPLE, "UpSampling#D", "length=2, **kwargs", dims="1"),
        Row(Family.UPSAMPLE, "UpSampling#D", "size={2}, dim_ordering='default', **kwargs", dims="23"),
        Row(Family.DENSE, "Dense", f"output_dim, {_INIT}, {_WEIGHTS}, input_dim=None, **kwargs"),
    ),
    pads=PadStyle.KERAS,
    stride_is_kernel=True,
    module="keras.layers",
    retired=True,
)

_ONLY_HERE = frozenset(name for name, _ in entries(LAYERS) if name.startswith(("Atrous", "Deconv")))

PACKAGES = ("keras", "tensorflow")
NAMESPACES = (LAYERS,)
SPELLINGS = (Spelling(rf"{KERAS}\.layers(\.[a-z]\w*)*", LAYERS.name, only=_ONLY_HERE),)
