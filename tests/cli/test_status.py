"""The exit status, and which stream gets what."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import BROKEN, CLEAN, ROOT, SAME, SAME_FIXED, STRIDED, padlint, write

STATUS = [
    (CLEAN, "", 0),
    ("", "", 0),
    (SAME, "", 0),  # only an info
    (SAME, "--fail-on info", 1),
    (SAME, "--fail-on info --fix", 0),
    (SAME, "--fail-on info --exit-zero", 0),
    (SAME, "--diff", 1),
    (SAME, "--diff --exit-zero", 0),
    (SAME, "--diff --unfixable PAD305", 0),
    (STRIDED, "", 1),
    (STRIDED, "--fail-on error", 1),
    (STRIDED, "--exit-zero", 0),
    (STRIDED, "--ignore PAD401", 0),
    (STRIDED, "--ignore PAD4", 0),
    (STRIDED, "--select PAD305", 0),
    (STRIDED, "--fix", 1),
    (STRIDED, "--fix --unsafe-fixes --ignore PAD2,PAD1", 0),
    (STRIDED, "--diff", 1),
    (STRIDED, "--statistics", 1),
    (STRIDED, "--output-format json", 1),
    (BROKEN, "", 1),
    (BROKEN, "--fix", 1),
    (BROKEN, "--exit-zero", 0),
    (CLEAN, "--select PAD999", 2),
    (CLEAN, "--select nonsense", 2),
    (CLEAN, "--input-size 0x3", 2),
    (CLEAN, "--input-size 224by224", 2),
    (CLEAN, "--input-multiple 0", 2),
    (CLEAN, "--target pytorch", 2),
    (CLEAN, "--fail-on never", 2),
    (CLEAN, "--output-format xml", 2),
    (CLEAN, "--config nowhere.toml", 2),
    (CLEAN, "--no-such-option", 2),
    (CLEAN, "nowhere.py", 2),
    (STRIDED, "nowhere.py", 2),  # 2 wins
    (STRIDED, "nowhere.py --exit-zero", 2),
]


@pytest.mark.parametrize(("source", "arguments", "expected"), STATUS)
def test_status(tmp_path: Path, source: str, arguments: str, expected: int) -> None:
    write(tmp_path, model=source)
    done = padlint("check", "model.py", *arguments.split(), cwd=tmp_path)
    assert done.returncode == expected, done
    assert b"Traceback" not in done.stderr
    assert (done.returncode == 2) == (b"error" in done.stderr.lower())


def test_one_bad_file_does_not_stop_the_run(tmp_path: Path) -> None:
    write(tmp_path, a=b"s = '\xff'\n", b=STRIDED, c=SAME)
    done = padlint("check", "nowhere.py", ".", "--output-format", "json", "--fix", cwd=tmp_path)
    assert done.returncode == 2
    assert [finding["filename"] for finding in json.loads(done.stdout)] == ["b.py"]
    assert (tmp_path / "c.py").read_text() == SAME_FIXED
    assert done.stderr.decode().splitlines() == [
        "error: nowhere.py: cannot read: no such file or directory",
        "error: a.py: cannot decode as utf-8: byte 0xff at offset 5, line 1; "
        "save the file as UTF-8 or declare its encoding in the first line",
    ]


def test_findings_go_to_stdout_and_nothing_else_does(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED)
    done = padlint("check", ".", "gone.py", cwd=tmp_path)
    assert b"PAD401" in done.stdout
    assert b"gone.py" not in done.stdout
    assert b"PAD401" not in done.stderr


def test_quiet_prints_only_findings(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED, b=CLEAN)
    assert padlint("check", "-q", "b.py", cwd=tmp_path).stdout == b""
    assert b"Found" not in padlint("check", "-q", "a.py", cwd=tmp_path).stdout


def test_no_python_files_is_a_warning(tmp_path: Path) -> None:
    done = padlint("check", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"\n" if done.stdout else b"")
    assert b"warning: no Python files found in ." in done.stderr


def test_without_path_the_current_folder_is_checked(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", a=STRIDED)
    done = padlint("check", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{Path('sub', 'a.py')}:3:8: PAD401 ".encode())


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C while it waits for stdin: a message, no traceback, status 130."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import padlint.cli as c; print(1, flush=True); c.main(['check', '-'])"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in stderr
    assert b"Traceback" not in stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "padlint", "check", str(tmp_path)],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["error: cannot write the output: No space left on device"]
