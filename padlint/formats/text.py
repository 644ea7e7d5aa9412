"""Text for a terminal: each finding with its code, what to do about it, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.levels import Applicability, Severity

if TYPE_CHECKING:
    from padlint.findings import Finding, LayerProof

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def render(report: Report) -> str:
    """The findings, or their counts by rule, and the summary unless the report is quiet."""
    parts = list(_statistics(report) if report.statistics else _findings(report))
    if not report.quiet and (summary := _summary(report)):
        parts.append(summary)
    text = "\n".join(parts) + "\n" * bool(parts)
    return text if report.color else click.unstyle(text)


def _findings(report: Report) -> Iterator[str]:
    if not report.findings:
        return
    from padlint.formats.frame import frame  # which a clean run does not need
    from padlint.syntax.source import Source

    sources: dict[str, Source] = {}
    for finding in report.findings:
        source = sources.setdefault(finding.filename, Source(report.texts.get(finding.filename, "")))
        color = partial(click.style, fg=_COLORS[finding.severity], bold=True)
        where = click.style(printable(finding.filename), bold=True)
        if finding.cell is not None:
            where += f":cell {finding.cell}"
        star = click.style("[*] ", fg="cyan") * report.is_fixable(finding)
        place = f"{finding.location.row}:{finding.location.column}"
        yield f"{where}:{place}: {color(finding.code)} {star}{printable(finding.message)}"
        yield frame(source, finding, report.encoding, color)
        yield f"{click.style('help', fg='cyan')}: {printable(_help(finding))}"
        if finding.fix and finding.fix.proof and finding.fix.proof.layer:
            yield f"{click.style('proof', fg='cyan')}: {printable(_proof(finding.fix.proof.layer))}"
        yield ""


def _help(finding: Finding) -> str:
    if finding.fix is None:
        return f"no fix: {finding.no_fix_reason}"
    if finding.fix.applicability is Applicability.UNSAFE:
        return f"{finding.fix.message} (unsafe fix)"
    return finding.fix.message


def _proof(layer: LayerProof) -> str:
    detail = f": {layer.detail}" * bool(layer.detail)
    difference = "" if layer.max_abs is None else f", largest difference {layer.max_abs:.3g}"
    return f"{layer.framework}: {layer.result} ({layer.dtype}{difference}){detail}"


def _statistics(report: Report) -> Iterator[str]:
    counts = report.counts()
    width = len(str(counts[0][1])) if counts else 0
    for example, count, fixable in counts:
        mark = "[*]" if fixable == count else "[-]" if fixable else "[ ]"
        color = partial(click.style, fg=_COLORS[example.severity], bold=True)
        yield f"{count:>{width}}  {color(example.code)}  {click.style(mark, fg='cyan')} {example.name}"
    if counts:
        yield "[*] all fixable with --fix, [-] some fixable"


def _summary(report: Report) -> str:
    left = len(report.findings)
    total = left + report.fixed
    if not total:
        return "" if report.failed or not report.files else "All checks passed!"
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
