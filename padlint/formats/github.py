"""Workflow commands that GitHub shows as annotations of the changed lines."""

from __future__ import annotations

from padlint.findings import Finding
from padlint.formats.places import absolute, advice, message, placed
from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.levels import Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """One command per finding, and one per file that could not be checked."""
    failed = (
        _command("error", {"title": "padlint", "file": _path(failure.filename)}, printable(failure.message))
        for failure in report.failures
    )
    return "".join((*map(_finding, report.findings), *failed))


def _finding(finding: Finding) -> str:
    start, end, _ = placed(finding)
    properties: dict[str, str | int] = {
        "title": f"padlint ({finding.code})",
        "file": _path(finding.filename),
        "line": start.row,
        "endLine": end.row,
    }
    if start.row == end.row:  # GitHub refuses columns of annotations over several lines
        properties |= {"col": start.column, "endColumn": end.column}
    where = f"{printable(finding.filename)}:{start.row}:{start.column}"
    text = f"{where}: {finding.code} {message(finding)}\n  help: {advice(finding)}"
    return _command(_COMMANDS[finding.severity], properties, text)


def _command(name: str, properties: dict[str, str | int], text: str) -> str:
    given = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items() if value)
    return f"::{name} {given}::{_escaped(text)}\n"


def _path(filename: str) -> str:
    """Absolute, since relative paths start at the checkout, not at the folder of the run."""
    return str(absolute(filename)) if filename else ""


def _escaped(text: str, further: str = "") -> str:
    text = printable(text, keep="\r\n")
    for character in "%\r\n" + further:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
