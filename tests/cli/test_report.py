"""`--report` and `padlint report`: what a run did, for people."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import BROKEN, SAME, SAME_FIXED, STRIDED, padlint, write
from tests.files.tree import Tree, send, wait_for_end
from tests.rules.table import each

ISOLATED = ("--isolated", "--select", "PAD001,PAD305,PAD401")
REFUSED = {
    "a source": (("--report", "a.py"), "would overwrite source"),
    "a notebook": (("--report", "a.ipynb"), "would overwrite source"),
    "a folder": (("--report", "."), "is a folder"),
    "nowhere": (("--report", "no/where.md"), "is in no folder that exists"),
    "stdin": (("--report", "r.md", "-"), "--report needs files; the source is on stdin."),
    "comments": (("--report", "r.md", "--add-noqa"), "--add-noqa and --report exclude each other."),
}


def counted(text: str) -> dict[str, int]:
    return {label: int(count) for label, count in re.findall(r"^\| (\w[^|]*) \| (\d+) \|$", text, re.M)}


def files(tmp_path: Path) -> None:
    write(tmp_path, a=SAME, b=STRIDED, broken=BROKEN, clean="x = 1\n", bad=b"\xff Conv2d torch\n")


@pytest.mark.parametrize("output", ["text", "json", "sarif", "concise"])
def test_beside_any_format(tmp_path: Path, output: str) -> None:
    files(tmp_path)
    flags = ("check", *ISOLATED, "--output-format", output, ".")
    plain = padlint(*flags, cwd=tmp_path)
    done = padlint(*flags, "--report", "r.md", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    report = (tmp_path / "r.md").read_text()
    counts = counted(report)
    assert (counts["Files"], counts["Fixed"], counts["Left"], counts["Failed"]) == (5, 0, 3, 1)
    assert "- `bad.py`: cannot decode as utf-8" in report


def test_of_fixes(tmp_path: Path) -> None:
    files(tmp_path)
    done = padlint("check", *ISOLATED, "--fix", "--report", "r.md", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "a.py").read_text() == SAME_FIXED
    report = (tmp_path / "r.md").read_text()
    counts = counted(report)
    assert (counts["Fixed"], counts["Left"], counts["Failed"]) == (1, 2, 1)
    fixed = report[report.index("## `a.py`") : report.index("## `b.py`")]
    assert "### Fixed" in fixed
    assert "- **PAD305** same-string, line 3, column 8: " in fixed
    assert "  - Proof: taps equal at all sizes" in fixed
    assert "  - Numbers: of `torch.nn.Conv2d`, size ?, kernel 3, stride 1, dilation 1" in fixed


def test_of_a_diff(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = padlint("check", *ISOLATED, "--diff", "--report", "r.md", ".", cwd=tmp_path)
    assert done.stdout.startswith(b"--- a.py")
    assert (tmp_path / "a.py").read_text() == SAME
    assert counted((tmp_path / "r.md").read_text())["Would be fixed"] == 1


def test_what_the_baseline_has_is_counted(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    padlint("baseline", *ISOLATED, "-o", "b.json", ".", cwd=tmp_path)
    padlint("check", *ISOLATED, "--baseline", "b.json", "--report", "r.md", ".", cwd=tmp_path)
    counts = counted((tmp_path / "r.md").read_text())
    assert (counts["Left"], counts["Passed over, since the baseline has them"]) == (0, 1)


@each(REFUSED)
def test_refused(row: tuple[tuple[str, ...], str], tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = padlint("check", *row[0], cwd=tmp_path)
    assert done.returncode == 2
    assert row[1] in " ".join(done.stderr.decode().split())
    assert (tmp_path / "a.py").read_text() == SAME


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = padlint("check", *ISOLATED, "--report", "/dev/full", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert b"/dev/full: cannot write: no space left on device" in done.stderr


def test_page(tmp_path: Path) -> None:
    files(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "pyproject.toml").write_text("[tool.padlint]\nfix = true\ndiff = true\n")
    done = padlint("report", ".", "-o", "r.html", cwd=tmp_path)
    assert done.returncode == 2  # a file could not be decoded
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "+conv = nn.Conv2d(3, 8, 3, padding=1)" in page
    assert {path: path.read_bytes() for path in before} == before


def test_markdown_by_the_command(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = padlint("report", *ISOLATED[:1], "a.py", "-o", "r.md", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"Wrote r.md\n")
    assert counted((tmp_path / "r.md").read_text())["Left, with a safe fix"] == 1


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="signals of Linux")


@LINUX
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_of_an_interrupted_run(tmp_path: Path, jobs: str, number: signal.Signals) -> None:
    tree = Tree(tmp_path)
    report = tmp_path / "report.md"
    report.write_text("of yesterday")
    process = tree.start("-j", jobs, "--report", "report.md")
    tree.wait_for(40, process)
    send(process, number, everyone=True)
    process.communicate(timeout=60)
    wait_for_end(process.pid)
    assert process.returncode == 128 + number
    fixed, text = tree.fixed(), report.read_text()
    assert 0 < len(fixed) < 200
    assert f"interrupted: {len(fixed)} of 200 files were done, the others are as they were." in text
    assert (counted(text)["Files"], counted(text)["Fixed"]) == (200, len(fixed))
    assert set(re.findall(r"^## `(\S+)`$", text, re.M)) == fixed
    assert tree.others() == ["report.md"]


_IN_DISCOVERY = """
import os, signal
from padlint.cli import main
from padlint.files import Discovery
def collect(self, paths):
    os.kill(os.getpid(), signal.SIGTERM)
Discovery.collect = collect
main()
"""


@LINUX
def test_interrupted_while_files_are_looked_for(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = subprocess.run(
        [sys.executable, "-c", _IN_DISCOVERY, "check", "--report", "r.md", "--output-format", "json", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 128 + signal.SIGTERM
    assert json.loads(done.stdout) == []
    assert b"interrupted while files were looked for: none was done" in done.stderr
    assert "**This report is incomplete**: interrupted while files" in (tmp_path / "r.md").read_text()
