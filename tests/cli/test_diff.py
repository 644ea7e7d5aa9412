"""`--diff`: what --fix would do, without doing it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import CLEAN, SAME, SAME_FIXED, STRIDED, padlint, write


def test_diff_shows_the_change_and_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path, a=SAME, b=CLEAN)
    done = padlint("check", "--fix", "--diff", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.decode() == (
        "--- a.py\n+++ a.py\n@@ -1,3 +1,3 @@\n import torch.nn as nn\n \n"
        '-conv = nn.Conv2d(3, 8, 3, padding="same")\n+conv = nn.Conv2d(3, 8, 3, padding=1)\n'
    )
    assert (tmp_path / "a.py").read_text() == SAME


def test_without_a_change_only_errors_count(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED)
    done = padlint("check", "--diff", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"would remain (shown without --diff)" in done.stderr
    write(tmp_path, a=CLEAN)
    done = padlint("check", "--diff", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@pytest.mark.parametrize(
    "content",
    [
        SAME.encode(),
        SAME.rstrip().encode(),
        SAME.replace("\n", "\r\n").encode(),
        b"# coding: latin-1\n# \xe9\n" + SAME.encode(),
    ],
)
def test_patch_applies_the_diff(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, a=content)
    done = padlint("check", "--diff", ".", cwd=tmp_path)
    subprocess.run(["patch", "-p0", "--binary"], cwd=tmp_path, input=done.stdout, check=True)
    assert (tmp_path / "a.py").read_bytes() == content.replace(b'"same"', b"1")


def test_unsafe_fixes_are_shown_on_request(tmp_path: Path) -> None:
    write(tmp_path, a=SAME, b=STRIDED)
    assert b"b.py" not in padlint("check", "--diff", ".", cwd=tmp_path).stdout
    assert b"+++ b.py" in padlint("check", "--diff", "--unsafe-fixes", ".", cwd=tmp_path).stdout


def test_fix_after_diff_gives_what_was_shown(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    assert padlint("check", "--fix", ".", cwd=tmp_path).stdout == b"Found 1 problem (1 fixed, 0 remaining)\n"
    assert (tmp_path / "a.py").read_text() == SAME_FIXED
