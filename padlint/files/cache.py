"""What was found in files that have not changed since: by content and settings, in one file of the project.

The file holds data only, and only data that this very padlint wrote in this very place is believed: a folder
that was copied or cloned from elsewhere may bring one with it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import padlint
from padlint.files.problems import FileError
from padlint.files.publishing import publish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from padlint.findings import Finding

FOLDER = ".padlint_cache"
_FILE = "findings.json"
_FORMAT = 1
_DAYS = 30  # after which what nobody asked for is forgotten
_MOST = 100_000_000  # bytes; no project writes as much, so it is not ours
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of padlint.\n"

_Entries = dict[str, Any]


class Cache:
    """The findings of earlier runs. `folder` is that of the project."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._today = int(time.time() // 86_400)
        self._stamp = _stamp(folder)
        self._entries = self._load()
        self._changed: _Entries = {}

    @staticmethod
    def key(digest: bytes, settings: bytes) -> str:
        """The key of a file with that digest: all that its findings depend on, besides padlint itself."""
        return blake2b(digest + settings, digest_size=16).hexdigest()

    def get(self, key: str, filename: str) -> tuple[Finding, ...] | None:
        """What was found under this key; None if nothing is known, or cannot be read."""
        entry = self._entries.get(key)
        if entry is None or not _is_entry(entry):
            return None
        day, items = entry
        found: tuple[Finding, ...] = ()
        if items:
            from padlint.files.packing import unpack  # with what few runs need

            try:
                found = tuple(unpack(item, filename) for item in items)
            except (ValueError, TypeError, OverflowError):
                return None
        if day != self._today:
            self._changed[key] = [self._today, items]
        return found

    def put(self, key: str, findings: Sequence[Finding]) -> None:
        """Remember what was found."""
        items: list[Any] = []
        if findings:
            from padlint.files.packing import pack

            items = list(map(pack, findings))
        if None not in items:
            self._changed[key] = [self._today, items]

    def save(self) -> None:
        """Write what is new, with what other runs wrote meanwhile. A cache that cannot be written is none."""
        if not self._changed:
            return
        kept = {k: e for k, e in self._load().items() if _is_entry(e) and self._today - e[0] <= _DAYS}
        document = {"stamp": self._stamp, "entries": kept | self._changed}
        with suppress(OSError, FileError, ValueError):
            if self._folder.is_symlink():
                return
            if not self._folder.exists():
                self._folder.mkdir()
                (self._folder / ".gitignore").write_text("*\n", encoding="utf-8")
                (self._folder / "CACHEDIR.TAG").write_text(_TAG, encoding="utf-8")
            publish(self._folder / _FILE, json.dumps(document, separators=(",", ":")).encode())

    def _load(self) -> _Entries:
        """The entries on disk; none of what is corrupt, of another padlint, or from elsewhere."""
        file = self._folder / _FILE
        try:
            if file.is_symlink() or self._folder.is_symlink() or file.stat().st_size > _MOST:
                return {}
            document = json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(document, dict) or document.get("stamp") != self._stamp:
            return {}
        entries = document.get("entries")
        return entries if isinstance(entries, dict) else {}


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and isinstance(entry[1], list)
    )


def _stamp(folder: Path) -> str:
    """Who writes and where: padlint with its parser, Python, and the folder itself on this machine."""
    own = Path(padlint.__file__).parent
    parser = find_spec("libcst")
    parts: list[object] = [
        _FORMAT,
        padlint.__version__,
        sys.version,
        _state(parser.origin if parser is not None else None),
    ]
    if "site-packages" not in own.parts:  # where it is being worked on
        parts += [_state(path) for path in sorted(own.rglob("*.py"))]
    with suppress(OSError):
        status = folder.stat()
        parts += [folder.resolve(), status.st_dev, status.st_ino]
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _state(path: Path | str | None) -> tuple[str, int, int]:
    try:
        status = os.stat(path or os.devnull)  # noqa: PTH116 - many of them
    except OSError:
        return str(path), 0, 0
    return str(path), status.st_mtime_ns, status.st_size
