"""What an editor offers to do about findings. Every edit names the version of the document that it is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from padlint.findings import Applicability, Edit, Finding
from padlint.server.analysis import Analysis
from padlint.server.diagnostics import diagnostic
from padlint.syntax.silencing import silence
from padlint.syntax.source import Source, Taken

QUICK = types.CodeActionKind.QuickFix
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.padlint"
KINDS = [QUICK.value, FIX_ALL]


def actions(
    analysis: Analysis, wanted: types.Range, only: Sequence[str] | None, *, versioned: bool
) -> list[types.CodeAction]:
    """The actions for a range of the document, of the kinds that are asked for."""
    found: list[types.CodeAction] = []
    offer = _Offer(analysis, versioned)
    if _is_wanted(QUICK.value, only):
        for finding in analysis.findings:
            if _touch(analysis.positions.range(finding), wanted):
                found += offer.of(finding)
    if _is_wanted(FIX_ALL, only) and (action := offer.fix_all()):
        found.append(action)
    return found


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == other or kind.startswith(f"{other}.") for other in only)


def _touch(first: types.Range, second: types.Range) -> bool:
    return first.start <= second.end and second.start <= first.end


def _helps(finding: Finding, other: Finding) -> bool:
    """Whether the fix of a finding is safe only together with that of another one."""
    if finding.fix is None or other.fix is None or other.fix.applicability is not Applicability.SAFE:
        return False
    return other.location in finding.fix.partners and other.code == finding.code


class _Offer:
    """Makes the actions of one analysis."""

    def __init__(self, analysis: Analysis, versioned: bool) -> None:
        self._analysis = analysis
        self._versioned = versioned

    def of(self, finding: Finding) -> Iterator[types.CodeAction]:
        """What can be done about a finding: its fix, and a comment that silences it."""
        shown = [diagnostic(self._analysis, finding)]
        if finding.fix is not None:
            edits = self._together(finding)
            safe = finding.fix.applicability is Applicability.SAFE and edits is not None
            text = finding.fix.message
            title = text if safe or "(unsafe" in text else f"{text} (unsafe)"
            yield types.CodeAction(
                f"{finding.code}: {title}",
                QUICK,
                shown,
                safe,
                edit=self._edit(finding.fix.edits if edits is None else edits),
            )
        if edit := silence(self._analysis.source, finding):
            title = f"{finding.code}: disable for this line"
            yield types.CodeAction(title, QUICK, shown, False, edit=self._edit([edit]))

    def _together(self, finding: Finding) -> list[Edit] | None:
        """The edits of a fix and of those that it is safe with; None if they cannot be made at once."""
        fixes = [other.fix for other in self._analysis.findings if other is finding or _helps(finding, other)]
        wanted = [fix.edits for fix in fixes if fix is not None]
        taken = Taken()
        if not all(taken.takes(edits) for edits in wanted):
            return None
        return [*dict.fromkeys(edit for edits in wanted for edit in edits)]

    def fix_all(self) -> types.CodeAction | None:
        """All safe fixes, as one edit of the rows that change."""
        source, text = self._analysis.source, self._analysis.fixed
        if text == source.text:
            return None
        edit = self._edit([changed_rows(source, Source(text))])
        return types.CodeAction("Fix all that padlint can fix safely", FIX_ALL, edit=edit)

    def _edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        document = self._analysis.document
        positions = self._analysis.positions
        texts = [types.TextEdit(positions.range(edit), edit.content) for edit in edits]
        if not self._versioned:
            return types.WorkspaceEdit({document.uri: texts})
        version = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(version, [*texts])])


def changed_rows(before: Source, after: Source) -> Edit:
    """The edit that replaces the rows between the first and the last that differ."""
    old, new = _rows(before), _rows(after)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    start, end = before.line_start(first + 1), before.line_start(len(old) - last + 1)
    return before.edit(start, end, "".join(new[first : len(new) - last]))


def _rows(source: Source) -> list[str]:
    ends = [*source.line_starts[1:], len(source.text)]
    return [source.text[start:end] for start, end in zip(source.line_starts, ends, strict=True)]
