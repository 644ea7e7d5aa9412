"""What Git ignores below a folder: the .gitignore files on the way from the repository's root to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from padlint.config.globs import relative

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"


class Ignored(NamedTuple):
    """The files that apply in one folder, the innermost first: its word is the last."""

    files: tuple[tuple[Path, GitIgnoreSpec], ...] = ()

    def enter(self, folder: Path) -> Ignored:
        """What applies in a folder below."""
        spec = _read(folder / NAME)
        return self if spec is None else Ignored(((folder, spec), *self.files))

    def covers(self, path: Path, *, is_folder: bool) -> bool:
        """Whether Git ignores an entry of a folder that it does not ignore itself."""
        for folder, spec in self.files:
            include = spec.check_file(relative(path, folder) + "/" * is_folder).include
            if include is not None:
                return include
        return False


def above(folder: Path) -> Ignored:
    """What the repository's folders above `folder` say about its content.

    A file that ignores `folder` itself does not count: who names an ignored folder wants it read.
    """
    root = next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)
    ignored = Ignored()
    for parent in reversed(folder.parents):
        if parent.is_relative_to(root):
            ignored = ignored.enter(parent)
    outer = (entry for entry in ignored.files if not Ignored((entry,)).covers(folder, is_folder=True))
    return Ignored(tuple(outer))


def _read(file: Path) -> GitIgnoreSpec | None:
    """The patterns of a file; like Git, without those that make no sense."""
    try:
        lines = file.read_bytes().decode("utf-8-sig", "surrogateescape").splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _makes_sense(line))


def _makes_sense(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
