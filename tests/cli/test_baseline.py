"""`padlint baseline`, and `check --baseline`: only what is new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import SAME, STRIDED, padlint, write

NAME = ".padlint-baseline.json"
OTHER = 'other = nn.Conv2d(3, 8, 5, stride=2, padding="same")\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    write(tmp_path, a=STRIDED, b="x = 1\n")
    write(tmp_path / "pkg", c=STRIDED + STRIDED.splitlines()[-1] + "\n")
    done = padlint("baseline", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        0,
        (
            b"Wrote .padlint-baseline.json: 3 findings in 2 files; "
            b"`padlint check --baseline .padlint-baseline.json` passes over them\n"
        ),
    )
    return tmp_path


def check(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = padlint("check", "--baseline", NAME, "--output-format", "concise", *arguments, ".", cwd=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_what_is_known_is_passed_over(project: Path) -> None:
    first = (project / NAME).read_bytes()
    data = json.loads(first)
    assert data["version"] == 1
    assert [*data["files"]] == ["a.py", "pkg/c.py"]
    assert [[*kinds.values()] for kinds in data["files"].values()] == [[1], [2]]
    assert check(project)[0] == 0
    padlint("baseline", cwd=project)
    assert (project / NAME).read_bytes() == first
    assert check(project, "--no-baseline")[0] == 1


def test_lines_and_white_space_do_not_matter(project: Path) -> None:
    write(project, a=STRIDED.replace("\n\n", "\n\n\n\nx = 1\n").replace(", ", ",\n    "))
    assert check(project)[0] == 0


def test_what_is_new_is_reported(project: Path) -> None:
    write(project, a=STRIDED + OTHER)
    status, shown, _ = check(project)
    assert status == 1
    assert [line.partition(": ")[0] for line in shown.splitlines()[:-1] if line] == ["a.py:4:9"]


def test_one_more_of_the_same_is_new(project: Path) -> None:
    write(project / "pkg", c=STRIDED + 2 * (STRIDED.splitlines()[-1] + "\n"))
    assert check(project)[1].startswith("pkg/c.py:5:8: ")


def test_a_file_may_move(project: Path) -> None:
    (project / "a.py").rename(project / "pkg" / "a.py")
    assert check(project)[0] == 0


def test_what_is_gone_is_said(project: Path) -> None:
    write(project, a="x = 1\n")
    status, _, said = check(project)
    assert (status, said) == (0, "1 finding of the baseline is gone: `padlint baseline` writes a new one\n")
    assert check(project, "--select", "PAD101")[2] == ""


def test_fixes_leave_alone_what_is_known(project: Path) -> None:
    write(project, a=STRIDED + OTHER)
    check(project, "--fix", "--unsafe-fixes")
    assert (project / "a.py").read_text().startswith(STRIDED)
    assert 'padding="same"' not in (project / "a.py").read_text().splitlines()[-1]


def test_from_the_configuration(project: Path) -> None:
    (project / "padlint.toml").write_text(f'baseline = "{NAME}"\n')
    assert padlint("check", ".", cwd=project).returncode == 0
    assert padlint("check", "../a.py", cwd=project / "pkg").returncode == 0


def test_a_part_keeps_the_rest(project: Path) -> None:
    write(project, a=SAME)
    padlint("baseline", "a.py", cwd=project)
    assert [*json.loads((project / NAME).read_bytes())["files"]] == ["a.py", "pkg/c.py"]
    (project / "pkg" / "c.py").unlink()
    padlint("baseline", "a.py", cwd=project)
    assert [*json.loads((project / NAME).read_bytes())["files"]] == ["a.py"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the baseline: no such file or directory; `padlint baseline` writes one"),
        ("{", "no baseline: Expecting"),
        ("[]", "no baseline: expected an object"),
        ('{"version": 2, "files": {}}', "a baseline of version 2; this padlint reads version 1"),
        ('{"version": 1, "files": {"a.py": {"PAD101 x": "1"}}}', "has to say how often"),
        ("[" * 100_000, "no baseline: "),
    ],
)
def test_what_is_no_baseline_is_an_error(tmp_path: Path, content: str | None, said: str) -> None:
    write(tmp_path, a=STRIDED)
    if content is not None:
        (tmp_path / NAME).write_text(content)
    status, shown, error = check(tmp_path)
    assert (status, shown) == (2, "")
    assert said in error
    assert content is None or padlint("baseline", cwd=tmp_path).returncode == 2
