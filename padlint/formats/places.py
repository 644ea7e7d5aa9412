"""Places, paths and identities of findings as other programs want them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from padlint.findings import Finding, Location
from padlint.fingerprints import fingerprints as fingerprinted
from padlint.formats.printable import printable
from padlint.formats.report import Report
from padlint.syntax.source import Source


class Place(NamedTuple):
    """Where a finding starts and ends in its file, and what to put before its message.

    For programs that know files by their lines only: a cell of a notebook has none, so that a finding in one
    stands at the top of the file and says in words where it is.
    """

    start: Location
    end: Location
    prefix: str = ""


def placed(finding: Finding) -> Place:
    """The place of a finding in its file."""
    if finding.cell is None:
        return Place(finding.location, finding.end_location)
    top, inside = Location(1, 1), finding.location
    return Place(top, top, f"cell {finding.cell}, line {inside.row}, column {inside.column}: ")


def message(finding: Finding) -> str:
    """The message in one line, with the cell of a notebook."""
    return placed(finding).prefix + printable(finding.message)


def advice(finding: Finding) -> str:
    """What to do about a finding, in one line."""
    if finding.fix is None:
        return printable(f"no fix: {finding.no_fix_reason}")
    return printable(finding.fix.message) + " (unsafe fix)" * (finding.fix.applicability.value == "unsafe")


def portable(path: str) -> str:
    """A path with forward slashes; undecodable bytes are written out, since not all readers take them."""
    text = Path(path).as_posix()
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def absolute(path: str) -> Path:
    """The path from the root on, its symbolic links kept."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def below(path: str, root: str | Path) -> str:
    """The path as seen from a folder that holds it, else as it is."""
    whole = absolute(path)
    return str(whole.relative_to(root)) if whole.is_relative_to(root) else path


def sources(report: Report) -> dict[tuple[str, int | None], Source]:
    """The texts of the files and cells with findings, with their lines."""
    places = {(finding.filename, finding.cell) for finding in report.findings}
    return {place: Source(report.text_of(*place)) for place in places}


def fingerprints(report: Report) -> Iterator[tuple[Finding, str]]:
    """Each finding with what identifies it: its file, rule and code, but not its line.

    The same code twice in a file is told apart by its order. White space does not count.
    """
    texts = sources(report)
    for place, findings in groupby(report.findings, lambda finding: (finding.filename, finding.cell)):
        name = portable(below(place[0], Path.cwd())) + (f":cell {place[1]}" if place[1] else "")
        yield from fingerprinted(name, findings, texts[place])
