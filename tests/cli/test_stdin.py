"""The source on stdin, as editors and hooks use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import BROKEN, CLEAN, SAME, SAME_FIXED, STRIDED, padlint


def test_findings_of_stdin_go_to_stdout(tmp_path: Path) -> None:
    done = padlint("check", "-", cwd=tmp_path, stdin=STRIDED.encode())
    assert done.returncode == 1
    assert done.stdout.startswith(b"<stdin>:3:8: PAD401")
    assert done.stderr == b""


def test_the_name_of_stdin_is_in_the_output(tmp_path: Path) -> None:
    arguments = ("check", "--output-format", "json", "--stdin-filename", "some/model.py")
    for path in ("-",), ():
        done = padlint(*arguments, *path, cwd=tmp_path, stdin=STRIDED.encode())
        assert {finding["filename"] for finding in json.loads(done.stdout)} == {str(Path("some/model.py"))}


def test_the_name_of_stdin_decides_on_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/padlint.toml").write_text(
        'ignore = ["PAD401"]\nforce-exclude = true\nexclude = ["gen"]\n'
    )
    named = ("check", "-", "--stdin-filename")
    assert padlint(*named, "sub/a.py", cwd=tmp_path, stdin=STRIDED.encode()).returncode == 0
    assert padlint(*named, "a.py", cwd=tmp_path, stdin=STRIDED.encode()).returncode == 1
    excluded = padlint(*named, "sub/gen/a.py", "--fix", cwd=tmp_path, stdin=SAME.encode())
    assert excluded.stdout == SAME.encode()


def test_fixed_source_goes_to_stdout_and_findings_to_stderr(tmp_path: Path) -> None:
    source = SAME + STRIDED
    done = padlint("check", "--fix", "-", cwd=tmp_path, stdin=source.encode())
    assert done.returncode == 1
    assert done.stdout.decode() == SAME_FIXED + STRIDED
    assert b"<stdin>:6:8: PAD401" in done.stderr
    assert b"1 fixed, 1 remaining" in done.stderr


@pytest.mark.parametrize(
    "source",
    [
        b"",
        CLEAN.encode(),
        BROKEN.encode(),
        b"# \xff\n",
        b"\xef\xbb\xbfx = 1\r\n",
        b"# coding: latin-1\n# \xe9\n",
    ],
)
def test_what_cannot_be_fixed_comes_out_as_it_went_in(tmp_path: Path, source: bytes) -> None:
    assert padlint("check", "--fix", "-", cwd=tmp_path, stdin=source).stdout == source


def test_bytes_of_stdin_survive(tmp_path: Path) -> None:
    source = b"\xef\xbb\xbf# caf\xc3\xa9\r\n" + SAME.replace("\n", "\r\n").encode()
    done = padlint("check", "--fix", "-", cwd=tmp_path, stdin=source)
    assert done.stdout == source.replace(b'"same"', b"1")


def test_diff_of_stdin(tmp_path: Path) -> None:
    done = padlint("check", "--diff", "-", "--stdin-filename", "m.py", cwd=tmp_path, stdin=SAME.encode())
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[:2] == ["--- m.py", "+++ m.py"]
    assert b"1 would be fixed, 0 would remain" in done.stderr


@pytest.mark.parametrize("arguments", [("-", "a.py"), ("a.py", "--stdin-filename", "b.py")])
def test_stdin_does_not_mix_with_paths(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = padlint("check", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert b"`-`" in done.stderr
