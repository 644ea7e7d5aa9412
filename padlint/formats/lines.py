"""What the formats for people share: coloured codes and places, counts by rule, the summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.levels import Severity

if TYPE_CHECKING:
    from padlint.findings import Finding

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def shown(report: Report, lines: Iterable[str]) -> str:
    """The lines, or the counts by rule, and the summary unless the report is quiet."""
    parts = list(_statistics(report) if report.statistics else lines)
    if not report.quiet and (summary := _summary(report)):
        parts.append(summary)
    text = "\n".join(parts) + "\n" * bool(parts)
    return text if report.color else click.unstyle(text)


def color(finding: Finding) -> Callable[[str], str]:
    """What gives a text the colour of the finding's severity."""
    return partial(click.style, fg=_COLORS[finding.severity], bold=True)


def headline(report: Report, finding: Finding) -> str:
    """The finding in one line."""
    where = click.style(printable(finding.filename), bold=True)
    return f"{where}:{place(finding)}: {what(report, finding)}"


def place(finding: Finding) -> str:
    """Where in its file the finding is."""
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{cell}{finding.location.row}:{finding.location.column}"


def what(report: Report, finding: Finding) -> str:
    """The code, whether it can be fixed, and the message."""
    star = click.style("[*] ", fg="cyan") * report.is_fixable(finding)
    return f"{_code(report, finding)} {star}{printable(finding.message)}"


def _code(report: Report, finding: Finding) -> str:
    """The code in its colour; a link (OSC 8) where the terminal shows links and there is a target."""
    code = color(finding)(finding.code)
    url = report.url(finding)
    return f"\x1b]8;;{url}\x1b\\{code}\x1b]8;;\x1b\\" if report.hyperlinks and url else code


def _statistics(report: Report) -> Iterator[str]:
    counts = report.counts()
    width = len(str(counts[0][1])) if counts else 0
    for example, count, fixable in counts:
        mark = "[*]" if fixable == count else "[-]" if fixable else "[ ]"
        yield f"{count:>{width}}  {_code(report, example)}  {click.style(mark, fg='cyan')} {example.name}"
    if counts:
        yield "[*] all fixable with --fix, [-] some fixable"


def _summary(report: Report) -> str:
    left = len(report.findings)
    total = left + report.fixed
    if not total:
        return "" if report.failures or not report.files else "All checks passed!"
    fixable = _fixable(report)
    if report.fix:
        further = f"; {fixable}" * bool(fixable)
        remarks = f"{report.fixed} fixed, {left} remaining{further}"
    else:
        remarks = fixable
    return f"Found {total} problem{'s' * (total != 1)}" + f" ({remarks})" * bool(remarks)


def _fixable(report: Report) -> str:
    """What further options would fix."""
    safe = 0 if report.fix else report.fixable
    unsafe = report.unsafely_fixable
    if not safe:
        return f"{unsafe} fixable with {'' if report.fix else '--fix '}--unsafe-fixes" if unsafe else ""
    return f"{safe} fixable with --fix" + f", {unsafe} more with --unsafe-fixes" * bool(unsafe)
