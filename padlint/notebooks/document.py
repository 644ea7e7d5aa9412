"""The JSON text of a notebook: where each cell's source stands in it, and how to change lines of one.

What is written again is the changed lines alone. Everything else (outputs, metadata, order, indentation,
escapes) keeps its bytes, since the text around the lines is copied, not generated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, NamedTuple

from padlint.findings import Location
from padlint.notebooks.walk import BadNotebook, Walk

_RAW_LINE = re.compile(
    r"(?:[^\\]|\\[^nu]|\\u(?!000[aA])[0-9a-fA-F]{4})*(?:\\n|\\u000[aA])"
    r"|(?:[^\\]|\\[^nu]|\\u(?!000[aA])[0-9a-fA-F]{4})+"
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ESCAPED = re.compile(r"\\u(?!00[0-7])")


class Element(NamedTuple):
    """A piece of a source as the JSON text holds it: a string of the list, or a line of the one string."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Cell:
    """One cell: its place among all cells (from 1), what it holds, and where."""

    number: int
    is_python: bool
    text: str
    elements: tuple[Element, ...]
    in_list: bool
    lead: str  # what stands before the first string of the list


class Document(Walk):
    """A notebook's JSON text and its cells. Raises BadNotebook."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._metadata: Any = {}
        self._raw: list[tuple[dict[str, Any], dict[str, int]]] = []
        try:
            self._read()
        except json.JSONDecodeError as error:
            raise BadNotebook(f"invalid JSON: {error.msg}", Location(error.lineno, error.colno)) from None
        except RecursionError:
            raise BadNotebook("its JSON is nested too deeply", Location(1, 1)) from None
        self.cells = [self._cell(number, *found) for number, found in enumerate(self._raw, start=1)]

    def _read(self) -> None:
        found = False
        position = self._space(0)
        if not self.text.startswith("{", position):
            json.loads(self.text)
            raise BadNotebook("no notebook: the JSON is no object", Location(1, 1))
        seen: set[str] = set()
        for key, start, skip in self._members(position):
            if key in seen and key in ("cells", "worksheets", "metadata"):
                raise self._bad(start, f"no notebook: {key!r} comes twice")
            seen.add(key)
            if key == "cells" and self.text.startswith("[", start):
                found = True
                skip(self._read_cells(start))
            elif key == "worksheets" and self.text.startswith("[", start):
                found = True
                skip(self._read_sheets(start))
            else:
                value, end = self._value(start)
                skip(end)
                if key == "metadata":
                    self._metadata = value
        if not found:
            raise BadNotebook("no notebook: the JSON has no list of cells", Location(1, 1))

    def _read_sheets(self, start: int) -> int:
        for item, skip in self._items(start):
            if not self.text.startswith("{", item):
                raise self._bad(item, "no notebook: a worksheet is no object")
            for key, value, skip_value in self._members(item, skip):
                if key == "cells" and self.text.startswith("[", value):
                    skip_value(self._read_cells(value))
                else:
                    skip_value(self._value(value)[1])
        return self._end

    def _read_cells(self, start: int) -> int:
        for item, skip in self._items(start):
            if not self.text.startswith("{", item):
                raise self._bad(item, "no notebook: a cell is no object")
            values: dict[str, Any] = {}
            places: dict[str, int] = {}
            for key, value, skip_value in self._members(item, skip):
                if key in places:
                    raise self._bad(value, f"no notebook: {key!r} comes twice in a cell")
                found, end = self._value(value)
                places[key] = value
                if key in ("cell_type", "source", "input", "metadata", "language"):
                    values[key] = found
                skip_value(end)
            self._raw.append((values, places))
        return self._end

    def _cell(self, number: int, values: dict[str, Any], places: dict[str, int]) -> Cell:
        key = "source" if "source" in places else "input"
        is_python = values.get("cell_type") == "code" and self._speaks_python(values)
        if not is_python or key not in places:
            return Cell(number, False, "", (), False, "")
        source, start = values[key], places[key]
        if isinstance(source, str):
            return Cell(number, True, source, tuple(self._lines(start)), False, "")
        if not isinstance(source, list) or not all(isinstance(part, str) for part in source):
            raise self._bad(start, "no notebook: the source of a cell is no text")
        lead, elements = self._strings(start)
        return Cell(number, True, "".join(source), elements, True, lead)

    def _speaks_python(self, values: Mapping[str, Any]) -> bool:
        """Whether a code cell is Python: as the cell says, else as the notebook does, else yes."""
        own = values.get("metadata")
        vscode = own.get("vscode") if isinstance(own, dict) else None
        named = vscode.get("languageId") if isinstance(vscode, dict) else None
        named = named or values.get("language")
        metadata = self._metadata if isinstance(self._metadata, dict) else {}
        for place, key in (("language_info", "name"), ("kernelspec", "language")):
            holder = metadata.get(place)
            if not named and isinstance(holder, dict):
                named = holder.get(key)
        return not isinstance(named, str) or named.lower() in ("python", "ipython", "python3")

    def _strings(self, start: int) -> tuple[str, tuple[Element, ...]]:
        elements: list[Element] = []
        first = start + 1
        for position, skip in self._items(start):
            first = position if not elements else first
            text, end = self._value(position)
            elements.append(Element(position, end, text))
            skip(end)
        if not elements:  # where the first line would go
            elements.append(Element(first, first, ""))
        return self.text[start + 1 : first], tuple(elements)

    def _lines(self, start: int) -> Iterator[Element]:
        end = self._value(start)[1]
        position = start + 1
        while position < end - 1:
            match = _RAW_LINE.match(self.text, position, end - 1)
            if match is None:
                raise self._bad(position, "no notebook: a string cannot be read")
            yield Element(position, match.end(), json.loads(f'"{match.group()}"'))
            position = match.end()
        if position == start + 1:
            yield Element(position, position, "")

    @property
    def rest(self) -> str:
        """All of the text but the sources."""
        pieces: list[str] = []
        position = 0
        for cell in self.cells:
            for element in cell.elements[:1]:
                pieces.append(self.text[position : element.start])
                position = cell.elements[-1].end
        return "".join((*pieces, self.text[position:]))

    def changed(self, texts: Mapping[int, str]) -> str:
        """The JSON text with new sources, by the number of the cell."""
        splices = [
            splice
            for cell in self.cells
            if texts.get(cell.number, cell.text) != cell.text
            for splice in self._splices(cell, texts[cell.number])
        ]
        pieces: list[str] = []
        position = 0
        for start, end, content in splices:
            pieces += (self.text[position:start], content)
            position = end
        return "".join((*pieces, self.text[position:]))

    def _splices(self, cell: Cell, text: str) -> Iterator[tuple[int, int, str]]:
        if not cell.elements:
            return
        old = [element.text for element in cell.elements]
        new = _LINE.findall(text)
        separator = self._separator(cell)
        matcher = SequenceMatcher(None, old, new)  # which is linear only as long as it may skip common lines
        for tag, i, j, k, m in matcher.get_opcodes():
            if tag == "equal":
                continue
            escapes = self._escapes_in(cell.elements[i:j])
            lines = [_encoded(cell, line, escapes=escapes) for line in new[k:m]]
            joined = separator.join(lines)
            if i < j and lines:
                yield cell.elements[i].start, cell.elements[j - 1].end, joined
            elif i < j:
                yield *self._removed(cell, i, j), ""
            elif i < len(cell.elements):
                yield cell.elements[i].start, cell.elements[i].start, joined + separator
            else:
                end = cell.elements[-1].end
                yield end, end, separator + joined

    @staticmethod
    def _removed(cell: Cell, first: int, last: int) -> tuple[int, int]:
        """The span of strings that go, with one separator."""
        elements = cell.elements
        if last < len(elements):
            return elements[first].start, elements[last].start
        return elements[first - 1].end if first else elements[0].start, elements[-1].end

    def _separator(self, cell: Cell) -> str:
        if not cell.in_list:
            return ""
        if len(cell.elements) > 1:
            return self.text[cell.elements[0].end : cell.elements[1].start]
        return "," + (cell.lead or " ")

    def _escapes_in(self, old: tuple[Element, ...]) -> bool:
        """Whether letters are escaped there; as in the whole notebook where no line tells."""
        before = "".join(self.text[element.start : element.end] for element in old)
        return bool(_ESCAPED.search(before)) if not before.isascii() or "\\u" in before else self._escapes

    @cached_property
    def _escapes(self) -> bool:
        return self.text.isascii() and _ESCAPED.search(self.text) is not None


def _encoded(cell: Cell, line: str, *, escapes: bool) -> str:
    """A line as it stands in the source of the cell."""
    encoded = json.dumps(line, ensure_ascii=escapes)
    return encoded if cell.in_list else encoded[1:-1]
