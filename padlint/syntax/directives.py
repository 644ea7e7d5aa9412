"""Comments that promise an input size: `# padlint: input-size=224x224`, `# padlint: input-multiple=32`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from padlint.syntax.positions import Span
from padlint.syntax.source import Source
from padlint.syntax.suppressions import comments_in

_DIRECTIVE = re.compile(r"#\s*padlint:\s*(?P<key>input-size|input-multiple)\b(?P<rest>[^#,;]*)", re.I)
_VALUE = re.compile(r"\s*=\s*(\S+)(?!\s*[\dx*])", re.I)  # `224 x 224` is none
_SIZE = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5}){0,2}", re.I)
_NUMBER = re.compile(r"[1-9]\d{0,5}")


@dataclass(frozen=True)
class Directive:
    """One promise: `size` per spatial axis (or once for all), or `multiple`; neither if it is malformed."""

    row: int
    span: Span
    key: str
    size: tuple[int, ...] | None = None
    multiple: int | None = None

    @property
    def malformed(self) -> bool:
        """Whether the value cannot be read."""
        return self.size is None and self.multiple is None

    def __str__(self) -> str:
        return f"{self.key} comment, line {self.row}"


def directives(source: Source) -> list[Directive]:
    """All promises in the comments of a file."""
    lowered = source.text.lower()
    if "input-size" not in lowered and "input-multiple" not in lowered:
        return []
    return list(_directives(source))


def _directives(source: Source) -> Iterator[Directive]:
    for row, column, comment in comments_in(source) or ():
        offset = source.line_start(row) + column
        for match in _DIRECTIVE.finditer(comment):
            span = offset + match.start(), offset + len(match[0].rstrip()) + match.start()
            key, found = match["key"].lower(), _VALUE.match(match["rest"])
            value = found[1] if found is not None else ""
            if key == "input-size" and _SIZE.fullmatch(value):
                yield Directive(row, span, key, size=tuple(map(int, value.lower().split("x"))))
            elif key == "input-multiple" and _NUMBER.fullmatch(value):
                yield Directive(row, span, key, multiple=int(value))
            else:
                yield Directive(row, span, key)
