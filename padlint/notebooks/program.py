"""The Python cells of a notebook as one text, which is what is analysed."""

from __future__ import annotations

import keyword
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate

from padlint.notebooks.document import Cell, Document
from padlint.notebooks.magics import as_python
from padlint.notebooks.places import Places

END = "\n\n"  # ends the last row of a cell, and leaves one in which a row can be added to it
_NAME = re.compile(r"[^\W\d]\w*")

Spans = tuple[tuple[int, int], ...]
"""Changed lines, in halves: line n is 2 n, what was deleted behind it is 2 n + 1."""


class Program:
    """The cells that are one program, in order, without those that do not parse: these are `broken`.

    `text` is Python: what only IPython understands is masked, at the same length. What names are mentioned
    there is not forgotten: behind the last cell stands a function that uses them.
    """

    def __init__(self, document: Document, parses: Callable[[str], bool]) -> None:
        self.document = document
        self.cells: list[Cell] = []
        self.broken: list[tuple[Cell, str]] = []
        self._parts: list[str] = []
        hidden: list[str] = []
        for cell in document.cells:
            python = as_python(cell.text) if cell.is_python else None
            if python is None:
                hidden.append(cell.text)
            elif parses(python):
                self.cells.append(cell)
                self._parts.append(python + END)
                if python != cell.text:
                    hidden += _masked(cell.text, python)
            else:
                self.broken.append((cell, python))
        text = "".join(self._parts)
        self.tail = _uses(hidden, text)
        self.text = text + self.tail

    @property
    def whole(self) -> str:
        """The text with what IPython understands."""
        return "".join(cell.text + END for cell in self.cells) + self.tail

    @cached_property
    def starts(self) -> list[int]:
        """Where each cell starts, and where the last one ends."""
        return [0, *accumulate(map(len, self._parts))]

    @cached_property
    def places(self) -> Places:
        """The way from rows of the text to cells."""
        return Places(self.text, self.starts[:-1], [cell.number for cell in self.cells])

    def texts(self) -> dict[int, str]:
        """The source of each cell by its number."""
        return {cell.number: cell.text for cell in (*self.cells, *(cell for cell, _ in self.broken))}

    def changed_rows(self, spans: Spans) -> Spans:
        """The spans of lines of the JSON text as spans of lines of the program."""
        row, halves = 1, list[int]()
        for cell, part in zip(self.cells, self._parts, strict=True):
            halves += self.changed_in(cell, spans, row)
            row += part.count("\n")
        return tuple((half, half) for half in sorted(set(halves)))

    def changed_in(self, cell: Cell, spans: Spans, row: int = 1) -> Iterator[int]:
        """The same for one cell, as single halves. The cell starts at a row."""
        for element in cell.elements:
            end = row + element.text.count("\n")
            last = max(row, end - element.text.endswith("\n"))
            place = 2 * (bisect_left(self._line_ends, element.start) + 1)
            if _meets(spans, place):
                yield from range(2 * row, 2 * last + 1)
            elif _meets(spans, place + 1):
                yield 2 * last + 1
            row = end

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.document.text)]


def _meets(spans: Spans, half: int) -> bool:
    index = bisect_left(spans, (half + 1, 0)) - 1
    return index >= 0 and spans[index][1] >= half


def _masked(text: str, python: str) -> Iterator[str]:
    """The rows of a cell in which something is masked."""
    for before, after in zip(text.split("\n"), python.split("\n"), strict=True):
        if before != after:
            yield before


def _uses(hidden: list[str], text: str) -> str:
    """Code that uses all names of the text that are mentioned in what is hidden, at any time."""
    if not hidden:
        return ""
    mentioned = {name for part in hidden for name in _NAME.findall(part)}
    names = sorted(name for name in mentioned & set(_NAME.findall(text)) if not keyword.iskeyword(name))
    return f"def _():\n    return {', '.join(names)},\n" if names else ""
