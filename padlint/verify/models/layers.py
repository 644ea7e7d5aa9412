"""Two models whose layers belong to each other: run side by side, in the layout of the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from padlint.verify.compare import TOLERANCES, differences, largest
from padlint.verify.models.carry import Group, Unit, carried, members, pairs, signature, units
from padlint.verify.models.cause import Explainer
from padlint.verify.models.difference import Parts
from padlint.verify.models.inputs import Array, in_layout
from padlint.verify.models.request import Case
from padlint.verify.models.result import Difference
from padlint.verify.models.runs import Runner, read, write
from padlint.verify.models.session import Session

_FIRST = Case("random")
_REACH = 4
"""How far apart two layers are that may be called in either order."""


@dataclass
class Ports:
    """Both sides, built, and which of their layers belong together. `ranks`: what has channels at least."""

    before: Session
    after: Session
    runner: Runner
    built: tuple[Mapping[str, Any], Mapping[str, Any]]
    ranks: int = 4
    groups: list[tuple[Group, Group]] = field(default_factory=list)
    _given: dict[str, Array] = field(default_factory=dict)
    _start: dict[str, Array] = field(default_factory=dict)
    _state: dict[str, Array] = field(default_factory=dict)
    _traced: tuple[Case, Parts, Parts] | None = None

    def carry(self) -> None:
        """Give the second model the weights of the first. Raises `NoMatch`."""
        trace = self._trace()
        here, there = (self.runner.one(side, _FIRST, trace) for side in (self.before, self.after))
        self.groups = pairs(units(self.built[0], here), units(self.built[1], there))
        self._given = self._weights(self.before, "save", self.built[0])
        self._start = self._weights(self.after, "state", self.built[1])
        self._load(carried(self.matched, self._given, self._start))

    @property
    def matched(self) -> list[tuple[Unit, Unit]]:
        """The layers that belong together, in the order of the calls on the first side."""
        return members(self.groups)

    def exchange(self, case: Case) -> bool:
        """Whether layers of one shape near the first that differs were taken for each other. Then mend it.

        Branches may be called in either order; that all agrees up to a later layer is no chance.
        """
        if (place := self._place(*self.traced(case))) is None:
            return False
        layer = self._compared[place][0]
        mine = next(i for i, (group, _) in enumerate(self.groups) if layer in group)
        kind = signature(self.groups[mine][0])
        near = range(max(mine - _REACH, 0), min(mine + _REACH + 1, len(self.groups)))
        kept, state = self.groups, self._state
        for other in sorted(near, key=lambda i: abs(i - mine)):
            if other == mine or signature(kept[other][0]) != kind:
                continue
            self.groups = list(kept)
            self.groups[mine] = (kept[mine][0], kept[other][1])
            self.groups[other] = (kept[other][0], kept[mine][1])
            self._load(carried(self.matched, self._given, self._start))
            further = self._place(*self.traced(case))
            if further is None or further > place:
                return True
        self.groups = kept
        self._load(state)
        return False

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
        if self._traced is None or self._traced[0] != case:
            self._traced = (case, *self.both(case, self._trace()))
        return self._traced[1:]

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
        if left.shape != right.shape and difference.max_abs is not None:  # a crop is on its own there
            return replace(explainer.of_output(difference, case, old, new), layer=called)
        if _is_rectified(left) != _is_rectified(right):
            explainer.view = _rectified
        cause = explainer.of_layer(case, pair[0].layer, explainer.view(left), explainer.view(right))
        here, there = (call["epsilon"] for call in calls)
        if cause is None and here != there and None not in (here, there):
            cause = f"its epsilon is {here:g}, and there {there:g}"
        return replace(difference, layer=called, cause=cause)

    @property
    def _compared(self) -> list[tuple[Unit, Unit]]:
        return [pair for pair in self.matched if pair[0].is_whole and pair[1].is_whole]

    def _culprit(self, old: Parts, new: Parts) -> tuple[Unit, Unit] | None:
        place = self._place(old, new)
        return None if place is None else self._compared[place]

    def _place(self, old: Parts, new: Parts) -> int | None:
        """The first pair that differs.

        One that differs is fine if a later one reads or gives the same: activations and pads are part of a
        layer here, and on their own there.
        """
        names = [unit.layer for unit, _ in self._compared]
        last_output = max((i for i, name in enumerate(names) if _agree(old, new, "layers", name)), default=-1)
        last_input = max((i for i, name in enumerate(names) if _agree(old, new, "given", name)), default=-1)
        place = max(last_input, last_output + 1)
        return place if place < len(names) else None

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
        self._traced = None


def _agree(old: Parts, new: Parts, part: str, name: str) -> bool:
    left, right = old[part].get(name), new[part].get(name)
    if left is None or right is None:
        return False
    if _is_rectified(left) != _is_rectified(right):
        left, right = _rectified(left), _rectified(right)
    return _equal(left, right, "float32")


def _is_rectified(array: Array) -> bool:
    """Whether a ReLU seems to be part of the layer, which may be one of its own on the other side."""
    return bool(array.size) and bool(array.min() >= 0)


def _rectified(array: Array) -> Array:
    return np.asarray(np.maximum(array, 0))


def _equal(old: Array, new: Array, dtype: str) -> bool:
    if old.shape != new.shape:
        return False
    return bool((differences(old, new) <= TOLERANCES[dtype] * largest(old)).all())
