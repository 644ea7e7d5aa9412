"""What `--verbose` says about a file: which findings are silenced, and which calls nobody could judge."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from padlint.engine import suppressed
from padlint.explain.skipped import skipped
from padlint.findings import Finding, Location
from padlint.options import Options

_MOST = 20  # of a file


def notes(text: str, options: Options, findings: Collection[Finding]) -> tuple[str, ...]:
    """One line for each, with its row and column; `findings` are those that are reported anyway."""
    reported = {finding.location for finding in findings}
    passed_over = (item for item in skipped(text, options) if item[0] not in reported)
    found = sorted([*_silenced(text, options), *passed_over])
    lines = [f"{place.row}:{place.column}: {reason}" for place, reason in found]
    more = len(lines) - _MOST
    return tuple(lines if more <= 0 else [*lines[:_MOST], f" ... and {more} more like these"])


def _silenced(text: str, options: Options) -> Iterator[tuple[Location, str]]:
    for finding in suppressed(text, options):
        yield finding.location, f"{finding.code} is silenced by a comment"
