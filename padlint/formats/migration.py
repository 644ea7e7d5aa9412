"""What a run did to a code base, file by file, as a report for people that work through it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from padlint.findings import Applicability, Finding
from padlint.formats.printable import printable
from padlint.formats.proofs import described
from padlint.formats.report import Failure

FIXABLE, OPEN = "Has a safe fix", "Needs a person"


class FileEntry(NamedTuple):
    """What came of one file: what was fixed, what is left in its text, and fixes that a proof refused."""

    filename: str
    fixed: tuple[Finding, ...] = ()
    left: tuple[Finding, ...] = ()
    refused: tuple[Finding, ...] = ()
    text: str = ""

    @property
    def fixable(self) -> tuple[Finding, ...]:
        """What is left although a safe fix is known."""
        return tuple(filter(_has_safe_fix, self.left))

    @property
    def open(self) -> tuple[Finding, ...]:
        """What somebody has to decide: the fix is unsafe, or there is none."""
        return tuple(finding for finding in self.left if not _has_safe_fix(finding))


class Migration(NamedTuple):
    """All of it. `incomplete` says how far the run came if it was interrupted; `known` are passed over.

    With `preview`, nothing was written: what is called fixed would be.
    """

    files: int
    entries: tuple[FileEntry, ...]
    failures: tuple[Failure, ...] = ()
    incomplete: str = ""
    known: int = 0
    preview: bool = False

    @property
    def fixed(self) -> str:
        """The heading of what was fixed."""
        return "Would be fixed" if self.preview else "Fixed"

    def counts(self) -> list[tuple[str, int]]:
        """What stands on top."""
        left = [finding for entry in self.entries for finding in entry.left]
        fixes = [finding.fix for finding in left if finding.fix is not None]
        safe = sum(fix.applicability is Applicability.SAFE for fix in fixes)
        counts = [
            ("Files", self.files),
            (self.fixed, sum(len(entry.fixed) for entry in self.entries)),
            ("Left", len(left)),
            ("Left, with a safe fix", safe),
            ("Left, with an unsafe fix", len(fixes) - safe),
            ("Left, without a fix", len(left) - len(fixes)),
            ("Refused fixes", sum(len(entry.refused) for entry in self.entries)),
            ("Failed", len(self.failures)),
        ]
        return counts + [("Passed over, since the baseline has them", self.known)] * (self.known > 0)

    def shown(self) -> list[FileEntry]:
        """The files that there is something to say about, sorted."""
        entries = (entry for entry in self.entries if entry.fixed or entry.left or entry.refused)
        return sorted(entries, key=lambda entry: entry.filename)

    def sections(self, entry: FileEntry) -> list[tuple[str, tuple[Finding, ...]]]:
        """What is said about a file, under headings."""
        sections = (
            (self.fixed, entry.fixed),
            ("Refused", entry.refused),
            (FIXABLE, entry.fixable),
            (OPEN, entry.open),
        )
        return [(heading, findings) for heading, findings in sections if findings]


def remarks(heading: str, findings: Iterable[Finding]) -> list[tuple[Finding, list[tuple[str, str]]]]:
    """Each finding with what is said about it: a label and a text."""
    return [(finding, _remarks(heading, finding)) for finding in findings]


def _remarks(heading: str, finding: Finding) -> list[tuple[str, str]]:
    if finding.fix is None:
        return [("No fix", printable(finding.no_fix_reason or ""))]
    proof = finding.fix.proof
    said = described(proof)
    if heading == "Refused" and proof is not None and proof.layer is not None and proof.layer.detail:
        said += f"; {printable(proof.layer.detail)}"
    return [
        ("Fix" if _has_safe_fix(finding) else "Unsafe fix", printable(finding.fix.message)),
        ("Proof", said),
    ]


def _has_safe_fix(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE
