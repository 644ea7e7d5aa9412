"""The proof of one pair with one backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from padlint.findings import LayerPair, Program
from padlint.verify.arguments import Facts
from padlint.verify.backend import Array, Backend, Run
from padlint.verify.compare import arguments_differ, join, max_abs, runs_differ, weights_differ
from padlint.verify.errors import describe
from padlint.verify.evaluate import Evaluator
from padlint.verify.programs import Calls, Names, survey
from padlint.verify.protocol import AFTER, BEFORE, DIFFERS, EQUAL, NO_REFERENCE
from padlint.verify.samples import Samples, batch, noise, weight
from padlint.verify.values import Unsupported

DTYPES = ("float64", "float32")

Stage = Callable[[str], None]
"""Told which side is about to run, so that a parent process knows what killed a worker."""


@dataclass
class Outcome:
    """Result of a pair: `equal`, `differs` or `no reference`, and why."""

    result: str
    detail: str = ""
    max_abs: float | None = None
    dtype: str = DTYPES[0]


class _Raised(Exception):
    """One side raised; the message is a sentence."""

    def __init__(self, side: str, error: Exception) -> None:
        text = str(error) if isinstance(error, Unsupported) else describe(error)
        super().__init__(f"the {'old' if side == BEFORE else 'new'} code cannot be run: {text}")
        self.side = side


@dataclass(frozen=True)
class _Way:
    """How to run both sides: in which mode and precisions, and whether with fewer channels."""

    mode: str
    dtypes: tuple[str, ...] = DTYPES
    shrink: bool = True


def prove(pair: LayerPair, backend: Backend, stage: Stage) -> Outcome:
    """Run both sides in the first way that can run both.

    The backend's modes come first; then float32 alone, since some kernels know nothing else; then the numbers
    of channels as they are written. If nothing helps, a way in which the old code runs and the new one does
    not refutes the new one.
    """
    if not pair.sizes:
        return Outcome(NO_REFERENCE, "no input size is known to run it at")
    first = backend.modes[0]
    ways = [*map(_Way, backend.modes), _Way(first, DTYPES[1:]), _Way(first, shrink=False)]
    failures: dict[str, _Raised] = {}
    for way in ways:
        proof = _Proof(pair, backend, way, stage)
        try:
            return proof.run()
        except _Raised as raised:
            failures.setdefault(raised.side, raised)
        if way == ways[-2] and proof.facts.scale == 1:
            break  # the last way would be the first one again
    if AFTER in failures:
        return Outcome(DIFFERS, str(failures[AFTER]))
    return Outcome(NO_REFERENCE, str(failures[BEFORE]))


@dataclass
class _Proof:
    """Both sides of a pair, run in one way."""

    pair: LayerPair
    backend: Backend
    way: _Way
    stage: Stage
    facts: Facts = field(default_factory=Facts)
    largest: float = 0.0
    notes: list[str] = field(default_factory=list)

    def run(self) -> Outcome:
        names = Names(self.pair.names)
        before = self._try(BEFORE, Calls, self.pair.before, names)
        after = self._try(AFTER, Calls, self.pair.after, names)
        self.facts = survey(
            before, after, self.pair.kernel, self.backend.channels_first, shrink=self.way.shrink
        )
        for dtype in self.way.dtypes:
            if refuted := self._compare(dtype):
                return refuted
        return Outcome(EQUAL, "; ".join(self.notes), self.largest, self.way.dtypes[0])

    def _compare(self, dtype: str) -> Outcome | None:
        """Build and run both sides in one precision; None if they are equal."""
        self.backend.start(dtype)
        inputs = {size: self._batch(size) for size in self.pair.sizes}
        first = next(iter(inputs.values()))
        before, old_weights = self._build(BEFORE, self.pair.before, first)
        after, new_weights = self._build(AFTER, self.pair.after, first)
        if (detail := weights_differ(old_weights, new_weights)) or (
            detail := arguments_differ(before.carried, after.carried)
        ):
            return self._refuted(detail, None, dtype)
        self.notes = before.notes
        for size, array in inputs.items():
            old = self._run(BEFORE, before, array)
            if old.output.size == 0:
                raise _Raised(BEFORE, Unsupported(f"its output is empty at size {join(size)}"))
            new = self._run(AFTER, after, array)
            same_shape = old.output.shape == new.output.shape
            if same_shape and dtype == self.way.dtypes[0]:
                self.largest = max(self.largest, max_abs(old, new))
            if detail := runs_differ(old, new, size, dtype):
                return self._refuted(detail, self.largest if same_shape else None, dtype)
        return None

    def _refuted(self, detail: str, largest: float | None, dtype: str) -> Outcome:
        scale = self.facts.scale
        note = "" if scale == 1 else f" (with the numbers of channels divided by {scale})"
        return Outcome(DIFFERS, detail + note, largest, dtype)

    def _batch(self, size: tuple[int, ...]) -> Array:
        return batch("input", size, self.facts.channels, self.facts.channels_first)

    def _build(
        self, side: str, program: Program, array: Array
    ) -> tuple[Evaluator, dict[str, tuple[int, ...]]]:
        """A side with its weights set, and the shapes of these."""
        names = Names(self.pair.names)
        samples = Samples(self.backend)
        evaluator = self._try(side, Evaluator, program, names, self.facts, self.backend, samples)
        weights = self._try(side, self.backend.build, evaluator, array)
        shapes = {name: self.backend.shape(handle) for name, handle in weights.items()}
        for name, handle in weights.items():
            self.backend.assign(handle, weight(name, shapes[name]))
        return evaluator, shapes

    def _run(self, side: str, evaluator: Evaluator, array: Array) -> Run:
        run: Run = self._try(side, self.backend.run, evaluator, array, _cotangent, self.way.mode)
        return run

    def _try(self, side: str, function: Callable[..., Any], *args: Any) -> Any:
        self.stage(side)
        try:
            return function(*args)
        except Exception as error:  # framework code raises whatever it likes; which side did is the result
            raise _Raised(side, error) from error


def _cotangent(shape: tuple[int, ...]) -> Array:
    return noise("cotangent", shape)
