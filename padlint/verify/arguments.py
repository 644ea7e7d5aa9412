"""From the arguments of an operator call to what the framework gets; what is unknown becomes a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from padlint.catalogue.model import REQUIRED, Family, Kind, Operator
from padlint.verify.values import Sample, Unsupported

DEFAULT_CHANNELS = 4
CHANNELS = {
    *("in_channels", "out_channels", "groups"),
    *("num_features", "num_channels", "num_groups", "num_parameters"),
}
_DEPTH_MULTIPLIER = 2
_CARRIED_SUFFIXES = ("_initializer", "_regularizer", "_constraint")
# They change no value of a forward pass, or would undo the proof's precision: only their texts are compared.
_CARRIED = {
    *("name", "dtype", "device", "trainable", "autocast", "activity_regularizer", "return_indices"),
    *("input_shape", "batch_input_shape", "batch_shape", "input_dim", "batch_size", "weights"),
}
# A rewrite may move these to the pad layer.
_PLACED = {"input_shape", "batch_input_shape", "input_dim", "batch_size"}
# No sample can stand for these.
_DECISIVE = {
    *("kernel", "stride", "dilation", "padding", "padding_mode", "data_format", "output_padding"),
    *(
        "output_shape",
        "ceil_mode",
        "count_include_pad",
        "divisor",
        "value",
        "mode",
        "cropping",
        "scale",
        "output_size",
    ),
    *("keepdims", "pooling_type", "layers"),
}


@dataclass(frozen=True)
class Facts:
    """What samples look like: the input's channels and layout, groups, and the kernel of a bare weight.

    All counts of channels and groups in the programs are divided by `scale`: padding does not depend on them,
    and the time that a proof takes does.
    """

    channels: int = DEFAULT_CHANNELS
    groups: int = 1
    channels_first: bool = False
    kernel: tuple[int, ...] | None = None
    scale: int = 1

    def scaled(self, role: str, value: Any) -> Any:
        """The value of a parameter, divided if it counts channels."""
        if self.scale == 1 or role not in CHANNELS or not isinstance(value, int) or value <= 1:
            return value
        if value % self.scale:
            raise Unsupported(f"{value} is no multiple of {self.scale}")
        return value // self.scale

    @property
    def out_channels(self) -> int:
        """A number of filters that the groups divide."""
        return math.lcm(DEFAULT_CHANNELS, self.groups)


class Tensors(Protocol):
    """Makes the sample tensors of one program; equal texts and shapes give equal tensors."""

    def input(self, text: str) -> Any:
        """The tensor that an operator reads."""

    def weight(self, text: str, shape: tuple[int, ...]) -> Any:
        """A weight or bias, to be differentiated."""


@dataclass
class Filled:
    """Arguments ready for the framework, and the texts that stand in the call but were not run."""

    values: dict[str, Any] = field(default_factory=dict)
    carried: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def bind(operator: Operator, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by parameter name, as Python would bind them; `TypeError` where Python raises it."""
    positional = [parameter.name for parameter in operator.signature if not parameter.keyword_only]
    if len(args) > len(positional) and not operator.var_positional:
        raise TypeError(
            f"{operator.short}() takes {len(positional)} positional arguments, {len(args)} were given"
        )
    bound = dict(zip(positional, args, strict=False))
    for name, value in keywords.items():
        if name in bound:
            raise TypeError(f"{operator.short}() got multiple values for argument '{name}'")
        if operator.parameter(name) is None and not operator.var_keyword:
            raise TypeError(f"{operator.short}() got an unexpected keyword argument '{name}'")
        bound[name] = value
    return bound


def role_of(operator: Operator, parameter: str) -> str:
    """The role that a parameter plays; its name if it plays none."""
    parameter = operator.aliases.get(parameter, parameter)
    return next((role for role, name in operator.roles.items() if name == parameter), parameter)


def fill(operator: Operator, bound: Mapping[str, Any], facts: Facts, tensors: Tensors) -> Filled:
    """Replace what is unknown by samples, and leave out what does not change the computed function."""
    filled = Filled()
    for name, value in bound.items():
        role = role_of(operator, name)
        carried = role in _CARRIED or role.endswith(_CARRIED_SUFFIXES)
        if (carried and name not in _PLACED) or role == "activation":
            filled.carried.append((name, value.text if isinstance(value, Sample) else repr(value)))
        if carried:
            continue
        if _holds_dict(value):
            raise Unsupported(f"{name} of {operator.short} is a dictionary, which may name any code")
        if not isinstance(value, Sample):
            filled.values[name] = facts.scaled(role, value)
        elif role == "input":
            filled.values[name] = tensors.input(value.text)
        elif operator.kind is Kind.FUNCTION and (shape := _weight_shape(operator, name, bound, facts)):
            filled.values[name] = tensors.weight(value.text, shape)
        else:
            _substitute(filled, operator, name, role, value, bound, facts)
    return filled


def _holds_dict(value: object) -> bool:
    """True for what Keras would take as the description of an object to import and build."""
    return isinstance(value, dict) or (isinstance(value, tuple | list) and any(map(_holds_dict, value)))


def _substitute(
    filled: Filled,
    operator: Operator,
    name: str,
    role: str,
    value: Sample,
    bound: Mapping[str, Any],
    facts: Facts,
) -> None:
    """Put a sample number in the place of `value`, or leave the argument out."""
    if role in _DECISIVE:
        raise Unsupported(f"{name} of {operator.short} is unknown ('{value.text}')")
    if role != "activation":
        filled.carried.append((name, value.text))
    if role in ("in_channels", "num_features", "num_channels"):
        filled.values[name] = facts.channels
    elif role == "out_channels":
        filled.values[name] = facts.out_channels
    elif role == "groups":
        of_channels = bound.get(operator.roles.get("in_channels", "")) == value
        filled.values[name] = facts.channels if of_channels else 1
    elif name in ("bias", "use_bias"):
        filled.values[name] = True
    elif role == "activation":
        filled.notes.append(f"activation '{value.text}' was left out")
    else:
        parameter = operator.parameter(name)
        if parameter is None or parameter.default is REQUIRED:
            raise Unsupported(f"{name} of {operator.short} is unknown ('{value.text}')")


def _weight_shape(
    operator: Operator, name: str, bound: Mapping[str, Any], facts: Facts
) -> tuple[int, ...] | None:
    """Shape of the tensor that a function expects as its weight or bias, None for other parameters."""
    if not operator.family.is_convolution:
        return None
    groups = bound.get(operator.roles.get("groups", ""), 1)
    groups = facts.scaled("groups", groups) if isinstance(groups, int) else 1
    transposed = operator.family is Family.TRANSPOSED
    if name == "bias":
        return (facts.out_channels,)
    if name == "pointwise_filter":
        return (*(1,) * (operator.ndim or 2), facts.channels * _DEPTH_MULTIPLIER, facts.out_channels)
    if name != operator.roles.get("weight") and name != "depthwise_filter":
        return None
    if facts.kernel is None:
        raise Unsupported(f"the kernel size of {operator.short} is unknown ('{bound[name].text}')")
    if operator.framework == "torch":
        channels = (
            (facts.channels, facts.out_channels) if transposed else (facts.out_channels, facts.channels)
        )
        return (channels[0], channels[1] // groups, *facts.kernel)
    if operator.family in (Family.DEPTHWISE, Family.SEPARABLE):
        return (*facts.kernel, facts.channels, _DEPTH_MULTIPLIER)
    channels = (facts.out_channels, facts.channels) if transposed else (facts.channels, facts.out_channels)
    return (*facts.kernel, *channels)
