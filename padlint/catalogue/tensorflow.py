"""TensorFlow's functions: `tf.nn`, `tf.compat.v1.nn` and `tf` itself. Its `tf.keras` is in `keras`."""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "input": "input",
    "value": "input",
    "tensor": "input",
    "features": "input",
    "logits": "input",
    "x": "input",
    "values": "input",
    "inputs": "input",
    "y": "other",
    "axis": "axis",
    "block_size": "scale",
    "filters": "weight",
    "filter": "weight",
    "depthwise_filter": "weight",
    "ksize": "kernel",
    "window_shape": "kernel",
    "pooling_type": "pooling_type",
    "strides": "stride",
    "stride": "stride",
    "dilations": "dilation",
    "dilation_rate": "dilation",
    "rate": "dilation",
    "padding": "padding",
    "paddings": "padding",
    "data_format": "data_format",
    "output_shape": "output_shape",
    "mode": "mode",
    "constant_values": "value",
}
_PAIRS = PadStyle.TENSORFLOW

_TRANSPOSED = "input, filters, output_shape, strides, padding='SAME'"
_TAIL = "dilations=None, name=None"
_TRANSPOSED_ND = f"{_TRANSPOSED}, data_format={{NHWC}}, {_TAIL}"
_CONV_ND = f"input, filters, strides, padding, data_format={{NHWC}}, {_TAIL}"
_SEPARABLE = "input, depthwise_filter, pointwise_filter, strides, padding"
_POOL = "ksize, strides, padding"
_POOL_ND = f"input, {_POOL}, data_format={{NHWC}}, name=None"
_POOL_ANY = f"input, {_POOL}, data_format=None, name=None"
_EITHER = "kernel kernel+2"
_LRN = "input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None"

NN = Namespace(
    "tf.nn",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(
            Family.CONV, "conv#d", f"input, filters, stride, padding, data_format={{NHWC}}, {_TAIL}", dims="1"
        ),
        Row(Family.CONV, "conv#d", _CONV_ND, dims="2", pads=_PAIRS),
        Row(Family.CONV, "conv#d", _CONV_ND, dims="3"),
        Row(
            Family.CONV,
            "convolution",
            f"input, filters, strides=None, padding='VALID', data_format=None, {_TAIL}",
            rank="stride stride+2",
        ),
        Row(Family.CONV, "atrous_conv2d", "value, filters, rate, padding, name=None", ndim=2),
        Row(
            Family.DEPTHWISE,
            "depthwise_conv2d",
            f"input, filter, strides, padding, data_format=None, {_TAIL}",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(
            Family.SEPARABLE,
            "separable_conv2d",
            f"{_SEPARABLE}, data_format=None, {_TAIL}",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(Family.TRANSPOSED, "conv#d_transpose", _TRANSPOSED_ND, dims="13"),
        Row(Family.TRANSPOSED, "conv#d_transpose", _TRANSPOSED_ND, dims="2", pads=_PAIRS),
        Row(
            Family.TRANSPOSED,
            "conv_transpose",
            f"{_TRANSPOSED}, data_format=None, {_TAIL}",
            rank="stride stride+2",
        ),
        Row(
            Family.TRANSPOSED,
            "atrous_conv2d_transpose",
            "value, filters, output_shape, rate, padding, name=None",
            ndim=2,
        ),
        Row(Family.MAX_POOL, "max_pool", _POOL_ANY, rank=_EITHER),
        Row(Family.MAX_POOL, "max_pool#d", _POOL_ND, dims="12", pads=_PAIRS),
        Row(Family.MAX_POOL, "max_pool#d", _POOL_ND, dims="3"),
        Row(
            Family.MAX_POOL,
            "max_pool_with_argmax",
            f"input, {_POOL}, data_format='NHWC', output_dtype='int64', "
            "include_batch_in_index=False, name=None",
            ndim=2,
        ),
        Row(Family.AVERAGE_POOL, "avg_pool", _POOL_ANY, rank=_EITHER),
        Row(Family.AVERAGE_POOL, "avg_pool#d", _POOL_ND),
        Row(
            Family.AVERAGE_POOL,  # or max pooling: `pooling_type` tells
            "pool",
            f"input, window_shape, pooling_type, strides=None, padding='VALID', data_format=None, {_TAIL}",
            rank="kernel",
        ),
        Row(Family.UPSAMPLE, "depth_to_space", "input, block_size, data_format='NHWC', name=None", ndim=2),
        same("relu relu6", "features, name=None", zero=True, positive=True),
        same("elu selu softsign", "features, name=None", zero=True),
        same("leaky_relu", "features, alpha=0.2, name=None", zero=True),
        same("gelu", "features, approximate=False, name=None", zero=True),
        same("silu=swish", "features, beta=1.0", zero=True),
        same("tanh", "x, name=None", zero=True),
        same("sigmoid", "x, name=None", positive=True),
        same("softplus", "features, name=None", positive=True),
        same("softmax", "logits, axis=None, name=None", positive=True),
        same("log_softmax", "logits, axis=None, name=None"),
        same("dropout", "x, rate, noise_shape=None, seed=None, name=None", zero=True),
        same("lrn=local_response_normalization", _LRN, zero=True, unless="bias"),
        same("bias_add", "value, bias, data_format=None, name=None"),
        same("l2_normalize", "x, axis=None, epsilon=1e-12, name=None, dim=None"),
        same("batch_normalization", "x, mean, variance, offset, scale, variance_epsilon, name=None"),
    ),
    older="tf.compat.v1.nn",
)

_V1_FILTERS = "strides=None, padding=None"
_V1_TRANSPOSED = "filter=None, output_shape=None, strides=None, padding='SAME'"
_V1_RATE = "rate=None, name=None, data_format=None, dilations=None"
_V1_POOL = f"value, {_POOL}, data_format='NHWC', name=None, input=None"

NN_V1 = Namespace(
    "tf.compat.v1.nn",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(
            Family.CONV,
            "conv1d",
            "value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None, data_format=None, "
            "name=None, input=None, dilations=None",
            ndim=1,
        ),
        Row(
            Family.CONV,
            "conv2d",
            "input, filter=None, strides=None, padding=None, use_cudnn_on_gpu=True, data_format='NHWC', "
            "dilations=[1, 1, 1, 1], name=None, filters=None",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(
            Family.CONV,
            "conv3d",
            "input, filter=None, strides=None, padding=None, data_format='NDHWC', "
            "dilations=[1, 1, 1, 1, 1], name=None, filters=None",
            ndim=3,
        ),
        Row(
            Family.CONV,
            "convolution",
            "input, filter, padding, strides=None, dilation_rate=None, name=None, data_format=None, "
            "filters=None, dilations=None",
            rank="stride stride+2",
        ),
        Row(
            Family.DEPTHWISE,
            "depthwise_conv2d",
            f"input, filter, strides, padding, {_V1_RATE}",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(
            Family.DEPTHWISE,
            "depthwise_conv2d_native",
            "input, filter, strides, padding, data_format='NHWC', dilations=[1, 1, 1, 1], name=None",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(Family.SEPARABLE, "separable_conv2d", f"{_SEPARABLE}, {_V1_RATE}", ndim=2, pads=_PAIRS),
        Row(
            Family.TRANSPOSED,
            "conv2d_transpose",
            f"value=None, {_V1_TRANSPOSED}, data_format='NHWC', name=None, input=None, filters=None, "
            "dilations=None",
            ndim=2,
            pads=_PAIRS,
        ),
        Row(
            Family.TRANSPOSED,
            "conv3d_transpose",
            f"value, {_V1_TRANSPOSED}, data_format='NDHWC', name=None, input=None, filters=None, "
            "dilations=None",
            ndim=3,
        ),
        Row(Family.MAX_POOL, "max_pool", _V1_POOL, ndim=2, pads=_PAIRS),
        Row(Family.MAX_POOL, "max_pool_v2", _POOL_ANY, rank=_EITHER),
        Row(
            Family.MAX_POOL,
            "max_pool_with_argmax",
            f"input, {_POOL}, data_format='NHWC', Targmax=None, name=None, output_dtype=None, "
            "include_batch_in_index=False",
            ndim=2,
        ),
        Row(Family.AVERAGE_POOL, "avg_pool=avg_pool2d", _V1_POOL, ndim=2),
        Row(Family.AVERAGE_POOL, "avg_pool_v2", _POOL_ANY, rank=_EITHER),
        Row(
            Family.AVERAGE_POOL,  # or max pooling: `pooling_type` tells
            "pool",
            "input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, "
            "data_format=None, dilations=None",
            rank="kernel",
        ),
        Row(Family.UPSAMPLE, "depth_to_space", "input, block_size, name=None, data_format='NHWC'", ndim=2),
        same("dropout", "x, keep_prob=None, noise_shape=None, seed=None, name=None, rate=None", zero=True),
        same("softmax", "logits, axis=None, name=None, dim=None", positive=True),
        same("log_softmax", "logits, axis=None, name=None, dim=None"),
    ),
)

TOP = Namespace(
    "tf",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.PAD, "pad", "tensor, paddings, mode='CONSTANT', constant_values=0, name=None"),
        Row(Family.CONCAT, "concat", "values, axis, name='concat'"),
        Row(Family.JOIN, "add subtract multiply maximum minimum", "x, y, name=None"),
        Row(Family.JOIN, "add_n", "inputs, name=None"),
        same("identity", "input, name=None", zero=True),
    ),
    pads=_PAIRS,
    older="tf.compat.v1",
)

TOP_V1 = Namespace(
    "tf.compat.v1",
    "tf",
    Kind.FUNCTION,
    _ROLES,
    (Row(Family.PAD, "pad", "tensor, paddings, mode='CONSTANT', name=None, constant_values=0"),),
    pads=_PAIRS,
)

_IN_TOP = frozenset({"sigmoid", "tanh"})
_IN_MATH = _IN_TOP | {"softplus", "softsign", "softmax", "log_softmax", "l2_normalize"}
_ARITHMETIC = frozenset({"add", "subtract", "multiply", "maximum", "minimum", "add_n"})

_ONLY_V1 = frozenset({"depth_to_space"})

PACKAGES = ("tensorflow",)
NAMESPACES = (NN, NN_V1, TOP, TOP_V1)
SPELLINGS = (
    Spelling(r"tensorflow(\.compat\.v2)?\.nn", NN.name, star=True),
    Spelling(r"tensorflow\.compat\.v1\.nn", NN_V1.name, star=True),
    Spelling(r"tensorflow\.compat\.v1\.nn", NN.name, star=True),
    Spelling(r"tensorflow(\.compat\.v2)?", TOP.name, star=True),
    Spelling(r"tensorflow\.compat\.v1", TOP_V1.name, star=True),
    Spelling(r"tensorflow\.compat\.v1", TOP.name, star=True),
    Spelling(r"tensorflow(\.compat\.v[12])?", NN.name, only=_IN_TOP, star=True),
    Spelling(r"tensorflow\.compat\.v1\.math", NN_V1.name, only=_IN_MATH, star=True),
    Spelling(r"tensorflow(\.compat\.v[12])?\.math", NN.name, only=_IN_MATH, star=True),
    Spelling(r"tensorflow(\.compat\.v[12])?\.math", TOP.name, only=_ARITHMETIC, star=True),
    Spelling(r"tensorflow\.compat\.v1", NN_V1.name, only=_ONLY_V1, star=True),
    # What only TF 1 has there.
    Spelling(r"tensorflow", NN_V1.name, only=_ONLY_V1),
    Spelling(r"tensorflow\.nn", NN_V1.name),
)
