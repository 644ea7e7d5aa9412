"""`padlint check --watch`: the run again, whenever a file that it reads has changed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from padlint.config import ConfigError, Configuration, absolute
from padlint.config.loading import OWN_FILE, PROJECT_FILE
from padlint.files import Discovery
from padlint.interrupts import INTERRUPTED

_INTERVAL = 1.0  # seconds between two looks at the files where nothing tells of changes
_LONGEST = 5_000  # milliseconds after which to look even if nothing was told: configuration stands elsewhere

State = dict[Path, tuple[int, int, int]]
"""What tells whether a file has changed: time, size and number."""


def watch(
    run: Callable[[], int], configuration: Callable[[], Configuration], paths: Sequence[Path], *, quiet: bool
) -> None:
    """Run, and again after each change, until the user interrupts."""
    wake_ups = _wake_ups(paths)
    while True:
        before = _state(configuration, paths)  # what changes while it runs is seen afterwards
        if sys.stdout.isatty():
            click.clear()
        if run() > INTERRUPTED:
            return
        try:
            if not quiet:
                click.echo("watching for changes; Ctrl-C ends it", err=True)
            while _state(configuration, paths) == before:
                next(wake_ups)
        except KeyboardInterrupt:
            return


def _state(configuration: Callable[[], Configuration], paths: Sequence[Path]) -> State:
    """The files that a run reads, and the places where configuration may stand."""
    folders = [path if path.is_dir() else path.parent for path in map(absolute, paths)]
    above = {parent for folder in folders for parent in (folder, *folder.parents)}
    files = {folder / name for folder in above for name in (OWN_FILE, PROJECT_FILE)}
    try:
        found = Discovery(configuration()).collect(paths)
    except ConfigError:
        found = []
    files |= {file.path for file in found}
    files |= {file.settings.source for file in found if file.settings.source is not None}
    files |= {file.settings.trace for file in found if file.settings.trace is not None}
    state: State = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        state[file] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return state


def _wake_ups(paths: Sequence[Path]) -> Iterator[object]:
    """Something whenever it is time to look at the files."""
    if find_spec("watchfiles") is None:
        while True:
            time.sleep(_INTERVAL)
            yield None
    from watchfiles import watch as changes

    folders = {path if path.is_dir() else path.parent for path in map(absolute, paths)}
    deep = any(path.is_dir() for path in paths)
    existing = [folder for folder in folders if folder.is_dir()] or [Path.cwd()]
    yield from changes(
        *existing, recursive=deep, rust_timeout=_LONGEST, yield_on_timeout=True, ignore_permission_denied=True
    )
