"""How far a long run is: one line on a terminal, gone when the run ends."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

_PATIENCE = 1.0  # seconds that a run may take before it is worth a line
_PAUSE = 0.1  # seconds between two pictures
_BAR = 20  # characters


class Progress:
    """Counts what is done. Says nothing unless stderr is a terminal, and never if `quiet`."""

    def __init__(self, total: int, label: str, *, quiet: bool) -> None:
        self._total = total
        self._label = label
        self._done = 0
        self._detail = ""
        self._shown = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _PATIENCE
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shown = False
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        self.detail("")

    def detail(self, text: str) -> None:
        """What is being done about the present one."""
        self._detail = text
        if self._shown and (now := time.monotonic()) >= self._next:
            self._next = now + _PAUSE
            self._drawn = True
            sys.stderr.write(f"\r{self._line()}\x1b[K")
            sys.stderr.flush()

    def _line(self) -> str:
        import shutil

        filled = _BAR * self._done // max(self._total, 1)
        bar = "#" * filled + "-" * (_BAR - filled)
        line = f"{self._label} [{bar}] {self._done}/{self._total} {self._detail}"
        columns = shutil.get_terminal_size().columns or 80  # a terminal may not know its size
        return line.rstrip()[: max(columns - 1, 1)]
