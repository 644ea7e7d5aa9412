"""Comments that silence findings: `# noqa: PAD101`, `# padlint: ignore[PAD101] reason`, skip-file."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from padlint.findings import Edit, Finding
from padlint.syntax.positions import Span
from padlint.syntax.source import Source

# A list of padlint's codes counts without the `:` or the brackets, too: it silences no more than it names.
_NOQA = re.compile(
    r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*)"
    r"|(?P<bare>\s+PAD[0-9]+\b(?:[\s,]+PAD[0-9]+\b)*))?",
    re.I,
)
_IGNORE = re.compile(
    r"#\s*padlint:\s*ignore(?![\w-])(?:\[(?P<codes>[^\]]*)\]"
    r"|(?P<bare>[\s:=(\[]*PAD[0-9]+\b(?:[\s,]+PAD[0-9]+\b)*)(?:\s*[\])])?)?",
    re.I,
)
_SKIP_FILE = re.compile(r"#\s*padlint:\s*skip-file\b", re.I)
_CODE = re.compile(r"[A-Za-z]+[0-9]+")
_SEPARATORS = " \t,"


@dataclass(frozen=True)
class Code:
    """A code that a comment lists, and where it stands."""

    name: str
    span: Span


@dataclass(frozen=True)
class Suppression:
    """What one directive silences in its row: all codes (None), or those that it lists.

    The spans are those of its list, of all of it, and of the comment that holds it. One that is `alone`, in a
    row without code, silences nothing. A list that is `bare` lacks the `:` or the brackets.
    """

    row: int
    alone: bool
    codes: tuple[Code, ...] | None
    listing: Span
    directive: Span
    comment: Span
    bare: bool = False

    def covers(self, code: str) -> bool:
        """Whether findings of this code are silenced."""
        return not self.alone and (self.codes is None or any(listed.name == code for listed in self.codes))

    def without(self, source: Source, code: Code) -> Edit:
        """The edit that takes a code off the list; with the last one goes the directive."""
        text, (start, end) = source.text, self.listing
        following = text[code.span[1] : end].lstrip(_SEPARATORS)
        if following:
            return source.edit(code.span[0], end - len(following), "")
        before = text[start : code.span[0]].rstrip(_SEPARATORS)
        if before:
            return source.edit(start + len(before), code.span[1], "")
        return self._removal(source)

    def _removal(self, source: Source) -> Edit:
        """The edit that removes the directive, and its comment where that holds nothing else."""
        text, (start, end), row_start = source.text, self.directive, source.line_start(self.row)
        other = text[end : self.comment[1]].lstrip(_SEPARATORS)
        if other.strip():
            return source.edit(start, self.comment[1] - len(other), "" if other.startswith("#") else "# ")
        before = text[row_start:start].rstrip()
        if before:
            return source.edit(row_start + len(before), self.comment[1], "")
        return source.edit(row_start, source.line_start(self.row + 1), "")


class Suppressions:
    """The suppression comments of a file. A comment in a row of its own silences nothing."""

    def __init__(self, source: Source) -> None:
        self.whole_file = False
        self._certain = True
        self._by_row: dict[int, list[Suppression]] = {}
        lowered = source.text.lower()
        if "noqa" not in lowered and "padlint:" not in lowered:
            return
        comments = comments_in(source)
        self._certain = comments is not None
        for row, column, comment in _guessed_comments(source) if comments is None else comments:
            if _SKIP_FILE.search(comment):
                self.whole_file = True
            for suppression in _parse(source, row, column, comment):
                self._by_row.setdefault(row, []).append(suppression)

    def cover(self, finding: Finding) -> bool:
        """Whether a comment in any row of the finding's call silences it."""
        return any(s.covers(finding.code) for row in _rows(finding) for s in self._by_row.get(row, ()))

    def certain(self) -> Iterator[Suppression]:
        """All of them; none where what looks like a comment may stand in a string."""
        if self._certain:
            yield from (suppression for row in self._by_row.values() for suppression in row)

    def listing(self, row: int) -> int | None:
        """Where the first list of codes in a row ends; None if there is none."""
        return next((s.listing[1] for s in self._by_row.get(row, ()) if s.codes and not s.alone), None)

    def unused(
        self, findings: Iterable[Finding], codes: Collection[str]
    ) -> Iterator[tuple[Suppression, Code]]:
        """Every listed one of `codes` that silences none of the findings."""
        if not self._certain:
            return  # what looks like a comment may stand in a string
        used = {(row, finding.code) for finding in findings for row in _rows(finding) if row in self._by_row}
        for row, suppressions in self._by_row.items():
            for suppression in suppressions:
                for code in suppression.codes or ():
                    if code.name in codes and (suppression.alone or (row, code.name) not in used):
                        yield suppression, code


def _rows(finding: Finding) -> range:
    return range(finding.location.row, finding.end_location.row + 1)


def _parse(source: Source, row: int, column: int, comment: str) -> Iterator[Suppression]:
    offset = source.line_start(row) + column
    alone = not source.line(row)[:column].strip()
    for pattern in (_NOQA, _IGNORE):
        match = pattern.search(comment)
        if match is None:
            continue
        bare = match["bare"] is not None
        listed = match.span("bare" if bare else "codes")
        codes = None
        if listed[0] >= 0:
            found = _CODE.finditer(comment, *listed)
            codes = tuple(Code(code[0].upper(), _moved(code.span(), offset)) for code in found)
        listing, directive = _moved(listed, offset), _moved(match.span(), offset)
        yield Suppression(row, alone, codes, listing, directive, (offset, offset + len(comment)), bare)


def _moved(span: Span, offset: int) -> Span:
    return span[0] + offset, span[1] + offset


def comments_in(source: Source) -> list[tuple[int, int, str]] | None:
    """Row, column (from 0) and text of every comment; None if the running Python cannot tokenise the text."""
    text = re.sub(r"\r\n|\r", "\n", source.text)
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text, newline="\n").readline)
        return [(*t.start, t.string) for t in tokens if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return None


def _guessed_comments(source: Source) -> list[tuple[int, int, str]]:
    """Whatever follows the first `#` of a row."""
    rows = enumerate(re.split(r"\r\n|\r|\n", source.text), start=1)
    return [(row, line.index("#"), line[line.index("#") :]) for row, line in rows if "#" in line]
