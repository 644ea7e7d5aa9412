"""Two models whose layers belong to each other: run side by side, in the layout of the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from padlint.verify.compare import TOLERANCES, differences, largest
from padlint.verify.models.carry import Unit, carried, pairs, units
from padlint.verify.models.cause import Explainer
from padlint.verify.models.difference import Parts
from padlint.verify.models.inputs import Array, in_layout
from padlint.verify.models.request import Case
from padlint.verify.models.result import Difference
from padlint.verify.models.runs import Runner, read, write
from padlint.verify.models.session import Session

_FIRST = Case("random")


@dataclass
class Ports:
    """Both sides, built, and which of their layers belong together. `ranks`: what has channels at least."""

    before: Session
    after: Session
    runner: Runner
    built: tuple[Mapping[str, Any], Mapping[str, Any]]
    ranks: int = 4
    matched: list[tuple[Unit, Unit]] = field(default_factory=list)
    _state: dict[str, Array] = field(default_factory=dict)

    def carry(self) -> None:
        """Give the second model the weights of the first. Raises `NoMatch`."""
        trace = self._trace()
        calls: Any = self.runner.one(self.before, _FIRST, trace)["calls"]
        others: Any = self.runner.one(self.after, _FIRST, trace)["calls"]
        self.matched = pairs(units(self.built[0], calls), units(self.built[1], others))
        state = self._weights(self.before, "save", self.built[0])
        start = self._weights(self.after, "state", self.built[1])
        self._load(carried(self.matched, state, start))

    def permute(self, case: Case) -> bool:
        """Put the rows of the first dense layer that differs behind a Flatten in the order of its port."""
        if not self.matched or self.built[0]["first_axis"] == self.built[1]["first_axis"]:
            return False
        old, new = self.traced(case)
        pair = self._culprit(old, new)
        if pair is None or len(pair[0].weights.get("kernel", ("", "", ()))[2]) != 2:
            return False
        given, there = old["given"].get(pair[0].layer), new["given"].get(pair[0].layer)
        before = [name for name in old["calls"] if name in old["layers"]]
        maps = [
            old["layers"][name]
            for name in before[: before.index(pair[0].layer)]
            if old["layers"][name].ndim >= 4
        ]
        if given is None or there is None or not maps or given.shape != there.shape:
            return False
        places = np.arange(given.shape[-1])
        if maps[-1][0].size != places.size:
            return False
        shape = (1, *maps[-1].shape[1:])
        moved = in_layout(places.reshape(shape), self.built[0]["first_axis"], self.built[1]["first_axis"])
        order = moved.reshape(-1)
        if (order == places).all() or not _equal(given[..., order], there, "float32"):
            return False
        key = pair[1].weights["kernel"][0]
        axis = 1 if self.built[1]["framework"] == "torch" else 0
        self._load(self._state | {key: np.take(self._state[key], order, axis)})
        return True

    def one(self, case: Case) -> Parts:
        """What the first model makes of a case."""
        return self.runner.one(self.before, case)

    def both(self, case: Case, trace: Mapping[str, Any] | None = None) -> tuple[Parts, Parts]:
        """What both make of a case: that of the second by the names, and in the layout, of the first."""
        there = dict(trace or {})
        if there.get("layer"):
            there["layer"] = self._names().get(there["layer"], there["layer"])
        if there:
            there["first_axis"] = self.built[1]["first_axis"]
        files = [
            self.runner.start(session, case, given or None)
            for session, given in ((self.before, trace), (self.after, there))
        ]
        old = self.runner.finish(self.before, files[0])
        return old, self._here(self.runner.finish(self.after, files[1]), old)

    def traced(self, case: Case) -> tuple[Parts, Parts]:
        """The same with what goes into each layer, and comes out of it."""
        return self.both(case, self._trace())

    def explain(self, difference: Difference, case: Case, dtype: str) -> Difference:
        """The difference with the first layer that differs, and why."""
        explainer = Explainer(
            lambda c, trace: self.runner.one(self.before, c, trace),
            lambda c, trace: self.both(c, trace)[1],
            self.built[0]["first_axis"],
            dtype,
        )
        old, new = self.traced(case)
        pair = self._culprit(old, new)
        if pair is None:
            return explainer.of_output(difference, case, old, new)
        left, right = (found["layers"].get(pair[0].layer) for found in (old, new))
        calls: list[Any] = [found["calls"][unit.layer] for found, unit in zip((old, new), pair, strict=True)]
        kinds = [call["classes"][0] for call in calls]
        called = f"{pair[0].layer} ({kinds[0]}), there {pair[1].layer} ({kinds[1]})"
        if left is None or right is None:
            return replace(difference, layer=called)
        cause = explainer.of_layer(case, pair[0].layer, *_rectified(left, right))
        here, there = (call["epsilon"] for call in calls)
        if cause is None and here != there and None not in (here, there):
            cause = f"its epsilon is {here:g}, and there {there:g}"
        return replace(difference, layer=called, cause=cause)

    def _culprit(self, old: Parts, new: Parts) -> tuple[Unit, Unit] | None:
        """The first pair that differs.

        One that differs is fine if a later one reads or gives the same: activations and pads are part of a
        layer here, and on their own there.
        """
        compared = [pair for pair in self.matched if pair[0].is_whole and pair[1].is_whole]
        names = [old_unit.layer for old_unit, _ in compared]
        last_output = max((i for i, name in enumerate(names) if _agree(old, new, "layers", name)), default=-1)
        last_input = max((i for i, name in enumerate(names) if _agree(old, new, "given", name)), default=-1)
        place = max(last_input, last_output + 1)
        return compared[place] if place < len(compared) else None

    def _here(self, there: Parts, here: Parts) -> Parts:
        """By the names and in the layout of the first model."""
        names = {new: old for old, new in self._names().items()}
        outputs = zip(here["outputs"].items(), there["outputs"].values(), strict=False)
        result = dict(there)
        if len(here["outputs"]) == len(there["outputs"]):
            result["outputs"] = {name: self._moved(array, old.shape) for (name, old), array in outputs}
        for part in ("layers", "given"):
            known = here.get(part, {})
            result[part] = {
                names[name]: self._moved(array, known[names[name]].shape if names[name] in known else None)
                for name, array in there.get(part, {}).items()
                if name in names
            }
        return result

    def _moved(self, array: Array, shape: tuple[int, ...] | None) -> Array:
        """In the layout of the first model, unless only the other one fits."""
        moved = in_layout(array, self.built[1]["first_axis"], self.built[0]["first_axis"], self.ranks)
        return array if moved.shape != shape and array.shape == shape else moved

    def _names(self) -> dict[str, str]:
        return {old.layer: new.layer for old, new in self.matched if old.is_whole and new.is_whole}

    def _trace(self) -> dict[str, Any]:
        return {"inputs": True, "first_axis": self.built[0]["first_axis"]}

    def _weights(self, session: Session, do: str, built: Mapping[str, Any]) -> dict[str, Array]:
        path = self.runner.path(".npz")
        session.ask(do, path=str(path))
        arrays = read(path, {"outputs": [weight["key"] for weight in built["weights"]]})
        return dict(arrays["outputs"])

    def _load(self, state: dict[str, Array]) -> None:
        path = self.runner.path(".npz")
        write(path, state)
        self.after.ask("load", path=str(path))
        self._state = state


def _agree(old: Parts, new: Parts, part: str, name: str) -> bool:
    left, right = old[part].get(name), new[part].get(name)
    return left is not None and right is not None and _equal(*_rectified(left, right), "float32")


def _rectified(old: Array, new: Array) -> tuple[Array, Array]:
    """Both behind a ReLU if one of them seems to be: it may be a part of the layer on one side only."""
    if old.size and new.size and (old.min() >= 0) != (new.min() >= 0):
        return np.maximum(old, 0), np.maximum(new, 0)
    return old, new


def _equal(old: Array, new: Array, dtype: str) -> bool:
    if old.shape != new.shape:
        return False
    return bool((differences(old, new) <= TOLERANCES[dtype] * largest(old)).all())
