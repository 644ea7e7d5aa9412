"""The parent side: starts workers, feeds them, and survives what happens to them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from padlint.findings import LayerPair, LayerProof
from padlint.verify.errors import remedy
from padlint.verify.process import Worker, WorkerDied
from padlint.verify.protocol import AFTER, DIFFERS, IDLE, NO_REFERENCE, WORKERS, encode

Progress = Callable[[int, int], None]
"""Called with the number of pairs that are done and the number of all."""


class MissingFramework(Exception):
    """A framework that a proof needs is not installed; the message says how to install it."""

    def __init__(self, framework: str, reason: str) -> None:
        super().__init__(
            f"the layer proof needs {framework}, which cannot be loaded ({reason}){remedy(framework)}"
        )
        self.framework = framework


class LayerProver:
    """Proves pairs in the frameworks themselves: `with LayerProver() as prover: proofs = prover(pairs)`.

    A framework is loaded by the first pair that needs it and stays loaded until `close`. `timeout` limits
    each step of a pair, `start_timeout` the loading of a framework, both in seconds. `python` is the
    interpreter that has the frameworks.
    """

    def __init__(
        self,
        *,
        timeout: float = 60.0,
        start_timeout: float = 300.0,
        python: str = sys.executable,
        on_progress: Progress | None = None,
    ) -> None:
        self._timeout = timeout
        self._start_timeout = start_timeout
        self._python = python
        self._on_progress = on_progress
        self._workers: dict[str, Worker] = {}
        self._proofs: dict[str, LayerProof] = {}

    def __enter__(self) -> LayerProver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        while self._workers:
            self._workers.popitem()[1].close()

    @property
    def pids(self) -> dict[str, int]:
        """Process ids of the workers that are running, by framework."""
        return {framework: worker.pid for framework, worker in self._workers.items()}

    def __call__(self, pairs: Sequence[LayerPair], on_progress: Progress | None = None) -> list[LayerProof]:
        """One proof per pair, in order; equal pairs run once. `MissingFramework` if one is not installed."""
        report = on_progress or self._on_progress or (lambda done, total: None)
        keys = [encode(pair) for pair in pairs]
        for framework in {WORKERS[pair.framework] for pair in pairs if pair.framework in WORKERS}:
            self._start(framework)  # all of them first: they load at the same time
        for done, (key, pair) in enumerate(zip(keys, pairs, strict=True), start=1):
            if key not in self._proofs:
                self._proofs[key] = self._prove(pair)
            report(done, len(pairs))
        return [self._proofs[key] for key in keys]

    def _start(self, framework: str) -> Worker:
        if framework not in self._workers:
            self._workers[framework] = Worker(framework, self._python)
        return self._workers[framework]

    def _prove(self, pair: LayerPair) -> LayerProof:
        if pair.framework not in WORKERS:
            outcome = _outcome(NO_REFERENCE, f"{pair.framework} code cannot be run here")
        else:
            outcome = self._ask(WORKERS[pair.framework], pair)
        return LayerProof(
            framework=pair.framework,
            result=outcome["result"],
            max_abs=outcome["max_abs"],
            dtype=outcome["dtype"],
            sizes=pair.sizes,
            detail=outcome["detail"],
        )

    def _ask(self, framework: str, pair: LayerPair) -> dict[str, Any]:
        """The worker's answer, or what its death says about the pair."""
        try:
            return self._attempt(framework, pair)
        except WorkerDied as death:
            if death.stage != IDLE:
                return _verdict(death)
        try:  # it was dead before it saw the pair
            return self._attempt(framework, pair)
        except WorkerDied as death:
            return _verdict(death)

    def _attempt(self, framework: str, pair: LayerPair) -> dict[str, Any]:
        """The worker's answer; a worker that dies is forgotten, so that the next pair starts another."""
        worker = self._start(framework)
        try:
            self._load(worker)
            return worker.prove(pair, self._timeout)
        except (WorkerDied, MissingFramework):
            self._workers.pop(framework).close()
            raise

    def _load(self, worker: Worker) -> None:
        try:
            opening = worker.opening(self._start_timeout)
        except WorkerDied as death:
            raise MissingFramework(worker.framework, str(death)) from None
        if "missing" in opening:
            raise MissingFramework(worker.framework, opening["missing"])


def _verdict(death: WorkerDied) -> dict[str, Any]:
    """New code that ends the process refutes the fix; old code that does leaves nothing to compare with."""
    if death.stage == AFTER:
        return _outcome(DIFFERS, f"the new code cannot be run: {death}")
    return _outcome(NO_REFERENCE, f"the old code cannot be run: {death}")


def _outcome(result: str, detail: str) -> dict[str, Any]:
    return {"result": result, "detail": detail, "max_abs": None, "dtype": "float64"}
