"""Text for a terminal: each finding with its code, what to do about it, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from padlint.formats.lines import color, headline, shown
from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.levels import Applicability

if TYPE_CHECKING:
    from padlint.findings import Finding, LayerProof


def render(report: Report) -> str:
    """The findings, each with its lines of code, and the summary."""
    return shown(report, _findings(report))


def _findings(report: Report) -> Iterator[str]:
    if not report.findings:
        return
    from padlint.formats.frame import frame  # which a clean run does not need
    from padlint.syntax.source import Source

    sources: dict[tuple[str, int | None], Source] = {}
    for finding in report.findings:
        where = finding.filename, finding.cell
        source = sources.setdefault(where, Source(report.text_of(*where)))
        yield headline(report, finding)
        yield frame(source, finding, report.encoding, color(finding))
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
