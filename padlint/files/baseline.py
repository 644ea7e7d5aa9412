"""The baseline: findings that a project lives with for now, so that only new ones are reported.

A JSON file, `{"version": 1, "files": {"model.py": {"PAD101 0123456789abcdef": 1}}}`: how often each kind of
finding is there, per file as seen from the folder of the baseline. A kind is a code, and a digest of what it
is about without white space; lines do not matter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from padlint.config import ConfigError, absolute
from padlint.files.problems import reason
from padlint.scope import Scope

NAME = ".padlint-baseline.json"
_VERSION = 1


class Baseline:
    """What is known, by file."""

    def __init__(self, path: Path, files: Mapping[str, Mapping[str, int]]) -> None:
        self._folder = absolute(path).parent
        self.files = dict(files)
        gone: dict[str, list[str]] = {}
        for name in self.files:
            if not (self._folder / name).exists():
                gone.setdefault(PurePath(name).name, []).append(name)
        self._moved = {name: old[0] for name, old in gone.items() if len(old) == 1}

    @classmethod
    def load(cls, path: Path) -> Baseline:
        """Read a baseline. Raises ConfigError."""
        try:
            data = json.loads(path.read_bytes())
        except OSError as error:
            hint = "; `padlint baseline` writes one" if isinstance(error, FileNotFoundError) else ""
            raise ConfigError(f"{path}: cannot read the baseline: {reason(error)}{hint}") from None
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}: no baseline: {error}") from None
        if not isinstance(data, dict) or not isinstance(data.get("version"), int) or "files" not in data:
            raise ConfigError(f"{path}: no baseline: expected an object with `version` and `files`")
        if data["version"] != _VERSION:
            raise ConfigError(
                f"{path}: a baseline of version {data['version']}; this padlint reads version 1"
            )
        if not _is_valid(data["files"]):
            raise ConfigError(
                f"{path}: no baseline: `files` has to say how often each kind of finding is there"
            )
        return cls(path, data["files"])

    def name(self, path: Path) -> str:
        """How the baseline calls a file."""
        return PurePath(os.path.relpath(absolute(path), self._folder)).as_posix()

    def place(self, name: str) -> Path:
        """Where the file of an entry is, or was."""
        return absolute(self._folder / name)

    def entry(self, path: Path) -> str | None:
        """The entry for a file: its own, or that of a file of the same name which is gone."""
        name = self.name(path)
        if name in self.files:
            return name
        return self._moved.get(PurePath(name).name)

    def known(self, path: Path) -> Mapping[str, int]:
        """What is known of a file."""
        return self.files.get(self.entry(path) or "", {})

    def gone(self) -> Iterable[str]:
        """The entries whose file is not there any more."""
        return [name for name in self.files if not (self._folder / name).exists()]


def content(files: Mapping[str, Mapping[str, int]]) -> bytes:
    """The bytes of a baseline; equal ones for equal findings."""
    found = {name: dict(sorted(kinds.items())) for name, kinds in sorted(files.items()) if kinds}
    return (json.dumps({"version": _VERSION, "files": found}, indent=1) + "\n").encode()


def scoped(
    baseline: Baseline | None, path: Path, changed: tuple[tuple[int, int], ...] | None
) -> Scope | None:
    """What counts in a file; None if everything does."""
    known = baseline.known(path) if baseline is not None else {}
    return Scope(changed, known) if known or changed is not None else None


def _is_valid(files: object) -> bool:
    return isinstance(files, dict) and all(
        isinstance(kinds, dict) and all(isinstance(count, int) and count > 0 for count in kinds.values())
        for kinds in files.values()
    )
