"""Writes the comments that silence findings."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from padlint.findings import Edit, Finding
from padlint.syntax.source import Source, apply_edits
from padlint.syntax.suppressions import Suppressions

_SILENT = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)
_OPENING, _CLOSING = ("FSTRING_START", "TSTRING_START"), ("FSTRING_END", "TSTRING_END")


class Silenced(NamedTuple):
    """A text with the comments that silence its findings, and the findings for which no row can hold one."""

    text: str
    silenced: tuple[Finding, ...]
    refused: tuple[Finding, ...]
    edits: tuple[Edit, ...] = ()


def silence(source: Source, finding: Finding) -> Edit | None:
    """The edit that adds `# noqa: CODE` in a row of the finding, or the code to the list that is there.

    None if no row can hold a comment: each ends inside a string, or in a line continuation.
    """
    edits, refused = _edits(source, [finding], "")
    return None if refused else edits[0]


def silence_all(source: Source, findings: Iterable[Finding], reason: str = "") -> Silenced:
    """The text in which every finding that can be is silenced, each comment ending with the reason."""
    findings = tuple(findings)
    edits, refused = _edits(source, findings, reason)
    silenced = tuple(finding for finding in findings if finding not in refused)
    return Silenced(apply_edits(source.text, edits), silenced, tuple(refused), tuple(edits))


def _edits(source: Source, findings: Sequence[Finding], reason: str) -> tuple[list[Edit], list[Finding]]:
    rows = _open_rows(source)
    suppressions = Suppressions(source)
    codes: dict[int, list[str]] = {}
    refused = []
    for finding in findings:
        row = _row(finding, rows)
        if row is None:
            refused.append(finding)
        elif finding.code not in codes.setdefault(row, []):
            codes[row].append(finding.code)
    return [_edit(source, suppressions, row, codes[row], reason) for row in sorted(codes)], refused


def _row(finding: Finding, rows: frozenset[int]) -> int | None:
    """The last row of a finding that can hold a comment."""
    upwards = range(finding.end_location.row, finding.location.row - 1, -1)
    return next((row for row in upwards if row in rows), None)


def _edit(source: Source, suppressions: Suppressions, row: int, codes: Sequence[str], reason: str) -> Edit:
    listing = suppressions.listing(row)
    end = source.line_start(row) + len(source.line(row).rstrip())
    if listing is not None:
        said = source.text[listing:end].strip()
        words = "" if said or not reason else f" {reason}"
        return source.edit(listing, listing, "".join(f", {code}" for code in codes) + words)
    return source.edit(end, end, f"  # noqa: {', '.join(codes)}{reason and f' {reason}'}")


def _open_rows(source: Source) -> frozenset[int]:
    """The rows with code whose end can take a comment: not inside a string, nor before a continuation.

    None of them where the running Python cannot tokenise the text.
    """
    text = re.sub(r"\r\n|\r", "\n", source.text)
    code: set[int] = set()
    closed: set[int] = set()
    commented: set[int] = set()
    starts: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
            name, (first, _), (last, _) = tokenize.tok_name[token.type], token.start, token.end
            if token.type == tokenize.COMMENT:
                commented.add(first)
            elif token.type not in _SILENT:
                code.update((first, last))
                closed.update(range(first, last))
            if name in _OPENING:
                starts.append(first)
            elif name in _CLOSING:
                closed.update(range(starts.pop(), last))
    except (tokenize.TokenError, SyntaxError):
        return frozenset()
    continued = {row for row in code - commented if source.line(row).endswith("\\")}
    return frozenset(code - closed - continued)
