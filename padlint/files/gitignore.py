"""What Git ignores in a folder: .gitignore files from the repository's root down, and those of the user.

Git goes on tracking a file that it was told to track before; here, the patterns alone count.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from padlint.config.globs import posix, prefix

if TYPE_CHECKING:
    from padlint.config.wildmatch import Patterns

NAME = ".gitignore"
REPOSITORY = ".git"
_MARK = b"\xef\xbb\xbf"


class Ignored(NamedTuple):
    """The files of patterns that apply in one folder, the one that decides first in front.

    Each with the start of all paths that it is about. `fold`: upper and lower case are the same.
    """

    files: tuple[tuple[bytes, Patterns], ...] = ()
    fold: bool = False

    def enter(self, folder: Path, names: Collection[str]) -> Ignored:
        """What applies in a folder below, if some of these names are in it."""
        ignored = _repository(folder) if REPOSITORY in names else self
        return ignored.adding(folder, folder / NAME) if NAME in names else ignored

    def adding(self, folder: Path, file: Path, *, is_users: bool = False) -> Ignored:
        """With one more file of patterns for a folder. Git follows links only to the user's own files."""
        if not is_users and os.path.islink(file):  # noqa: PTH114 - which raises where it may not look
            return self
        patterns = _read(file, fold=self.fold)
        return self if patterns is None else self._replace(files=((prefix(folder), patterns), *self.files))

    def covers(self, path: bytes, *, is_folder: bool) -> bool:
        """Whether Git ignores an entry of a folder that it does not ignore itself."""
        for base, patterns in self.files:
            pattern = patterns.decisive(path[len(base) :], is_folder=is_folder)
            if pattern is not None:
                return not pattern.negated
        return False

    def allowing(self, folder: Path) -> Ignored:
        """Without the patterns that ignore a folder."""
        path, files = posix(folder), list(self.files)
        for number, (base, patterns) in enumerate(files):
            while pattern := patterns.decisive(path[len(base) :], is_folder=True):
                if pattern.negated:
                    return self._replace(files=tuple(files))
                patterns = patterns.without(pattern)
                files[number] = base, patterns
        return self._replace(files=tuple(files))


def above(folder: Path) -> Ignored:
    """What the repository's folders above `folder` say about its content.

    Who names an ignored folder wants it read: the patterns that ignore it, or one above it, do not count.
    """
    way = [folder]
    while not os.path.lexists(way[0] / REPOSITORY):
        if way[0].parent == way[0]:
            return Ignored()
        way.insert(0, way[0].parent)
    ignored = Ignored()
    for outer, inner in pairwise(way):
        names = (NAME, REPOSITORY) if outer == way[0] else (NAME,)
        ignored = ignored.enter(outer, names).allowing(inner)
    return ignored


def _repository(root: Path) -> Ignored:
    """What applies in a whole work tree besides its own files: `info/exclude`, then the user's file."""
    from padlint.files.repository import Repository

    repository = Repository(root)
    ignored = Ignored(fold=repository.ignores_case)
    if (users := repository.users_excludes()) is not None:
        ignored = ignored.adding(root, users, is_users=True)
    return ignored.adding(root, repository.folder / "info/exclude", is_users=True)


def _read(file: Path, *, fold: bool) -> Patterns | None:
    """The patterns of a file."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    from padlint.config.wildmatch import Pattern, Patterns

    return Patterns(map(Pattern.parse, _lines(content)), fold=fold)


def _lines(content: bytes) -> Iterator[bytes]:
    """The patterns in a file as they are written."""
    for line in content.removeprefix(_MARK).split(b"\n"):
        text = line.removesuffix(b"\r").partition(b"\0")[0]
        kept = text.rstrip(b" ")
        is_escaped = (len(kept) - len(kept.rstrip(b"\\"))) % 2
        if kept and not text.startswith(b"#"):
            yield kept + b" " * (is_escaped and len(kept) < len(text))
