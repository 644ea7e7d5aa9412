"""Writes the comment that silences a finding."""

from __future__ import annotations

from padlint.findings import Edit, Finding
from padlint.syntax.source import Source, apply_edits
from padlint.syntax.suppressions import Suppressions
from padlint.syntax.units import parses


def silence(source: Source, finding: Finding) -> Edit | None:
    """The edit that adds `# noqa: CODE` in a row of the finding, or the code to the list that is there.

    None if no row can hold a comment: each ends inside a string, or in a line continuation.
    """
    suppressions = Suppressions(source)
    for row in range(finding.end_location.row, finding.location.row - 1, -1):
        listing = suppressions.listing(row)
        end = source.line_start(row) + len(source.line(row).rstrip())
        if listing is not None:
            edit = source.edit(listing, listing, f", {finding.code}")
        else:
            edit = source.edit(end, end, f"  # noqa: {finding.code}")
        changed = apply_edits(source.text, [edit])
        if Suppressions(Source(changed)).cover(finding) and parses(changed):
            return edit
    return None
