"""The numbers that go into a model, and random weights: the same in every process."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from padlint.verify.models.request import Case, Input

Array = NDArray[Any]

KINDS = ("random", "negative", "constant", "border", "more random")
"""Kinds of floating-point inputs: they tell zero from -inf, and shifted pads from centred ones."""
POSITIVE = "positive"
"""A kind that is only used to learn why others differ."""


def noise(text: str, shape: tuple[int, ...]) -> Array:
    """Normal noise that depends on nothing but `text` and `shape`."""
    seed = zlib.crc32(f"{text}:{shape}".encode())
    return np.asarray(np.random.default_rng(seed).standard_normal(shape))


def sample(given: Input, index: int, case: Case, seed: int, first_axis: int) -> Array:
    """One input of a case. Its spatial axes are two, or as many as there are, from `first_axis` on."""
    shape = given.shape(case.sizes)
    text = f"input {index}:{case.kind}:{seed}"
    if not given.is_float:
        integers = np.random.default_rng(zlib.crc32(text.encode())).integers(0, given.high, shape)
        return integers.astype(given.dtype)
    values = noise(text, shape)
    axes = spatial(len(shape), first_axis)
    if case.kind == "negative":
        values = -np.abs(values) - 0.125
    elif case.kind == POSITIVE:
        values = np.abs(values) + 0.125
    elif case.kind == "constant":
        values = np.full(shape, 0.75)
    elif case.kind == "border" and axes:
        inner = tuple(slice(1, -1) if axis in axes else slice(None) for axis in range(len(shape)))
        values[inner] = 0.0
    if case.jitter:
        values = values * (1.0 + case.jitter * noise(f"jitter {text}", shape))
    return shifted(values, case.shift, axes)


def spatial(rank: int, first_axis: int) -> tuple[int, ...]:
    """The spatial axes of a tensor of that rank; none if it is no image, signal or volume."""
    return tuple(range(first_axis, first_axis + rank - 2)) if rank > 2 else ()


def shifted(values: Array, shift: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    """The values moved along the last axes of `axes`, zeros coming in."""
    moves = dict(zip(axes[::-1], shift[::-1], strict=False))
    if not any(moves.values()):
        return values
    result = np.zeros_like(values)
    target, source = [slice(None)] * values.ndim, [slice(None)] * values.ndim
    for axis, by in moves.items():
        size = values.shape[axis]
        target[axis] = slice(max(by, 0), size + min(by, 0))
        source[axis] = slice(max(-by, 0), size + min(-by, 0))
    result[tuple(target)] = values[tuple(source)]
    return result


def in_layout(array: Array, first_axis: int, other: int, ranks: int = 4) -> Array:
    """An image or volume with its channels where `other` wants them: last for 1, else second."""
    if first_axis == other or array.ndim < ranks:
        return array
    return np.moveaxis(array, *((-1, 1) if other == 2 else (1, -1)))


def perturbed(state: Mapping[str, Array], trainable: frozenset[str], seed: int) -> dict[str, Array]:
    """Weights away from their initial values, since a zero hides all that is multiplied by it.

    Means and variances of normalisations are constants, too, until a training step; other weights that are
    not trained are tables, which stay as they are.
    """
    result: dict[str, Array] = {}
    for name, values in state.items():
        is_constant = values.size > 0 and bool((values == values.flat[0]).all())
        is_float = np.issubdtype(values.dtype, np.floating)
        if not is_float or not np.isfinite(values).all() or not (name in trainable or is_constant):
            result[name] = values
            continue
        random = noise(f"weight {name}:{seed}", values.shape)
        if is_constant and values.flat[0] != 0:
            changed = values * np.exp(0.25 * random)
        else:
            scale = float(np.sqrt(np.mean(np.square(values, dtype=np.float64)))) or 0.25
            changed = values + 0.25 * scale * random
        result[name] = changed.astype(values.dtype)
    return result
