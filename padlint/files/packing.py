"""Findings as plain JSON data and back, with every type checked: whoever wrote the data is not trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from padlint.findings import Applicability, Edit, Finding, Fix, Location, Proof, Severity

_T = TypeVar("_T")


def pack(finding: Finding) -> list[Any] | None:
    """A finding without the name of its file and without its layer proof; None if it holds other data."""
    fix = finding.fix
    if finding.cell is not None or (
        fix is not None and fix.proof is not None and fix.proof.layer is not None
    ):
        return None
    return [
        *(finding.code, finding.name, int(finding.severity), finding.message),
        *(_pair(finding.location), _pair(finding.end_location)),
        *(fix and _fix(fix), finding.no_fix_reason, dict(finding.numbers)),
    ]


def _pair(location: Location) -> list[int]:
    return [location.row, location.column]


def _fix(fix: Fix) -> list[Any]:
    edits = [[e.start, e.end, e.content, _pair(e.location), _pair(e.end_location)] for e in fix.edits]
    proof = fix.proof and [fix.proof.taps, fix.proof.sizes]
    return [fix.applicability.value, fix.message, edits, proof, sorted(map(_pair, fix.partners))]


def unpack(data: object, filename: str) -> Finding:
    """The finding again. Raises ValueError for whatever `pack` does not make."""
    code, name, severity, message, start, end, fix, reason, numbers = _items(data, 9)
    if not isinstance(numbers, dict) or (fix is None) is (reason is None):
        raise ValueError("no finding")
    return Finding(
        code=_of(str, code),
        name=_of(str, name),
        severity=Severity(_of(int, severity)),
        message=_of(str, message),
        location=_location(start),
        end_location=_location(end),
        fix=None if fix is None else _unpack_fix(fix),
        no_fix_reason=None if reason is None else _of(str, reason),
        numbers=numbers,
        filename=filename,
    )


def _unpack_fix(data: object) -> Fix:
    applicability, message, edits, proof, partners = _items(data, 5)
    return Fix(
        Applicability(applicability),
        _of(str, message),
        tuple(map(_edit, _of(list, edits))),
        None if proof is None else _proof(proof),
        partners=frozenset(map(_location, _of(list, partners))),
    )


def _edit(data: object) -> Edit:
    start, end, content, first, last = _items(data, 5)
    return Edit(_of(int, start), _of(int, end), _of(str, content), _location(first), _location(last))


def _proof(data: object) -> Proof:
    taps, sizes = _items(data, 2)
    if isinstance(sizes, str):
        return Proof(_of(str, taps), sizes)
    return Proof(_of(str, taps), tuple(map(_numbers, _of(list, sizes))))


def _numbers(data: object) -> tuple[int, ...]:
    items: list[object] = _of(list, data)
    return tuple(_of(int, item) for item in items)


def _location(data: object) -> Location:
    row, column = _items(data, 2)
    return Location(_of(int, row), _of(int, column))


def _items(data: object, count: int) -> list[Any]:
    items: list[Any] = _of(list, data)
    if len(items) != count:
        raise ValueError("another number of items")
    return items


def _of(kind: Callable[..., _T], value: object) -> _T:
    if type(value) is not kind:
        raise ValueError(f"{type(value).__name__} instead of {kind}")
    return value  # type: ignore[return-value]
