"""Where each setting comes from: a flag, a line of a configuration file, or its default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from padlint.config.globs import Globs
from padlint.config.loading import PROJECT_FILE, table
from padlint.config.schema import names
from padlint.config.settings import Settings
from padlint.levels import Severity

_ADDING = frozenset({"extend-select", "ignore", "extend-ignore", "unfixable", "extend-exclude"})
"""What a flag adds to what the file says; of all other settings the flag is all that counts."""
_RESTARTED_BY = {
    "extend-select": "select",
    "ignore": "select",
    "extend-ignore": "select",
    "unfixable": "fixable",
    "per-file-input-size": "input-size",  # the command line is about this very run
}
"""Settings of the file that do not count where the command line gives another one."""
_DEFAULTS: Mapping[str, Any] = {
    "select": None,
    "fixable": None,
    "documentation-url": None,
    "per-file-ignores": {},
    "per-file-input-size": {},
    "operators": {},
    **{key: [] for key in _ADDING},
}
_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_PART = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_ASSIGNMENT = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")


class Origin(NamedTuple):
    """The value of a setting as one writes it in TOML (None: not set), and who says so."""

    key: str
    value: Any
    source: str
    where: tuple[str, ...] = ()


def origins(flags: Mapping[str, Any], file: Path | None) -> Iterator[Origin]:
    """Every setting, given the flags of the command line and the configuration file."""
    written = table(file) if file is not None else {}
    lines = _lines(file) if file is not None else {}
    for key in names():
        layers = []
        if key in written and _RESTARTED_BY.get(key) not in flags:
            layers.append(Origin(key, written[key], "file", (_place(file, lines.get(key)),)))
        if key in flags:
            name = f"--no-{key}" if flags[key] is False else f"--{key}"
            layers.append(Origin(key, plain(flags[key]), "flag", (name,)))
        yield _together(key, layers)


def _place(file: Path | None, line: int | None) -> str:
    """The file as seen from the current folder if it is in there, with the line if that is known."""
    inside = file is not None and file.is_absolute() and file.is_relative_to(Path.cwd())
    name = file.relative_to(Path.cwd()) if file is not None and inside else file
    return f"{name}:{line}" if line else str(name)


def _together(key: str, layers: list[Origin]) -> Origin:
    if not layers:
        return Origin(key, _default(key), "default")
    if key not in _ADDING or len(layers) == 1:
        return layers[-1]
    values = [item for layer in layers for item in _listed(layer.value)]
    return Origin(key, values, layers[-1].source, tuple(place for layer in layers for place in layer.where))


def _listed(value: Any) -> list[Any]:
    return [*value] if isinstance(value, (list, tuple)) else [value]


def _default(key: str) -> Any:
    if key in _DEFAULTS:
        return _DEFAULTS[key]
    return plain(Settings._field_defaults[key.replace("-", "_")])


def plain(value: Any) -> Any:
    """A value as one would write it in TOML."""
    if isinstance(value, Severity):
        return value.label
    if isinstance(value, Globs):
        return [*value.patterns]
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [part.strip() for item in value for part in item.split(",") if part.strip()]
    return value


def _lines(file: Path) -> dict[str, int]:
    """The line of each setting in a configuration file, as far as it is written in the usual ways."""
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    found: dict[str, int] = {}
    above = ["tool", "padlint"] if file.name == PROJECT_FILE or _has_tools(lines) else []
    current: list[str] = []
    for number, line in enumerate(lines, start=1):
        if header := _HEADER.match(line):
            path = current = _parts(header[1])
        elif assignment := _ASSIGNMENT.match(line):
            path = [*current, *_parts(assignment[1])]
        else:
            continue
        if path[: len(above)] == above and len(path) > len(above):
            found.setdefault(path[len(above)], number)
    return found


def _has_tools(lines: list[str]) -> bool:
    return any((header := _HEADER.match(line)) and _parts(header[1])[0] == "tool" for line in lines)


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, dotted)]
