"""Runs that are killed, interrupted, raced or starved: every file is as it was or fixed, never in between."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.cli.command import ROOT
from tests.files.tree import AFTER, BEFORE, FIX, Tree, send, wait_for_end

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals, limits and mounts of Linux")
ROOT_ONLY = pytest.mark.skipif(sys.platform == "linux" and os.getuid() != 0, reason="needs the superuser")
JOBS = pytest.mark.parametrize("jobs", ["1", "2"])


@JOBS
def test_a_killed_run_leaves_whole_files(tmp_path: Path, jobs: str) -> None:
    tree, random = Tree(tmp_path), Random(jobs)
    for count in sorted(random.sample(range(1, 180), 3)):
        process = tree.start("-j", jobs)
        tree.wait_for(count, process)
        process.kill()
        process.communicate()
        wait_for_end(process.pid)
        assert count <= len(tree.fixed()) < 200
        assert all(re.fullmatch(r"\.m\d+\.py\.padlint-new", name) for name in tree.others())
        assert len(tree.others()) <= int(jobs)
    assert tree.run("-j", jobs) == (0, "")
    assert len(tree.fixed()) == 200
    assert tree.others() == []


@JOBS
@pytest.mark.parametrize("everyone", [True, False], ids=["group", "parent"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_what_it_fixed(
    tmp_path: Path, jobs: str, everyone: bool, number: signal.Signals
) -> None:
    tree = Tree(tmp_path)
    process = tree.start("-j", jobs, "-v")
    tree.wait_for(Random(f"{jobs} {everyone} {number}").randrange(1, 120), process)
    send(process, number, everyone=everyone)
    stdout, stderr = process.communicate(timeout=60)
    wait_for_end(process.pid)
    assert process.returncode == 128 + number
    assert "Traceback" not in stderr
    fixed = tree.fixed()
    assert 0 < len(fixed) < 200
    assert set(re.findall(r"^note: (\S+): PAD305 fixed$", stderr, re.M)) == fixed
    assert f"interrupted: {len(fixed)} of 200 files were done, the others are as they were" in stderr
    assert "All checks passed" not in stdout
    assert tree.others() == []


def test_an_interrupt_before_the_first_file() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "padlint", "check", "-"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    while _handles_interrupts(process.pid):
        pass
    process.send_signal(signal.SIGTERM)
    said = process.stderr.read()
    assert process.wait(60) == 143
    assert said.strip() == b"error: interrupted"


def _handles_interrupts(pid: int) -> bool:
    """Whether the process still does what the system does when it is asked to end."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(re.findall(r"^SigCgt:\s*(\w+)", status, re.M)[0], 16)
    return not caught >> (signal.SIGTERM - 1) & 1


def test_two_runs_at_once(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    for path in tree.paths[::4]:
        path.with_suffix(".txt").hardlink_to(path)  # overwritten in place
    processes = [tree.start("-j", jobs) for jobs in ("1", "2")]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert (said, [process.returncode for process in processes]) == (["", ""], [0, 0])
    assert len(tree.fixed()) == 200
    assert [name for name in tree.others() if not name.endswith(".txt")] == []
    assert all(path.samefile(path.with_suffix(".txt")) for path in tree.paths[::4])


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
from padlint.cli import main
main()
"""


@pytest.mark.parametrize("linked", [False, True])
def test_a_limit_of_file_size(tmp_path: Path, linked: bool) -> None:
    tree = Tree(tmp_path, 2)
    if linked:
        tree.paths[0].with_suffix(".txt").hardlink_to(tree.paths[0])
    small = tmp_path / "small.py"
    small.write_bytes(BEFORE[:120])
    status, said = tree.run(command=LIMITED)
    assert status == 2
    assert said == "".join(
        f"error: {path.name}: cannot write: file too large; nothing was changed\n" for path in tree.paths
    )
    assert tree.fixed() == set()
    assert small.read_bytes() == AFTER[: len(AFTER) - len(BEFORE) + 120]
    assert [name for name in tree.others() if name.startswith(".")] == []


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "mounted"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=False).returncode:
        pytest.skip("this machine lets nobody mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@ROOT_ONLY
@pytest.mark.parametrize("linked", [False, True])
def test_a_full_disk(mounted: Path, linked: bool) -> None:
    tree = Tree(mounted, 3)
    if linked:
        for path in tree.paths:
            path.with_suffix(".txt").hardlink_to(path)
    filler = mounted / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            pass
    status, said = tree.run()
    assert status == 2
    assert said == "".join(
        f"error: {path.name}: cannot write: no space left on device; nothing was changed\n"
        for path in tree.paths
    )
    assert tree.fixed() == set()
    assert [name for name in tree.others() if name.startswith(".")] == []
    filler.unlink()
    assert tree.run() == (0, "")
    assert len(tree.fixed()) == 3


@ROOT_ONLY
def test_a_read_only_file_system(mounted: Path) -> None:
    tree = Tree(mounted, 2)
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    status, said = tree.run()
    assert status == 2
    assert said.count("the file is read-only; nothing was written") == 2
    assert tree.fixed() == set()


AS_NOBODY = """
import os, sys
from click.testing import CliRunner
from padlint.cli import cli, main
CliRunner().invoke(cli, ["check", "--isolated", "--select", "PAD305", "--fix", "-"], input=sys.argv.pop(1))
CliRunner().invoke(cli, ["check", "nowhere"])
import fcntl, pkgutil, padlint.files, padlint.formats
for package in padlint.files, padlint.formats:  # nobody may read what the superuser installed
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        __import__(module.name)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
main(sys.argv[1:])
"""


@ROOT_ONLY
def test_without_the_right_to_write(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Files and folders of others, as seen by a user without privileges."""
    base = tmp_path_factory.mktemp("shared")
    code = tmp_path_factory.mktemp("code")
    shutil.copytree(ROOT / "padlint", code / "padlint")  # the checkout may be for its owner alone
    for folder in (code, base, *base.parents):
        if "pytest-of-" not in str(folder):
            break
        folder.chmod(0o755)
    tree = Tree(base, 6)
    good, read_only, foreign, lent, inner, unreadable = tree.paths
    locked = base / "locked"
    locked.mkdir()
    inner = inner.rename(locked / "inner.py")
    tree.paths[4] = inner
    os.chown(base, 65534, 65534)
    for path in (good, read_only, inner):
        os.chown(path, 65534, 65534)
    read_only.chmod(0o444)
    lent.chmod(0o666)
    unreadable.chmod(0o600)
    number = lent.stat().st_ino
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, BEFORE, *FIX],
        cwd=base,
        env={**os.environ, "PYTHONPATH": str(code)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert sorted(done.stderr.splitlines()) == [
        "error: locked/inner.py: its folder is read-only; nothing was written",
        "error: m001.py: the file is read-only; nothing was written",
        "error: m002.py: the file is read-only; nothing was written",
        "error: m005.py: cannot read: permission denied",
    ]
    assert {path for path in tree.paths if path.read_bytes() == AFTER} == {good, lent}
    status = lent.stat()
    assert (status.st_ino, status.st_uid, status.st_mode & 0o777) == (number, 0, 0o666)
    assert tree.others() == ["locked"]
    assert foreign.read_bytes() == read_only.read_bytes() == BEFORE
