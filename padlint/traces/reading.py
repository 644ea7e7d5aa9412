"""Trace files, read. They may come from anywhere: whatever is not as it should be is named."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from padlint.traces.model import Call, Layer, Missed, Place, Run, Sizes, Trace, TracedFile

FORMAT, VERSION = "padlint-trace", 1
MOST_BYTES = 64 * 2**20
"""No trace is larger: what is recorded per call is bounded, and so are the calls that people write."""
LAYOUTS = ("channels_last", "channels_first", "all")
_MOST = 2**31 - 1
_DEEPEST = 4  # pairs of pairs in a list
_POSITIVE = frozenset({"kernel", "stride", "dilation", "input_dilation"})


class BadTrace(Exception):
    """A file is no trace that can be used; the message is for the user."""


def read(path: Path) -> tuple[Trace, str]:
    """The trace in a file, and its `project`. Raises BadTrace, OSError."""
    with path.open("rb") as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise BadTrace(f"it is larger than {MOST_BYTES // 2**20} MiB, which no trace is")
    try:
        return loads(content.decode())
    except UnicodeDecodeError:
        raise BadTrace("it is no trace of padlint: it is not UTF-8") from None


def loads(text: str) -> tuple[Trace, str]:
    """The trace in a file's text, and its `project`. Raises BadTrace."""
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadTrace(f"it is no valid trace of padlint: {reason}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadTrace("it is no trace of padlint")
    root = _Value(data, "")
    if (version := root["version"].data) is True or version != VERSION:
        raise BadTrace(f"its version is {_shown(version)}; this padlint reads version {VERSION}")
    trace, calls = Trace(), {}
    for name, file in root["files"].entries():
        _is_path(name, file)
        traced = trace.files[name] = TracedFile(_digest(name, file["sha256"]))
        calls[name] = [_call(name, value) for value in file["calls"].items()]
        for value, call in zip(file["calls"].items(), calls[name], strict=True):
            if (call.place, call.operator) in traced.calls:
                value.wrong("the same call as an earlier one")
            traced.calls[call.place, call.operator] = call
    for value in root["flow"].items():
        trace.flow.setdefault(_layer(calls, value))
    for value in root.optional("missed", []).items():
        missed = Missed(value["what"].text(), value["reason"].text())
        trace.missed[missed] = value["count"].integer(1)
    project = root["project"].text()
    _is_path(project, root["project"])
    return trace, project


def check_argument(role: str, value: object) -> None:
    """Raise BadTrace if no operator can run with an argument."""
    _argument(_Value(value, role), role)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _shown(data: object) -> str:
    text = json.dumps(data)
    return text if len(text) <= 40 else f"{text[:40]}..."


class _Value:
    """A part of the file, and where it stands in it."""

    def __init__(self, data: Any, where: str) -> None:
        self.data = data
        self._where = where

    def wrong(self, problem: str) -> NoReturn:
        """Say what is wrong here."""
        raise BadTrace(f"it is no valid trace of padlint: {self._where or 'the whole'} is {problem}")

    def _expected(self, what: str) -> NoReturn:
        self.wrong(f"{_shown(self.data)}, not {what}")

    def entries(self) -> Iterator[tuple[str, _Value]]:
        """The entries of an object."""
        if not isinstance(self.data, dict):
            self._expected("an object")
        for key, data in self.data.items():
            yield key, _Value(data, f"{self._where}[{_shown(key)}]")

    def __getitem__(self, key: str) -> _Value:
        if not isinstance(self.data, dict):
            self._expected("an object")
        where = f"{self._where}.{key}" if self._where else key
        if key not in self.data:
            _Value(None, where).wrong("missing")
        return _Value(self.data[key], where)

    def optional(self, key: str, default: object) -> _Value:
        """An entry that may be missing."""
        return self[key] if isinstance(self.data, dict) and key in self.data else _Value(default, key)

    def items(self) -> list[_Value]:
        """The items of a list."""
        if not isinstance(self.data, list):
            self._expected("a list")
        return [_Value(data, f"{self._where}[{at}]") for at, data in enumerate(self.data)]

    def integer(self, low: int, high: int = _MOST) -> int:
        """A whole number."""
        if type(self.data) is not int or not low <= self.data <= high:
            self._expected(f"a whole number from {low} to {high}")
        return self.data

    def text(self) -> str:
        """A string that can be written down."""
        if not isinstance(self.data, str):
            self._expected("a string")
        try:
            self.data.encode()
        except UnicodeEncodeError:
            self._expected("a string of whole characters")
        return self.data

    def sizes(self, low: int) -> Sizes:
        """Sizes of axes, null for one that is not known."""
        return tuple(None if item.data is None else item.integer(low) for item in self.items())


def _is_path(name: str, value: _Value) -> None:
    if "\0" in name or len(name) > 4096:
        value.wrong("no path of a file")
    _Value(name, "a path").text()


def _digest(name: str, value: _Value) -> str:
    text = value.text()
    if name and (len(text) != 64 or not set(text) <= set("0123456789abcdef")):
        value.wrong(f"{_shown(text)}, not 64 hexadecimal digits")
    return text


def _call(name: str, value: _Value) -> Call:
    columns = [value[key] for key in ("column", "end_row", "end_column")]
    row = value["row"].integer(1 if name else 0)
    numbers = [0 if column.data is None else column.integer(1) for column in columns]
    if any(numbers) and (not all(numbers) or (numbers[1], numbers[2]) <= (row, numbers[0])):
        columns[1].wrong("not behind the start")
    call = Call(Place(name, row, *numbers), value["operator"].text(), more=value["more"].integer(0))
    for item in value["runs"].items():
        run = _run(item)
        if run in call.runs:
            item.wrong("the same run as an earlier one")
        call.runs[run] = item["count"].integer(0)
        if symbolic := item.optional("symbolic", 0).integer(0):
            call.symbolic[run] = symbolic
    return call


def _run(value: _Value) -> Run:
    arguments = tuple((role, _argument(item, role)) for role, item in value["arguments"].entries())
    layout = value["layout"]
    if layout.text() not in LAYOUTS:
        layout.wrong(f"{_shown(layout.data)}, none of {', '.join(LAYOUTS)}")
    used = value["used"].items() if value["used"].data is not None else []
    if used and len(used) != 2:
        value["used"].wrong("no path and row")
    place = (used[0].text(), used[1].integer(1)) if used else None
    return Run(
        *(arguments, layout.data, value["input"].sizes(0), value["output"].sizes(0), value["dtype"].text()),
        used=place,
    )


def _argument(value: _Value, role: str, depth: int = 0) -> Any:
    data = value.data
    if isinstance(data, (list, tuple)):
        if depth == _DEEPEST:
            value.wrong("nested too deeply")
        items = [_Value(item, f"{value._where}[{at}]") for at, item in enumerate(data)]
        return tuple(_argument(item, role, depth + 1) for item in items)
    if isinstance(data, str):
        return value.text()
    if data is None or isinstance(data, bool):
        return data
    if isinstance(data, float) and isfinite(data) and role not in _POSITIVE:
        return data
    return value.integer(1 if role in _POSITIVE else -_MOST)


def _layer(calls: Mapping[str, list[Call]], value: _Value) -> Layer:
    name = value["file"].text()
    if name not in calls:
        value["file"].wrong(f"{_shown(name)}, none of the files")
    of_file = calls[name]
    call = of_file[value["call"].integer(0, len(of_file) - 1)]
    runs = list(call.runs)
    run = runs[value["run"].integer(0, len(runs) - 1)]
    reach = value["field"].sizes(1), value["step"].sizes(1)
    return Layer(value["name"].text(), call.place, call.operator, run, *reach)


def project_path(path: Path, root: Path) -> str:
    """The way from the folder of a trace to that of the project."""
    return Path(os.path.relpath(root, path.absolute().parent)).as_posix()
