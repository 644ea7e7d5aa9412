"""How amounts of padding per side are written in each framework, and read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padlint.catalogue.model import PadStyle

GREATEST = 8192
"""The largest kernel, stride, dilation or pad that is believed: no layer has such, and tables take memory."""

Pads = list[tuple[int, int]]
"""(before, after) for each spatial axis, first axis first."""


@dataclass(frozen=True)
class PadText:
    """Pads that code computes: source text whose value is a list of `rank` pairs."""

    text: str
    rank: int


def write_pads(
    style: PadStyle, pads: Sequence[tuple[int | str, int | str]] | PadText, channels_last: bool = True
) -> str:
    """The source text of (before, after) amounts per spatial axis; an amount may itself be source text."""
    if isinstance(pads, PadText):
        return _write_computed(style, pads, channels_last)
    if style is PadStyle.TORCH:
        return f"({', '.join(f'{before}, {after}' for before, after in reversed(pads))})"
    if style in (PadStyle.TENSORFLOW, PadStyle.LAX):
        full = [(0, 0), *pads, (0, 0)] if channels_last else [(0, 0), (0, 0), *pads]
        opening, closing = ("[", "]") if style is PadStyle.TENSORFLOW else ("(", ", 0)")
        return f"[{', '.join(f'{opening}{before}, {after}{closing}' for before, after in full)}]"
    pairs = ", ".join(f"({before}, {after})" for before, after in pads)
    if len(pads) == 1:
        return pairs if style is PadStyle.KERAS else f"({pairs},)"
    return f"({pairs})"


def pads_nothing(pads: Pads | PadText) -> bool:
    """Whether all amounts are 0."""
    return not isinstance(pads, PadText) and not any(map(any, pads))


def _write_computed(style: PadStyle, pads: PadText, channels_last: bool) -> str:
    if style is PadStyle.TENSORFLOW:
        return f"[(0, 0), *{pads.text}, (0, 0)]" if channels_last else f"[(0, 0), (0, 0), *{pads.text}]"
    if style in (PadStyle.TORCH, PadStyle.LAX):
        raise ValueError(f"no text makes {style} of pairs")
    return f"{pads.text}[0]" if style is PadStyle.KERAS and pads.rank == 1 else pads.text


def read_pads(style: PadStyle, value: object, ndim: int, channels_last: bool = True) -> Pads | None:
    """The amounts per spatial axis that a value means.

    None if it is malformed, pads other axes too, or pads more than is believed.
    """
    pads = _read(style, value, ndim, channels_last)
    return pads if pads is not None and all(abs(n) <= GREATEST for pair in pads for n in pair) else None


def _read(style: PadStyle, value: object, ndim: int, channels_last: bool) -> Pads | None:
    if style is PadStyle.TORCH:
        return _read_torch(value, ndim)
    if style in (PadStyle.TENSORFLOW, PadStyle.LAX):
        return _read_every_axis(value, ndim, channels_last, 2 if style is PadStyle.TENSORFLOW else 3)
    if isinstance(value, int) and style in (PadStyle.KERAS, PadStyle.FLAX):
        return [(value, value)] * ndim
    if style is PadStyle.KERAS and ndim == 1:
        value = (value,)
    if style is PadStyle.HAIKU:
        value = (value,) if _pair(value) else value
        value = (*value,) * ndim if isinstance(value, (tuple, list)) and len(value) == 1 else value
    return _read_list(value, ndim, ints=style in (PadStyle.KERAS, PadStyle.FLAX))


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


def _read_list(value: object, ndim: int, *, ints: bool) -> Pads | None:
    if not isinstance(value, (tuple, list)) or len(value) != ndim:
        return None
    return _complete([(item, item) if ints and isinstance(item, int) else _pair(item) for item in value])


def _read_every_axis(value: object, ndim: int, channels_last: bool, width: int) -> Pads | None:
    if not isinstance(value, (tuple, list)) or len(value) != ndim + 2:
        return None
    entries = [_numbers(item) or [] for item in value]
    if any(len(entry) != width or any(entry[2:]) for entry in entries):
        return None
    pairs = [(entry[0], entry[1]) for entry in entries]
    first, last = (1, ndim + 1) if channels_last else (2, ndim + 2)
    outside = pairs[:first] + pairs[last:]
    return None if any(pair != (0, 0) for pair in outside) else pairs[first:last]


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
