"""The first difference between what two sides computed, or between their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from padlint.verify.compare import differences, largest, worst
from padlint.verify.models.inputs import Array
from padlint.verify.models.result import Difference

Arrays = Mapping[str, Array]
Parts = Mapping[str, Arrays]
"""What a run gave: `outputs`, `gradients`, `state`, `layers`."""

PARTS = {"outputs": "output", "gradients": "gradient", "state": "state"}
"""What is compared of a run, and what a difference in it is called."""
_CALLED = {"outputs": "", "gradients": "the gradient of ", "state": "after a call, "}


@dataclass(frozen=True)
class Tolerance:
    """The largest difference that counts as equal, relative to the largest magnitude; per part of a run."""

    relative: Mapping[str, float]

    @classmethod
    def all(cls, relative: float) -> Tolerance:
        """The same for all parts."""
        return cls(dict.fromkeys(PARTS, relative))


def weights_differ(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]], framework: str
) -> str | None:
    """A sentence if the weights of one side would not load into the other.

    Keras sets weights by order, so that their names may change; elsewhere they go by name, in any order but
    that of optimizers, which is checked as well.
    """
    old, new = {w["label"]: w for w in before}, {w["label"]: w for w in after}
    lost, added = [name for name in old if name not in new], [name for name in new if name not in old]
    if bool(lost) != bool(added):
        return f"{lost[0]!r} was lost" if lost else f"{added[0]!r} was added"
    if framework != "keras":
        if lost:
            return f"{lost[0]!r} became {added[0]!r}"
        if list(old) != list(new):
            name = next(a for a, b in zip(old, new, strict=True) if a != b)
            return f"they come in another order, from {name!r} on"
    for number, (left, right) in enumerate(zip(before, after, strict=False)):
        if left["shape"] != right["shape"]:
            place = f"number {number}, " if framework == "keras" else ""
            shapes = f"{tuple(left['shape'])} became {tuple(right['shape'])}"
            return f"the shape of {place}{left['label']!r}: {shapes}"
        if left["trainable"] != right["trainable"]:
            return f"{left['label']!r} is {'no longer' if left['trainable'] else 'now'} trained"
    if len(before) != len(after):
        extra = (before if len(before) > len(after) else after)[min(len(before), len(after))]["label"]
        return f"{extra!r} was {'lost' if len(before) > len(after) else 'added'}"
    return None


def first_difference(before: Parts, after: Parts, tolerance: Tolerance) -> Difference | None:
    """What differs first: the structure, an output, a gradient, the state."""
    for part, what in PARTS.items():
        old, new = before.get(part, {}), after.get(part, {})
        if part != "outputs" and len(old) == len(new):  # the weights are the same, but Keras may rename them
            new = dict(zip(old, new.values(), strict=True))
        if set(old) != set(new):
            return _structure(part, list(old), list(new))
        for name, allowed in _allowed(part, old, tolerance):
            if found := _compare(what, _CALLED[part], name, old[name], new[name], allowed):
                return found
    return None


NOTHING = "no number, or only infinities and NaN,"
"""What outputs hold that show nothing: two sides would agree on them for any reason."""


def shows_something(outputs: Arrays) -> bool:
    """Whether there is a finite number."""
    return any(np.isfinite(array).any() for array in outputs.values())


def is_constant(outputs: Arrays) -> bool:
    """Whether every output with several numbers repeats one; False if there is none of these."""
    several = [array for array in outputs.values() if array.size > 1]
    return bool(several) and all((array == array.flat[0]).all() for array in several)


def relative_difference(before: Arrays, after: Arrays, part: str) -> float:
    """The largest difference of a part, relative to the largest magnitude."""
    scales = dict(_allowed(part, before, Tolerance.all(1.0)))
    found = [
        float(differences(before[name], after[name]).max(initial=0.0)) / (scales[name] or 1.0)
        for name in before
        if name in after and before[name].shape == after[name].shape
    ]
    return max(found, default=0.0)


def max_abs(before: Parts, after: Parts) -> float:
    """The largest difference between outputs of one shape."""
    old, new = before["outputs"], after["outputs"]
    return max(
        (
            float(differences(old[name], new[name]).max(initial=0.0))
            for name in old
            if name in new and old[name].shape == new[name].shape
        ),
        default=0.0,
    )


def _allowed(part: str, arrays: Arrays, tolerance: Tolerance) -> Iterator[tuple[str, float]]:
    """What each array may differ by. Gradients share a scale: some are zero but for rounding."""
    scales = {name: float(largest(array).max(initial=0.0)) for name, array in arrays.items()}
    shared = max(scales.values(), default=0.0) if part == "gradients" else 0.0
    for name, scale in scales.items():
        yield name, tolerance.relative[part] * max(scale, shared)


def _structure(part: str, old: Sequence[str], new: Sequence[str]) -> Difference:
    lost = [name for name in old if name not in new]
    added = [name for name in new if name not in old]
    text = (
        f"{lost[0]} became {added[0]}"
        if lost and added
        else f"{(lost or added)[0]} was {'lost' if lost else 'added'}"
    )
    what = "state" if part == "state" else "structure"
    called = "what a call leaves behind" if part == "state" else "the structure of what is returned"
    return Difference(what, (lost or added)[0], f"{called} changed: {text}")


def _compare(what: str, called: str, name: str, old: Array, new: Array, allowed: float) -> Difference | None:
    if old.shape != new.shape:
        return Difference(
            what, str(name), f"the shape of {called}{name} changed: {old.shape} became {new.shape}"
        )
    place = worst(old, new, allowed)
    if place is None:
        return None
    largest_difference = float(differences(old, new).max())
    index = tuple(int(i) for i in place)
    left, right = float(np.float64(old[place])), float(np.float64(new[place]))
    at = f"at {list(index)} {left:.6g} became {right:.6g}"
    message = f"{called}{name} differs by up to {largest_difference:.3g}: {at}"
    return Difference(what, str(name), message, largest_difference, index, left, right)
