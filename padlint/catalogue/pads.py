"""How amounts of padding per side are written in each framework, and read back."""

from __future__ import annotations

from collections.abc import Sequence

from padlint.catalogue.model import PadStyle

Pads = list[tuple[int, int]]
"""(before, after) for each spatial axis, first axis first."""


def write_pads(
    style: PadStyle, pads: Sequence[tuple[int | str, int | str]], channels_last: bool = True
) -> str:
    """The source text of (before, after) amounts per spatial axis; an amount may itself be source text."""
    if style is PadStyle.TORCH:
        return f"({', '.join(f'{before}, {after}' for before, after in reversed(pads))})"
    if style is PadStyle.TENSORFLOW:
        full = [(0, 0), *pads, (0, 0)] if channels_last else [(0, 0), (0, 0), *pads]
        return f"[{', '.join(f'[{before}, {after}]' for before, after in full)}]"
    pairs = ", ".join(f"({before}, {after})" for before, after in pads)
    return pairs if len(pads) == 1 else f"({pairs})"


def read_pads(style: PadStyle, value: object, ndim: int, channels_last: bool = True) -> Pads | None:
    """The amounts per spatial axis that a value means; None if it is malformed or pads other axes too."""
    if style is PadStyle.TORCH:
        return _read_torch(value, ndim)
    if style is PadStyle.TENSORFLOW:
        return _read_tensorflow(value, ndim, channels_last)
    return _read_keras(value, ndim)


def _read_torch(value: object, ndim: int) -> Pads | None:
    if isinstance(value, int):
        return [(value, value)] * ndim
    numbers = _numbers(value)
    if numbers is None or len(numbers) % 2:
        return None
    pairs = list(zip(numbers[-2::-2], numbers[::-2], strict=True))
    outside = len(pairs) - ndim
    if any(pair != (0, 0) for pair in pairs[: max(outside, 0)]):
        return None
    return [(0, 0)] * -outside + pairs[max(outside, 0) :]


def _read_keras(value: object, ndim: int) -> Pads | None:
    if isinstance(value, int):
        return [(value, value)] * ndim
    if ndim == 1:
        value = (value,)
    if not isinstance(value, (tuple, list)) or len(value) != ndim:
        return None
    pairs = [(item, item) if isinstance(item, int) else _pair(item) for item in value]
    return _complete(pairs)


def _read_tensorflow(value: object, ndim: int, channels_last: bool) -> Pads | None:
    if not isinstance(value, (tuple, list)) or len(value) != ndim + 2:
        return None
    pairs = [_pair(item) for item in value]
    first, last = (1, ndim + 1) if channels_last else (2, ndim + 2)
    if any(pair != (0, 0) for pair in pairs[:first] + pairs[last:]):
        return None
    return _complete(pairs[first:last])


def _numbers(value: object) -> list[int] | None:
    if isinstance(value, (tuple, list)) and all(isinstance(item, int) for item in value):
        return list(value)
    return None


def _pair(value: object) -> tuple[int, int] | None:
    numbers = _numbers(value)
    return (numbers[0], numbers[1]) if numbers is not None and len(numbers) == 2 else None


def _complete(pairs: Sequence[tuple[int, int] | None]) -> Pads | None:
    found = [pair for pair in pairs if pair is not None]
    return found if len(found) == len(pairs) else None
