"""`--report` and `padlint report`: what a run did, as a file for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from padlint.files import FileError, Outcome, Problem

_PAGES = frozenset({".html", ".htm"})
_SOURCES = frozenset({".py", ".pyi", ".pyw", ".ipynb"})


def check_place(file: Path, option: str) -> None:
    """Refuse, before anything is done, a file that cannot be meant. Raises UsageError."""
    if file.suffix.lower() in _SOURCES:
        raise click.UsageError(f"{option}: {file} would overwrite source; name an .md or .html file.")
    if file.is_dir() or not file.parent.is_dir():
        what = "is a folder" if file.is_dir() else "is in no folder that exists"
        raise click.UsageError(f"{option}: {file} {what}.")


def write(
    file: Path,
    files: int,
    outcomes: Sequence[Outcome],
    problems: Iterable[Problem],
    *,
    incomplete: str = "",
    preview: bool = False,
) -> Problem | None:
    """Write the report, as a page if the file is called .html, else as Markdown; a problem if that fails."""
    from padlint.files.publishing import publish
    from padlint.formats import Failure, migration_html, migration_markdown
    from padlint.formats.migration import FileEntry, Migration

    migration = Migration(
        files,
        tuple(FileEntry(o.filename, o.applied, o.findings, o.refuted, o.text) for o in outcomes),
        tuple(Failure(p.filename, p.message, p.location) for p in problems),
        incomplete,
        sum(sum((outcome.met or {}).values()) for outcome in outcomes),
        preview,
    )
    render = migration_html.render if file.suffix.lower() in _PAGES else migration_markdown.render
    try:
        publish(file, render(migration).encode("utf-8", "backslashreplace"))
    except FileError as error:
        return Problem(str(file), str(error))
    return None
