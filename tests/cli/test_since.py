"""`--since REV`: only what touches changed lines, as the real Git sees them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import SAME, STRIDED, padlint, write

CALL = STRIDED.splitlines()[-1]
ALIKE = STRIDED + "x = 1\n" + CALL + "\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    subprocess.run(
        ["git", *identity, "-C", folder, *arguments], check=True, capture_output=True, env=environment
    )


def committed(folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, a=ALIKE, b=STRIDED)
    committed(tmp_path)
    return tmp_path


def found(folder: Path, *arguments: str, status: int = 1) -> list[str]:
    done = padlint(
        *("check", "--since", "HEAD", "--output-format", "concise", "--quiet"), *arguments, cwd=folder
    )
    assert done.returncode == status, done.stderr
    return [line.rsplit(":", 2)[0] for line in done.stdout.decode().splitlines() if ": PAD" in line]


def rows(folder: Path, *arguments: str, status: int = 1) -> list[str]:
    return [":".join(place.split(":")[:2]) for place in found(folder, *arguments, status=status)]


def test_nothing_changed(project: Path) -> None:
    assert rows(project, status=0) == []


def test_only_changed_lines(project: Path) -> None:
    write(project, a="y = 0\n" + ALIKE + CALL + "\n")
    assert rows(project) == ["a.py:7"]


def test_a_row_inside_of_the_call(project: Path) -> None:
    text = ALIKE.replace('"same")\n', '"same",\n    bias=True,\n    )\n')
    write(project, a=text)
    git(project, "commit", "-qam", "long")
    write(project, a=text.replace("    bias=True,\n", "", 1))  # deleted
    assert rows(project) == ["a.py:3"]
    write(project, a=text.replace("bias=True", "bias=False", 1))
    assert rows(project) == ["a.py:3"]
    write(project, a=text.replace("x = 1\n", ""))  # deleted between them
    assert rows(project, status=0) == []


def test_new_renamed_and_odd_files(project: Path) -> None:
    (project / "b.py").rename(project / 'ö "1"\t.py')
    (project / "a.py").rename(project / "with blank.py")
    git(project, "add", "-A")
    assert rows(project, status=0) == []
    text = (project / 'ö "1"\t.py').read_text()
    (project / 'ö "1"\t.py').write_text(text.replace("8", "9"))
    (project / "with blank.py").write_text(ALIKE.replace("8", "9", 1))
    write(project, untracked=STRIDED)
    assert len(found(project)) == 3


def test_lines_that_look_like_a_diff(project: Path) -> None:
    write(project, a=ALIKE + '"""\n++ b/b.py\n@@ -1 +1,9 @@\n"""', b=STRIDED + '""" \n@@ -1 +1 @@ """')
    assert rows(project, status=0) == []


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends(project: Path, end: str) -> None:
    text = ALIKE.replace("\n", end)
    (project / "a.py").write_bytes(text.encode())
    git(project, "commit", "-qam", "ends")
    (project / "a.py").write_bytes((text + CALL.replace("8", "9") + end).encode())
    assert rows(project) == (["a.py:6"] if end == "\r\n" else ["a.py:3", "a.py:5", "a.py:6"])


def test_fixes_stay_inside(project: Path) -> None:
    write(project, c=SAME)
    committed(project)
    write(project, c=SAME + SAME.splitlines()[-1].replace("conv", "other") + "\n")
    padlint("check", "--since", "HEAD", "--fix", cwd=project)
    assert (project / "c.py").read_text() == SAME + "other = nn.Conv2d(3, 8, 3, padding=1)\n"


def test_a_submodule_is_compared_with_what_the_project_recorded(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    for folder in (inner, outer):
        folder.mkdir()
        write(folder, a=ALIKE)
        committed(folder)
    git(outer, "submodule", "add", "-q", str(inner), "sub")
    git(outer, "commit", "-qm", "sub")
    assert rows(outer, status=0) == []
    write(outer / "sub", a=ALIKE + CALL + "\n")
    git(outer / "sub", "commit", "-qam", "later")
    assert rows(outer) == ["sub/a.py:6"]
    done = padlint("check", "--quiet", "--since", "HEAD~1", "--output-format", "concise", cwd=outer)
    assert done.stdout.count(b"sub/a.py") == 3, "it was no part of the project"


def test_what_cannot_be_done_is_an_error(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in ("nowhere", "--output=x", ""):
        done = padlint("check", f"--since={name}", cwd=project)
        assert done.returncode == 2
        assert b"is no revision of" in done.stderr
    assert not (project / "x").exists()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere, a=STRIDED)
    done = padlint("check", "--since", "HEAD", cwd=elsewhere)
    assert done.returncode == 2
    assert b"a.py is in no Git repository" in done.stderr
    done = padlint("check", "--since", "HEAD", cwd=project, PATH="")
    assert (done.returncode, b"git cannot be run" in done.stderr) == (2, True)
