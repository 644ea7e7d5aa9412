"""Reviewdog's diagnostics, whose columns count bytes of UTF-8."""

from __future__ import annotations

import json
from typing import Any

from padlint.findings import Finding, Fix, Location
from padlint.formats.places import message, placed, portable, sources
from padlint.formats.report import Report
from padlint.syntax.source import Source


def render(report: Report) -> str:
    """The findings as one JSON object."""
    texts = sources(report)
    document = {
        "source": {"name": "padlint"},
        "severity": "WARNING",
        "diagnostics": [_diagnostic(report, f, texts[f.filename, f.cell]) for f in report.findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _diagnostic(report: Report, finding: Finding, source: Source) -> dict[str, Any]:
    start, end, _ = placed(finding)
    code = {"value": finding.code}
    if url := report.url(finding):
        code["url"] = url
    diagnostic: dict[str, Any] = {
        "message": message(finding),
        "location": {"path": portable(finding.filename), "range": _range(source, start, end)},
        "severity": finding.severity.name,
        "code": code,
    }
    if finding.fix is not None and report.is_fixable(finding) and finding.cell is None:
        diagnostic["suggestions"] = [_suggestion(finding.fix, source)]
    return diagnostic


def _suggestion(fix: Fix, source: Source) -> dict[str, Any]:
    """One change from the first edit to the last: several could be taken up one without the other."""
    edits = sorted(fix.edits, key=lambda edit: (edit.start, edit.end))
    text, position = "", edits[0].start
    for edit in edits:
        text += source.text[position : edit.start] + edit.content
        position = edit.end
    last = max(edits, key=lambda edit: edit.end)
    return {"range": _range(source, edits[0].location, last.end_location), "text": text}


def _range(source: Source, start: Location, end: Location) -> dict[str, Any]:
    return {"start": _position(source, start), "end": _position(source, end)}


def _position(source: Source, location: Location) -> dict[str, int]:
    offset = source.line_start(location.row)
    before = source.text[offset : offset + location.column - 1]
    return {"line": location.row, "column": len(before.encode("utf-8", "replace")) + 1}
