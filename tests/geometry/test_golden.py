"""The geometry reproduces every measured probe, except where a framework departs from its own rules."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tests.geometry.defects import DEFECTS, Defect
from tests.geometry.frameworks import outcome
from tests.geometry.probes import OPERATORS, PROBES, Probe
from tests.geometry.records import explains


@cache
def verdicts() -> list[tuple[Probe, tuple[Defect, ...], bool]]:
    """Every probe with the defects that cover it and whether the geometry explains it."""
    result = []
    for probe in PROBES:
        row = outcome(probe)
        explained = probe.result is None if row is None else explains(row, probe)
        result.append((probe, tuple(defect for defect in DEFECTS if defect.covers(probe)), explained))
    return result


def test_every_row_and_probe_is_judged() -> None:
    assert len(verdicts()) == 58_133
    assert len({id(probe.arguments) for probe, _, _ in verdicts()}) == 8_085


@pytest.mark.parametrize("op", OPERATORS)
def test_explains_what_was_measured(op: str) -> None:
    wrong = [
        probe for probe, defects, explained in verdicts() if probe.op == op and not (defects or explained)
    ]
    assert not wrong, f"{len(wrong)} probes, such as {wrong[0]} instead of {outcome(wrong[0])}"


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_defect_covers_what_it_says(defect: Defect) -> None:
    covered = [(probe, explained) for probe, defects, explained in verdicts() if defect in defects]
    assert [probe for probe, _ in covered if not defect.shows(probe.result)] == []
    counts = Counter(explained for _, explained in covered)
    assert (len(covered), counts[False]) == (defect.count, defect.unexplained)


def test_a_probe_has_one_defect_at_most() -> None:
    assert [probe for probe, defects, _ in verdicts() if len(defects) > 1] == []


def test_where_the_taps_were_not_measured_the_size_is_right() -> None:
    unmeasured = [
        probe for probe, defects, _ in verdicts() if "not measured" in "".join(d.name for d in defects)
    ]
    assert [probe for probe in unmeasured if len(outcome(probe) or ()) != probe.result[0]] == []
    assert len(unmeasured) == 26
