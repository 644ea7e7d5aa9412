"""The result of `padlint verify` as text and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from padlint.formats.json import layer
from padlint.formats.printable import printable

if TYPE_CHECKING:
    from padlint.verify.models.result import Comparison, Difference, Exported

_COLORS = {"equal": "green", "differs": "red", "incomparable": "yellow"}


def as_json(result: Comparison, target: str) -> str:
    """The result as one object. `proof` is what `check --verify` has as `fix.proof.layer`."""
    data = result.data()
    for derived in ("framework", "max_abs", "dtypes", "shapes"):
        del data[derived]
    return json.dumps(_finite({"target": target, **data, "proof": layer(result.proof)}), indent=2) + "\n"


def as_text(result: Comparison, target: str, *, quiet: bool, color: bool) -> str:
    """The result for a terminal."""
    lines = list(_lines(result, target, quiet=quiet))
    text = "\n".join(lines) + "\n"
    return text if color else click.unstyle(text)


def _lines(result: Comparison, target: str, *, quiet: bool) -> Iterator[str]:
    word = click.style(result.result, fg=_COLORS[result.result], bold=True)
    framework = f" ({result.framework})" if result.framework else ""
    sides = f"{printable(result.before)} and {printable(result.after)}"
    first = "" if result.before == target else f"{printable(target)}, "
    yield f"{word}: {first}{sides}{framework}"
    if result.reason:
        yield f"  {printable(result.reason)}"
    if result.difference:
        yield from _difference(result.difference)
    if not quiet:
        yield from (f"  {printable(check)}" for check in result.checks)
        for both in result.onnx:
            if not (both["before"].failure or both["after"].failure):
                yield _nodes(both["before"], both["after"])
        yield from (f"  note: {printable(note)}" for note in result.notes)


def _difference(found: Difference) -> Iterator[str]:
    yield f"  {printable(found.message)}"
    if found.dtype:
        shapes = " and ".join("x".join(map(str, shape)) for shape in found.shapes)
        mode = "train" if found.training else "eval"
        yield f"  in {found.dtype}, {mode} mode, for a {found.kind} input of {shapes}"
    if found.layer:
        yield f"  first layer that differs: {printable(found.layer)}"
    if found.cause:
        yield f"  likely cause: {printable(found.cause)}"


def _nodes(before: Exported, after: Exported) -> str:
    counts = [
        f"{old} -> {new} {name}" if old != new else f"{new} {name}"
        for name, old, new in (
            ("nodes", before.nodes, after.nodes),
            ("Pad", before.pads, after.pads),
            ("that compute shapes", before.shape_nodes, after.shape_nodes),
        )
    ]
    return f"  ONNX ({after.exporter}): {', '.join(counts)}"


def _finite(data: Any) -> Any:
    """Without infinities and NaN, which JSON does not know."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    return [_finite(item) for item in data] if isinstance(data, (list, tuple)) else data
