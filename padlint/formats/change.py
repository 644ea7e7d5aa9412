"""What one fix changes, as text: the rows around its edits and no others, however long the file is."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from padlint.findings import Edit, Fix
from padlint.formats.printable import printable
from padlint.syntax.source import Source, apply_edits

_CONTEXT = 2  # rows shown before and after a change
_WIDTH = 200  # characters shown of a row


def change(source: Source, fix: Fix) -> list[str]:
    """The lines of a unified diff without the header of the file."""
    return [line for edits in _groups(source, fix) for line in _hunk(source, edits)]


def _groups(source: Source, fix: Fix) -> Iterator[list[Edit]]:
    """The edits, those that stand near each other together."""
    group: list[Edit] = []
    for edit in sorted(dict.fromkeys(fix.edits), key=lambda edit: (edit.start, edit.end)):
        if group and source.row(edit.start) > source.row(group[-1].end) + 2 * _CONTEXT:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


def _hunk(source: Source, edits: list[Edit]) -> Iterator[str]:
    first = max(source.row(edits[0].start) - _CONTEXT, 1)
    start = source.line_start(first)
    before = source.text[start : source.line_start(source.row(edits[-1].end) + _CONTEXT + 1)]
    moved = [Edit(e.start - start, e.end - start, e.content, e.location, e.end_location) for e in edits]
    after = apply_edits(before, moved)
    yield f"@@ line {first} @@"
    lines = list(difflib.unified_diff(_rows(before), _rows(after), n=_CONTEXT, lineterm=""))
    yield from (_cut(line) for line in lines[2:] if not line.startswith("@@"))


def _rows(text: str) -> list[str]:
    rows = Source(text)
    count = len(rows.line_starts) - (rows.line_starts[-1] == len(text))
    return [rows.line(row) for row in range(1, count + 1)]


def _cut(line: str) -> str:
    shown = printable(line, keep="\t")
    return shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]}..."
