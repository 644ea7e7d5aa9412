"""The parent side: starts workers, feeds them, and survives what happens to them."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from padlint.findings import LayerPair, LayerProof
from padlint.verify.protocol import WORKERS, encode

Progress = Callable[[int, int], None]
"""Called with the number of pairs that are done and the number of all."""

_ROOT = Path(__file__).resolve().parents[2]
_ENVIRONMENT = {
    "TF_ENABLE_ONEDNN_OPTS": "0",  # with it, an empty output kills the process or comes out as garbage
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "KERAS_BACKEND": "tensorflow",
    "XLA_FLAGS": "--xla_backend_optimization_level=0",  # compiling takes longer than running
}


class MissingFramework(Exception):
    """A framework that a proof needs is not installed; the message says how to install it."""

    def __init__(self, framework: str, reason: str) -> None:
        super().__init__(
            f"the layer proof needs {framework}, which cannot be imported ({reason}): "
            f"pip install 'padlint[{framework}]'"
        )
        self.framework = framework


class _Died(Exception):
    """A worker ended, or was ended, before it answered."""

    def __init__(self, reason: str, stage: str) -> None:
        super().__init__(reason)
        self.stage = stage


class _Worker:
    """One child process."""

    def __init__(self, framework: str, python: str) -> None:
        self.framework = framework
        self._ready = False
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        # In the folder that holds padlint, so that nothing in the user's own folder shadows a framework.
        self._process = subprocess.Popen(
            [python, "-m", "padlint.verify.worker", framework],
            cwd=_ROOT,
            env={**_inherited(), **_ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            encoding="utf-8",
        )
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def wait_until_ready(self, seconds: float) -> None:
        """Let the framework load."""
        if self._ready:
            return
        message = self._receive(seconds, "start")
        if "missing" in message:
            raise MissingFramework(self.framework, message["missing"])
        self._ready = True

    def prove(self, pair: LayerPair, seconds: float) -> dict[str, Any]:
        """The outcome of one pair; `_Died` if the process does not survive it or takes too long."""
        stage = "before"
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(encode(pair) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._death(stage) from None
        deadline = time.monotonic() + seconds
        while True:
            message = self._receive(deadline - time.monotonic(), stage)
            if "outcome" in message:
                outcome: dict[str, Any] = message["outcome"]
                return outcome
            stage = message["stage"]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _receive(self, seconds: float, stage: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            raise _Died("it took too long", stage) from None
        if line is None:
            raise self._death(stage)
        message: dict[str, Any] = json.loads(line)
        return message

    def _death(self, stage: str) -> _Died:
        code = self._process.wait()
        return _Died(_signal_name(code) if code < 0 else f"exit code {code}{self._last_words()}", stage)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")


class LayerProver:
    """Proves pairs in the frameworks themselves: `with LayerProver() as prover: proofs = prover(pairs)`.

    A framework is loaded by the first pair that needs it and stays loaded until `close`. `timeout` limits one
    pair, `start_timeout` the loading of a framework, both in seconds. `python` is the interpreter that has
    the frameworks.
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
        self._workers: dict[str, _Worker] = {}
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

    def _start(self, framework: str) -> _Worker:
        if framework not in self._workers:
            self._workers[framework] = _Worker(framework, self._python)
        return self._workers[framework]

    def _prove(self, pair: LayerPair) -> LayerProof:
        if pair.framework not in WORKERS:
            outcome = _outcome("no reference", f"{pair.framework} code cannot be run here")
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
        """The worker's answer; a worker that dies is forgotten, so that the next pair starts another."""
        worker = self._start(framework)
        try:
            self._load(worker)
            return worker.prove(pair, self._timeout)
        except _Died as death:
            self._workers.pop(framework).close()
            before = death.stage == "before"
            side = "old" if before else "new"
            return _outcome(
                "no reference" if before else "differs", f"the {side} code ended the process: {death}"
            )

    def _load(self, worker: _Worker) -> None:
        try:
            worker.wait_until_ready(self._start_timeout)
        except _Died as death:
            self._workers.pop(worker.framework).close()
            raise MissingFramework(worker.framework, str(death)) from None


def _outcome(result: str, detail: str) -> dict[str, Any]:
    return {"result": result, "detail": detail, "max_abs": None, "dtype": "float64"}


def _inherited() -> dict[str, str]:
    """The environment without what would hide padlint from the child or choose another Keras."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONSAFEPATH", "TF_USE_LEGACY_KERAS")}


def _signal_name(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
