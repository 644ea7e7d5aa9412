"""The vocabulary in which each framework's operators are described. Data only."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Family(enum.Enum):
    """What an operator does to the spatial axes of its input."""

    CONV = "conv"
    DEPTHWISE = "depthwise conv"
    SEPARABLE = "separable conv"
    TRANSPOSED = "transposed conv"
    MAX_POOL = "max pooling"
    AVERAGE_POOL = "average pooling"
    LP_POOL = "LP pooling"
    WINDOW = (
        "windowed reduction"  # with any function: min pooling, `flax.linen.pool`, `jax.lax.reduce_window`
    )
    ADAPTIVE_POOL = "adaptive pooling"
    UNFOLD = "unfold"
    PAD = "pad"
    CROP = "crop"
    UPSAMPLE = "upsample"
    RESIZE = "resize"  # to a size that the call gives, whatever the input's
    RESHAPE = "reshape"  # to a shape that the call gives, without the batch
    ELEMENTWISE = "elementwise"  # keeps every spatial size: activations, normalisation, dropout
    JOIN = "join"  # several tensors of one size, element by element: Add, Maximum
    CONCAT = "concat"  # several tensors end to end along one axis
    INPUT = "input"
    FLATTEN = "flatten"  # ends the spatial axes: Flatten, global pooling
    DENSE = "dense"
    CONTAINER = "container"  # Sequential, ModuleList

    @property
    def is_convolution(self) -> bool:
        """True for conv, depthwise, separable and transposed conv."""
        return self in (Family.CONV, Family.DEPTHWISE, Family.SEPARABLE, Family.TRANSPOSED)

    @property
    def is_pooling(self) -> bool:
        """True for pools with a window (max, average, LP, any other reduction)."""
        return self in (Family.MAX_POOL, Family.AVERAGE_POOL, Family.LP_POOL, Family.WINDOW)


class Kind(enum.Enum):
    """How a call of the operator looks: it builds a layer object, or it takes the tensor itself."""

    LAYER = "layer"
    FUNCTION = "function"


class PadStyle(enum.Enum):
    """How amounts per side are written in the `padding` (or `cropping`) parameter of an operator."""

    TORCH = "torch"  # one flat tuple, last spatial axis first: (left, right, top, bottom)
    KERAS = "keras"  # one pair per spatial axis, first axis first; 1-D is a bare pair
    TENSORFLOW = "tensorflow"  # one pair per axis of the tensor, batch and channels included
    PAIRS = "pairs"  # a list with one pair per spatial axis, first axis first
    FLAX = "flax"  # as PAIRS; an int stands for a pair, and one int for all of them
    HAIKU = "haiku"  # as PAIRS; a bare pair, or a list of one, stands for every axis
    LAX = "lax"  # (before, after, between) per axis of the tensor, batch and channels included


class _Required:
    """Marks a parameter without default."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()


@dataclass(frozen=True)
class Parameter:
    """A parameter of the real signature, in order.

    `default` is REQUIRED where the framework has none, and `...` where it is no literal (`jnp.float32`).
    """

    name: str
    default: Any = REQUIRED
    keyword_only: bool = False


@dataclass(frozen=True)
class Operator:
    """One operator of one framework.

    `name` is the canonical dotted path (`torch.nn.Conv2d`, `keras.layers.Conv2D`, `tf.nn.conv2d`).
    `framework` is one of torch, keras, tf (`tf.nn` and `tf` itself), tf_layers, slim, flax, jax, haiku.
    `ndim` is the number of spatial axes, None where it depends on the arguments (`tf.nn.convolution`);
    `rank_from` then says which ones show it, see `rank_of`.
    `roles` maps a role that padlint reasons about to the name of the parameter that plays it in this
    signature; roles are: input, other (second operand of a JOIN), weight, kernel, stride, dilation,
    input_dilation (zeros between the inputs, JAX), padding, padding_mode, data_format (also JAX's dimension
    numbers), output_padding, ceil_mode, count_include_pad, divisor, groups, in_channels, out_channels, value,
    mode, activation, activity_regularizer, cropping, scale (a factor), output_size (spatial), output_shape
    (all axes; of a RESHAPE all but the batch), shape and batch_shape (of an input), keepdims, axis (of a
    CONCAT), pooling_type, rank (the number of spatial axes), layers (of a container).
    A role that the operator lacks is absent. `aliases` maps a parameter that is a second spelling of another
    one to it: `{"input": "value"}` in `tf.compat.v1.nn.max_pool`. `per_axis` has the roles that one parameter
    for each spatial axis shares, first axis first: `{"kernel": ("nb_row", "nb_col")}` in Keras 1.
    `stride_is_kernel` says that a stride of None means the kernel size (pools).
    `pads` says how amounts per side are written, None where the operator takes none. In a transposed
    convolution of JAX they pad the input between whose elements the stride has put zeros, and crop nothing.
    `channels_last` says where the channels are unless data_format tells.
    `zero_preserving` is for ELEMENTWISE operators: f(0) == 0, so that a zero pad commutes with it;
    `non_negative` likewise says that every output is >= 0. Both hold unless the call sets a parameter
    of `unless`, and so does the given size of a RESIZE.
    `quantized` marks the operators of `torch.ao.nn`: quantised, or trained to be. `retired` marks an API that
    nothing installable has (Keras 1), so that nothing can be proved of it.
    `var_positional` and `var_keyword` are True where the signature has `*args` (containers) and `**kwargs`
    (Keras layers).
    """

    name: str
    framework: str
    family: Family
    kind: Kind
    ndim: int | None
    signature: tuple[Parameter, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    per_axis: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rank_from: tuple[tuple[str, int], ...] = ()
    stride_is_kernel: bool = False
    pads: PadStyle | None = None
    channels_last: bool = True
    zero_preserving: bool = False
    non_negative: bool = False
    unless: frozenset[str] = frozenset()
    quantized: bool = False
    retired: bool = False
    var_positional: bool = False
    var_keyword: bool = False

    @property
    def short(self) -> str:
        """Last part of the name: `Conv2d`."""
        return self.name.rpartition(".")[2]

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, or None."""
        return next((p for p in self.signature if p.name == name), None)

    def default(self, role: str) -> Any:
        """Default value of the parameter that plays `role`; REQUIRED if it has none or the role is absent."""
        parameter = self.parameter(self.roles.get(role, ""))
        return REQUIRED if parameter is None else parameter.default
