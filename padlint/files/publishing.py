"""Reports on disk: a reader sees the old one or the new one, never half of one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from padlint.files.problems import FileError, reason


def publish(path: Path, content: bytes) -> None:
    """Write a file that may be there already. Raises FileError, with the old content kept if it can be."""
    try:
        if _replaceable(path):
            _replace(path.resolve(), content)
        else:
            path.write_bytes(content)
    except OSError as error:
        raise FileError(f"cannot write: {reason(error)}") from None


def _replaceable(path: Path) -> bool:
    """Whether another file may take its place: not that of a device, a pipe or a file that is read-only."""
    if not os.access(path.parent, os.W_OK):
        return False
    return not path.exists() or (path.is_file() and os.access(path, os.W_OK))


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".padlint-{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
