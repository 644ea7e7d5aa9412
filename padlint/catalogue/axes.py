"""How many spatial axes a call has, and which entries of a stride, window or dilation belong to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from padlint.catalogue.model import Operator

T = TypeVar("T")

_LAST = frozenset({"NWC", "NHWC", "NDHWC", "channels_last", "tf"})
_FIRST = frozenset({"NCW", "NCHW", "NCDHW", "channels_first", "th"})


def is_channels_last(data_format: object, default: bool = True) -> bool | None:
    """Where the channels are, in the words of `tf.nn` and JAX (NHWC, ...) or Keras; None for other words.

    Without a format it is the operator's `channels_last`: Keras asks a global setting, which is that unless
    changed. JAX's three dimension numbers begin with those of the input.
    """
    if isinstance(data_format, tuple) and len(data_format) == 3:
        data_format = data_format[0]
    if data_format is None:
        return default
    if not isinstance(data_format, str):
        return None
    return True if data_format in _LAST else False if data_format in _FIRST else None


def rank_of(operator: Operator, value: Callable[[str], object]) -> int | None:
    """The number of spatial axes of a call; `value` gives the argument or default of a role, None if unknown.

    It is the operator's own, or the length of a list, or the number given for the role `rank`. A list with
    entries for batch and channels too begins with 1. Flax reads an int as the kernel size of a single axis;
    elsewhere it stands for every axis and tells nothing.
    """
    if operator.ndim is not None:
        return operator.ndim
    found: dict[str, set[int]] = {}
    for role, more in operator.rank_from:
        given = value(role)
        if isinstance(given, (tuple, list)):
            number = len(given) - more if not more or given[:1] in ((1,), [1]) else 0
        elif isinstance(given, int) and role == "rank":
            number = given
        elif isinstance(given, int) and operator.framework == "flax":
            number = 1
        else:
            continue
        if 1 <= number <= 3:
            found.setdefault(role, set()).add(number)
    return next((numbers.pop() for numbers in found.values() if len(numbers) == 1), None)


def spatial_entries(
    value: T | Sequence[T], ndim: int, channels_last: bool | None = None
) -> tuple[T, ...] | None:
    """The entry for each spatial axis of a number, or of a list of length 1 or `ndim`.

    With `channels_last`, for `tf.nn`, also of a list of `ndim` + 2, with entries for batch and channels.
    None for another length.
    """
    if not isinstance(value, (tuple, list)):
        return (value,) * ndim  # type: ignore[return-value]
    if len(value) == 1:
        return (value[0],) * ndim
    if len(value) == ndim + 2 and channels_last is not None:
        return tuple(value[1:-1] if channels_last else value[2:])
    return tuple(value) if len(value) == ndim else None


def geometry(
    operator: Operator, value: Callable[[str], object], rank: int, layout: str
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None:
    """Kernel, stride and dilation per spatial axis of a call that ran; `value` gives what a role was worth.

    None where that is no geometry.
    """
    last = layout == "channels_last"
    kernel = spatial_entries(value("kernel"), rank, last)
    missing = kernel if operator.stride_is_kernel else 1
    stride = spatial_entries(value("stride") or missing, rank, last)
    dilation = spatial_entries(value("dilation") or 1, rank, last)
    found = (kernel, stride, dilation)
    if any(numbers is None or not all(type(n) is int and n > 0 for n in numbers) for numbers in found):
        return None
    return found  # type: ignore[return-value]
