"""The report on a migration as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from padlint.findings import Finding
from padlint.formats.change import change
from padlint.formats.frame import frame
from padlint.formats.migration import FIXABLE, OPEN, Migration, remarks
from padlint.formats.numbers import HEADINGS, axes, operator
from padlint.formats.places import message
from padlint.formats.printable import printable
from padlint.syntax.source import Source

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Padding: what was fixed and what is left</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em }
pre { overflow-x: auto; padding: .7em; background: #8882; font-size: 14px }
table { border-collapse: collapse; margin: .7em 0 }
th, td { border: 1px solid #8886; padding: .2em .7em; text-align: left }
article { border-left: 3px solid #8886; padding-left: 1em; margin: 1.5em 0 }
.incomplete { border: 2px solid #c33; padding: .7em }
</style>
</head>
<body>
<h1>Padding: what was fixed and what is left</h1>
"""


def render(migration: Migration) -> str:
    """The page: the counts, then file by file."""
    return f"{_HEAD}{''.join(_body(migration))}</body>\n</html>\n"


def _body(migration: Migration) -> Iterator[str]:
    if migration.incomplete:
        said = _text(migration.incomplete)
        yield f'<p class="incomplete"><strong>This report is incomplete</strong>: {said}.</p>\n'
    yield _table((), [(label, str(count)) for label, count in migration.counts()])
    for entry in migration.shown():
        source = Source(entry.text)
        yield f"<section>\n<h2><code>{_text(entry.filename)}</code></h2>\n"
        for heading, findings in migration.sections(entry):
            yield f"<h3>{_text(heading)}</h3>\n"
            present = source if heading in (FIXABLE, OPEN) else None
            for finding, said_of_it in remarks(heading, findings):
                yield from _finding(finding, said_of_it, present)
        yield "</section>\n"
    if migration.failures:
        yield "<section>\n<h2>Failed</h2>\n<ul>\n"
        for failure in migration.failures:
            at = failure.location
            place = _text(failure.filename + (f":{at.row}:{at.column}" if at else ""))
            yield f"<li>{f'<code>{place}</code>: ' * bool(place)}{_text(failure.message)}</li>\n"
        yield "</ul>\n</section>\n"


def _finding(finding: Finding, said: list[tuple[str, str]], source: Source | None) -> Iterator[str]:
    """What is said about a finding; its code and change only where its file still has it."""
    at = finding.location
    place = f"line {at.row}, column {at.column}: " if finding.cell is None else ""
    yield f"<article>\n<p><strong>{_text(finding.code)}</strong> {_text(finding.name)}, {place}"
    yield f"{_text(message(finding))}</p>\n"
    if source is not None:
        yield _block(frame(source, finding, "utf-8", str))
    if rows := axes(finding):
        yield f"<p><code>{_text(operator(finding))}</code></p>\n" * bool(operator(finding))
        yield _table(HEADINGS, rows)
    yield from (f"<p>{_text(label)}: {_text(text)}</p>\n" for label, text in said)
    if source is not None and finding.fix is not None:
        yield _block("\n".join(change(source, finding.fix)))
    yield "</article>\n"


def _table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    head = f"<tr>{''.join(f'<th>{_text(name)}</th>' for name in headings)}</tr>\n" * bool(headings)
    body = (f"<tr>{''.join(f'<td>{_text(value)}</td>' for value in row)}</tr>\n" for row in rows)
    return f"<table>\n{head}{''.join(body)}</table>\n"


def _block(text: str) -> str:
    return f"<pre>{escape(printable(text, keep=chr(9) + chr(10)))}</pre>\n"


def _text(text: str) -> str:
    return escape(printable(text))
