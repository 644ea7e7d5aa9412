"""The findings of a file below its name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from padlint.formats.lines import place, shown, what
from padlint.formats.printable import printable
from padlint.formats.report import Report


def render(report: Report) -> str:
    """The findings by file, and the summary."""
    return shown(report, _groups(report))


def _groups(report: Report) -> Iterator[str]:
    for filename, findings in groupby(report.findings, key=lambda finding: finding.filename):
        yield f"{click.style(printable(filename), bold=True)}:"
        rows = [(place(finding), what(report, finding)) for finding in findings]
        width = max(len(where) for where, _ in rows)
        yield from (f"  {where:<{width}}  {text}" for where, text in rows)
        yield ""
