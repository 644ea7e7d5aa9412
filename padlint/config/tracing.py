"""The trace that a setting names, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from padlint.config.errors import ConfigError

if TYPE_CHECKING:
    from padlint.traces.model import FileTrace


def traced(trace: Path, path: Path) -> FileTrace | None:
    """What a trace knows of a file. Raises ConfigError."""
    try:
        written = trace.stat().st_mtime_ns
    except OSError as error:
        raise ConfigError(f"{trace}: cannot read the trace: {str(error.strerror).lower()}") from None
    return _files(trace, written).get(path.resolve())


@cache
def _files(path: Path, written: int) -> dict[Path, FileTrace]:
    from padlint.traces.model import FileTrace
    from padlint.traces.reading import BadTrace, read  # imports what few runs need

    try:
        trace, project = read(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the trace: {str(error.strerror).lower()}") from None
    except BadTrace as error:
        raise ConfigError(f"{path}: {error}") from None
    root = (path.parent / project).resolve()
    return {
        (root / name).resolve(): FileTrace(file.sha256, tuple(file.calls.values()))
        for name, file in trace.files.items()
        if name
    }
