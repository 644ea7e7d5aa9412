"""PyTorch: `torch.nn`, `torch.nn.functional` and the functions of `torch` itself."""

from __future__ import annotations

from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.catalogue.table import Namespace, Row, Spelling, same

_ROLES = {
    "input": "input",
    "tensors": "input",
    "other": "other",
    "dim": "axis",
    "axis": "axis",
    "weight": "weight",
    "in_channels": "in_channels",
    "in_features": "in_channels",
    "out_channels": "out_channels",
    "out_features": "out_channels",
    "kernel_size": "kernel",
    "stride": "stride",
    "dilation": "dilation",
    "padding": "padding",
    "pad": "padding",
    "padding_mode": "padding_mode",
    "output_padding": "output_padding",
    "groups": "groups",
    "ceil_mode": "ceil_mode",
    "count_include_pad": "count_include_pad",
    "divisor_override": "divisor",
    "output_size": "output_size",
    "size": "output_size",
    "scale_factor": "scale",
    "upscale_factor": "scale",
    "mode": "mode",
    "value": "value",
    "modules": "layers",
}
_FACTORY = "device=None, dtype=None"
_OPEN = "*args, **kwargs"

_CONV = f"stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', {_FACTORY}"
_TRANSPOSED = (
    "stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, "
    f"padding_mode='zeros', {_FACTORY}"
)
_MAX_POOL = "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False"
_AVERAGE_POOL = "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"
_FRACTIONAL = "kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None"
_BATCH_NORM = "eps=1e-05, momentum=0.1, affine=True, track_running_stats=True"
_INSTANCE_NORM = "eps=1e-05, momentum=0.1, affine=False, track_running_stats=False"
_LRN = "size, alpha=0.0001, beta=0.75, k=1.0"
_RRELU = "lower=0.125, upper=0.3333333333333333"
_UPSAMPLE = "size=None, scale_factor=None"

LAYERS = Namespace(
    "torch.nn",
    "torch",
    Kind.LAYER,
    _ROLES,
    (
        Row(Family.CONV, "Conv#d", f"in_channels, out_channels, kernel_size, {_CONV}"),
        Row(Family.CONV, "LazyConv#d", f"out_channels, kernel_size, {_CONV}"),
        Row(Family.TRANSPOSED, "ConvTranspose#d", f"in_channels, out_channels, kernel_size, {_TRANSPOSED}"),
        Row(Family.TRANSPOSED, "LazyConvTranspose#d", f"out_channels, kernel_size, {_TRANSPOSED}"),
        Row(Family.MAX_POOL, "MaxPool#d", _MAX_POOL),
        Row(Family.AVERAGE_POOL, "AvgPool#d", _AVERAGE_POOL, dims="1"),
        Row(Family.AVERAGE_POOL, "AvgPool#d", f"{_AVERAGE_POOL}, divisor_override=None", dims="23"),
        Row(Family.LP_POOL, "LPPool#d", "norm_type, kernel_size, stride=None, ceil_mode=False"),
        Row(Family.ADAPTIVE_POOL, "AdaptiveAvgPool#d", "output_size"),
        Row(Family.ADAPTIVE_POOL, "AdaptiveMaxPool#d", "output_size, return_indices=False"),
        Row(Family.ADAPTIVE_POOL, "FractionalMaxPool#d", _FRACTIONAL, dims="23"),
        Row(Family.UNFOLD, "Unfold", "kernel_size, dilation=1, padding=0, stride=1", ndim=2),
        Row(Family.PAD, "ZeroPad#d ReflectionPad#d ReplicationPad#d CircularPad#d", "padding"),
        Row(Family.PAD, "ConstantPad#d", "padding, value"),
        Row(
            Family.UPSAMPLE,
            "Upsample",
            f"{_UPSAMPLE}, mode='nearest', align_corners=None, recompute_scale_factor=None",
        ),
        Row(Family.UPSAMPLE, "UpsamplingNearest2d UpsamplingBilinear2d", _UPSAMPLE, ndim=2),
        Row(Family.UPSAMPLE, "PixelShuffle", "upscale_factor", ndim=2),
        Row(Family.FLATTEN, "Flatten", "start_dim=1, end_dim=-1"),
        Row(Family.DENSE, "Linear", f"in_features, out_features, bias=True, {_FACTORY}"),
        Row(Family.DENSE, "LazyLinear", f"out_features, bias=True, {_FACTORY}"),
        Row(Family.CONTAINER, "Sequential", "*args"),
        Row(Family.CONTAINER, "ModuleList ModuleDict", "modules=None"),
        same("ReLU ReLU6", "inplace=False", zero=True, positive=True),
        same("SELU SiLU Mish Hardswish", "inplace=False", zero=True),
        same("ELU CELU", "alpha=1.0, inplace=False", zero=True),
        same("LeakyReLU", "negative_slope=0.01, inplace=False", zero=True),
        same("PReLU", f"num_parameters=1, init=0.25, {_FACTORY}", zero=True),
        same("RReLU", f"{_RRELU}, inplace=False", zero=True),
        same("GELU", "approximate='none'", zero=True),
        same(
            "Hardtanh",
            "min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None",
            zero=True,
            unless="min_val max_val min_value max_value",
        ),
        same("Hardshrink Softshrink", "lambd=0.5", zero=True),
        same("Tanh Tanhshrink Softsign Identity", _OPEN, zero=True),
        same("Hardsigmoid", "inplace=False", positive=True),
        same("Sigmoid Softmax2d", _OPEN, positive=True),
        same("Softplus", "beta=1.0, threshold=20.0", positive=True, unless="beta"),
        same("Softmax Softmin", "dim=None", positive=True),
        same("LogSigmoid", _OPEN),
        same("LogSoftmax", "dim=None"),
        same("Threshold", "threshold, value, inplace=False"),
        same("Dropout Dropout1d Dropout2d Dropout3d", "p=0.5, inplace=False", zero=True),
        same("AlphaDropout FeatureAlphaDropout", "p=0.5, inplace=False"),
        same("LocalResponseNorm", _LRN, zero=True, unless="k"),
        same("BatchNorm#d", f"num_features, {_BATCH_NORM}, {_FACTORY}, *, bias=True"),
        same("LazyBatchNorm#d LazyInstanceNorm#d", f"{_BATCH_NORM}, {_FACTORY}, *, bias=True"),
        same("SyncBatchNorm", f"num_features, {_BATCH_NORM}, process_group=None, {_FACTORY}, *, bias=True"),
        same("InstanceNorm#d", f"num_features, {_INSTANCE_NORM}, {_FACTORY}, *, bias=True"),
        same("GroupNorm", f"num_groups, num_channels, eps=1e-05, affine=True, {_FACTORY}, *, bias=True"),
        same("LayerNorm", f"normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, {_FACTORY}"),
        same("RMSNorm", f"normalized_shape, eps=None, elementwise_affine=True, {_FACTORY}"),
    ),
    pads=PadStyle.TORCH,
    stride_is_kernel=True,
    channels_last=False,
)

_F_CONV = "input, weight, bias=None, stride=1, padding=0"
_F_MAX_POOL = "kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False"

FUNCTIONS = Namespace(
    "torch.nn.functional",
    "torch",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.CONV, "conv#d", f"{_F_CONV}, dilation=1, groups=1"),
        Row(Family.TRANSPOSED, "conv_transpose#d", f"{_F_CONV}, output_padding=0, groups=1, dilation=1"),
        Row(Family.MAX_POOL, "max_pool#d", f"input, {_F_MAX_POOL}, return_indices=False"),
        Row(Family.AVERAGE_POOL, "avg_pool#d", f"input, {_AVERAGE_POOL}", dims="1"),
        Row(Family.AVERAGE_POOL, "avg_pool#d", f"input, {_AVERAGE_POOL}, divisor_override=None", dims="23"),
        Row(Family.LP_POOL, "lp_pool#d", "input, norm_type, kernel_size, stride=None, ceil_mode=False"),
        Row(Family.ADAPTIVE_POOL, "adaptive_avg_pool#d", "input, output_size"),
        Row(Family.ADAPTIVE_POOL, "adaptive_max_pool#d", "input, output_size, return_indices=False"),
        Row(Family.ADAPTIVE_POOL, "fractional_max_pool#d", f"input, {_FRACTIONAL}", dims="23"),
        Row(Family.UNFOLD, "unfold", "input, kernel_size, dilation=1, padding=0, stride=1", ndim=2),
        Row(Family.PAD, "pad", "input, pad, mode='constant', value=None"),
        Row(
            Family.UPSAMPLE,
            "interpolate",
            f"input, {_UPSAMPLE}, mode='nearest', align_corners=None, recompute_scale_factor=None, "
            "antialias=False",
        ),
        Row(Family.UPSAMPLE, "upsample", f"input, {_UPSAMPLE}, mode='nearest', align_corners=None"),
        Row(Family.UPSAMPLE, "upsample_nearest upsample_bilinear", f"input, {_UPSAMPLE}"),
        Row(Family.UPSAMPLE, "pixel_shuffle", "input, upscale_factor", ndim=2),
        Row(Family.DENSE, "linear", "input, weight, bias=None"),
        same("relu relu6", "input, inplace=False", zero=True, positive=True),
        same("relu_", "input", zero=True, positive=True),
        same("selu silu mish hardswish", "input, inplace=False", zero=True),
        same("elu celu", "input, alpha=1.0, inplace=False", zero=True),
        same("leaky_relu", "input, negative_slope=0.01, inplace=False", zero=True),
        same("prelu", "input, weight", zero=True),
        same("rrelu", f"input, {_RRELU}, training=False, inplace=False", zero=True),
        same("gelu", "input, approximate='none'", zero=True),
        same(
            "hardtanh", "input, min_val=-1.0, max_val=1.0, inplace=False", zero=True, unless="min_val max_val"
        ),
        same("hardshrink softshrink", "input, lambd=0.5", zero=True),
        same("tanh tanhshrink softsign", "input", zero=True),
        same("hardsigmoid", "input, inplace=False", positive=True),
        same("sigmoid", "input", positive=True),
        same("softplus", "input, beta=1, threshold=20", positive=True, unless="beta"),
        same("softmax softmin", "input, dim=None, _stacklevel=3, dtype=None", positive=True),
        same("logsigmoid", "input"),
        same("log_softmax", "input, dim=None, _stacklevel=3, dtype=None"),
        same("threshold", "input, threshold, value, inplace=False"),
        same(
            "dropout dropout1d dropout2d dropout3d", "input, p=0.5, training=True, inplace=False", zero=True
        ),
        same("alpha_dropout feature_alpha_dropout", "input, p=0.5, training=False, inplace=False"),
        same("local_response_norm", f"input, {_LRN}", zero=True, unless="k"),
        same("normalize", "input, p=2.0, dim=1, eps=1e-12, out=None"),
        same(
            "batch_norm",
            "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, "
            "eps=1e-05",
        ),
        same(
            "instance_norm",
            "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, "
            "momentum=0.1, eps=1e-05",
        ),
        same("group_norm", "input, num_groups, weight=None, bias=None, eps=1e-05"),
        same("layer_norm", "input, normalized_shape, weight=None, bias=None, eps=1e-05"),
        same("rms_norm", "input, normalized_shape, weight=None, eps=None"),
    ),
    pads=PadStyle.TORCH,
    stride_is_kernel=True,
    channels_last=False,
)

TOP = Namespace(
    "torch",
    "torch",
    Kind.FUNCTION,
    _ROLES,
    (
        Row(Family.MAX_POOL, "max_pool#d", f"input, {_F_MAX_POOL}"),
        Row(Family.FLATTEN, "flatten", "input, start_dim=0, end_dim=-1"),
        Row(Family.CONCAT, "cat concat", "tensors, dim=0, *, out=None"),
        Row(Family.CONCAT, "concatenate", "tensors, axis=0, out=None"),
        Row(Family.JOIN, "add sub subtract", "input, other, *, alpha=1, out=None"),
        Row(Family.JOIN, "mul multiply maximum minimum", "input, other, *, out=None"),
        same("relu", "input", zero=True, positive=True),
        same("tanh", "input, *, out=None", zero=True),
        same("sigmoid", "input, *, out=None", positive=True),
    ),
    stride_is_kernel=True,
    channels_last=False,
)

_SAME_IN_TORCH = frozenset(f"{name}{n}d" for name in ("conv", "conv_transpose") for n in (1, 2, 3)) | {
    "avg_pool1d",
    "adaptive_avg_pool1d",
    "pixel_shuffle",
    "prelu",
    "hardshrink",
    "relu_",
}

PACKAGES = ("torch",)
NAMESPACES = (LAYERS, FUNCTIONS, TOP)
SPELLINGS = (
    Spelling(r"torch\.nn(\.modules)?", LAYERS.name, star=True),
    Spelling(r"torch\.nn\.modules\.[a-z]\w*", LAYERS.name),
    Spelling(r"torch\.nn\.functional", FUNCTIONS.name, star=True),
    Spelling(r"torch", FUNCTIONS.name, only=_SAME_IN_TORCH, star=True),
    Spelling(r"torch", TOP.name, star=True),
)
