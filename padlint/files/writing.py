"""Replacing the content of a file without ever losing what was in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from padlint.files.problems import FileError, reason


def write(path: Path, before: bytes, after: bytes) -> None:
    """Replace `before` by `after`. Raises FileError, with the file as it was, if that cannot be done safely.

    Symbolic links are written through. The new content appears at once (a temporary file beside it takes its
    place), except where the file has other names or an owner that would be lost: that one is overwritten,
    with a copy beside it until all is written.
    """
    try:
        target = path.resolve(strict=True)
        status = target.stat()
        _refuse_protected(target, status)
        with _temporary(target.parent) as temporary:
            if status.st_nlink == 1 and _give(temporary, status):
                _store(temporary, after)
                _refuse_changed(target, before)
                temporary.replace(target)
            else:
                _store(temporary, before)
                _refuse_changed(target, before)
                _overwrite(target, before, after, backup=temporary)
    except OSError as error:
        raise FileError(f"cannot write: {reason(error)}; nothing was changed") from None


def _refuse_protected(target: Path, status: os.stat_result) -> None:
    """Permission bits count even for the superuser, whom the system would let write."""
    if not stat.S_ISREG(status.st_mode):
        raise FileError("not a regular file; nothing was written")
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise FileError("the file is read-only; nothing was written")
    if not target.parent.stat().st_mode & 0o222 or not os.access(target.parent, os.W_OK):
        raise FileError("its folder is read-only; nothing was written")


def _refuse_changed(target: Path, before: bytes) -> None:
    if target.read_bytes() != before:
        raise FileError("the file changed while it was being fixed; nothing was written, run again")


@contextmanager
def _temporary(folder: Path) -> Iterator[Path]:
    """A new file in the folder; removed unless it was moved."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=".padlint-", dir=folder)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _give(temporary: Path, status: os.stat_result) -> bool:
    """Give the file the owner and the mode of the other; False if the owner cannot be given."""
    own = temporary.stat()
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.chown(temporary, status.st_uid, status.st_gid)
        except (OSError, AttributeError):
            return False
    temporary.chmod(stat.S_IMODE(status.st_mode))
    return True


def _store(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _overwrite(target: Path, before: bytes, after: bytes, backup: Path) -> None:
    """Overwrite in place. If that fails, put the old content back; if that fails too, keep the copy."""
    try:
        _store(target, after)
    except BaseException:
        kept = backup.rename(backup.with_suffix(".backup"))
        try:
            _store(target, before)
        except OSError as error:
            raise FileError(f"writing failed: {reason(error)}; the old content is in {kept}") from None
        kept.unlink()
        raise
