"""A trace gives no safe fix and takes none away: another run may have other sizes and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.catalogue import PADDED
from padlint.config.selection import default_codes
from padlint.engine import check
from padlint.findings import Applicability, Edit, Location
from padlint.options import Options
from padlint.sites.collecting import collect, interesting_names
from padlint.sites.reading import readings
from padlint.sites.site import Site
from padlint.syntax.units import open_file
from padlint.traces.model import Call, FileTrace, Place, Run

_ALL = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.py"))
FIXTURES = [path for path in _ALL if not path.name.endswith(".fixed.py")]
_ROLES = ("kernel", "stride", "dilation", "padding")


def _call(site: Site, size: int) -> Call:
    """The site as if it had run with one of its readings, or with numbers that its code does not show."""
    start, end = (site.unit.source.location(offset) for offset in site.unit.span(site.call))
    found = readings(site)
    axes = found[0].axes if found else ()
    rank = len(axes) or site.operator.ndim or 2
    numbers = {
        "kernel": tuple(axis.kernel or 3 for axis in axes) or (3,) * rank,
        "stride": tuple(axis.stride for axis in axes) or (2,) * rank,
        "dilation": tuple(axis.dilation for axis in axes) or (1,) * rank,
        "padding": found[0].padding if found else "SAME",
    }
    arguments = tuple((role, numbers[role]) for role in _ROLES if role in site.operator.roles)
    layout = "channels_first" if site.operator.framework == "torch" else "channels_last"
    run = Run(arguments, layout, (size,) * rank, (size // 2,) * rank, "float32")
    return Call(Place("", start.row, start.column, end.row, end.column), site.operator.name, {run: 2})


def _safe(text: str, trace: FileTrace | None) -> set[tuple[str, Location, tuple[Edit, ...]]]:
    found = check(text, Options(default_codes(frozenset()), trace=trace))
    fixes = [(f.code, f.location, f.fix) for f in found if f.fix is not None]
    return {(code, at, fix.edits) for code, at, fix in fixes if fix.applicability is Applicability.SAFE}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_the_safe_fixes_are_those_without_a_trace(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    sites = [s for s in collect(open_file(text, interesting_names())) if s.operator.family in PADDED]
    for size in (64, 225) if sites else ():
        trace = FileTrace("", tuple(_call(site, size) for site in sites))
        assert _safe(text, trace) == _safe(text, None)
