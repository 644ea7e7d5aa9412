"""From the paths on the command line to the files to read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from padlint.config import ConfigError, Configuration, Settings, absolute
from padlint.config.globs import Globs, prefix
from padlint.files.gitignore import Ignored, above
from padlint.files.problems import Problem, reason

SUFFIXES = (".py", ".pyi", ".ipynb")


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
        walked: list[_Walked] = []
        for argument in arguments:
            try:
                status = argument.stat()
            except OSError as error:
                self.problems.append(Problem(str(argument), f"cannot read: {reason(error)}"))
                continue
            place = absolute(argument)
            is_folder = stat.S_ISDIR(status.st_mode)
            settings = self._settings(place if is_folder else place.parent)
            if settings is None:
                continue
            if settings.force_exclude and settings.excludes(place, is_folder=is_folder):
                self.notes.append(f"{argument}: excluded")
            elif is_folder:
                walked.extend(self._walk(argument, place))
            elif stat.S_ISREG(status.st_mode):
                found.extend(self._new(argument, status, settings))
            else:
                text = "not a regular file; to read from a pipe, pass `-`"
                self.problems.append(Problem(str(argument), text))
        for file in sorted(walked, key=lambda file: file.order):
            found.extend(self._met(file))
        return sorted(found, key=lambda file: file.path.parts)

    def _new(self, path: Path, status: os.stat_result, settings: Settings) -> Iterator[Found]:
        """The file, unless it was met before."""
        key = status.st_dev, status.st_ino
        if key not in self._seen:
            self._seen.add(key)
            yield Found(path, status.st_size, settings)

    def _met(self, file: _Walked) -> Iterator[Found]:
        """A file that was met in a folder, if it is one and was not met before."""
        try:
            status = file.entry.stat()
        except OSError as error:
            if isinstance(error, FileNotFoundError) or file.entry.is_symlink():
                self.notes.append(f"{file.path}: skipped: {reason(error)}")
            else:
                self.problems.append(Problem(str(file.path), f"cannot read: {reason(error)}"))
            return
        if stat.S_ISREG(status.st_mode):
            yield from self._new(file.path, status, file.settings)
        else:
            self.notes.append(f"{file.path}: skipped: not a regular file")

    def _walk(self, top: Path, place: Path) -> Iterator[_Walked]:
        """The files below a folder that may hold Python. `place` is where the folder is.

        An entry is known by the name that the user would give it and by its absolute path.
        """
        shown = "" if top == Path() else str(top).rstrip(os.sep) + os.sep
        pending: list[tuple[str, str, Ignored]] = [(shown, str(place), above(place))]
        exclusions = _Exclusions(place)
        while pending:
            shown, folder, ignored = pending.pop()
            settings = self._settings(Path(folder))
            if settings is None:
                continue
            exclusions.follow(settings)
            entries = self._entries(shown)
            ignored = ignored.enter(Path(folder), entries)
            start = prefix(Path(folder))
            for entry in entries.values():
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not entry.name.endswith(SUFFIXES):
                    continue
                name, path = shown + entry.name, start + os.fsencode(entry.name)
                if exclusions.cover(path, is_folder=is_folder):
                    self.notes.append(f"{name}: excluded")
                elif ignored.covers(path, is_folder=is_folder):
                    self.notes.append(f"{name}: ignored by Git")
                elif is_folder:
                    pending.append((name + os.sep, f"{folder.rstrip(os.sep)}{os.sep}{entry.name}", ignored))
                else:
                    yield _Walked(Path(name), entry, settings)

    def _entries(self, folder: str) -> dict[str, os.DirEntry[str]]:
        """What is in a folder, by name."""
        try:
            with os.scandir(folder or ".") as entries:
                return {entry.name: entry for entry in entries}
        except OSError as error:
            self.problems.append(Problem(str(Path(folder)), f"cannot read the folder: {reason(error)}"))
            return {}

    def _settings(self, folder: Path) -> Settings | None:
        """The settings for an absolute folder; None, said once, if its configuration cannot be used."""
        try:
            return self.configuration.settings(folder)
        except ConfigError as error:
            if str(error) not in self._broken:
                self._broken.add(str(error))
                self.problems.append(Problem("", str(error)))
            return None


class _Walked(NamedTuple):
    """What was met in a folder under a name that may be one of Python's."""

    path: Path
    entry: os.DirEntry[str]
    settings: Settings

    @property
    def order(self) -> tuple[bool, tuple[str, ...]]:
        """By path, with links behind: a file's own name is the better one."""
        return self.entry.is_symlink(), self.path.parts


class _Exclusions:
    """What is excluded below a folder that was named explicitly, even if it is excluded itself."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._settings: Settings | None = None
        self._globs: tuple[Globs, ...] = ()

    def follow(self, settings: Settings) -> None:
        """From now on, those of a configuration."""
        if settings is not self._settings:
            self._settings = settings
            self._globs = tuple(globs.without(self._top) for globs in settings.exclusions)

    def cover(self, path: bytes, *, is_folder: bool) -> bool:
        """Whether an entry of a folder that is not excluded is."""
        return any(globs.covers_entry(path, is_folder=is_folder) for globs in self._globs)
