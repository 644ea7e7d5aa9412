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
    ADAPTIVE_POOL = "adaptive pooling"
    UNFOLD = "unfold"
    PAD = "pad"
    CROP = "crop"
    UPSAMPLE = "upsample"
    ELEMENTWISE = "elementwise"  # keeps every spatial size: activations, normalisation, dropout
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
        """True for pools with a window (max, average, LP)."""
        return self in (Family.MAX_POOL, Family.AVERAGE_POOL, Family.LP_POOL)


class Kind(enum.Enum):
    """How a call of the operator looks: it builds a layer object, or it takes the tensor itself."""

    LAYER = "layer"
    FUNCTION = "function"


class PadStyle(enum.Enum):
    """How amounts per side are written in the `padding` (or `cropping`) parameter of an operator."""

    TORCH = "torch"  # one flat tuple, last spatial axis first: (left, right, top, bottom)
    KERAS = "keras"  # one pair per spatial axis, first axis first; 1-D is a bare pair
    TENSORFLOW = "tensorflow"  # one pair per axis of the tensor, batch and channels included


class _Required:
    """Marks a parameter without default."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = _Required()


@dataclass(frozen=True)
class Parameter:
    """A parameter of the real signature, in order. `default` is REQUIRED where the framework has none."""

    name: str
    default: Any = REQUIRED
    keyword_only: bool = False


@dataclass(frozen=True)
class Operator:
    """One operator of one framework.

    `name` is the canonical dotted path (`torch.nn.Conv2d`, `keras.layers.Conv2D`, `tf.nn.conv2d`).
    `ndim` is the number of spatial axes, None where it depends on the arguments (`tf.nn.convolution`).
    `roles` maps a role that padlint reasons about to the name of the parameter that plays it in this
    signature; roles are: input, weight, kernel, stride, dilation, padding, padding_mode, data_format,
    output_padding, ceil_mode, count_include_pad, divisor, groups, in_channels, out_channels, value, mode,
    activation, activity_regularizer, cropping, scale (a factor), output_size (spatial), output_shape (all
    axes), shape and batch_shape (of an input), keepdims, pooling_type, layers (of a container).
    A role that the operator lacks is absent. `aliases` maps a parameter that is a second spelling of another
    one to it: `{"input": "value"}` in `tf.compat.v1.nn.max_pool`.
    `stride_is_kernel` says that a stride of None means the kernel size (pools).
    `pads` says how amounts per side are written, None where the operator takes none.
    `zero_preserving` is for ELEMENTWISE operators: f(0) == 0, so that a zero pad commutes with it;
    `non_negative` likewise says that every output is >= 0. Both hold unless the call sets a parameter
    of `unless`.
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
    stride_is_kernel: bool = False
    pads: PadStyle | None = None
    zero_preserving: bool = False
    non_negative: bool = False
    unless: frozenset[str] = frozenset()
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
