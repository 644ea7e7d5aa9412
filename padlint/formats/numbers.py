"""The numbers of a finding in words: one row for the axes that have the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from padlint.findings import Finding
from padlint.formats.printable import printable

HEADINGS = ("Axis", "Size", "Kernel", "Stride", "Dilation", "Pads")
_MOST_REMAINDERS = 8


def axes(finding: Finding) -> list[tuple[str, ...]]:
    """What is known of the axes, in the order of the headings."""
    named: dict[tuple[str, ...], list[str]] = {}
    for axis in finding.numbers.get("axes") or ():
        named.setdefault(_row(axis), []).append(_shown(axis.get("axis")))
    return [(", ".join(names), *row) for row, names in named.items()]


def operator(finding: Finding) -> str:
    """The operator that the numbers are of; empty if there is none."""
    return printable(str(finding.numbers.get("op") or ""))


def _row(axis: Mapping[str, Any]) -> tuple[str, ...]:
    shown = [_shown(axis.get(name)) for name in ("size", "kernel", "stride", "dilation")]
    return *shown, _pads(axis)


def _pads(axis: Mapping[str, Any]) -> str:
    pads, by_remainder = axis.get("pads"), axis.get("by_residue") or {}
    if pads is not None or not by_remainder:
        return _shown(pads)
    shown = [f"{remainder}: {_shown(pair)}" for remainder, pair in [*by_remainder.items()][:_MOST_REMAINDERS]]
    more = len(by_remainder) - _MOST_REMAINDERS
    return f"by size mod stride {', '.join(shown)}" + f" and {more} more" * (more > 0)


def _shown(value: object) -> str:
    if value is None:
        return "?"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_shown, value))})"
    return printable(str(value))
