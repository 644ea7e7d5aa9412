"""A walk over JSON text that knows where things stand.

Values that do not matter are left to the decoder, which is native code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any

from padlint.findings import Location

_SPACE = re.compile(r"[ \t\r\n]*")
_VALUE = JSONDecoder()


class BadNotebook(Exception):
    """The text is no notebook that can be read."""

    def __init__(self, message: str, location: Location) -> None:
        super().__init__(message)
        self.message = message
        self.location = location


class Walk:
    """Steps through the objects and lists of a JSON text; what does not fit raises JSONDecodeError."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._end = 0

    def _items(self, start: int) -> Iterator[tuple[int, Callable[[int], None]]]:
        """Where each item of a list starts; the caller says where it ends. `_end` is then the list's."""
        position = self._space(start + 1)
        if self.text.startswith("]", position):
            self._end = position + 1
            return
        while True:
            ended: list[int] = []
            yield position, ended.append
            position = self._space(ended[-1])
            if self.text.startswith("]", position):
                self._end = position + 1
                return
            position = self._space(self._expect(",", position))

    def _members(
        self, start: int, skip: Callable[[int], None] | None = None
    ) -> Iterator[tuple[str, int, Callable[[int], None]]]:
        """Each key of an object and where its value starts; the caller says where that ends."""
        position = self._space(start + 1)
        if not self.text.startswith("}", position):
            while True:
                self._expect('"', position)
                key, position = self._value(position)
                position = self._space(self._expect(":", self._space(position)))
                ended: list[int] = []
                yield key, position, ended.append
                position = self._space(ended[-1])
                if self.text.startswith("}", position):
                    break
                position = self._space(self._expect(",", position))
        if skip is not None:
            skip(position + 1)
        else:
            rest = self._space(position + 1)
            if rest != len(self.text):
                raise json.JSONDecodeError("Extra data", self.text, rest)

    def _value(self, start: int) -> tuple[Any, int]:
        return _VALUE.raw_decode(self.text, start)

    def _space(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def _expect(self, mark: str, position: int) -> int:
        if not self.text.startswith(mark, position):
            raise json.JSONDecodeError(f"Expecting {mark!r}", self.text, position)
        return position + 1

    def _bad(self, offset: int, message: str) -> BadNotebook:
        row = self.text.count("\n", 0, offset) + 1
        return BadNotebook(message, Location(row, offset - self.text.rfind("\n", 0, offset)))
