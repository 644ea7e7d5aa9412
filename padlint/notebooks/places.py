"""Where cells stand in the text of a program, and findings in their cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from padlint.findings import Edit, Finding, Fix, Location
from padlint.syntax.source import Source

_LINES = re.compile(r"\blines? \d+(?:(?:, | and )\d+)*")


class Places:
    """`starts` are the offsets at which the cells of these numbers start in the text."""

    def __init__(self, text: str, starts: Sequence[int], numbers: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._numbers = numbers

    @cached_property
    def rows(self) -> list[int]:
        """The first row of each cell."""
        source = Source(self._text)
        return [source.row(start) for start in self._starts]

    def index(self, location: Location) -> int:
        """Which of the cells a place is in."""
        return min(bisect_right(self.rows, location.row), len(self._numbers)) - 1

    def place(self, finding: Finding) -> Finding:
        """The finding as one in its cell."""
        index = self.index(finding.location)
        return replace(
            finding,
            cell=self._numbers[index],
            location=self._within(finding.location, index),
            end_location=self._within(finding.end_location, index),
            message=self.reworded(finding.message),
            no_fix_reason=self.reworded(finding.no_fix_reason) if finding.no_fix_reason else None,
            fix=self._placed_fix(finding.fix) if finding.fix is not None else None,
        )

    def _within(self, location: Location, index: int) -> Location:
        return replace(location, row=location.row - self.rows[index] + 1)

    def _placed_fix(self, fix: Fix) -> Fix:
        return replace(
            fix, message=self.reworded(fix.message), edits=tuple(map(self._placed_edit, fix.edits))
        )

    def _placed_edit(self, edit: Edit) -> Edit:
        """The edit in its cell; what is inserted behind the last row of a cell belongs to that cell."""
        index = self.index(edit.location)
        return replace(
            edit,
            location=self._within(edit.location, index),
            end_location=self._within(edit.end_location, index),
            cell=self._numbers[index],
        )

    def reworded(self, message: str) -> str:
        """A message that names rows, with the cells they are in."""

        def named(match: re.Match[str]) -> str:
            return re.sub(r"\d+", self._row_name, re.sub(r"^lines? ", "", match[0]))

        return _LINES.sub(named, message)

    def _row_name(self, match: re.Match[str]) -> str:
        row = int(match[0])
        index = self.index(Location(row, 1))
        return f"cell {self._numbers[index]} line {row - self.rows[index] + 1}"
