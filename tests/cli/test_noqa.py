"""`--add-noqa` silences what is there, and changes nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import SAME, STRIDED, padlint, write

TWO = STRIDED.replace("\n", "\r\n") + 'other = nn.Conv2d(3, 8,\r\n    3, stride=2, padding="same")\r\n'
OPEN = STRIDED.rstrip() + " + \\\n    other\n"


def test_silences_and_says_how_many(tmp_path: Path) -> None:
    write(tmp_path, a=TWO, b=STRIDED, c="x = 1\n")
    done = padlint("check", "--add-noqa", ".", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == b"Silenced 3 findings in 2 files\n"
    comment = b"  # noqa: PAD401\r\n"
    assert (tmp_path / "a.py").read_bytes() == TWO.encode().replace(b'"same")\r\n', b'"same")' + comment)
    again = padlint("check", "--add-noqa", ".", cwd=tmp_path)
    assert again.stderr == b"Silenced 0 findings in 0 files\n"
    assert padlint("check", ".", cwd=tmp_path).returncode == 0


def test_the_reason(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED)
    assert padlint("check", "--add-noqa=old weights", "a.py", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.py").read_text().endswith('padding="same")  # noqa: PAD401 old weights\n')


def test_only_what_is_selected(tmp_path: Path) -> None:
    write(tmp_path, a=STRIDED, b=SAME)
    padlint("check", "--select", "PAD305", "--add-noqa", ".", cwd=tmp_path)
    assert (tmp_path / "a.py").read_text() == STRIDED
    assert (tmp_path / "b.py").read_text() == SAME.rstrip() + "  # noqa: PAD305\n"


def test_where_no_comment_can_stand_it_says_so(tmp_path: Path) -> None:
    write(tmp_path, a=OPEN)
    done = padlint("check", "--add-noqa", "a.py", cwd=tmp_path)
    assert done.returncode == 1
    assert (tmp_path / "a.py").read_text() == OPEN
    assert b"a.py:3:8: PAD401 was not silenced: no row of it can hold a comment" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--add-noqa", "-"),
        ("--add-noqa", "--fix", "a.py"),
        ("--add-noqa", "--diff", "a.py"),
        ("--add-noqa=a # padlint: skip-file", "a.py"),
        ("--add-noqa=two\nlines", "a.py"),
    ],
)
def test_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path, a=STRIDED)
    assert padlint("check", *arguments, cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.py").read_text() == STRIDED
