"""The line that says how far a long run is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.command import SAME, write
from tests.cli.terminal import on_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
SLOW = """
import time, padlint.cli
from padlint.cli import progress
from padlint.files import pool, work
progress._PATIENCE, process = {patience}, work.process
def slow(*arguments, **more):
    time.sleep(0.15)
    return process(*arguments, **more)
pool.process = slow
padlint.cli.main()
"""


def shown(folder: Path, *arguments: str, patience: float = 0.1, **environment: str) -> str:
    """What a run appears like in which each file takes a while."""
    write(folder, a=SAME, b=SAME, c=SAME, d=SAME)
    code = SLOW.format(patience=patience)
    status, text = on_terminal(
        "-c", code, "check", "--color=never", *arguments, ".", cwd=folder, **environment
    )
    assert status == 0
    return text


@pytest.mark.parametrize("arguments", [(), ("--jobs", "1"), ("--output-format", "sarif")])
def test_a_long_run_says_how_far_it_is_and_leaves_nothing_behind(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    text = shown(tmp_path, *arguments)
    assert "Checking [##########----------] 2/4\x1b[K" in text
    bars, _, rest = text.rpartition("\r\x1b[K")
    assert "PAD305" in rest
    assert "\x1b" not in rest
    assert "PAD305" not in bars


@pytest.mark.parametrize(
    ("arguments", "patience", "environment"),
    [((), 60, {}), (("--quiet",), 0.1, {}), ((), 0.1, {"TERM": "dumb"})],
)
def test_a_short_or_quiet_run_says_nothing(
    tmp_path: Path, arguments: tuple[str, ...], patience: float, environment: dict[str, str]
) -> None:
    text = shown(tmp_path, *arguments, patience=patience, **environment)
    assert "Checking" not in text
    assert "\x1b" not in text
