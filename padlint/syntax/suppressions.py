"""Comments that silence findings: `# noqa: PAD101`, `# padlint: ignore[PAD101] reason`, skip-file."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

from padlint.findings import Finding
from padlint.syntax.source import Source

_NOQA = re.compile(r"#\s*noqa(?P<list>\s*:\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*))?", re.I)
_IGNORE = re.compile(r"#\s*padlint:\s*ignore(?:\[(?P<codes>[^\]]*)\])?", re.I)
_SKIP_FILE = re.compile(r"#\s*padlint:\s*skip-file\b", re.I)
_CODE = re.compile(r"[A-Za-z]+[0-9]+")


@dataclass(frozen=True)
class Suppression:
    """What one comment silences in its row: all codes, or those listed."""

    row: int
    codes: frozenset[str] | None

    def covers(self, code: str) -> bool:
        """Whether findings of this code are silenced."""
        return self.codes is None or code in self.codes


class Suppressions:
    """The suppression comments of a file. A comment in a row of its own silences nothing."""

    def __init__(self, source: Source) -> None:
        self.whole_file = False
        self._by_row: dict[int, list[Suppression]] = {}
        lowered = source.text.lower()
        if "noqa" not in lowered and "padlint:" not in lowered:
            return
        for row, column, text in _comments(source):
            if _SKIP_FILE.search(text):
                self.whole_file = True
            if not source.line(row)[:column].strip():
                continue
            for suppression in _parse(row, text):
                self._by_row.setdefault(row, []).append(suppression)

    def cover(self, finding: Finding) -> bool:
        """Whether a comment in any row of the finding's call silences it."""
        rows = range(finding.location.row, finding.end_location.row + 1)
        return any(s.covers(finding.code) for row in rows for s in self._by_row.get(row, ()))


def _parse(row: int, comment: str) -> list[Suppression]:
    found: list[Suppression] = []
    for pattern in (_NOQA, _IGNORE):
        match = pattern.search(comment)
        if match is not None:
            codes = match["codes"]
            listed = None if codes is None else frozenset(code.upper() for code in _CODE.findall(codes))
            found.append(Suppression(row, listed))
    return found


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
