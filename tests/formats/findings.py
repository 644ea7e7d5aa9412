"""Findings for the tests of formats."""

from __future__ import annotations

from dataclasses import replace

from padlint.findings import Applicability, Finding, Fix, Location, Severity
from padlint.syntax.source import Source


def finding(
    text: str = 'c = Conv2d(3, padding="same")\n', part: str = "Conv2d(", *, end: str = ")", **changes: object
) -> Finding:
    """A finding on the text from `part` to the next `end`, with a safe fix."""
    source = Source(text)
    start = text.index(part)
    stop = text.index(end, start) + len(end)
    found = Finding(
        code="PAD305",
        name="same-string",
        severity=Severity.INFO,
        message="padding is a string",
        location=source.location(start),
        end_location=source.location(stop),
        fix=Fix(Applicability.SAFE, "write a number", (source.edit(start, stop, "Conv2d(3, padding=1)"),)),
        filename="model.py",
    )
    return replace(found, **changes)  # type: ignore[arg-type]


def unsafe(found: Finding) -> Finding:
    """The same with an unsafe fix."""
    assert found.fix is not None
    return replace(found, fix=replace(found.fix, applicability=Applicability.UNSAFE))


def unfixable(found: Finding, reason: str = "the size is not known") -> Finding:
    """The same without a fix."""
    return replace(found, fix=None, no_fix_reason=reason)


def at(found: Finding, row: int, column: int) -> Finding:
    """The same in another place."""
    return replace(found, location=Location(row, column), end_location=Location(row, column + 1))
