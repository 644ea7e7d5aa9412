"""What a traced run showed of the calls of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from padlint.catalogue import geometry, lookup
from padlint.catalogue.model import Operator
from padlint.findings import Edit, Finding, Location
from padlint.sites.rows import is_only
from padlint.syntax.source import Source
from padlint.syntax.units import Unit
from padlint.traces.model import Call, FileTrace, Place, Run

_MOST_SIZES = 6  # that a message names

Numbers = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Seen:
    """The ways in which one call ran, and how often. `more` counts runs that the trace left out.

    `mixed` says that runs besides may be of this call or of another one in its rows.
    """

    operator: Operator
    runs: tuple[tuple[Run, int], ...]
    more: int = 0
    mixed: bool = False

    @property
    def geometries(self) -> list[tuple[Numbers, object]]:
        """Kernel, stride and dilation per spatial axis, and the padding, in every run; as far as known."""
        found = []
        for run, _ in self.runs:
            if run.layout != "all":
                numbers = geometry(self.operator, run.get, len(run.input), run.layout)
                found += [(numbers, run.get("padding"))] if numbers is not None else []
        return found

    @property
    def complete_pads(self) -> bool:
        """Whether all that was seen is known: the amounts of a pad of PyTorch."""
        amounts = [run.get("padding") for run, _ in self.runs]
        plain = (
            isinstance(a, tuple) and not len(a) % 2 and all(type(n) is int and n >= 0 for n in a)
            for a in amounts
        )
        return self.operator.framework == "torch" and not self.left_out and all(plain)

    @property
    def left_out(self) -> bool:
        """Whether the call may have run in ways that are not among its runs."""
        return self.mixed or self.more > 0

    @property
    def sizes(self) -> list[tuple[int | None, ...]]:
        """The different input sizes, in the order in which they were seen."""
        return list(dict.fromkeys(run.input for run, _ in self.runs))

    @property
    def complete(self) -> bool:
        """Whether all that was seen is known."""
        return not self.left_out and len(self.geometries) == len(self.runs)

    def __str__(self) -> str:
        """`seen 3 times in the traced run, sizes 112 and 56`."""
        count = sum(count for _, count in self.runs) + self.more
        times = "once" if count == 1 else f"{count} times"
        how = (
            f"{times} in the traced run" if count else "in the traced run while a model was built or compiled"
        )
        return f"seen {how}, {named_sizes(self.sizes)}"


def named_sizes(sizes: Sequence[tuple[int | None, ...]]) -> str:
    """`size 112`, `sizes 112, 56x28 and 14`, `sizes 224, 112 and 7 more`."""
    texts = list(dict.fromkeys(map(_size_text, sizes)))
    if len(texts) > _MOST_SIZES:
        texts[_MOST_SIZES - 1 :] = [f"{len(texts) - _MOST_SIZES + 1} more"]
    last = texts.pop() if len(texts) > 1 else ""
    joined = ", ".join(texts)
    return f"sizes {joined} and {last}" if last else f"size {joined}"


def _size_text(size: tuple[int | None, ...]) -> str:
    texts = ["?" if n is None else str(n) for n in size]
    return texts[0] if len(set(texts)) == 1 else "x".join(texts)


class Traced:
    """Finds what was seen of a call, by where it ends: no two calls end at the same place."""

    def __init__(self, trace: FileTrace) -> None:
        self._by_end: dict[tuple[int, int], list[Call]] = {}
        self._by_row: dict[int, list[Call]] = {}
        for call in trace.calls:
            place = call.place
            if place.end_column:
                self._by_end.setdefault((place.end_row, place.end_column), []).append(call)
            else:
                self._by_row.setdefault(place.row, []).append(call)

    def built(self, unit: Unit, node: cst.Call) -> Operator | None:
        """The only operator that ran at a call."""
        at = unit.source.location(unit.span(node)[1])
        names = {call.operator for call in self._by_end.get((at.row, at.column), ())}
        return lookup(names.pop()) if len(names) == 1 else None

    def of(self, unit: Unit, node: cst.Call, operator: Operator) -> Seen | None:
        """What was seen of a call, None if that is nothing or not certain."""
        start, end = unit.span(node)
        at = unit.source.location(end)
        found = list(self._by_end.get((at.row, at.column), ()))
        mixed = False
        for row in range(unit.source.row(start), at.row + 1) if self._by_row else ():
            of_row = [call for call in self._by_row.get(row, ()) if _alike(call, operator) is not None]
            is_certain = bool(of_row) and is_only(unit, node, operator, row)
            found += of_row if is_certain else ()
            mixed = mixed or (bool(of_row) and not is_certain)
        runs: dict[Run, int] = {}
        more, known = 0, None
        for call in found:
            if (ran := _alike(call, operator)) is not None:
                known, more = ran, more + call.more
                for run, count in call.runs.items():
                    runs[run] = runs.get(run, 0) + count
        return Seen(known, tuple(runs.items()), more, mixed) if known is not None else None


def _alike(call: Call, operator: Operator) -> Operator | None:
    """What a traced call ran, if that is of the family of an operator."""
    ran = lookup(call.operator) or _by_name(call.operator)
    is_alike = ran is not None and (ran.framework, ran.family) == (operator.framework, operator.family)
    return ran if is_alike else None


def _by_name(name: str) -> Operator | None:
    """The operator of a canonical name, where that is no path that can be imported."""
    module, _, rest = name.partition(".")
    return lookup(f"{'tensorflow' if module == 'tf' else module}.{rest}")


def moved(trace: FileTrace, before: Source, after: Source, fixed: Sequence[Finding]) -> FileTrace:
    """The trace for the text after fixes. Of the calls that these changed it holds nothing any more."""
    edits = [edit for finding in fixed if finding.fix is not None for edit in finding.fix.edits]
    edits = [*dict.fromkeys(edits)]  # those that fixes share are applied once
    ends = {finding.end_location for finding in fixed}
    rows = {row for f in fixed for row in range(f.location.row, f.end_location.row + 1)}
    rows |= {row for edit in edits for row in _rows(before, edit)}
    calls = []
    for call in trace.calls:
        place = call.place
        start = _offset(before, place.row, place.column or 1)
        if not place.end_column:
            if start is not None and place.row not in rows:
                row = after.row(_after(start, edits, is_start=True))
                calls.append(replace(call, place=Place(place.file, row)))
            continue
        end = _offset(before, place.end_row, place.end_column)
        if start is None or end is None or Location(place.end_row, place.end_column) in ends:
            continue
        first = after.location(_after(start, edits, is_start=True))
        last = after.location(_after(end, edits, is_start=False))
        calls.append(replace(call, place=Place(place.file, first.row, first.column, last.row, last.column)))
    return replace(trace, calls=tuple(calls))


def _offset(source: Source, row: int, column: int) -> int | None:
    """Where a place is; None if the text has no such place."""
    if row > len(source.line_starts) or column > len(source.line(row)) + 1:
        return None
    return source.line_start(row) + column - 1


def _rows(source: Source, edit: Edit) -> range:
    """The rows in which an edit changes something, rather than to put whole rows above."""
    is_above = edit.start == edit.end == source.line_start(edit.location.row) and edit.content.endswith("\n")
    return range(edit.location.row, edit.end_location.row + (not is_above))


def _after(offset: int, edits: Sequence[Edit], *, is_start: bool) -> int:
    """Where a place is behind edits. What is inserted right there stands outside the call."""
    shift = 0
    for edit in edits:
        if edit.end < offset or (edit.end == offset and (is_start or edit.start < offset)):
            shift += len(edit.content) - (edit.end - edit.start)
    return offset + shift
