"""A tree of many small files to fix, and a run of the command over it that something happens to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.command import ROOT, SAME, SAME_FIXED

COMMENT = "# a line of code that pads nothing, like many others\n" * 20
BEFORE, AFTER = (SAME + COMMENT).encode(), (SAME_FIXED + COMMENT).encode()
FIX = ("check", "--isolated", "--select", "PAD305", "--fix", ".")
_COMMAND = "from padlint.cli import main; main()"
_LIMIT = 120.0


class Tree:
    """Files of equal content, each with one fix, large enough together for several processes."""

    def __init__(self, folder: Path, count: int = 200) -> None:
        self.folder = folder
        self.paths = [folder / f"m{number:03}.py" for number in range(count)]
        for path in self.paths:
            path.write_bytes(BEFORE)

    def fixed(self) -> set[str]:
        """The files that are fixed. Each has to be either as it was or fixed, never in between."""
        contents = {path.name: path.read_bytes() for path in self.paths}
        assert set(contents.values()) <= {BEFORE, AFTER}
        return {name for name, content in contents.items() if content == AFTER}

    def others(self) -> list[str]:
        """What is in the folder besides."""
        known = {path.name for path in self.paths}
        return sorted(entry.name for entry in self.folder.iterdir() if entry.name not in known)

    def start(self, *flags: str, command: str = _COMMAND) -> subprocess.Popen[str]:
        """Fix the tree, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", command, *FIX, *flags],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for(self, count: int, process: subprocess.Popen[str]) -> None:
        """Until so many files are fixed."""
        ends = time.monotonic() + _LIMIT
        while process.poll() is None and sum(map(_is_fixed, self.paths)) < count:
            assert time.monotonic() < ends
            time.sleep(0.001)

    def run(self, *flags: str, command: str = _COMMAND) -> tuple[int, str]:
        """Fix the tree; exit status and what was said."""
        process = self.start(*flags, command=command)
        _, said = process.communicate(timeout=_LIMIT)
        return process.returncode, said


def _is_fixed(path: Path) -> bool:
    return path.stat().st_size != len(BEFORE)


def wait_for_end(group: int) -> None:
    """Until no process of a group is left."""
    ends = time.monotonic() + _LIMIT
    while _alive(group):
        assert time.monotonic() < ends, "a child outlives its parent"
        time.sleep(0.01)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return any(_runs(int(entry.name), group) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _runs(pid: int, group: int) -> bool:
    """Whether a process of the group still does something: one that only nobody waits for does not."""
    try:
        state, _, own = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return int(own) == group and state != "Z"


def send(process: subprocess.Popen[str], number: signal.Signals, *, everyone: bool) -> None:
    """A signal, as a terminal sends it to the whole group or as `kill` does."""
    if everyone:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
