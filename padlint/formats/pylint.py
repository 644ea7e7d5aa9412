"""The lines that Pylint prints, which many tools read."""

from __future__ import annotations

from padlint.formats.places import message, placed
from padlint.formats.printable import printable
from padlint.formats.report import Report


def render(report: Report) -> str:
    """One line per finding."""
    return "".join(
        f"{printable(finding.filename)}:{placed(finding).start.row}: [{finding.code}] {message(finding)}\n"
        for finding in report.findings
    )
