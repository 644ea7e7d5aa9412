"""Which files a trace is used for: those that it names, however they are reached, if they are as they ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.traces.file import dumps
from padlint.traces.model import Layer, Place, Run, Trace, digest
from tests.cli.command import padlint

NET = """\
from keras import layers


def block(x, k):
    return layers.Conv2D(8, k, 2, padding="same")(x)
"""
STALE = (
    b"net.py: it has changed since it was traced, so the trace was not used for it; run `padlint trace` again"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a file, its trace, and other ways to reach it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "net.py").write_text(NET)
    arguments = (("kernel", (3, 3)), ("stride", (2, 2)), ("padding", "same"), ("dilation", (1, 1)))
    run = Run(arguments, "channels_last", (64, 64), (32, 32), "float32")
    trace, place = Trace(), Place("net.py", 5, 12, 5, 50)
    trace.add(Layer("conv", place, "keras.layers.Conv2D", run, (3, 3), (2, 2)), digest(NET.encode()))
    (folder / "t.json").write_text(dumps(trace, "."))
    (folder / "link.py").symlink_to("net.py")
    (tmp_path / "linked").symlink_to("project")
    (folder / "renamed.py").write_text(NET)
    (tmp_path / "net.py").write_text(NET)
    return folder


@pytest.mark.parametrize(
    "path", ["net.py", "link.py", "../linked/net.py", "../linked/link.py", "./../project/net.py"]
)
def test_the_traced_file(project: Path, path: str) -> None:
    done = padlint("check", "--isolated", "--trace", "t.json", path, cwd=project)
    assert (done.returncode, b"seen once in the traced run, size 64" in done.stdout) == (1, True)


@pytest.mark.parametrize("path", ["renamed.py", "../net.py"])
def test_another_file(project: Path, path: str) -> None:
    done = padlint("check", "--isolated", "--trace", "t.json", path, cwd=project)
    assert done.returncode == 0
    assert b"traced run" not in done.stdout


@pytest.mark.parametrize("flags", [(), ("--fix", "--unsafe-fixes"), ("--diff", "--unsafe-fixes")])
def test_a_changed_file(project: Path, flags: tuple[str, ...]) -> None:
    changed = NET.replace("8, k", "16, k")
    (project / "net.py").write_text(changed)
    for path in ("net.py", "link.py"):
        done = padlint("check", "--isolated", "--trace", "t.json", *flags, path, cwd=project)
        assert done.returncode == 2
        assert STALE.replace(b"net.py", path.encode()) in done.stderr
    assert (project / "net.py").read_text() == changed


def test_a_file_is_fixed_once(project: Path) -> None:
    """The fix changes the file too: the trace is not of that text."""
    flags = ("check", "--isolated", "--trace", "t.json", "--fix", "--unsafe-fixes", "net.py")
    assert padlint(*flags, cwd=project).returncode == 0
    fixed = (project / "net.py").read_text()
    assert "ZeroPadding2D(((0, 1), (0, 1)))" in fixed
    again = padlint(*flags, cwd=project)
    assert again.returncode == 2
    assert STALE in again.stderr
    assert (project / "net.py").read_text() == fixed


def test_other_files_go_on(project: Path) -> None:
    (project / "net.py").write_text(NET + "\n")
    (project / "other.py").write_text(NET.replace(", k,", ", 4,"))
    done = padlint("check", "--isolated", "--trace", "t.json", "--fix", "net.py", "other.py", cwd=project)
    assert done.returncode == 2
    assert "ZeroPadding2D(((1, 2), (1, 2)))" in (project / "other.py").read_text()
