"""What a traced run showed of the calls of one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from padlint.catalogue import geometry, lookup
from padlint.catalogue.model import Operator
from padlint.findings import Edit, Finding, Location
from padlint.syntax.source import Source
from padlint.syntax.units import Unit
from padlint.traces.model import Call, FileTrace, Place, Run

_MOST_SIZES = 6  # that a message names

Numbers = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Seen:
    """The ways in which one call ran, and how often. `more` counts runs that the trace left out."""

    operator: Operator
    runs: tuple[tuple[Run, int], ...]
    more: int = 0

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
        """Whether all that was seen are the amounts of a pad of PyTorch."""
        amounts = [run.get("padding") for run, _ in self.runs]
        plain = (
            isinstance(a, tuple) and not len(a) % 2 and all(type(n) is int and n >= 0 for n in a)
            for a in amounts
        )
        return self.operator.framework == "torch" and not self.more and all(plain)

    @property
    def sizes(self) -> list[tuple[int | None, ...]]:
        """The different input sizes, in the order in which they were seen."""
        return list(dict.fromkeys(run.input for run, _ in self.runs))

    @property
    def complete(self) -> bool:
        """Whether all that was seen is known."""
        return not self.more and len(self.geometries) == len(self.runs)

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
        rows = range(unit.source.row(start), at.row + 1)
        for row in rows if self._by_row else ():
            if _only_call(unit, node, row):
                found += self._by_row.get(row, ())
        runs: dict[Run, int] = {}
        more, known = 0, None
        for call in found:
            ran = lookup(call.operator) or _by_name(call.operator)
            if ran is not None and (ran.framework, ran.family) == (operator.framework, operator.family):
                known, more = ran, more + call.more
                for run, count in call.runs.items():
                    runs[run] = runs.get(run, 0) + count
        return Seen(known, tuple(runs.items()), more) if known is not None else None


def _by_name(name: str) -> Operator | None:
    """The operator of a canonical name, where that is no path that can be imported."""
    module, _, rest = name.partition(".")
    return lookup(f"{'tensorflow' if module == 'tf' else module}.{rest}")


def _only_call(unit: Unit, node: cst.Call, row: int) -> bool:
    """Whether no other call of a function with this name stands in a row, so that the row is enough."""
    source = unit.source
    spans = (unit.span(other) for other in unit.index.calls if _last(other) == _last(node))
    return sum(source.row(start) <= row <= source.row(end) for start, end in spans) == 1


def _last(call: cst.Call) -> str:
    func = call.func
    return func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")


def moved(trace: FileTrace, before: Source, after: Source, fixed: Sequence[Finding]) -> FileTrace:
    """The trace for the text after fixes. Of the calls that these changed it holds nothing any more."""
    edits = [edit for finding in fixed if finding.fix is not None for edit in finding.fix.edits]
    edits = [*dict.fromkeys(edits)]  # those that fixes share are applied once
    ends = {finding.end_location for finding in fixed}
    calls = []
    for call in trace.calls:
        place = call.place
        if Location(place.end_row, place.end_column) in ends or _in_rows(call, fixed):
            continue
        start = _after(before.line_start(place.row) + max(place.column - 1, 0), edits, is_start=True)
        if not place.end_column:
            calls.append(replace(call, place=Place(place.file, after.row(start))))
            continue
        end = _after(before.line_start(place.end_row) + place.end_column - 1, edits, is_start=False)
        first, last = after.location(start), after.location(end)
        calls.append(replace(call, place=Place(place.file, first.row, first.column, last.row, last.column)))
    return replace(trace, calls=tuple(calls))


def _in_rows(call: Call, fixed: Sequence[Finding]) -> bool:
    """Whether a call of which only a row is known is one of those."""
    if call.place.end_column:
        return False
    last = call.operator.rpartition(".")[2]
    rows = (
        (finding.location.row, finding.end_location.row)
        for finding in fixed
        if str(finding.numbers.get("op")).rpartition(".")[2] == last
    )
    return any(first <= call.place.row <= end for first, end in rows)


def _after(offset: int, edits: Sequence[Edit], *, is_start: bool) -> int:
    """Where a place is behind edits. What is inserted right there stands outside the call."""
    shift = 0
    for edit in edits:
        if edit.end < offset or (edit.end == offset and (is_start or edit.start < offset)):
            shift += len(edit.content) - (edit.end - edit.start)
    return offset + shift
