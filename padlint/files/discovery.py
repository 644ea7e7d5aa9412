"""From the paths on the command line to the files to read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from padlint.config import ConfigError, Configuration, Settings, absolute
from padlint.files.gitignore import Ignored, above
from padlint.files.problems import Problem, reason

SUFFIXES = (".py", ".pyi")


class Found(NamedTuple):
    """A file to read: the path as the user would write it, its size, and the settings for it."""

    path: Path
    size: int
    settings: Settings


class Discovery:
    """Collects files: explicit ones always, those in folders by name unless excluded or ignored by Git.

    Each file comes once, however many names lead to it. Folders behind symbolic links are not entered.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self._seen: set[tuple[int, int]] = set()
        self._broken: set[str] = set()

    def collect(self, arguments: Sequence[Path]) -> list[Found]:
        """The files that the arguments name, sorted by path."""
        found: list[Found] = []
        walked: list[tuple[bool, Path]] = []
        for argument in arguments:
            try:
                is_folder = stat.S_ISDIR(argument.stat().st_mode)
            except OSError as error:
                self.problems.append(Problem(str(argument), f"cannot read: {reason(error)}"))
                continue
            settings = self._settings(argument if is_folder else argument.parent)
            if settings is None:
                continue
            if settings.force_exclude and settings.excludes(absolute(argument)):
                self.notes.append(f"{argument}: excluded")
            elif is_folder:
                walked.extend(self._walk(argument))
            else:
                found.extend(self._found(argument, explicit=True))
        for _, path in sorted(walked):  # links last: a file's own name is the better one
            found.extend(self._found(path))
        return sorted(found, key=lambda file: file.path)

    def _found(self, path: Path, *, explicit: bool = False) -> Iterator[Found]:
        """The file, unless it was met before or is none."""
        try:
            status = path.stat()
        except OSError as error:
            self.notes.append(f"{path}: skipped: {reason(error)}")
            return
        key = status.st_dev, status.st_ino
        if not stat.S_ISREG(status.st_mode):
            if explicit:
                self.problems.append(Problem(str(path), "not a regular file; to read from a pipe, pass `-`"))
            else:
                self.notes.append(f"{path}: skipped: not a regular file")
        elif key not in self._seen and (settings := self._settings(path.parent)):
            self._seen.add(key)
            yield Found(path, status.st_size, settings)

    def _walk(self, top: Path) -> Iterator[tuple[bool, Path]]:
        """The paths below a folder that may hold Python, and whether each is a symbolic link."""
        place = absolute(top)
        pending: list[tuple[Path, Path, Ignored]] = [(top, place, above(place))]
        while pending:
            folder, place, ignored = pending.pop()
            settings = self._settings(folder)
            if settings is None:
                continue
            settings = settings.inside(absolute(top))
            ignored = ignored.enter(place)
            for entry in self._entries(folder):
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not entry.name.endswith(SUFFIXES):
                    continue
                inner = place / entry.name
                if settings.excludes_entry(inner):
                    self.notes.append(f"{folder / entry.name}: excluded")
                    continue
                if ignored.covers(inner, is_folder=is_folder):
                    self.notes.append(f"{folder / entry.name}: ignored by Git")
                    continue
                if is_folder:
                    pending.append((folder / entry.name, inner, ignored))
                else:
                    yield entry.is_symlink(), folder / entry.name

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self.problems.append(Problem(str(folder), f"cannot read the folder: {reason(error)}"))
            return []

    def _settings(self, folder: Path) -> Settings | None:
        """The settings for a folder; None, said once, if its configuration cannot be used."""
        try:
            return self.configuration.settings(absolute(folder))
        except ConfigError as error:
            if str(error) not in self._broken:
                self._broken.add(str(error))
                self.problems.append(Problem("", str(error)))
            return None
