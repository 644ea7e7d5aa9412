"""`--watch`: a process that runs again when a file has changed, and ends when it is interrupted."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from padlint.cli import cli
from tests.cli.command import CLEAN, ROOT, SAME, SAME_FIXED, STRIDED, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
WITHOUT = "import sys; sys.modules['watchfiles'] = None; import importlib.util as u\nf = u.find_spec\n"
WITHOUT += "u.find_spec = lambda name, *a: None if name == 'watchfiles' else f(name, *a)\n"
RUN = "import padlint.cli\npadlint.cli.main()"


class Watched:
    """The command with `--watch`, and the lines that it prints."""

    def __init__(self, folder: Path, *arguments: str, polling: bool) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WITHOUT * polling + RUN, "check", "--watch", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def until_it_waits(self) -> str:
        """What the run has printed."""
        shown = ""
        while "watching for changes" not in (line := self._lines.get(timeout=120)):
            shown += line
        return shown


@pytest.fixture(params=[False, True], ids=["told", "polling"])
def polling(request: pytest.FixtureRequest) -> bool:
    if not request.param:
        pytest.importorskip("watchfiles")
    return bool(request.param)


def test_a_change_runs_it_again(tmp_path: Path, polling: bool) -> None:
    write(tmp_path, a=CLEAN)
    watched = Watched(
        tmp_path, "--output-format", "concise", "--select", "PAD305,PAD401", ".", polling=polling
    )
    try:
        assert watched.until_it_waits() == "All checks passed!\n"
        write(tmp_path, a=SAME)
        assert "a.py:3:8: PAD305" in watched.until_it_waits()
        write(tmp_path, b=STRIDED)  # a new file
        assert "b.py:3:8: PAD401" in watched.until_it_waits()
        (tmp_path / "padlint.toml").write_text("ignore = ['PAD401']\n")  # does not count: --select does
        (tmp_path / "a.py").unlink()
        assert "a.py" not in watched.until_it_waits()
        (tmp_path / "padlint.toml").write_text("fixx = 1\n")
        assert "fixx: unknown setting" in watched.until_it_waits(), "it goes on"
    finally:
        watched.process.send_signal(signal.SIGINT)
        status = watched.process.wait(timeout=60)
    assert status == 0


def test_it_fixes_what_is_saved(tmp_path: Path, polling: bool) -> None:
    write(tmp_path, a=CLEAN)
    watched = Watched(tmp_path, "--fix", "a.py", polling=polling)
    try:
        watched.until_it_waits()
        write(tmp_path, a=SAME)
        assert "1 fixed" in watched.until_it_waits()
        assert (tmp_path / "a.py").read_text() == SAME_FIXED
        assert watched.until_it_waits() == "All checks passed!\n", "its own change is one, too"
    finally:
        watched.process.send_signal(signal.SIGINT)
        assert watched.process.wait(timeout=60) == 0


def test_stdin_cannot_be_watched() -> None:
    done = CliRunner().invoke(cli, ["check", "--watch", "-"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--watch needs files" in done.stderr
