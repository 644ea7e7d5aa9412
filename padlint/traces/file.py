"""Trace files: written, read and merged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from padlint.traces.model import Call, Layer, Place, Run, Trace, TracedFile

FORMAT, VERSION = "padlint-trace", 1


class BadTrace(Exception):
    """A file is no trace that can be used; the message is for the user."""


def merged(old: Trace, new: Trace) -> tuple[Trace, list[str]]:
    """Both together, and the files that have changed in between: of these only the new runs count."""
    stale = [n for n, file in new.files.items() if n in old.files and old.files[n].sha256 != file.sha256]
    result = Trace()
    for trace in (old, new):
        for name, file in trace.files.items():
            if trace is old and name in stale:
                continue
            target = result.files.setdefault(name, TracedFile(file.sha256))
            for call in file.calls.values():
                into = target.call(call.place, call.operator)
                into.more += call.more
                for run, count in call.runs.items():
                    into.add(run, count)
        for layer in trace.flow:
            if trace is new or layer.place.file not in stale:
                result.flow.setdefault(layer)
    return result, sorted(stale)


def dumps(trace: Trace, project: str) -> str:
    """The text of a trace file; `project` is the way from its folder to that of the project."""
    files: dict[str, Any] = {}
    index: dict[tuple[Place, str], int] = {}
    for name, file in sorted(trace.files.items()):
        calls = sorted(file.calls.values(), key=lambda c: (c.place.row, c.place.column, c.operator))
        index.update({(call.place, call.operator): number for number, call in enumerate(calls)})
        files[name] = {"sha256": file.sha256, "calls": [_call(call) for call in calls]}
    flow = []
    for layer in trace.flow:
        call = trace.files[layer.place.file].calls[layer.place, layer.operator]
        if layer.run in call.runs:
            number = index[layer.place, layer.operator]
            run = list(call.runs).index(layer.run)
            entry = {"name": layer.name, "file": layer.place.file, "call": number, "run": run}
            flow.append({**entry, "field": layer.field, "step": layer.step})
    head = {"format": FORMAT, "version": VERSION, "project": project}
    return _spread(head, files, flow)


def _spread(head: Mapping[str, Any], files: Mapping[str, Any], flow: list[Any]) -> str:
    """JSON with one row for each run and layer: small, and its changes are readable."""
    rows = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows.append(' "files": {')
    rows.append(",\n".join(f"  {json.dumps(n)}: {_file(file)}" for n, file in files.items()))
    rows.append(' },\n "flow": [')
    rows.append(",\n".join(f"  {json.dumps(layer)}" for layer in flow))
    return "\n".join(["{", *filter(None, rows), " ]", "}", ""])


def _file(file: Mapping[str, Any]) -> str:
    calls = []
    for call in file["calls"]:
        runs = ",\n".join(f"    {json.dumps(run)}" for run in call["runs"])
        start = json.dumps({key: value for key, value in call.items() if key != "runs"})[:-1]
        calls.append(f'   {start}, "runs": [\n{runs}\n   ]}}')
    return f'{{"sha256": "{file["sha256"]}", "calls": [\n' + ",\n".join(calls) + "\n  ]}"


def _call(call: Call) -> dict[str, Any]:
    place = call.place
    return {
        "row": place.row,
        "column": place.column or None,
        "end_row": place.end_row or None,
        "end_column": place.end_column or None,
        "operator": call.operator,
        "more": call.more,
        "runs": [
            {**vars(run), "arguments": dict(run.arguments), "count": count}
            for run, count in call.runs.items()
        ],
    }


def loads(text: str) -> tuple[Trace, str]:
    """The trace in a file's text, and its `project`. Raises BadTrace."""
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadTrace("it is no trace of padlint")
        if data["version"] != VERSION:
            raise BadTrace(f"its version is {data['version']}; this padlint reads version {VERSION}")
        trace = Trace()
        calls: dict[tuple[str, int], Call] = {}
        for name, file in data["files"].items():
            traced = trace.files[name] = TracedFile(file["sha256"])
            for number, call in enumerate(_read_calls(name, file["calls"])):
                traced.calls[call.place, call.operator] = calls[name, number] = call
        for entry in data["flow"]:
            call = calls[entry["file"], entry["call"]]
            run = list(call.runs)[entry["run"]]
            of = tuple(entry["field"]), tuple(entry["step"])
            trace.flow.setdefault(Layer(entry["name"], call.place, call.operator, run, *of))
        return trace, str(data["project"])
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise BadTrace(f"it is no valid trace of padlint: {type(error).__name__}: {error}") from None


def _read_calls(name: str, calls: list[Any]) -> Iterator[Call]:
    for found in calls:
        numbers = (found[key] or 0 for key in ("row", "column", "end_row", "end_column"))
        call = Call(Place(name, *numbers), found["operator"], more=found["more"])
        for run in found["runs"]:
            arguments = tuple((role, _frozen(value)) for role, value in run["arguments"].items())
            used = (run["used"][0], run["used"][1]) if run["used"] else None
            sizes = tuple(run["input"]), tuple(run["output"])
            call.runs[Run(arguments, run["layout"], *sizes, run["dtype"], used)] = run["count"]
        yield call


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
