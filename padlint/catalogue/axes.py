"""Which entries of a stride, window or dilation belong to the spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def is_channels_last(data_format: str | None) -> bool | None:
    """Where the channels are, in the words of `tf.nn` (NHWC, NCW, ...) or Keras; None for other words.

    Without a format `tf.nn` means channels last; Keras asks a global setting, which is that unless changed.
    """
    if data_format in (None, "NWC", "NHWC", "NDHWC", "channels_last"):
        return True
    return False if data_format in ("NCW", "NCHW", "NCDHW", "channels_first") else None


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
