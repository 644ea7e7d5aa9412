"""The child process: `python -m padlint.verify.worker torch` proves the pairs that it reads from stdin."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO

from padlint.verify.protocol import decode

if TYPE_CHECKING:
    from padlint.verify.backend import Backend

MEMORY = 8 * 2**30
"""Bytes that a worker may allocate: a program that wants more fails instead of exhausting the machine."""


def main(framework: str) -> None:
    """Answer line after line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business, which ends this process
    with _protocol() as output:

        def say(**message: object) -> None:
            output.write(json.dumps(message) + "\n")
            output.flush()

        try:
            backend = _load(framework)
        except ImportError as error:
            say(missing=str(error))
            return
        from padlint.verify.proof import (
            prove,
        )  # after the framework: it needs NumPy, which may be missing too

        _limit_memory()
        say(ready=framework)
        for line in _lines():
            outcome = prove(decode(line), backend, lambda side: say(stage=side))
            say(outcome=asdict(outcome))


def _lines() -> Iterator[str]:
    """The lines of stdin. When it ends, the parent is gone, and this process ends at once."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def _protocol() -> TextIO:
    """The real stdout; whatever the framework prints goes to stderr from now on."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return output


def _load(framework: str) -> Backend:
    if framework == "torch":
        from padlint.verify.torch_backend import TorchBackend

        return TorchBackend()
    from padlint.verify.tensorflow_backend import TensorflowBackend

    return TensorflowBackend()


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # a net, and not every system has it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


if __name__ == "__main__":
    main(sys.argv[1])
