"""Which lines of files differ from a revision, as Git sees it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from padlint.config import ConfigError

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_DIFF = (
    *(
        "-c",
        "core.quotePath=true",
        "diff",
        "--unified=0",
        "--inter-hunk-context=0",
        "--find-renames",
        "--text",
    ),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=all"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)

Spans = tuple[tuple[int, int], ...]
"""Changed lines, in halves: line n is 2 n, what was deleted behind it is 2 n + 1."""


class Changes:
    """The lines that changed since a revision, in the work trees that files are in."""

    def __init__(self, revision: str) -> None:
        self._revision = revision
        self._trees: dict[Path, _Tree] = {}
        self._tops: dict[Path, Path | None] = {}

    def of(self, path: Path) -> Spans | None:
        """The changed lines of a file; None if it is new as a whole. Raises ConfigError."""
        place = path.resolve()
        top = self._top(place.parent)
        if top is None:
            raise ConfigError(f"--since: {path} is in no Git repository")
        if top not in self._trees:
            self._trees[top] = _Tree(top, _base(top, self._revision))
        return self._trees[top].of(place)

    def _top(self, folder: Path) -> Path | None:
        if folder not in self._tops:
            inside = (folder / ".git").exists()
            parent = None if folder.parent == folder else folder.parent
            self._tops[folder] = folder if inside else self._top(parent) if parent is not None else None
        return self._tops[folder]


class _Tree:
    """One work tree; without a commit to compare with, everything in it is new."""

    def __init__(self, top: Path, commit: str | None) -> None:
        self._top = top
        self._tracked: set[bytes] = set()
        self._changed: dict[bytes, Spans] = {}
        if commit is not None:
            self._tracked = set(_git(top, "ls-files", "-z").split(b"\0"))
            self._changed = dict(_parse(_git(top, *_DIFF, commit, "--")))

    def of(self, place: Path) -> Spans | None:
        name = os.fsencode(place.relative_to(self._top).as_posix())
        return self._changed.get(name, ()) if name in self._tracked else None


def _base(top: Path, revision: str) -> str | None:
    """The commit that a work tree had at a revision of the project; None if it was no part of it."""
    outer = os.fsdecode(_git(top, "rev-parse", "--show-superproject-working-tree")).rstrip("\n")
    if not outer:
        return _commit(top, revision)
    commit = _base(Path(outer), revision)
    if commit is None:
        return None
    inner = top.relative_to(Path(outer).resolve()).as_posix()
    entry = _git(Path(outer), "ls-tree", "-z", commit, "--", inner).split(b"\t")[0].split()
    return _commit(top, entry[2].decode()) if entry[1:2] == [b"commit"] else None


def _commit(top: Path, revision: str) -> str:
    try:
        found = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except ConfigError:
        found = b""
    if not found.strip():
        raise ConfigError(f"--since: {revision!r} is no revision of {top}")
    return found.decode().strip()


def _git(top: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", top, *arguments], capture_output=True, check=False)
    except OSError as error:
        raise ConfigError(f"--since: git cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise ConfigError(f"--since: git {arguments[0]} failed in {top}: {said}")
    return done.stdout


def _parse(diff: bytes) -> Iterator[tuple[bytes, Spans]]:
    """The new names and changed lines of a diff without context."""
    lines = iter(diff.split(b"\n"))
    name, spans = b"", list[tuple[int, int]]()
    for line in lines:
        if line.startswith(b"diff --git "):
            if name:
                yield name, tuple(spans)
            name, spans = b"", []
        elif line.startswith(b"+++ "):
            name = _name(line[4:])
        elif match := _HUNK.match(line):
            removed, first, added = (int(group) if group else 1 for group in match.groups(b""))
            spans.append((2 * first, 2 * (first + added - 1)) if added else (2 * first + 1, 2 * first + 1))
            shown = (line for line in lines if not line.startswith(b"\\"))  # no newline at end of file
            next(islice(shown, removed + added, removed + added), None)
    if name:
        yield name, tuple(spans)


def _name(text: bytes) -> bytes:
    """A name behind its prefix; odd ones are quoted as in C, and those with blanks end with a tab."""
    if text.startswith(b'"'):
        text = ast.literal_eval("b" + text.decode("latin-1").rstrip("\t"))
    return text.removesuffix(b"\t").removeprefix(b"b/")
