"""Why two sides differ: found by trying what a wrong pad would do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from padlint.verify.compare import TOLERANCES, differences, largest
from padlint.verify.models.difference import Parts
from padlint.verify.models.inputs import POSITIVE, Array, shifted, spatial
from padlint.verify.models.request import Case
from padlint.verify.models.result import Difference

_NEAR = [(1, 1), (-1, -1), (0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)]
_SHIFTS = [*_NEAR, (2, 2), (-2, -2), (0, 2), (2, 0), (0, -2), (-2, 0)]
"""Moves of an input by (rows, columns), the most frequent first."""
_SIDES = (("left", "right"), ("top", "bottom"), ("front", "back"))
_NUMBERS = {1: "one pixel", 2: "two pixels"}

Ask = Callable[..., Parts]
"""Runs one side: `ask(case, trace)`."""


@dataclass
class Explainer:
    """Asks both sides what they do in between. `after` and `before` run a case on their side."""

    before: Ask
    after: Ask
    first_axis: int
    dtype: str
    view: Callable[[Array], Array] = lambda array: array
    """How the outputs of layers are looked at."""

    def explain(self, difference: Difference, case: Case) -> Difference:
        """The difference with its likely cause, and the first layer that differs."""
        if difference.what in ("structure", "weights"):
            return difference
        case = replace(case, gradients=False)
        trace = {"first_axis": self.first_axis}
        old, new = self.before(case, trace), self.after(case, trace)
        layer = self._first_layer(old, new)
        if layer is not None:
            kind = old["kinds"].get(layer) or new["kinds"].get(layer) or ""
            left, right = old["layers"][layer], new["layers"][layer]
            called = f"{layer} ({kind})" if kind else layer
            if left.shape == right.shape:
                called += f", by up to {differences(left, right).max():.3g}"
            cause = self._cause(case, layer, left, right)
            return replace(difference, layer=called, cause=cause)
        return self.of_output(difference, case, old, new)

    def of_layer(self, case: Case, layer: str, old: Array, new: Array) -> str | None:
        """Why the output of a layer differs."""
        return self._cause(case, layer, old, new)

    def of_output(self, difference: Difference, case: Case, old: Parts, new: Parts) -> Difference:
        """The difference of an output with its cause."""
        if difference.what != "output" or difference.name not in new["outputs"]:
            return difference
        name = difference.name
        return replace(
            difference, cause=self._cause(case, None, old["outputs"][name], new["outputs"][name], name)
        )

    def _first_layer(self, old: Parts, new: Parts) -> str | None:
        """The first layer, in the order of the calls before, that both sides have and that differs.

        One that is of another kind now, like a pad that became an identity, was meant to differ, and counts
        only if there is no other.
        """
        wrong = [
            name
            for name, array in old["layers"].items()
            if name and name in new["layers"] and not self._equal(array, new["layers"][name])
        ]
        same_kind = (name for name in wrong if old["kinds"].get(name) == new["kinds"].get(name))
        return next(same_kind, wrong[0] if wrong else None)

    def _cause(self, case: Case, layer: str | None, old: Array, new: Array, output: str = "") -> str | None:
        if old.shape != new.shape:
            return f"the shape {old.shape} became {new.shape}"
        axes = spatial(old.ndim, self.first_axis)
        if axes:
            if band := self._border(old, new, axes):
                return band + (self._border_cause(case, layer, old, new, output) or "")
            if shift := self._shift(case, layer, (old, new), output, axes):
                return shift
        ratios = _ratios(old, new)
        return (
            f"every value is multiplied by {ratios[0]:.6g}" if len(ratios) == 1 and ratios[0] != 1 else None
        )

    def _shift(
        self, case: Case, layer: str | None, arrays: tuple[Array, Array], output: str, axes: tuple[int, ...]
    ) -> str | None:
        """Whether the code before gives the same, moved or for a moved input, away from the border."""
        old, new = arrays
        inner = _inner(new.shape, axes)
        if inner is None or np.ptp(new[inner]) == 0:
            return None
        shifts = [shift for shift in _SHIFTS if len(axes) > 1 or not shift[0]]
        for shift in shifts:
            moved = self._moved(case, layer, shift, output)
            if moved is not None and moved.shape == new.shape and self._equal(moved[inner], new[inner]):
                return f"as if its input were shifted by {_direction(shift)}"
        for shift in shifts:  # of a transposed convolution, which moves by more than its input
            if self._equal(shifted(old, shift, axes)[inner], new[inner]):
                return f"as if its output were shifted by {_direction(shift)}"
        return None

    def _moved(self, case: Case, layer: str | None, shift: tuple[int, int], output: str) -> Array | None:
        if layer is None:
            return self.before(case.shifted(shift), None)["outputs"].get(output)
        trace = {"layer": layer, "shift": shift, "only": True, "first_axis": self.first_axis}
        moved = self.before(case, trace)["layers"].get(layer)
        return None if moved is None else self.view(moved)

    def _border(self, old: Array, new: Array, axes: tuple[int, ...]) -> str | None:
        """Which rows and columns differ, if the inside does not."""
        inner = _inner(old.shape, axes)
        if inner is None or not self._equal(old[inner], new[inner]):
            return None
        wrong = differences(old, new) > TOLERANCES[self.dtype] * largest(old)
        margins = [f"{side} {width}" for side, width in _margins(wrong, axes).items()]
        return f"border only ({', '.join(margins)})" if margins else "border only"

    def _border_cause(self, case: Case, layer: str | None, old: Array, new: Array, output: str) -> str | None:
        """Zeros instead of -inf, or a mean that counts differently."""
        positive = replace(case, kind=POSITIVE)
        trace = {"only": True, "layer": layer, "first_axis": self.first_axis} if layer else None
        left, right = self.before(positive, trace), self.after(positive, trace)
        part, name = ("layers", layer) if layer else ("outputs", output)
        if name not in left[part] or name not in right[part]:
            return None
        if self._equal(self.view(left[part][name]), self.view(right[part][name])):
            return ": positive inputs agree, so zeros were padded where -inf was, or the reverse"
        factors = [ratio for ratio in _ratios(old, new) if ratio != 1]
        if 0 < len(factors) <= 9 and min(factors) > 0:
            shown = ", ".join(f"{factor:.4g}" for factor in factors)
            return f": values are multiplied by {shown}, so another count divides them"
        return None

    def _equal(self, old: Array, new: Array) -> bool:
        if old.shape != new.shape:
            return False
        allowed = 10 * TOLERANCES[self.dtype] * largest(old)
        return bool((differences(old, new) <= allowed).all())


def _inner(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[slice, ...] | None:
    """The middle half along each spatial axis; None where that is too little to tell."""
    if any(shape[axis] < 4 for axis in axes):
        return None
    return tuple(
        slice(size // 4, size - size // 4) if axis in axes else slice(None) for axis, size in enumerate(shape)
    )


def _margins(wrong: Array, axes: tuple[int, ...]) -> dict[str, int]:
    """How wide the frame is that holds all that is wrong, by side; a corner counts for a side that is hit."""
    places = np.argwhere(wrong)
    names: list[str] = []
    columns: list[Array] = []
    for axis, sides in zip(axes[::-1], _SIDES, strict=False):
        names += sides
        columns += [places[:, axis], wrong.shape[axis] - 1 - places[:, axis]]
    distances = np.unique(np.stack(columns, axis=1), axis=0)
    nearest = distances.min(axis=1, keepdims=True)
    is_nearest = distances == nearest
    margins: dict[str, int] = {}
    for row in np.argsort(is_nearest.sum(axis=1), kind="stable"):
        near = [names[side] for side in np.flatnonzero(is_nearest[row])]
        width = int(nearest[row, 0]) + 1
        if not any(margins.get(name, 0) >= width for name in near):
            margins[near[0]] = max(margins.get(near[0], 0), width)
    return {name: margins[name] for name in names if name in margins}


def _ratios(old: Array, new: Array) -> list[float]:
    """The factors from one to the other, if there are few."""
    telling = np.isfinite(old) & np.isfinite(new) & (np.abs(old) > 1e-3 * largest(old))
    if not telling.any():
        return []
    found = np.unique(np.round(np.asarray(new, np.float64)[telling] / old[telling], 5))
    return [float(ratio) for ratio in found] if len(found) <= 12 else []


def _direction(shift: tuple[int, int]) -> str:
    rows, columns = shift
    parts = []
    if columns:
        parts.append("right" if columns > 0 else "left")
    if rows:
        parts.append("bottom" if rows > 0 else "top")
    return f"{_NUMBERS[max(map(abs, shift))]} to the {' and '.join(parts)}"
