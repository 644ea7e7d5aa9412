"""Trace files: written and merged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from padlint.traces.model import MOST_LAYERS, Call, Place, Run, Trace, TracedFile
from padlint.traces.reading import FORMAT, VERSION


class Merged(NamedTuple):
    """Two traces together, and the `stale` files: those that have changed in between."""

    trace: Trace
    stale: list[str]


def merged(old: Trace, new: Trace) -> Merged:
    """Both together; of files that have changed in between only the new runs count."""
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
                    into.add(run, count, call.symbolic.get(run, 0))
        for layer in trace.flow:
            if (trace is new or layer.place.file not in stale) and len(result.flow) < MOST_LAYERS:
                result.flow.setdefault(layer)
        for missed, count in trace.missed.items():
            result.miss(missed.what, missed.reason, count)
    return Merged(result, sorted(stale))


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
    missed = [{**vars(what), "count": count} for what, count in trace.missed.items()]
    head = {"format": FORMAT, "version": VERSION, "project": project, "missed": missed}
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
            {**vars(run), "arguments": dict(run.arguments), "count": count, **_symbolic(call, run)}
            for run, count in call.runs.items()
        ],
    }


def _symbolic(call: Call, run: Run) -> dict[str, int]:
    return {"symbolic": call.symbolic[run]} if run in call.symbolic else {}
