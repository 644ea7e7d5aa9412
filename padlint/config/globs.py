"""Patterns for paths, written like those of a .gitignore, relative to the folder of whoever wrote them."""

from __future__ import annotations

import os
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from padlint.config.wildmatch import Patterns

_SPECIAL = frozenset("*?[]!/\\")


class Globs:
    """Patterns and the absolute folder they are relative to. Plain names need no pattern library."""

    def __init__(self, base: Path, patterns: tuple[str, ...]) -> None:
        self.base = base
        self.patterns = patterns

    def covers(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether the path, or a folder above it, is meant."""
        parts = relative(posix(path), self._prefix).split(b"/")
        paths = list(accumulate(parts, lambda folder, name: folder + b"/" + name))
        return any(
            self._covers(inside, is_folder=is_folder or inside is not paths[-1])
            for part, inside in zip(parts, paths, strict=True)
            if part not in (b".", b"..")
        )

    def covers_entry(self, path: bytes, *, is_folder: bool) -> bool:
        """The same for an entry of a folder that is not covered itself: cheaper. `path` is from `posix`."""
        return self._covers(relative(path, self._prefix), is_folder=is_folder)

    def without(self, path: Path) -> Globs:
        """The patterns that do not cover `path`: what holds inside a folder that was named explicitly."""
        if not self.covers(path, is_folder=True):
            return self
        singles = ((pattern, Globs(self.base, (pattern,))) for pattern in self.patterns)
        return Globs(self.base, tuple(p for p, single in singles if not single.covers(path, is_folder=True)))

    def validate(self) -> None:
        """Raise ValueError for a pattern that can match nothing."""
        if self._wild is not None:
            self._wild.validate()

    def _covers(self, inside: bytes, *, is_folder: bool) -> bool:
        if inside.rpartition(b"/")[2] in self._names:
            return True
        return self._wild is not None and self._wild.decisive(inside, is_folder=is_folder) is not None

    @cached_property
    def _prefix(self) -> bytes:
        return prefix(self.base)

    @cached_property
    def _names(self) -> frozenset[bytes]:
        return frozenset(os.fsencode(pattern) for pattern in self.patterns if _SPECIAL.isdisjoint(pattern))

    @cached_property
    def _wild(self) -> Patterns | None:
        patterns = [self._localized(p) for p in self.patterns if not _SPECIAL.isdisjoint(p)]
        if not patterns:
            return None
        from padlint.config.wildmatch import Pattern, Patterns

        return Patterns(map(Pattern.parse, patterns))

    def _localized(self, pattern: str) -> bytes:
        """An absolute path inside the base becomes one that starts at the base, `./x` becomes `/x`."""
        text = os.fsencode(pattern)
        if text.startswith(b"./"):
            return text[1:]
        return text[len(self._prefix) - 1 :] if text.startswith(self._prefix) else text


def absolute(path: Path) -> Path:
    """The absolute path without `..`, its symbolic links kept: where the user would say that it is."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow the links


def posix(path: Path) -> bytes:
    """A path as it is compared with patterns: in bytes, as patterns are in files, with forward slashes."""
    return os.fsencode(path.as_posix())


def prefix(folder: Path) -> bytes:
    """What the paths of all that is in an absolute folder start with."""
    return posix(folder).rstrip(b"/") + b"/"


def relative(path: bytes, base: bytes) -> bytes:
    """An absolute path as seen from a folder, which is given by its `prefix`."""
    if path.startswith(base):
        return path[len(base) :]
    try:
        return posix(Path(os.path.relpath(os.fsdecode(path), os.fsdecode(base))))
    except ValueError:  # another drive
        return path
