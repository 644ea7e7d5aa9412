"""What is known of a spatial size, and what an operator makes of it.

A size is known exactly, as a residue class ("a multiple of 32"), or not at all. All three are residue classes
`remainder` modulo `modulus`: an exact size has modulus 0, an unknown one modulus 1. So each rule is one
formula, with gcd(0, m) = m doing the case distinction.

An operator that leaves no output fails or yields an empty tensor; nothing is known after it, so the functions
return UNKNOWN where the exact result would be smaller than 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from padlint.geometry.padding import (
    Pads,
    TransposedPadding,
    effective_kernel,
    keras_transposed_length,
    require_positive,
)


@dataclass(frozen=True)
class Exact:
    """A size of exactly `n` elements; ValueError if `n` < 1."""

    n: int

    def __post_init__(self) -> None:
        require_positive(n=self.n)

    def __str__(self) -> str:
        return str(self.n)


@dataclass(frozen=True)
class Congruent:
    """A size with the given remainder modulo `modulus`; ValueError unless 0 <= remainder < modulus >= 2."""

    remainder: int
    modulus: int

    def __post_init__(self) -> None:
        if not (self.modulus >= 2 and 0 <= self.remainder < self.modulus):
            raise ValueError(f"no residue class: {self.remainder} modulo {self.modulus}")

    def __str__(self) -> str:
        if self.remainder == 0:
            return f"a multiple of {self.modulus}"
        return f"{self.remainder} modulo {self.modulus}"


@dataclass(frozen=True)
class Unknown:
    """A size of which nothing is known. Use the instance UNKNOWN."""

    def __str__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()
Size = Exact | Congruent | Unknown


def size_class(remainder: int, modulus: int) -> Size:
    """The size `remainder` modulo `modulus`, where modulus 0 means exactly that and 1 means unknown."""
    if modulus == 0:
        return Exact(remainder) if remainder >= 1 else UNKNOWN
    return UNKNOWN if modulus == 1 else Congruent(remainder % modulus, modulus)


def multiple_of(modulus: int) -> Size:
    """A size that `modulus` divides; UNKNOWN for modulus 1."""
    require_positive(modulus=modulus)
    return size_class(0, modulus)


def residue_class(size: Size) -> tuple[int, int]:
    """Inverse of `size_class`: (remainder, modulus) with modulus 0 for an exact and 1 for an unknown size."""
    if isinstance(size, Exact):
        return size.n, 0
    if isinstance(size, Congruent):
        return size.remainder, size.modulus
    return 0, 1


def same_pads_of(
    size: Size, kernel: int, stride: int = 1, dilation: int = 1, *, lower: bool = False
) -> Pads | None:
    """The one pair of pads that computes `SAME` for every size that `size` may be, or None.

    Where the size decides the residue modulo the stride these are the pads of the framework itself. Elsewhere
    a pair still exists if all residues agree on the pad before: the pad after is then the largest that
    occurs, and its surplus is never read because no further window fits.
    """
    require_positive(stride=stride)
    reach = effective_kernel(kernel, dilation)
    remainder, modulus = residue_class(size)
    step = gcd(modulus, stride)  # n is known modulo this, as far as the stride can tell
    missing = -remainder % step
    least = max(reach - stride + missing, 0)
    most = max(reach - step + missing, 0)
    before = (least + lower) // 2
    return (before, most - before) if before == (most + lower) // 2 else None


def static_same_padding(kernel: int, stride: int = 1, dilation: int = 1) -> Pads | None:
    """The one pair of pads that computes `SAME` at every input size, or None.

    It exists for stride 1, for an even effective kernel at stride 2, for kernel 1, and for kernel 2 without
    dilation.
    """
    return same_pads_of(UNKNOWN, kernel, stride, dilation)


def window_count(
    n: int,
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    before: int = 0,
    after: int = 0,
    ceil_mode: bool = False,
) -> int:
    """Windows that fit into `n` padded elements; below 1 if none does.

    `ceil_mode` is the rule of torch and ONNX pools: round up, but drop a last window that would start in the
    pad after the input.
    """
    require_positive(stride=stride)
    room = n + before + after - effective_kernel(kernel, dilation)
    if not ceil_mode:
        return room // stride + 1
    steps = -(-room // stride)
    return steps if steps * stride >= n + before else steps + 1


def window_output(
    size: Size,
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    before: int = 0,
    after: int = 0,
    ceil_mode: bool = False,
) -> Size:
    """Output size of a convolution or pool with explicit pads; UNKNOWN where no window fits."""
    remainder, modulus = residue_class(size)
    count = window_count(remainder, kernel, stride, dilation, before, after, ceil_mode)
    return _divided(count, modulus, stride)


def same_output(size: Size, stride: int = 1) -> Size:
    """Output size of `SAME` (and `causal`) windows: ceil(size / stride)."""
    require_positive(stride=stride)
    remainder, modulus = residue_class(size)
    return _divided(-(-remainder // stride), modulus, stride)


def pad_output(size: Size, before: int, after: int) -> Size:
    """Size after padding, or after cropping where an amount is negative."""
    remainder, modulus = residue_class(size)
    return size_class(remainder + before + after, modulus)


def transposed_output(
    size: Size,
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    padding: TransposedPadding | Pads = "same",
    output_padding: int | None = None,
) -> Size:
    """Output size of a transposed convolution: (size - 1) * stride plus a constant.

    `same` and `valid` are those of Keras and flax, with or without `output_padding`. A pair is what is cut
    off each side, as in torch, where `output_padding` defaults to 0.
    """
    require_positive(stride=stride)
    if isinstance(padding, str):
        length = keras_transposed_length(kernel, stride, dilation, padding, output_padding)
    else:
        length = effective_kernel(kernel, dilation) - sum(padding) + (output_padding or 0)
    remainder, modulus = residue_class(size)
    return size_class((remainder - 1) * stride + length, modulus * stride)


def upsample_output(size: Size, factor: int) -> Size:
    """Size after repeating or interpolating by a whole factor."""
    require_positive(factor=factor)
    remainder, modulus = residue_class(size)
    return size_class(remainder * factor, modulus * factor)


def join(a: Size, b: Size) -> Size:
    """What is known of a size that is either `a` or `b`: the finest residue class that holds both."""
    remainder, modulus = residue_class(a)
    other, other_modulus = residue_class(b)
    return size_class(remainder, gcd(modulus, other_modulus, remainder - other))


def _divided(count: int, modulus: int, stride: int) -> Size:
    """The size `count` where adding `stride` to the input adds one output: known modulo modulus / stride."""
    return size_class(count, modulus // stride) if modulus % stride == 0 else UNKNOWN
