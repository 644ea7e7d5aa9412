"""Tap maps: what every tap of every output reads, along one spatial axis.

An operator is a form: a tuple of steps, each of which turns a row of cells into the next. The first row holds
the input indices 0 to n - 1. A cell is an input index, the name of a fill (`"zero"`, `"-inf"`), or what an
earlier window computed.

Two forms compute the same function, for all weights and inputs, iff their maps are equal. (Only if, up to
identities that no rewrite needs: a mean over one element twice is the mean over that element.) An operator on
several axes has one form for each, and is the same function if they all are: its taps, and the divisor of an
average, are products over the axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from padlint.geometry.padding import Pads, effective_kernel, require_positive, same_padding
from padlint.geometry.sizes import window_count

PadMode = Literal["constant", "reflect", "symmetric", "edge", "circular"]
Reduce = Literal["conv", "max", "average"]
Divisor = Literal["real", "padded", "kernel"]

ZERO = "zero"
NEGATIVE_INFINITY = "-inf"


class Taps(NamedTuple):
    """One output: `reads` tells what the taps of the kernel read, in order.

    For `conv` and `transposed` there is one cell per tap; a tap that meets a zero or a hole reads `"zero"`. A
    `max` lists each cell once, without `-inf`, and is `-inf` itself if it lists none. An `average` is the
    sum of its cells, zeros left out, over `divisor`.
    """

    kind: str
    reads: tuple[Cell, ...]
    divisor: int = 1


Cell = int | str | Taps
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Refusal:
    """Marks a form that raises at this size, and says why."""

    reason: str


@dataclass(frozen=True)
class Pad:
    """An explicit pad of the input; a negative amount crops.

    `fill` is `"zero"`, `"-inf"` or any other text, which then stands for the constant of that name; it
    matters in mode `constant` only. `reflect` does not repeat the border element, `symmetric` does, `edge`
    repeats nothing else. A pad larger than the mode can fill (reflect: size - 1; symmetric, circular: size)
    raises in torch and TensorFlow; `repeated` goes on back and forth as flax and `numpy.pad` do.
    """

    before: int
    after: int
    mode: PadMode = "constant"
    fill: str = ZERO
    repeated: bool = False

    def __post_init__(self) -> None:
        if self.mode not in ("constant", *_LIMITS):
            raise ValueError(f"unknown padding mode {self.mode!r}")

    def apply(self, row: Row) -> Row | Refusal:
        """The padded row."""
        n = len(row)
        if self.mode == "constant":
            return _padded(row, self.before, self.after, self.fill)
        limit = _LIMITS[self.mode]
        if limit is not None and not self.repeated and max(self.before, self.after) > n + limit:
            return Refusal(f"a {self.mode} pad of ({self.before}, {self.after}) exceeds {n} elements")
        return tuple(row[mirrored(i, n, self.mode)] for i in range(-self.before, n + self.after))


@dataclass(frozen=True)
class Crop:
    """Elements cut off on both sides."""

    before: int
    after: int

    def apply(self, row: Row) -> Row | Refusal:
        """The row without its ends."""
        return _padded(row, -self.before, -self.after, ZERO)


@dataclass(frozen=True)
class Window:
    """A convolution or pool with its own explicit pads.

    These pads read as zero for `conv`, are ignored by `max`, and enter only the divisor of `average`, which
    counts the taps on `real` elements (TensorFlow, `count_include_pad=False`), those on the `padded` row
    (torch `count_include_pad=True`, which leaves out the overhang of `ceil_mode`), or all of the `kernel`
    (flax).

    `nonnegative` promises that every element is >= 0, so that a zero adds nothing to the maximum with one.
    """

    kernel: int
    stride: int = 1
    dilation: int = 1
    before: int = 0
    after: int = 0
    reduce: Reduce = "conv"
    divisor: Divisor = "real"
    ceil_mode: bool = False
    nonnegative: bool = False

    def __post_init__(self) -> None:
        require_positive(kernel=self.kernel, stride=self.stride, dilation=self.dilation)
        if self.reduce not in ("conv", "max", "average") or self.divisor not in ("real", "padded", "kernel"):
            raise ValueError(f"unknown reduction {self.reduce!r} or divisor {self.divisor!r}")

    def apply(self, row: Row) -> Row | Refusal:
        """One `Taps` per window that fits; an empty row if none does."""
        n, reach = len(row), effective_kernel(self.kernel, self.dilation)
        count = window_count(
            n, self.kernel, self.stride, self.dilation, self.before, self.after, self.ceil_mode
        )
        overhang = (count - 1) * self.stride + reach - (n + self.before)
        cells = _padded(row, self.before, overhang, NEGATIVE_INFINITY if self.reduce == "max" else ZERO)
        starts = range(0, count * self.stride, self.stride)
        windows = ((start, cells[start : start + reach : self.dilation]) for start in starts)
        if self.reduce == "conv":
            return tuple(Taps("conv", reads) for _, reads in windows)
        if self.reduce == "max":
            return tuple(Taps("max", self._competing(reads)) for _, reads in windows)
        return tuple(self._average(reads, start - self.before, n) for start, reads in windows)

    def _average(self, reads: Row, start: int, n: int) -> Taps:
        """The mean over a window whose first tap is at position `start` of a row of `n`."""
        counted = {
            "real": range(n),
            "padded": range(-self.before, n + self.after),
            "kernel": range(start, start + effective_kernel(self.kernel, self.dilation)),
        }[self.divisor]
        positions = range(start, start + self.kernel * self.dilation, self.dilation)
        divisor = sum(position in counted for position in positions)
        return Taps("average", tuple(cell for cell in reads if cell != ZERO), divisor)

    def _competing(self, reads: Row) -> Row:
        """The different cells that can be the maximum."""
        cells = dict.fromkeys(cell for cell in reads if cell != NEGATIVE_INFINITY)
        if self.nonnegative and len(cells) > 1:
            cells.pop(ZERO, None)
        return tuple(cells)


@dataclass(frozen=True)
class Same:
    """A convolution or pool with `SAME` padding, which is computed from the size that arrives."""

    kernel: int
    stride: int = 1
    dilation: int = 1
    lower: bool = False
    reduce: Reduce = "conv"
    divisor: Divisor = "real"
    nonnegative: bool = False

    def __post_init__(self) -> None:
        self.at(1)

    def at(self, n: int) -> Window:
        """The same operator with the pads written out for an input of `n` elements."""
        before, after = same_padding(n, self.kernel, self.stride, self.dilation, lower=self.lower)
        return Window(
            self.kernel,
            self.stride,
            self.dilation,
            before,
            after,
            self.reduce,
            self.divisor,
            nonnegative=self.nonnegative,
        )

    def apply(self, row: Row) -> Row | Refusal:
        """One `Taps` for each of the ceil(size / stride) windows."""
        return self.at(len(row)).apply(row)


@dataclass(frozen=True)
class SamePad:
    """A pad in front of an operator without one, of as much as `SAME` would pad at the size that arrives.

    The amounts are those of the arithmetic that a fix writes, which has to do without `max`.
    """

    kernel: int
    stride: int = 1
    dilation: int = 1
    fill: str = ZERO

    def __post_init__(self) -> None:
        require_positive(kernel=self.kernel, stride=self.stride, dilation=self.dilation)

    def apply(self, row: Row) -> Row | Refusal:
        """The padded row."""
        n, s, reach = len(row), self.stride, effective_kernel(self.kernel, self.dilation)
        over = (n - 1) % s
        total = reach - 1 - over
        if reach < s:
            total *= 1 - (over + s - reach) // s
        return _padded(row, total // 2, total - total // 2, self.fill)


@dataclass(frozen=True)
class Transposed:
    """A transposed convolution, cropped by the operator itself.

    The full output has (size - 1) * stride + k_eff elements: input i adds tap t to output
    i * stride + t * dilation. `crop` cuts off both ends; a negative amount adds outputs that no tap reaches.
    `flipped` counts the taps from the other end, as flax and JAX do.
    """

    kernel: int
    stride: int = 1
    dilation: int = 1
    crop: Pads = (0, 0)
    flipped: bool = False

    def __post_init__(self) -> None:
        require_positive(kernel=self.kernel, stride=self.stride, dilation=self.dilation)

    def apply(self, row: Row) -> Row | Refusal:
        """One `Taps` per output that is left, with `"zero"` for taps that no input reaches."""
        reach = effective_kernel(self.kernel, self.dilation)
        spread: list[Cell] = [ZERO] * ((len(row) - 1) * self.stride + 1)
        spread[:: self.stride] = row
        border = reach - 1
        cells = _padded(tuple(spread), border - self.crop[0], border - self.crop[1], ZERO)
        order = slice(None) if self.flipped else slice(None, None, -1)
        return tuple(
            Taps("transposed", cells[start : start + reach : self.dilation][order])
            for start in range(len(cells) - border)
        )


Step = Pad | Crop | Window | Same | SamePad | Transposed
Form = tuple[Step, ...]
TapMap = Row | Refusal


def tap_map(form: Form, n: int) -> TapMap:
    """What every output of `form` reads from an input of `n` >= 1 elements.

    Empty where nothing fits (also halfway through), and a Refusal where a pad mode cannot fill its pad.
    Frameworks differ in whether an empty result raises, so callers should treat both as one state.
    """
    require_positive(n=n)
    row: Row = tuple(range(n))
    for step in form:
        result = step.apply(row)
        if isinstance(result, Refusal) or not result:
            return result
        row = result
    return row


def mirrored(index: int, n: int, mode: PadMode) -> int:
    """The element of a row of `n` that a pad of the given mode (not `constant`) repeats at `index`."""
    if mode == "circular":
        return index % n
    if mode == "edge" or n == 1:
        return min(max(index, 0), n - 1)
    period = 2 * n if mode == "symmetric" else 2 * n - 2
    index %= period
    return index if index < n else period - index - (mode == "symmetric")


# How much larger than the input a pad may be; None: without limit.
_LIMITS = {"reflect": -1, "symmetric": 0, "circular": 0, "edge": None}


def _padded(row: Row, before: int, after: int, fill: str) -> Row:
    """The row with `fill` added, or elements cut off where an amount is negative."""
    size = max(len(row) + before + after, 0)
    first = min(max(before, 0), size)
    kept = row[max(-before, 0) : max(len(row) + min(after, 0), 0)]
    return (fill,) * first + kept + (fill,) * (size - first - len(kept))
