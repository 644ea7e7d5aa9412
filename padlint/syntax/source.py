"""A source text with its lines, and edits on it."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Iterable
from functools import cached_property

from padlint.findings import Edit, Location

# Python ends a line with \n, \r\n or \r only; str.splitlines() also splits at form feeds and U+2028.
_LINE_END = re.compile(r"\r\n|\n|\r")


class OverlappingEdits(ValueError):
    """Two edits want to change the same characters."""


class Source:
    """Decoded text (without BOM) and the table of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._searched: dict[str | re.Pattern[str], bool] = {}

    def holds(self, pattern: str | re.Pattern[str]) -> bool:
        """Whether the text holds a string, or something that a pattern matches; looked for only once."""
        found = self._searched.get(pattern)
        if found is None:
            found = pattern in self.text if isinstance(pattern, str) else bool(pattern.search(self.text))
            self._searched[pattern] = found
        return found

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line; row r starts at `line_starts[r - 1]`."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def newline(self, offset: int) -> str:
        """The line end for text that is inserted at `offset`: that of the row it is in, or begins behind.

        Files with mixed line ends stay as they are, since no `\\n` comes to stand behind a `\\r`.
        """
        row = self.row(offset)
        start = self.line_start(row - 1 if row > 1 and self.line_start(row) == offset else row)
        match = _LINE_END.search(self.text, start) or _LINE_END.search(self.text)
        return match.group() if match else "\n"

    def row(self, offset: int) -> int:
        """Row (from 1) that holds the character at `offset`."""
        return bisect_right(self.line_starts, offset)

    def location(self, offset: int) -> Location:
        """Row and column (from 1, in characters) of the character at `offset`."""
        row = self.row(offset)
        return Location(row, offset - self.line_starts[row - 1] + 1)

    def line(self, row: int) -> str:
        """Text of a row without its line end."""
        return _LINE_END.sub("", self.text[self.line_start(row) : self.line_start(row + 1)])

    def line_start(self, row: int) -> int:
        """Offset at which a row starts; the end of the text for the row after the last."""
        return self.line_starts[row - 1] if row <= len(self.line_starts) else len(self.text)

    def indentation(self, offset: int) -> str:
        """Leading white space of the row that holds `offset`."""
        line = self.line(self.row(offset))
        return line[: len(line) - len(line.lstrip())]

    def edit(self, start: int, end: int, content: str) -> Edit:
        """The edit that replaces `text[start:end]` by `content`."""
        return Edit(start, end, content, self.location(start), self.location(end))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits.

    Insertions at one place are applied in the order given. Raises OverlappingEdits.
    """
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise OverlappingEdits(f"edits overlap at row {edit.location.row}")
        pieces += (text[position : edit.start], edit.content)
        position = edit.end
    return "".join((*pieces, text[position:]))


class Taken:
    """Edits that go together: none touches the characters of another or inserts at the same place."""

    def __init__(self) -> None:
        self._edits: dict[Edit, None] = {}
        self._spans: list[tuple[int, int]] = []  # sorted, none within another

    def takes(self, edits: Iterable[Edit]) -> bool:
        """Add edits, unless one touches those that are there; equal ones may be there already."""
        fresh = [edit for edit in dict.fromkeys(edits) if edit not in self._edits]
        if any(map(self._touches, fresh)):
            return False
        for edit in fresh:
            insort(self._spans, (edit.start, edit.end))
        self._edits.update(dict.fromkeys(fresh))
        return True

    def _touches(self, edit: Edit) -> bool:
        index = bisect_right(self._spans, (edit.start, edit.end))
        near = self._spans[max(index - 2, 0) : index + 2]
        return any(_overlap(span, (edit.start, edit.end)) for span in near)


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    (a, b), (c, d) = first, second
    return (a < d and c < b) or (a == c and (a == b or c == d))
