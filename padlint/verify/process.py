"""The parent's handle on a child process that is spoken to in JSON, one object per line."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from padlint.findings import LayerPair
from padlint.verify.protocol import AFTER, IDLE, encode

_ROOT = Path(__file__).resolve().parents[2]
_LAST_WORDS = 2000  # lines kept of what a child writes to stderr
_STACK = ('  File "', "Current thread", "Thread", "Stack")  # what Python says of itself there

ENVIRONMENT = {
    "TF_ENABLE_ONEDNN_OPTS": "0",  # with it, an empty output kills the process or comes out as garbage
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "OMP_WAIT_POLICY": "PASSIVE",  # several children run at a time; those that wait leave the cores to others
}
_WORKER = ENVIRONMENT | {
    "KERAS_BACKEND": "tensorflow",
    "XLA_FLAGS": "--xla_backend_optimization_level=1",  # compiling takes longer than running
}


class Died(Exception):
    """A child ended or was killed; the message says how."""


class Late(Died):
    """A child did not answer in time."""

    def __init__(self) -> None:
        super().__init__("it took too long")


class Child:
    """A process that runs a module of padlint. What it writes to stderr is kept for its last words.

    It leads a process group, so that what it starts itself ends with it. Its folder is the one that holds
    padlint, so that nothing in the user's own folder shadows a framework.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        python: str,
        environment: Mapping[str, str],
        without: Sequence[str] = (),
    ) -> None:
        dropped = {"PYTHONSAFEPATH", *without}  # it would hide padlint from the child
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._log: collections.deque[str] = collections.deque(maxlen=_LAST_WORDS)
        self._process = subprocess.Popen(
            [python, "-m", module, *arguments],
            cwd=_ROOT,
            env={key: value for key, value in os.environ.items() if key not in dropped} | dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._listen)]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Say something. `Died` if nobody listens."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._death() from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next message. `Died` if there is none, `Late` if it does not come in time."""
        deadline = time.monotonic() + seconds
        while True:
            is_over = self._process.poll() is not None  # what it started may keep its stdout open
            try:
                line = self._lines.get(
                    timeout=0.5 if is_over else max(min(deadline - time.monotonic(), 0.5), 0.0)
                )
                break
            except queue.Empty:
                if is_over:
                    raise self._death() from None
                if time.monotonic() > deadline:
                    raise Late from None
        if line is None:
            raise self._death()
        message: dict[str, Any] = json.loads(line)
        return message

    def interrupt(self) -> None:
        """Ask a child that is late for its stack, which it writes to stderr if it is able to."""
        if hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.5)

    def log(self) -> list[str]:
        """The last lines that it wrote to stderr."""
        return list(self._log)

    def close(self) -> None:
        """End the process, and what it has started."""
        with contextlib.suppress(OSError, AttributeError):  # not every system has process groups
            os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(timeout=5)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):  # unsent input has nowhere to go
                if stream is not None:
                    stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        while line := self._process.stderr.readline(4096):
            self._log.append(line)

    def _death(self) -> Died:
        code = self._process.wait()
        self._readers[1].join(timeout=1)
        if code >= 0:
            return Died(f"the process ended with exit code {code}{self._last_words()}")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return Died(f"it killed the process ({name})")

    def _last_words(self) -> str:
        words = (line.strip() for line in reversed(self._log) if not line.startswith(_STACK))
        return next((f": {line}" for line in words if line), "")


class WorkerDied(Exception):
    """A worker ended, or did not answer in time; `stage` is what it was doing."""

    def __init__(self, reason: str, stage: str) -> None:
        super().__init__(reason)
        self.stage = stage


class Worker:
    """A child process that has one framework loaded and proves pairs."""

    def __init__(self, framework: str, python: str) -> None:
        self.framework = framework
        self._opened: dict[str, Any] | None = None
        self._child = Child(
            "padlint.verify.worker", [framework], python, _WORKER, without=["TF_USE_LEGACY_KERAS"]
        )
        self.pid, self.close = self._child.pid, self._child.close

    def opening(self, seconds: float) -> dict[str, Any]:
        """The worker's first message, which comes when the framework is loaded or cannot be."""
        if self._opened is None:
            self._opened = self._receive(seconds, IDLE)
        return self._opened

    def prove(self, pair: LayerPair, seconds: float) -> dict[str, Any]:
        """The outcome of one pair; `WorkerDied` if the process does not survive it or takes too long.

        Each step may take `seconds`, those of the new code twice as long: the clock shall not refute code
        that does the same work.
        """
        stage = IDLE
        try:
            self._child.send(encode(pair))
        except Died as death:
            raise WorkerDied(str(death), stage) from None
        limit = seconds
        while "outcome" not in (message := self._receive(limit, stage)):
            stage = message["stage"]
            limit = seconds * (2 if stage == AFTER else 1)
        outcome: dict[str, Any] = message["outcome"]
        return outcome

    def _receive(self, seconds: float, stage: str) -> dict[str, Any]:
        try:
            return self._child.receive(seconds)
        except Died as death:
            raise WorkerDied(str(death), stage) from None
