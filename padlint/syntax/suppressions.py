"""Comments that silence findings: `# noqa: PAD101`, `# padlint: ignore[PAD101] reason`, skip-file."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from padlint.findings import Edit, Finding
from padlint.syntax.source import Source

_NOQA = re.compile(r"#\s*noqa(?:\s*:\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*))?", re.I)
_IGNORE = re.compile(r"#\s*padlint:\s*ignore(?:\[(?P<codes>[^\]]*)\])?", re.I)
_SKIP_FILE = re.compile(r"#\s*padlint:\s*skip-file\b", re.I)
_CODE = re.compile(r"[A-Za-z]+[0-9]+")
_SEPARATORS = " \t,"


@dataclass(frozen=True)
class Code:
    """A code that a comment lists, and where it stands."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Suppression:
    """What one directive silences in its row: all codes (None), or those listed.

    It reads `text[start:end]`, inside of the comment `text[comment_start:comment_end]`, and its list
    `text[list_start:list_end]`. `alone` tells that the comment has a row of its own: it silences nothing.
    """

    row: int
    codes: tuple[Code, ...] | None
    start: int
    end: int
    list_start: int
    list_end: int
    comment_start: int
    comment_end: int
    alone: bool

    def covers(self, finding: Finding, code: str | None = None) -> bool:
        """Whether it silences a finding, by its list or by one code of that."""
        if self.alone or not finding.location.row <= self.row <= finding.end_location.row:
            return False
        if code is not None:
            return code == finding.code
        return self.codes is None or any(listed.name == finding.code for listed in self.codes)

    def without(self, source: Source, code: Code) -> Edit:
        """The edit that takes one code off the list, and the directive with its last one."""
        text = source.text
        rest = text[code.end : self.list_end].lstrip(_SEPARATORS)
        if rest:
            return source.edit(code.start, self.list_end - len(rest), "")
        kept = text[self.list_start : code.start].rstrip(_SEPARATORS)
        if kept:
            return source.edit(self.list_start + len(kept), code.end, "")
        return self._removal(source)

    def _removal(self, source: Source) -> Edit:
        """The edit that removes the directive; other text in its comment stays a comment."""
        text = source.text
        after = text[self.end : self.comment_end].lstrip(_SEPARATORS)
        if after.rstrip():
            end = self.comment_end - len(after)
            return source.edit(self.start, end, "" if after.startswith("#") else "# ")
        if self.alone and self.start == self.comment_start:
            return source.edit(source.line_start(self.row), source.line_start(self.row + 1), "")
        row_start = source.line_start(self.row)
        start = row_start + len(text[row_start : self.start].rstrip())
        return source.edit(start, self.comment_end, "")


class Suppressions:
    """The suppression comments of a file. A comment in a row of its own silences nothing."""

    def __init__(self, source: Source) -> None:
        self.whole_file = False
        self._all: list[Suppression] = []
        lowered = source.text.lower()
        if "noqa" not in lowered and "padlint:" not in lowered:
            return
        for row, column, comment in _comments(source):
            if _SKIP_FILE.search(comment):
                self.whole_file = True
            self._all += _parse(source, row, column, comment)

    def cover(self, finding: Finding) -> bool:
        """Whether a comment in any row of the finding's call silences it."""
        return any(suppression.covers(finding) for suppression in self._all)

    def unused(
        self, findings: Sequence[Finding], codes: Collection[str]
    ) -> Iterator[tuple[Suppression, Code]]:
        """Every listed one of `codes` that silences none of the findings."""
        for suppression in self._all:
            for code in suppression.codes or ():
                if code.name in codes and not any(suppression.covers(f, code.name) for f in findings):
                    yield suppression, code


def _parse(source: Source, row: int, column: int, comment: str) -> Iterator[Suppression]:
    offset = source.line_start(row) + column
    alone = not source.line(row)[:column].strip()
    for pattern in (_NOQA, _IGNORE):
        match = pattern.search(comment)
        if match is None:
            continue
        start, end = (offset + place for place in match.span())
        list_start, list_end = (offset + place for place in match.span("codes"))
        codes = None
        if match["codes"] is not None:
            found = _CODE.finditer(match["codes"])
            codes = tuple(Code(c[0].upper(), list_start + c.start(), list_start + c.end()) for c in found)
        yield Suppression(
            *(row, codes, start, end, list_start, list_end, offset, offset + len(comment)), alone=alone
        )


def _comments(source: Source) -> list[tuple[int, int, str]]:
    """Row, column (from 0) and text of every comment.

    Where the running Python cannot tokenise the text, whatever follows a `#` counts.
    """
    text = re.sub(r"\r\n|\r", "\n", source.text)
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text, newline="\n").readline)
        return [(*t.start, t.string) for t in tokens if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError, IndentationError):
        rows = enumerate(text.split("\n"), start=1)
        return [(row, line.index("#"), line[line.index("#") :]) for row, line in rows if "#" in line]
