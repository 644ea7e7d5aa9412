"""Whether two sides computed the same: names and shapes of weights, outputs, gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from padlint.verify.backend import Array, Run

TOLERANCES = {"float64": 1e-12, "float32": 1e-5}
"""Largest difference that still counts as equal, relative to the largest magnitude."""

Carried = Counter[tuple[str, str, str]]


def weights_differ(before: Mapping[str, tuple[int, ...]], after: Mapping[str, tuple[int, ...]]) -> str | None:
    """A sentence if a checkpoint of one side would not load into the other; given are shapes by name."""
    lost = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    if lost and new:
        return f"parameter '{lost[0]}' became '{new[0]}'"
    if lost or new:
        return f"parameter '{lost[0]}' was lost" if lost else f"parameter '{new[0]}' was added"
    for name, shape in before.items():
        if after[name] != shape:
            return f"shape {shape} of parameter '{name}' became {after[name]}"
    return None if list(before) == list(after) else "the parameters come in another order"


def arguments_differ(before: Carried, after: Carried) -> str | None:
    """A sentence if an argument that was not run as it stands is not the same on both sides."""
    new = {(operator, name): text for operator, name, text in after - before}
    for operator, name, text in before - after:
        change = f"became {new[operator, name]}" if (operator, name) in new else "was lost"
        return f"argument {name}={text} of {operator} {change}"
    for (operator, name), text in new.items():
        return f"argument {name}={text} of {operator} was added"
    return None


def max_abs(before: Run, after: Run) -> float:
    """The largest difference between two outputs of one shape."""
    return float(differences(before.output, after.output).max(initial=0.0))


def runs_differ(before: Run, after: Run, size: tuple[int, ...], dtype: str) -> str | None:
    """A sentence if outputs or gradients differ."""
    if before.output.shape != after.output.shape:
        return f"output shape {before.output.shape} became {after.output.shape} at size {join(size)}"
    if place := _worst(before.output, after.output, dtype, per_item=True):
        old, new = before.output[place], after.output[place]
        position = [int(index) for index in place]
        return (
            f"values differ by {abs(new - old):.3g} at size {join(size)}, "
            f"output {position}: {old:.6g} became {new:.6g} ({dtype})"
        )
    for name, gradient in before.gradients.items():
        other = after.gradients[name]
        if place := _worst(gradient, other, dtype, per_item=name == "input"):
            difference = abs(gradient[place] - other[place])
            return f"the gradient of {name} differs by {difference:.3g} at size {join(size)} ({dtype})"
    return None


def join(size: tuple[int, ...]) -> str:
    """A size in the usual notation: `32x48`."""
    return "x".join(map(str, size))


def differences(before: Array, after: Array) -> Array:
    """Absolute differences; equal infinities and two NaNs differ by nothing, anything else by infinity."""
    with np.errstate(invalid="ignore"):
        result = np.abs(before.astype(np.float64) - after.astype(np.float64))
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    return np.where(same, 0.0, np.where(np.isnan(result), np.inf, result))


def largest(array: Array, axes: tuple[int, ...] | None = None) -> Array:
    """The largest finite magnitude, over all axes or some."""
    magnitude = np.where(np.isfinite(array), np.abs(array.astype(np.float64)), 0.0)
    return np.asarray(np.max(magnitude, axis=axes, keepdims=True, initial=0.0))


def worst(before: Array, after: Array, allowed: Array | float) -> tuple[np.intp, ...] | None:
    """Index of the largest difference beyond what is allowed; None if there is none."""
    if before.size == 0:
        return None
    excess = differences(before, after) - allowed
    place = np.unravel_index(np.argmax(excess), excess.shape)
    return place if excess[place] > 0 else None


def _worst(before: Array, after: Array, dtype: str, *, per_item: bool) -> tuple[np.intp, ...] | None:
    """Index of the largest difference if it is too large; `per_item`: by the scale of each batch item."""
    axes = tuple(range(1, before.ndim)) if per_item else None
    return worst(before, after, TOLERANCES[dtype] * largest(before, axes))
