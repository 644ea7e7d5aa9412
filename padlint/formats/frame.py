"""The lines of code that a finding is about, with carets under it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from padlint.findings import Finding
from padlint.syntax.source import Source

_CONTEXT = 1  # rows shown before and after the finding
_ROWS = 6  # rows shown of the finding itself
_WIDTH = 110  # characters shown of a row
_LEAD = 20  # characters kept before the finding where a row is cut


def frame(source: Source, finding: Finding, encoding: str, mark: Callable[[str], str]) -> str:
    """The rows of the finding and one on either side. `mark` colours the carets."""
    first, last = finding.location.row, finding.end_location.row
    rows = range(max(first - _CONTEXT, 1), min(last + _CONTEXT, len(source.line_starts)) + 1)
    margin = " " * len(str(rows[-1]))
    lines = [f"{margin} |"]
    for row in rows:
        if first + _ROWS - 2 < row < last:
            if row == last - 1:
                lines.append("...")
            continue
        text, indent, carets = _row(source, finding, row, encoding)
        if text or row <= last:
            lines.append(f"{row:>{len(margin)}} | {text}".rstrip())
        if first <= row <= last:
            lines.append(f"{margin} | {indent}{mark(carets)}")
    return "\n".join((*lines, f"{margin} |"))


def _row(source: Source, finding: Finding, row: int, encoding: str) -> tuple[str, str, str]:
    """A row as a terminal shows it, the spaces before its carets, and the carets."""
    begin, stop = source.line_start(row), source.line_start(row + 1)
    focus = finding.location.column - 1 if row == finding.location.row else 0
    cut = min(max(focus - _LEAD, 0), max(stop - begin - _WIDTH, 0))
    text = source.text[begin + cut : min(begin + cut + _WIDTH, stop)].rstrip("\r\n")
    start = focus - cut or len(text) - len(text.lstrip())
    end = finding.end_location.column - 1 - cut if row == finding.end_location.row else len(text.rstrip())
    before, after = "..." * (cut > 0), "..." * (begin + cut + _WIDTH < stop)
    characters = text.encode(encoding, "replace").decode(encoding)
    cells = [_cell(character) for character in characters]
    widths = [width for _, width in cells]
    shown = before + "".join(cell for cell, _ in cells) + after
    return shown, " " * (len(before) + sum(widths[:start])), "^" * max(sum(widths[start:end]), 1)


def _cell(character: str) -> tuple[str, int]:
    """What a terminal shows for a character, and in how many columns."""
    if character == "\t":
        return "    ", 4
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf"):
        return character, 0
    if category in ("Cc", "Zl", "Zp"):
        return " ", 1
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1
