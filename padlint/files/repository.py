"""Where a work tree keeps what belongs to its repository, and what Git is configured to ignore."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path

_NAMES_FILE = re.compile(rb"excludesfile|\[\s*include", re.IGNORECASE)
_FROM_OUTSIDE = frozenset({"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"})
_FOLDS = re.compile(rb"^[^#;\n]*\bignorecase\s*=\s*(true|yes|on|1)\s*$", re.IGNORECASE | re.MULTILINE)


class Repository:
    """The repository of a work tree, which may be a linked one or a submodule: there, `.git` is a file."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def folder(self) -> Path:
        """The folder that all work trees of the repository share."""
        own = self.root / ".git"
        if (named := _read(own)).startswith(b"gitdir:"):
            own = self.root / _path(named.partition(b":")[2])
        common = _read(own / "commondir")
        return own / _path(common) if common else own

    @property
    def ignores_case(self) -> bool:
        """Whether A and a are the same in a path, as Git found out when it made the repository."""
        return _FOLDS.search(_read(self.folder / "config")) is not None

    def users_excludes(self) -> Path | None:
        """The file of patterns that the user has for all repositories, or for this one.

        Git is asked only if a configuration may name one: starting it takes as long as reading many files.
        """
        texts = map(_read, (self.folder / "config", *_configurations()))
        if _FROM_OUTSIDE.isdisjoint(os.environ) and not any(map(_NAMES_FILE.search, texts)):
            return _home() / "ignore"
        import subprocess

        command = ["git", "-C", str(self.root), "config", "--path", "--get", "core.excludesFile"]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError:
            return _home() / "ignore"
        if done.returncode:
            return _home() / "ignore"
        name = done.stdout.removesuffix(b"\n")
        return self.root / os.fsdecode(name) if name else None


def _configurations() -> tuple[Path, ...]:
    """The files that hold for all repositories."""
    if "GIT_CONFIG_GLOBAL" in os.environ:
        users: tuple[Path, ...] = (Path(os.environ["GIT_CONFIG_GLOBAL"]),)
    else:
        users = (_home() / "config", _expanded("~/.gitconfig"))
    return (Path(os.environ.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig")), *users)


def _home() -> Path:
    """The user's folder for Git."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or _expanded("~/.config")) / "git"


def _expanded(path: str) -> Path:
    return Path(os.path.expanduser(path))  # noqa: PTH111 - which raises where there is no home


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _path(text: bytes) -> str:
    return os.fsdecode(text.strip(b" \t\r\n"))
