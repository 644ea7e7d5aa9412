"""Places as editors count them: from 0, columns in units of the encoding that both sides agreed on."""

from __future__ import annotations

from lsprotocol import types

from padlint.explain import Explanation
from padlint.findings import Edit, Finding, Location
from padlint.syntax.source import Source

BOM = "\ufeff"
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Positions:
    """Converts the places of one text; `bom` says that a byte order mark stands in front of it."""

    def __init__(self, source: Source, encoding: str, *, bom: bool = False) -> None:
        self._source = source
        self._encoding = _UNITS.get(encoding)
        self._bom = self._units(BOM) if bom else 0

    def position(self, location: Location) -> types.Position:
        """A place of padlint as the editor counts it."""
        before = self._source.line(location.row)[: location.column - 1]
        return types.Position(location.row - 1, self._units(before) + self._shift(location.row))

    def location(self, position: types.Position) -> Location:
        """A place of the editor as padlint counts it; behind the end of a row it is the row's end."""
        row = position.line + 1
        wanted, column = position.character - self._shift(row), 1
        for character in self._source.line(row):
            wanted -= self._units(character)
            if wanted < 0:
                break
            column += 1
        return Location(row, column)

    def range(self, part: Finding | Edit | Explanation) -> types.Range:
        """The range of what has a place."""
        return types.Range(self.position(part.location), self.position(part.end_location))

    def _shift(self, row: int) -> int:
        return self._bom if row == 1 else 0

    def _units(self, text: str) -> int:
        if self._encoding is None or text.isascii():
            return len(text)
        name, width = self._encoding
        return len(text.encode(name, "surrogatepass")) // width
