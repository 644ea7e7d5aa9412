"""What a trace is no ground for: safe fixes, and any fix where it does not hold all that ran."""

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
from padlint.syntax.source import Source
from padlint.syntax.units import open_file
from padlint.traces.file import dumps
from padlint.traces.model import Call, FileTrace, Layer, Place, Run, Trace, digest
from tests.cli.command import padlint

_ALL = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.py"))
FIXTURES = [path for path in _ALL if not path.name.endswith(".fixed.py")]
_ROLES = ("kernel", "stride", "dilation", "padding")


def _call(site: Site, size: int, more: int = 0) -> Call:
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
    return Call(Place("", start.row, start.column, end.row, end.column), site.operator.name, {run: 2}, more)


Fixes = set[tuple[str, Location, Applicability, tuple[Edit, ...]]]


def _fixes(text: str, trace: FileTrace | None) -> Fixes:
    found = check(text, Options(default_codes(frozenset()), trace=trace))
    return {(f.code, f.location, f.fix.applicability, f.fix.edits) for f in found if f.fix is not None}


def _safe(fixes: Fixes) -> Fixes:
    return {fix for fix in fixes if Applicability.SAFE in fix}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixes_that_no_trace_changes(path: Path) -> None:
    """Another run may have other sizes and arguments, and so may those that the trace left out."""
    text = path.read_text(encoding="utf-8")
    sites = [s for s in collect(open_file(text, interesting_names())) if s.operator.family in PADDED]
    if not sites:
        return
    without = _fixes(text, None)
    for size in (64, 225):
        trace = FileTrace("", tuple(_call(site, size) for site in sites))
        assert _safe(_fixes(text, trace)) == _safe(without)
        partial = FileTrace("", tuple(_call(site, size, more=1) for site in sites))
        assert _fixes(text, partial) == without


WRAPPER = """\
from keras import layers


def conv(x, k, s):
    return layers.Conv2D(8, k, s, padding="same")(x)
"""
WEIGHT = """\
import tensorflow as tf


def conv(x, w, **options):
    return tf.nn.convolution(x, w, **options)
"""
DYNAMIC = """\
from torch.nn import functional as F


def pad(x, k, s):
    h, w = x.shape[-2:]
    ph, pw = max((-(-h // s) - 1) * s + k - h, 0), max((-(-w // s) - 1) * s + k - w, 0)
    return F.conv2d(F.pad(x, [pw // 2, pw - pw // 2, ph // 2, ph - ph // 2]), k, stride=2)
"""
CALLS = [
    (WRAPPER, 'layers.Conv2D(8, k, s, padding="same")', "keras.layers.Conv2D", "same", "PAD101"),
    (WEIGHT, "tf.nn.convolution(x, w, **options)", "tf.nn.convolution", "SAME", "PAD101"),
    (
        DYNAMIC,
        "F.pad(x, [pw // 2, pw - pw // 2, ph // 2, ph - ph // 2])",
        "torch.nn.functional.pad",
        (0, 1, 0, 1),
        "PAD302",
    ),
]


@pytest.mark.parametrize("mode", ["report", "runtime"])
@pytest.mark.parametrize(("more", "changed"), [(0, True), (1, False)])
@pytest.mark.parametrize(("text", "call", "operator", "padding", "code"), CALLS, ids=[c[2] for c in CALLS])
def test_the_command_fixes_nothing_that_was_recorded_in_part(
    tmp_path: Path,
    text: str,
    call: str,
    operator: str,
    padding: object,
    code: str,
    *,
    more: int,
    changed: bool,
    mode: str,
) -> None:
    source, start = Source(text), text.index(call)
    first, last = source.location(start), source.location(start + len(call))
    arguments = (("kernel", (3, 3)), ("stride", (2, 2)), ("dilation", (1, 1)), ("padding", padding))
    layout = "channels_first" if operator.startswith("torch") else "channels_last"
    trace, place = Trace(), Place("net.py", first.row, first.column, last.row, last.column)
    run = Run(arguments, layout, (64, 64), (32, 32), "float32")
    trace.add(Layer("", place, operator, run, (3, 3), (2, 2)), digest(text.encode()))
    trace.file("net.py", "").call(place, operator).more = more
    (tmp_path / "net.py").write_text(text)
    (tmp_path / "t.json").write_text(dumps(trace, "."))
    flags = ("--isolated", "--select", code, "--trace", "t.json", "--fix", "--unsafe-fixes")
    done = padlint("check", *flags, "--unknown-size", mode, "net.py", cwd=tmp_path)
    assert done.returncode < 2, done.stderr.decode()
    assert ((tmp_path / "net.py").read_text() != text) is (changed or (text == WRAPPER and mode == "runtime"))
