"""One line per finding."""

from __future__ import annotations

from padlint.formats.lines import headline, shown
from padlint.formats.report import Report


def render(report: Report) -> str:
    """The findings without their code, and the summary."""
    return shown(report, (headline(report, finding) for finding in report.findings))
