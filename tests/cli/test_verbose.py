"""`--verbose`: what is passed over, and why. Only there, only on stderr, and not without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import BROKEN, CLEAN, SAME, padlint, write

PASSED_OVER = """\
import numpy as np
import torch.nn as nn
from torch.nn import functional as F

conv = nn.Conv2d(3, 8, 3, padding="same")  # noqa: PAD305
x = np.pad(conv, 1)


def f(x, s, p, Conv2d):
    x = nn.Conv2d(3, 3, 3, stride=s)(x)
    x = nn.Conv2d(3, 3, 3, stride=s, padding=p)(x)
    x = nn.Conv2d(3, 3, 3, stride=2, padding=1)(x)
    x = Conv2d(3)(x)
    return F.max_pool2d(x, 3, 2)
"""
REASONS = [
    "5:8: PAD305 is silenced by a comment",
    "6:5: np.pad is passed over: numpy.pad is no operator that padlint knows",
    "10:9: nn.Conv2d is passed over: its stride cannot be read from the file",
    "11:9: nn.Conv2d is passed over: its padding and its stride cannot be read from the file",
    "13:9: Conv2d is passed over: the file does not show what it is",
]


def notes(folder: Path, *arguments: str, stdin: bytes = b"") -> list[str]:
    done = padlint("check", "--verbose", "--isolated", *arguments, cwd=folder, stdin=stdin)
    assert b"note:" not in done.stdout
    assert b"Traceback" not in done.stderr
    lines = done.stderr.decode().splitlines()
    return [line.removeprefix("note: ") for line in lines if line.startswith("note: ")]


@pytest.mark.parametrize("arguments", [(), ("--fix",), ("--diff",), ("--output-format", "json")])
def test_calls(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path, a=PASSED_OVER)
    assert [line for line in notes(tmp_path, *arguments, "a.py") if line.startswith("a.py:")] == [
        f"a.py:{reason}" for reason in REASONS
    ]


def test_calls_on_stdin(tmp_path: Path) -> None:
    assert notes(tmp_path, "-", stdin=PASSED_OVER.encode()) == [f"<stdin>:{reason}" for reason in REASONS]


def test_what_is_reported_is_not_passed_over(tmp_path: Path) -> None:
    source = (
        "import torch.nn as nn\n\n\ndef f(s, x):\n    return nn.Conv2d(3, 3, 3, s, ((0, 1), (0, 1)))(x)\n"
    )
    write(tmp_path, a=source)
    assert b"a.py:5:12: PAD201" in padlint("check", "--isolated", "a.py", cwd=tmp_path).stdout
    assert not any("5:12" in line for line in notes(tmp_path, "a.py"))


def test_whole_files(tmp_path: Path) -> None:
    for folder in (".git", ".venv", "gen", "build_"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, a=SAME)
    (tmp_path / ".gitignore").write_text("gen/\nb.py\n")
    write(tmp_path, a=CLEAN, b=SAME, c=BROKEN, d=b"\xff", e="# padlint: skip-file\n" + SAME)
    (tmp_path / "loop.py").symlink_to("loop.py")
    found = notes(tmp_path, "--exclude", ".git,.venv,build_", ".")
    assert sorted(found) == [
        ".git: excluded",
        ".venv: excluded",
        "2 of 4 files may hold a finding",
        "a.py: names no operator",
        "b.py: ignored by Git",
        "build_: excluded",
        "e.py:4:8: PAD305 is silenced by a comment",
        "gen: ignored by Git",
        "loop.py: skipped: too many levels of symbolic links",
    ]


def test_very_many_are_cut_short(tmp_path: Path) -> None:
    write(tmp_path, a="import torch.nn as nn\ndef f(s):\n" + "    nn.Conv2d(3, 3, 3, s)\n" * 1000)
    for i in range(100):
        write(tmp_path, **{f"clean{i}": CLEAN})
    found = notes(tmp_path, ".")
    assert len(found) == 20 + 1 + 30 + 1 + 1
    assert "a.py: ... and 980 more like these" in found
    assert "... and 70 more like these" in found


def test_nothing_without_the_flag(tmp_path: Path) -> None:
    write(tmp_path, a=PASSED_OVER)
    assert padlint("check", "--isolated", "a.py", cwd=tmp_path).stderr == b""
