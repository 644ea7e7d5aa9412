"""The file that is written beside another one, to take its place.

Its name follows from the other's, so that what a killed process leaves is told apart and used by the next run
instead of piling up. A lock on it tells a leftover from the work of another process.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from pathlib import Path
from types import TracebackType

from padlint.files.problems import FileError

_LONGEST = 255  # bytes in a file name, nearly everywhere
_PATIENCE = 5.0  # seconds to wait for another process, which needs milliseconds


def backup_of(target: Path) -> Path:
    """Where the old content of a file is while the file is overwritten."""
    return _named(target, "backup")


def _named(target: Path, role: str) -> Path:
    name = f".{target.name}.padlint-{role}"
    if len(os.fsencode(name)) > _LONGEST:
        name = f".{hashlib.sha1(os.fsencode(target.name)).hexdigest()}.padlint-{role}"
    return target.with_name(name)


class Beside:
    """An empty file beside `target` that nobody else writes; removed at the end unless it was moved."""

    def __init__(self, target: Path) -> None:
        self.path = _named(target, "new")
        self._handle = -1

    def __enter__(self) -> Beside:
        ends = time.monotonic() + _PATIENCE
        while not self._taken():
            if time.monotonic() > ends:
                raise FileError(f"another process is writing it, see {self.path.name}; nothing was written")
            time.sleep(0.01)
        return self

    def _taken(self) -> bool:
        """Whether the file is there, is ours and is still called so."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        handle = os.open(self.path, flags, 0o600)
        try:
            if _locked(handle) and _is(handle, self.path):
                status = os.fstat(handle)
                if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                    raise FileError(f"{self.path.name} is in the way; nothing was written")
                os.ftruncate(handle, 0)
                self._handle, handle = handle, -1
        finally:
            if handle >= 0:
                os.close(handle)
        return self._handle >= 0

    def replace(self, target: Path) -> None:
        """Let the file take the place of another one, at once."""
        if os.name == "nt":  # where what is open cannot be moved
            self._close()
        self.path.replace(target)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._handle < 0:
            return
        try:
            if os.name == "nt":
                self._close()
                self.path.unlink(missing_ok=True)
            elif _is(self._handle, self.path):
                self.path.unlink()
        finally:
            self._close()

    def _close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _is(handle: int, path: Path) -> bool:
    """Whether the open file is the one of that name: not if it was moved or removed."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _locked(handle: int) -> bool:
    """Lock an open file until it is closed; False if another process has it."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)  # else: there are no locks here
    return True
