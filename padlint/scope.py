"""Which findings of a file count: those in lines that changed, and that are not known already."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from padlint.findings import Edit, Finding
from padlint.fingerprints import subject
from padlint.syntax.source import Source

__all__ = ["Kept", "Marks", "Scope", "kind"]

_LENGTH = 16


class Kept(NamedTuple):
    """The findings that count, the others, and the kinds of those that are known."""

    findings: list[Finding]
    others: list[Finding]
    met: Counter[str]


class Scope(NamedTuple):
    """`changed` are spans of lines that end with a line feed (None: all count), in halves.

    Line n is 2 n; what was deleted between it and the next line is 2 n + 1. `known` says how many findings of
    a kind are known.
    """

    changed: tuple[tuple[int, int], ...] | None = None
    known: Mapping[str, int] = {}

    def split(self, text: str, findings: Sequence[Finding]) -> Kept:
        """Tell the findings that count from the others."""
        source, lines = Source(text), [match.start() for match in re.finditer("\n", text)]
        kept = Kept([], [], Counter())
        for finding in findings:
            if self._is_known(finding, source, kept.met) or not self._is_changed(finding, source, lines):
                kept.others.append(finding)
            else:
                kept.findings.append(finding)
        return kept

    def _is_known(self, finding: Finding, source: Source, met: Counter[str]) -> bool:
        if not self.known:
            return False
        it = kind(finding, source)
        if met[it] >= self.known.get(it, 0):
            return False
        met[it] += 1
        return True

    def _is_changed(self, finding: Finding, source: Source, lines: list[int]) -> bool:
        if self.changed is None:
            return True
        start, end = _start(finding, source), source.line_start(finding.end_location.row)
        end += max(finding.end_location.column - 2, 0)
        first, last = (2 * (bisect_left(lines, offset) + 1) for offset in (start, max(start, end)))
        index = bisect_left(self.changed, (first, first))
        near = self.changed[max(index - 1, 0) :]
        return any(a <= last and first <= b for a, b in near[:2])


def kind(finding: Finding, source: Source) -> str:
    """What a finding shares with others of its file only if they are alike: its code, and a short digest."""
    text = subject(finding, source).encode("utf-8", "replace")
    return f"{finding.code} {hashlib.sha256(text).hexdigest()[:_LENGTH]}"


class Marks:
    """Findings that are known again after edits: by their code, and by where they start."""

    def __init__(self) -> None:
        self._places: set[tuple[str, int]] = set()

    def add(self, text: str, findings: Iterable[Finding]) -> None:
        """Mark findings of a text."""
        source = Source(text)
        self._places.update((finding.code, _start(finding, source)) for finding in findings)

    def without(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings of a text that are not marked."""
        if not self._places:
            return [*findings]
        source = Source(text)
        return [f for f in findings if (f.code, _start(f, source)) not in self._places]

    def move(self, edits: Iterable[Edit]) -> None:
        """Follow the edits. What is inserted right where a finding starts stands in front of it."""
        ordered = sorted(edits, key=lambda edit: edit.end)
        ends, shifts, shift = [edit.end for edit in ordered], [0], 0
        for edit in ordered:
            shift += len(edit.content) - (edit.end - edit.start)
            shifts.append(shift)
        self._places = {
            (code, offset + shifts[bisect_left(ends, offset + 1)]) for code, offset in self._places
        }


def _start(finding: Finding, source: Source) -> int:
    return source.line_start(finding.location.row) + finding.location.column - 1
