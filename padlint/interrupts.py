"""Ctrl-C and a request to end: at once while nothing is at stake, held back while a file is written.

Whatever was written is recorded before the run ends, so that it is reported, and nothing else is.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)


INTERRUPTED = 128
"""Exit statuses above this one tell the number of the signal."""


class Interrupted(KeyboardInterrupt):
    """The run was asked to end, by this signal."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.number = number

    @property
    def status(self) -> int:
        """The exit status by which a shell knows it."""
        return INTERRUPTED + self.number


class _State:
    """Signals come to a process, not to an object: there is one state."""

    held = False
    pending: int | None = None


def listen() -> None:
    """From now on, a signal that asks the process to end raises `Interrupted`; an ignored one stays so."""
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _receive)


def _receive(number: int, frame: FrameType | None) -> None:
    if not _State.held:
        raise Interrupted(number)
    _State.pending = number


def hold() -> None:
    """From now on, signals wait until something allows them."""
    _State.held, _State.pending = True, None


@contextmanager
def held() -> Iterator[None]:
    """Signals wait, until the block ends or something inside allows them."""
    yield from _switched(True)


@contextmanager
def allowed() -> Iterator[None]:
    """Signals may interrupt what is done in the block; one that waits does so at once."""
    yield from _switched(False)


def _switched(to: bool) -> Iterator[None]:
    before, _State.held = _State.held, to
    try:
        _raise_pending()
        yield
    finally:
        _State.held = before
    _raise_pending()


def _raise_pending() -> None:
    if not _State.held and _State.pending is not None:
        number, _State.pending = _State.pending, None
        raise Interrupted(number)
