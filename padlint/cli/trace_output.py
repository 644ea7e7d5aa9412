"""The flow of a traced run, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

from padlint.record.flow import Row, rows
from padlint.traces.model import Sizes, Trace

_HEAD = ("layer", "operator", "input", "output", "pads", "field", "stride", "border", "where")


def as_json(trace: Trace) -> str:
    """A list with an object for each layer."""
    return json.dumps([_object(row) for row in rows(trace)], indent=1) + "\n"


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
    }


def as_text(trace: Trace) -> str:
    """A table; a star marks where a size becomes odd for the first time."""
    table = [_HEAD, *map(_cells, rows(trace))]
    widths = [max(len(cells[i]) for cells in table) for i in range(len(_HEAD))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(c, widths, strict=True)) for c in table)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    layer, run = row.layer, row.layer.run
    pads = "?" if row.pads is None else ", ".join(map(str, dict.fromkeys(row.pads)))
    return (
        layer.name,
        layer.operator.rpartition(".")[2],
        _sizes(run.input),
        _sizes(run.output) + (" *" if row.first_odd else ""),
        pads,
        _sizes(layer.field),
        _sizes(layer.step),
        "" if row.fewer is None else f"{row.fewer:.1%}",
        f"{layer.place.file}:{layer.place.row}" if layer.place.file else "",
    )


def _sizes(sizes: Sizes) -> str:
    texts = ["?" if n is None else str(n) for n in sizes]
    return texts[0] if len(set(texts)) == 1 else "x".join(texts)
