"""The flow of a traced run, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

from padlint.record.flow import Row, rows
from padlint.traces.model import Sizes, Trace

_HEAD = ("layer", "operator", "input", "output", "pads", "field", "stride", "border", "where")


_KEYS = (
    *("layer", "operator", "filename", "row", "input", "output", "pads", "receptive_field", "total_stride"),
    *("fewer_uses", "first_odd", "missed"),
)


def as_json(trace: Trace) -> str:
    """A list with an object for each layer, and for each kind of call that could not be recorded."""
    missed = [
        {**dict.fromkeys(_KEYS), "operator": what.what, "missed": {"count": count, "reason": what.reason}}
        for what, count in trace.missed.items()
    ]
    return json.dumps([*map(_object, rows(trace)), *missed], indent=1) + "\n"


def _object(row: Row) -> dict[str, Any]:
    layer, run = row.layer, row.layer.run
    return {
        "layer": layer.name,
        "operator": layer.operator,
        "filename": layer.place.file or None,
        "row": layer.place.row or None,
        "input": run.input,
        "output": run.output,
        "pads": row.pads,
        "receptive_field": layer.field,
        "total_stride": layer.step,
        "fewer_uses": None if row.fewer is None else round(row.fewer, 4),
        "first_odd": row.first_odd,
        "missed": None,
    }


def as_text(trace: Trace) -> str:
    """A table; a star marks the first size that is odd."""
    table = [_HEAD, *map(_cells, rows(trace))]
    widths = [max(len(cells[i]) for cells in table) for i in range(len(_HEAD))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(c, widths, strict=True)) for c in table)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    layer, run = row.layer, row.layer.run
    was_odd = row.first_odd and any(n is not None and n % 2 for n in run.input)
    pads = "?" if row.pads is None else ", ".join(map(str, dict.fromkeys(row.pads)))
    return (
        layer.name,
        layer.operator.rpartition(".")[2],
        _sizes(run.input) + (" *" if row.first_odd and was_odd else ""),
        _sizes(run.output) + (" *" if row.first_odd and not was_odd else ""),
        pads,
        _sizes(layer.field),
        _sizes(layer.step),
        "" if row.fewer is None else f"{row.fewer:.1%}",
        f"{layer.place.file}:{layer.place.row}" if layer.place.file else "",
    )


def _sizes(sizes: Sizes) -> str:
    texts = ["?" if n is None else str(n) for n in sizes]
    return texts[0] if len(set(texts)) == 1 else "x".join(texts)
