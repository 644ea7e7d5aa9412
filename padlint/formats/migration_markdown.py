"""The report on a migration as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from padlint.findings import Finding
from padlint.formats.migration import Migration, remarks
from padlint.formats.numbers import HEADINGS, axes, operator
from padlint.formats.places import message
from padlint.formats.printable import printable

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$!]")


def render(migration: Migration) -> str:
    """All of it, with the counts on top."""
    return "\n".join(_lines(migration)) + "\n"


def escaped(text: str) -> str:
    """Text in one line that no reader takes for Markdown or HTML."""
    return _SPECIAL.sub(r"\\\g<0>", printable(text))


def code(text: str) -> str:
    """Text in one line as code, whatever is in it."""
    shown = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    blank = " " * (shown[:1] in ("`", " ") or shown[-1:] in ("`", " "))
    return f"{fence}{blank}{shown}{blank}{fence}"


def _lines(migration: Migration) -> Iterator[str]:
    yield "# Padding: what was fixed and what is left"
    if migration.incomplete:
        yield from ("", f"**This report is incomplete**: {escaped(migration.incomplete)}.")
    yield from ("", "| | |", "| --- | ---: |")
    yield from (f"| {label} | {count} |" for label, count in migration.counts())
    for entry in migration.shown():
        yield from ("", f"## {code(entry.filename)}")
        for heading, findings in migration.sections(entry):
            yield from ("", f"### {heading}", "")
            for finding, said in remarks(heading, findings):
                yield from _finding(finding, said)
    if migration.failures:
        yield from ("", "## Failed", "")
    for failure in migration.failures:
        at = failure.location
        place = code(failure.filename + (f":{at.row}:{at.column}" if at else "")) if failure.filename else ""
        yield f"- {place}{': ' * bool(place)}{escaped(failure.message)}"


def _finding(finding: Finding, said: list[tuple[str, str]]) -> Iterator[str]:
    at = finding.location
    place = f"line {at.row}, column {at.column}: " if finding.cell is None else ""
    yield f"- **{finding.code}** {finding.name}, {place}{escaped(message(finding))}"
    yield from (f"  - {label}: {escaped(text)}" for label, text in said)
    of = f"of {code(operator(finding))}, " if operator(finding) else ""
    for row in axes(finding):
        known = [f"{name.lower()} {escaped(value)}" for name, value in zip(HEADINGS, row, strict=True)]
        yield f"  - Numbers: {of}{', '.join(known[1:])} ({escaped(row[0])})"
