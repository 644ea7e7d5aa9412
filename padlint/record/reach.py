"""Follows receptive fields and total strides from tensor to tensor. Runs in the child process.

A number that is not certain is not given: what comes from code that is not followed is unknown, and so is all
that is computed from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from padlint.catalogue import Family, Operator, geometry
from padlint.record.pads import is_transposed, pads_of
from padlint.record.tensors import ByIdentity, shape_of
from padlint.traces.model import Run, Sizes


@dataclass(frozen=True)
class Axis:
    """What the first output along an axis sees: `field` inputs from `start` on; the next, `step` further.

    `start` is None where it is not known by how much a padding moves it.
    """

    start: int | None = 0
    field: int = 1
    step: int = 1

    def through(self, kernel: int, stride: int, dilation: int, before: int | None) -> Axis:
        """Behind a window that is put down on this."""
        start = None if self.start is None or before is None else self.start - before * self.step
        return Axis(start, self.field + (kernel - 1) * dilation * self.step, self.step * stride)

    def joined(self, other: Axis) -> Axis | None:
        """Of the sum of this and another, None if not known."""
        if self == other:
            return self
        if self.start is None or other.start is None or self.step != other.step:
            return None
        start = min(self.start, other.start)
        end = max(self.start + self.field, other.start + other.field)
        return Axis(start, end - start, self.step)


Seen = tuple[Axis, ...]
Window = tuple[int, int, int, int | None]
_NOTHING: Window = (1, 1, 1, 0)


class Reach:
    """What the elements of tensors see. An empty tuple stands for one that is not known."""

    def __init__(self) -> None:
        self._of = ByIdentity()
        self._input: Sizes | None = None

    def behind(self, operator: Operator, run: Run, source: Any, made: Any) -> tuple[Sizes, Sizes]:
        """The receptive field and total stride behind an operator."""
        windows = _windows(operator, run)
        seen = self._source(source, len(windows)) if windows else ()
        seen = tuple(axis.through(*window) for axis, window in zip(seen, windows, strict=False))
        self._of.set(made, seen)
        unknown = (None,) * len(run.output)
        return (tuple(a.field for a in seen), tuple(a.step for a in seen)) if seen else (unknown, unknown)

    def _source(self, tensor: Any, rank: int) -> Seen:
        known: Seen | None = self._of.get(tensor)
        shape = shape_of(tensor)[1:]
        if known is None:
            if self._input is None:
                self._input = shape
            # What no operator made, and looks like what the program began with, is another input.
            known = (Axis(),) * rank if shape == self._input else ()
            self._of.set(tensor, known)
        return known if len(known) == rank else ()

    def pointwise(self, given: Iterable[Any], made: Iterable[Any]) -> None:
        """Tensors were made of others, each element of what stands at its position.

        What has one value for all positions is left aside, as a factor that is computed of the whole map.
        """
        given = list(given)
        if self._is_followed(given):
            for result in made:
                shape = shape_of(result)
                parts = [t for t in given if not _is_spread(shape_of(t), shape)]
                self._of.set(result, self._joined(parts))

    def concatenated(self, given: Iterable[Any], made: Iterable[Any]) -> None:
        """Tensors were put together along their channels."""
        given = list(given)
        if self._is_followed(given):
            for result in made:
                self._of.set(result, self._joined(given))

    def unknown(self, given: Iterable[Any], made: Iterable[Any], *, is_whole: bool = False) -> None:
        """Tensors were made in a way that is not followed; by a `whole`, a part of it may have been."""
        if self._is_followed(given):
            for result in made:
                if not (is_whole and self._of.get(result) is not None):
                    self._of.set(result, ())

    def _is_followed(self, given: Iterable[Any]) -> bool:
        return any(self._of.get(tensor) is not None for tensor in given)

    def _joined(self, given: list[Any]) -> Seen:
        seen = [self._source(tensor, len(shape_of(tensor)) - 2) for tensor in given]
        return reduce(_sum, seen) if seen else ()


def _windows(operator: Operator, run: Run) -> list[Window]:
    """Kernel, stride, dilation and the pad in front along each spatial axis; empty where not known."""
    pads, rank = pads_of(operator, run), len(run.input)
    before = [pad[0] for pad in pads] if pads is not None else [None] * rank
    numbers = geometry(operator, run.get, rank, run.layout)
    if operator.family is Family.PAD:
        numbers = ((1,) * rank,) * 3
    is_window = operator.family not in (Family.TRANSPOSED, Family.UNFOLD) and not is_transposed(run)
    if numbers is None or not is_window or len(before) != rank:
        return []
    windows: list[Window] = list(zip(*numbers, before, strict=True))
    if run.layout != "all":
        return windows
    for axes in (slice(1, -1), slice(2, None)):
        inner = windows[axes]
        if inner and _NOTHING not in inner and windows.count(_NOTHING) == 2 == rank - len(inner):
            return inner
    return []


def _is_spread(part: Sizes, shape: Sizes) -> bool:
    """Whether a tensor has one value for all positions of a result."""
    spread = sum(n == 1 and m != 1 for n, m in zip(part[1:], shape[1:], strict=False))
    return len(part) < len(shape) - 1 or (len(part) == len(shape) and spread >= max(len(shape) - 2, 1))


def _sum(first: Seen, second: Seen) -> Seen:
    if len(first) != len(second):
        return ()
    axes = [a.joined(b) for a, b in zip(first, second, strict=True)]
    return tuple(axis for axis in axes if axis is not None) if None not in axes else ()
