"""The parent's handle on a worker process."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from padlint.findings import LayerPair
from padlint.verify.protocol import AFTER, IDLE, encode

_ROOT = Path(__file__).resolve().parents[2]
_ENVIRONMENT = {
    "TF_ENABLE_ONEDNN_OPTS": "0",  # with it, an empty output kills the process or comes out as garbage
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "KERAS_BACKEND": "tensorflow",
    "XLA_FLAGS": "--xla_backend_optimization_level=1",  # compiling takes longer than running
}
_DROPPED = {
    "PYTHONSAFEPATH",  # would hide padlint from the child
    "TF_USE_LEGACY_KERAS",
}


class WorkerDied(Exception):
    """A worker ended, or did not answer in time; `stage` is what it was doing."""

    def __init__(self, reason: str, stage: str) -> None:
        super().__init__(reason)
        self.stage = stage


class Worker:
    """A child process that has one framework loaded."""

    def __init__(self, framework: str, python: str) -> None:
        self.framework = framework
        self._opened: dict[str, Any] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        # In the folder that holds padlint, so that nothing in the user's own folder shadows a framework.
        self._process = subprocess.Popen(
            [python, "-m", "padlint.verify.worker", framework],
            cwd=_ROOT,
            env={key: value for key, value in os.environ.items() if key not in _DROPPED} | _ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def opening(self, seconds: float) -> dict[str, Any]:
        """The worker's first message, which comes when the framework is loaded or cannot be."""
        if self._opened is None:
            self._opened = self._receive(time.monotonic() + seconds, IDLE)
        return self._opened

    def prove(self, pair: LayerPair, seconds: float) -> dict[str, Any]:
        """The outcome of one pair; `WorkerDied` if the process does not survive it or takes too long.

        Each step may take `seconds`, those of the new code twice as long: the clock shall not refute code
        that does the same work.
        """
        stage = IDLE
        deadline = time.monotonic() + seconds
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(encode(pair) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._death(stage) from None
        while "outcome" not in (message := self._receive(deadline, stage)):
            stage = message["stage"]
            deadline = time.monotonic() + seconds * (2 if stage == AFTER else 1)
        outcome: dict[str, Any] = message["outcome"]
        return outcome

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._reader.join(timeout=5)
        for stream in (self._process.stdin, self._process.stdout, self._log):
            with contextlib.suppress(OSError):  # unsent input has nowhere to go
                if stream is not None:
                    stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _receive(self, deadline: float, stage: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.0))
        except queue.Empty:
            raise WorkerDied("it took too long", stage) from None
        if line is None:
            raise self._death(stage)
        message: dict[str, Any] = json.loads(line)
        return message

    def _death(self, stage: str) -> WorkerDied:
        code = self._process.wait()
        if code >= 0:
            return WorkerDied(f"the process ended with exit code {code}{self._last_words()}", stage)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return WorkerDied(f"it killed the process ({name})", stage)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").splitlines()
        return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")
