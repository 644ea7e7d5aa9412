"""What every child process does: it keeps its protocol to itself, ends with its parent, limits its memory."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator

Say = Callable[..., None]
"""Sends one message: `say(ready="torch")`."""


def ignore_interrupts() -> None:
    """Ctrl-C is the parent's business, which ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def protocol() -> Iterator[Say]:
    """The real stdout; whatever anybody else prints goes to stderr from now on."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as output:
        os.dup2(2, 1)

        def say(**message: object) -> None:
            output.write(json.dumps(message) + "\n")
            output.flush()

        yield say


def lines() -> Iterator[str]:
    """The lines of stdin, which is empty for everybody else.

    When it ends, the parent is gone, and this process ends at once.
    """
    found: queue.SimpleQueue[str] = queue.SimpleQueue()
    leave = os._exit
    stdin = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the rest of this process

    def read() -> None:
        for line in stdin:
            found.put(line)
        leave(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield found.get()


def limit_memory(size: int) -> None:
    """A process that wants more bytes fails instead of exhausting the machine."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # a net, and not every system has it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
