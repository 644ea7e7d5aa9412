"""The proof of one pair with one backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from padlint.findings import LayerPair, Program
from padlint.verify.arguments import Facts
from padlint.verify.backend import Array, Backend, Run
from padlint.verify.compare import arguments_differ, max_abs, runs_differ, weights_differ
from padlint.verify.evaluate import Evaluator
from padlint.verify.programs import Names, survey
from padlint.verify.samples import Samples, batch, noise, weight
from padlint.verify.values import Unsupported

EQUAL, DIFFERS, NO_REFERENCE = "equal", "differs", "no reference"
BEFORE, AFTER = "before", "after"
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
        text = str(error) if isinstance(error, Unsupported) else _describe(error)
        super().__init__(f"the {'old' if side == BEFORE else 'new'} code cannot be run: {text}")
        self.side = side


def prove(pair: LayerPair, backend: Backend, stage: Stage) -> Outcome:
    """Run both sides in every mode until one mode can run both.

    If none can, a mode in which the old code runs and the new one does not refutes the new one.
    """
    failures: dict[str, _Raised] = {}
    for mode in backend.modes:
        try:
            return _Proof(pair, backend, mode, stage).run()
        except _Raised as raised:
            failures.setdefault(raised.side, raised)
    if AFTER in failures:
        return Outcome(DIFFERS, str(failures[AFTER]))
    return Outcome(NO_REFERENCE, str(failures[BEFORE]))


@dataclass
class _Proof:
    """Both sides of a pair in one mode."""

    pair: LayerPair
    backend: Backend
    mode: str
    stage: Stage
    largest: float = 0.0
    notes: list[str] = field(default_factory=list)

    def run(self) -> Outcome:
        if not self.pair.sizes:
            raise _Raised(BEFORE, Unsupported("no input size is known to run it at"))
        for dtype in DTYPES:
            if refuted := self._compare(dtype):
                return refuted
        return Outcome(EQUAL, "; ".join(self.notes), self.largest)

    def _compare(self, dtype: str) -> Outcome | None:
        """Build and run both sides in one precision; None if they are equal."""
        self.backend.start(dtype)
        names = Names(self.pair.names)
        facts = self._try(
            BEFORE, survey, self.pair.before, names, self.pair.kernel, self.backend.channels_first
        )
        inputs = {
            size: batch("input", size, facts.channels, facts.channels_first) for size in self.pair.sizes
        }
        first = next(iter(inputs.values()))
        before, old_weights = self._build(BEFORE, self.pair.before, names, facts, first)
        after, new_weights = self._build(AFTER, self.pair.after, names, facts, first)
        if detail := weights_differ(old_weights, new_weights) or arguments_differ(
            before.carried, after.carried
        ):
            return Outcome(DIFFERS, detail, dtype=dtype)
        self.notes = before.notes
        for size, array in inputs.items():
            old = self._run(BEFORE, before, array)
            if old.output.size == 0:
                raise _Raised(BEFORE, Unsupported(f"its output is empty at size {size}"))
            new = self._run(AFTER, after, array)
            if old.output.shape == new.output.shape and dtype == DTYPES[0]:
                self.largest = max(self.largest, max_abs(old, new))
            if detail := runs_differ(old, new, size, dtype):
                measured = self.largest if old.output.shape == new.output.shape else None
                return Outcome(DIFFERS, detail, measured, dtype)
        return None

    def _build(
        self, side: str, program: Program, names: Names, facts: Facts, array: Array
    ) -> tuple[Evaluator, dict[str, tuple[int, ...]]]:
        """A side with its weights set, and the shapes of these."""
        evaluator = self._try(side, Evaluator, program, names, facts, self.backend, Samples(self.backend))
        weights = self._try(side, self.backend.build, evaluator, array)
        shapes = {name: self.backend.shape(handle) for name, handle in weights.items()}
        for name, handle in weights.items():
            self.backend.assign(handle, weight(name, shapes[name]))
        return evaluator, shapes

    def _run(self, side: str, evaluator: Evaluator, array: Array) -> Run:
        run: Run = self._try(side, self.backend.run, evaluator, array, _cotangent, self.mode)
        return run

    def _try(self, side: str, function: Callable[..., Any], *args: Any) -> Any:
        self.stage(side)
        try:
            return function(*args)
        except Exception as error:  # framework code raises whatever it likes; which side did is the result
            raise _Raised(side, error) from error


def _cotangent(shape: tuple[int, ...]) -> Array:
    return noise("cotangent", shape)


def _describe(error: Exception) -> str:
    """Class and first line of an exception."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
