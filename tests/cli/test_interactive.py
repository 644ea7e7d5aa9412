"""`--fix --interactive` on a terminal: shows, asks, and applies what is wanted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, SAME, padlint, write

TWO = SAME + 'other = nn.Conv2d(3, 8, 5, padding="same")\n'
QUESTION = "Apply this fix?"


def asked(folder: Path, *answers: str, arguments: tuple[str, ...] = ()) -> tuple[int, str]:
    """The exit status and what was shown, with an answer for every question."""
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "padlint", "check", "--fix", "-i", *arguments, "."]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        start_new_session=True,
        preexec_fn=_control_terminal,
    )
    os.close(slave)
    shown, left = "", [*answers]
    while block := _read(master):
        shown += block
        if left and shown.count(QUESTION) == len(answers) - len(left) + 1:
            os.write(master, left.pop(0).encode())
    os.close(master)
    return process.wait(timeout=60), shown.replace("\r\n", "\n")


def _control_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal


def _read(master: int) -> str:
    try:
        return os.read(master, 65536).decode()
    except OSError:  # the last process has closed the terminal
        return ""


@pytest.mark.parametrize(
    ("answers", "fixed", "questions"),
    [
        (("y\n", "y\n"), {3, 4}, 2),
        (("n\n", "yes\n"), {4}, 2),
        (("what\n", "y\n", "n\n"), {3}, 3),
        (("a\n",), {3, 4}, 1),
        (("q\n",), set(), 1),
        (("y\n", "q\n"), {3}, 2),
        (("y\n", "\x04"), {3}, 2),
        (("n\n", "n\n"), set(), 2),
    ],
)
def test_answers(tmp_path: Path, answers: tuple[str, ...], fixed: set[int], questions: int) -> None:
    write(tmp_path, a=TWO)
    status, shown = asked(tmp_path, *answers)
    assert status == 0, shown
    assert shown.count(QUESTION) == questions
    lines = (tmp_path / "a.py").read_text().splitlines()
    assert {row for row, line in enumerate(lines, 1) if "padding=" in line and "same" not in line} == fixed


def test_what_is_shown(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    _, shown = asked(tmp_path, "y\n")
    assert "a.py:3:8: PAD305 nn.Conv2d" in shown
    assert '-conv = nn.Conv2d(3, 8, 3, padding="same")\n+conv = nn.Conv2d(3, 8, 3, padding=1)\n' in shown
    assert "proof: taps equal at all sizes\n" in shown


def test_ctrl_c_ends_the_run_and_keeps_the_file(tmp_path: Path) -> None:
    write(tmp_path, a=TWO)
    assert asked(tmp_path, "y\n", "\x03")[0] == 130
    assert (tmp_path / "a.py").read_text() == TWO


def test_without_a_terminal_it_refuses(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    for arguments in (("--fix",), (), ("--fix", "--diff")):
        done = padlint("check", "-i", *arguments, ".", cwd=tmp_path, stdin=b"y\n")
        assert (done.returncode, done.stdout) == (2, b"")
    assert (tmp_path / "a.py").read_text() == SAME
