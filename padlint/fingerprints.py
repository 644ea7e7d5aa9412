"""What identifies a finding, wherever its lines have gone: its file, its code, and what it is about."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from padlint.findings import Finding
from padlint.syntax.source import Source

__all__ = ["fingerprint", "fingerprints", "subject"]

_LENGTH = 32


def fingerprint(name: str, finding: Finding, source: Source, occurrence: int) -> str:
    """The identity of the finding that is the `occurrence`th (from 1) of its kind in the file of that name.

    White space does not count.
    """
    return _digest(name, finding.code, subject(finding, source), str(occurrence))


def fingerprints(name: str, findings: Iterable[Finding], source: Source) -> Iterator[tuple[Finding, str]]:
    """Each finding of a file, in order, with its fingerprint."""
    met: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        identity = finding.code, subject(finding, source)
        met[identity] += 1
        yield finding, _digest(name, *identity, str(met[identity]))


def subject(finding: Finding, source: Source) -> str:
    """The code that a finding is about, with single spaces."""
    start, end = finding.location, finding.end_location
    first, last = (source.line_start(place.row) + place.column - 1 for place in (start, end))
    return " ".join(source.text[first:last].split())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:_LENGTH]
