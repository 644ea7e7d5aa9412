"""Logging commands of Azure Pipelines."""

from __future__ import annotations

from padlint.findings import Finding
from padlint.formats.places import message, placed
from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.levels import Severity

_ESCAPES = {"%": "%AZP25", ";": "%3B", "\r": "%0D", "\n": "%0A", "]": "%5D"}


def render(report: Report) -> str:
    """One command per finding; Azure knows errors and warnings only."""
    return "".join(map(_finding, report.findings))


def _finding(finding: Finding) -> str:
    start = placed(finding).start
    properties = {
        "type": "error" if finding.severity is Severity.ERROR else "warning",
        "sourcepath": finding.filename,
        "linenumber": str(start.row),
        "columnnumber": str(start.column),
        "code": finding.code,
    }
    given = "".join(f"{key}={_escaped(value)};" for key, value in properties.items())
    return f"##vso[task.logissue {given}]{_escaped(message(finding))}\n"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in printable(text, keep="\r\n"))
