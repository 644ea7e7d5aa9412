"""Follows edits of a program to the cells that they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from padlint.findings import Edit, Finding
from padlint.notebooks.magics import as_python
from padlint.notebooks.places import Places
from padlint.notebooks.program import END, Program
from padlint.syntax.source import apply_edits


class LostCell(Exception):
    """The changed text does not fall into the cells again."""


class Following:
    """The cells of a program after edits. `applied` are the findings that were fixed, in their cells."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._numbers = [cell.number for cell in program.cells]
        self._whole = program.whole
        self._starts = program.starts
        self.places = program.places
        self.applied: list[Finding] = []

    def apply(self, findings: Sequence[Finding]) -> None:
        """The fixes of these findings are applied. Raises LostCell."""
        self.applied += map(self.places.place, findings)
        self.edit(edit for finding in findings if finding.fix is not None for edit in finding.fix.edits)

    def edit(self, edits: Iterable[Edit]) -> None:
        """The edits are applied together. Raises LostCell."""
        edits = [*dict.fromkeys(edits)]
        if edits:
            self._whole, self._starts = apply_edits(self._whole, edits), _moved(self._starts, edits)
            self.places = Places(self._whole, self._starts[:-1], self._numbers)

    def shown(self, finding: Finding) -> tuple[str, Finding]:
        """The cells that a fix changes as a text, and the finding with edits of it."""
        edits = finding.fix.edits if finding.fix is not None else ()
        indexes = [self.places.index(edit.location) for edit in edits]
        indexes.append(self.places.index(finding.location))
        start, end = self._starts[min(indexes)], self._starts[max(indexes) + 1]
        moved = tuple(replace(edit, start=edit.start - start, end=edit.end - start) for edit in edits)
        placed = self.places.place(finding)
        fix = replace(placed.fix, edits=moved) if placed.fix is not None else None
        return self._whole[start:end].removesuffix("\n"), replace(placed, fix=fix)

    def sources(self, text: str) -> dict[int, str]:
        """The new source of each cell that changed; the edits made the program `text`.

        Raises LostCell if any row would land where it does not belong.
        """
        if self._whole[self._starts[-1] :] != self._program.tail:
            raise LostCell("a fix would add code behind the last cell")
        texts: dict[int, str] = {}
        for cell, start, end in zip(self._program.cells, self._starts, self._starts[1:], strict=False):
            part = self._whole[start:end]
            source = part.removesuffix(END) if part.endswith(END) else part.rstrip("\n")
            if part != cell.text + END:
                texts[cell.number] = source
            python = as_python(source)
            if python is None or python.rstrip("\n") != text[start:end].rstrip("\n"):
                raise LostCell(f"the fixed text of cell {cell.number} would not be the one that was checked")
        return texts


def _moved(starts: Sequence[int], edits: Sequence[Edit]) -> list[int]:
    """Where the cells start after edits. What is inserted right at a start is inside the cell."""
    ordered = sorted(edits, key=lambda edit: (edit.end, edit.start))
    moved, shift, index = [], 0, 0
    for start in starts:
        while index < len(ordered) and ordered[index].end <= start and ordered[index].start < start:
            shift += len(ordered[index].content) - (ordered[index].end - ordered[index].start)
            index += 1
        if index < len(ordered) and ordered[index].start < start < ordered[index].end:
            raise LostCell("a fix would join two cells")
        moved.append(start + shift)
    return moved
