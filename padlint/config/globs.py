"""Patterns for paths, written like those of a .gitignore, relative to the folder of whoever wrote them."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_SPECIAL = frozenset("*?[]!/\\#")


class Globs:
    """Patterns and the absolute folder they are relative to. Plain names need no pattern library."""

    def __init__(self, base: Path, patterns: tuple[str, ...]) -> None:
        self.base = base
        self.patterns = patterns

    def covers(self, path: Path) -> bool:
        """Whether the path, or a folder above it, is meant."""
        inside = path.relative_to(self.base) if path.is_relative_to(self.base) else path
        return not self._names.isdisjoint(inside.parts) or self._matches(path)

    def covers_entry(self, path: Path) -> bool:
        """The same for an entry of a folder that is not covered itself: cheaper."""
        return path.name in self._names or self._matches(path)

    def without(self, path: Path) -> Globs:
        """The patterns that do not cover `path`: what holds inside a folder that was named explicitly."""
        if not self.covers(path):
            return self
        return Globs(self.base, tuple(p for p in self.patterns if not Globs(self.base, (p,)).covers(path)))

    def validate(self) -> None:
        """Raise ValueError for a pattern that cannot be understood."""
        _ = self._spec

    def _matches(self, path: Path) -> bool:
        return self._spec is not None and self._spec.match_file(relative(path, self.base))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(pattern for pattern in self.patterns if _SPECIAL.isdisjoint(pattern))

    @cached_property
    def _spec(self) -> GitIgnoreSpec | None:
        patterns = [self._localized(p) for p in self.patterns if not _SPECIAL.isdisjoint(p)]
        if not patterns:
            return None
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines(patterns)

    def _localized(self, pattern: str) -> str:
        """An absolute path inside the base becomes one that starts at the base, `./x` becomes `/x`."""
        if pattern.startswith("./"):
            return pattern[1:]
        prefix = _prefix(self.base)
        return pattern[len(prefix) - 1 :] if pattern.startswith(prefix) else pattern


def absolute(path: Path) -> Path:
    """The absolute path without `..`, its symbolic links kept: where the user would say that it is."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow the links


def relative(path: Path, base: Path) -> str:
    """`path` as seen from `base`, with forward slashes, as patterns are written."""
    text, prefix = path.as_posix(), _prefix(base)
    if text.startswith(prefix):
        return text[len(prefix) :]
    try:
        return Path(os.path.relpath(path, base)).as_posix()
    except ValueError:  # another drive
        return text


def _prefix(base: Path) -> str:
    return f"{base.as_posix().rstrip('/')}/"
