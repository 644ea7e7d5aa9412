"""Replacing the content of a file without ever losing what was in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from padlint.files.beside import Beside, backup_of
from padlint.files.problems import FileError, reason


def write(path: Path, before: bytes, after: bytes) -> None:
    """Replace `before` by `after`. Raises FileError, with the file as it was, if that cannot be done safely.

    Symbolic links are written through. The new content appears at once (a file beside it takes its place),
    except where the file has other names, or an owner or attributes that would be lost: that one is
    overwritten, with a copy beside it until all is written. What another run wrote meanwhile is no change if
    it is `after`.
    """
    try:
        target = path.resolve(strict=True)
        status = target.stat()
        _refuse_protected(target, status)
        with Beside(target) as beside:
            _refuse_half_written(target)
            if target.read_bytes() == after:
                return
            if status.st_nlink == 1 and _give(beside.path, target, status):
                _store(beside.path, after)
                _refuse_changed(target, before)
                beside.replace(target)
            else:
                _refuse_changed(target, before)
                _overwrite(target, before, after)
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


def _refuse_half_written(target: Path) -> None:
    if (backup := backup_of(target)).exists():
        raise FileError(
            f"an earlier run was killed while it overwrote the file, whose old content is in {backup.name}; "
            "move that back or delete it"
        )


def _refuse_changed(target: Path, before: bytes) -> None:
    if target.read_bytes() != before:
        raise FileError("the file changed while it was being fixed; nothing was written, run again")


def _give(other: Path, target: Path, status: os.stat_result) -> bool:
    """Give the other file the owner, extended attributes and mode of the target; False if that fails."""
    own = other.stat()
    try:
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            os.chown(other, status.st_uid, status.st_gid)
        _give_attributes(other, target)
    except (OSError, AttributeError):
        return False
    other.chmod(stat.S_IMODE(status.st_mode))
    return True


def _give_attributes(other: Path, target: Path) -> None:
    """Extended attributes, access lists among them, where the system has them."""
    wanted, present = _attributes(target), _attributes(other)
    for name in present.keys() - wanted.keys():
        os.removexattr(other, name)
    for name, value in wanted.items():
        if present.get(name) != value:
            os.setxattr(other, name, value)


def _attributes(path: Path) -> dict[str, bytes]:
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except (OSError, AttributeError):  # neither the file system nor every system has them
        return {}


def _store(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _overwrite(target: Path, before: bytes, after: bytes) -> None:
    """Overwrite in place. If that fails, put the old content back; if that fails too, keep the copy."""
    backup, kept = backup_of(target), False
    backup.touch(mode=0o600, exist_ok=False)
    try:
        _store(backup, before)
        try:
            _store(target, after)
        except BaseException as error:
            kept = not _restored(target, before)
            if kept:
                why = reason(error) if isinstance(error, OSError) else "interrupted"
                raise FileError(f"writing failed: {why}; the old content is in {backup}") from None
            raise
    finally:
        if not kept:
            backup.unlink(missing_ok=True)


def _restored(target: Path, before: bytes) -> bool:
    try:
        _store(target, before)
    except OSError:
        return False
    return True
