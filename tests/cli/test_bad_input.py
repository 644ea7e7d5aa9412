"""Every kind of file that other fixers damage: said clearly or fixed faithfully, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from padlint.cli import cli
from tests.cli.command import BROKEN, SAME, SAME_FIXED, STRIDED, padlint, write

CALL, FIXED_CALL = b'nn.Conv2d(3, 8, 3, padding="same")', b"nn.Conv2d(3, 8, 3, padding=1)"
HEAD = b"import torch.nn as nn\n"

FAITHFUL = {
    "latin-1 cookie": b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + HEAD + b"c = " + CALL + b"\n",
    "cp1252 cookie in the second line": b"#!/usr/bin/python\n# vim: fileencoding=cp1252\n# \x80\n"
    + HEAD
    + b"c = "
    + CALL
    + b"\n",
    "letters beside the cookie": b"# \xe9 -*- coding: latin-1 -*-\n" + HEAD + b"c = " + CALL + b"\n",
    "byte order mark": b"\xef\xbb\xbf" + HEAD + b"c = " + CALL + b"\n",
    "byte order mark and cookie": b"\xef\xbb\xbf# coding: utf-8\n# \xc3\xa9\n"
    + HEAD
    + b"c = "
    + CALL
    + b"\n",
    "CRLF": HEAD.replace(b"\n", b"\r\n") + b"c = " + CALL + b"\r\n# end\r\n",
    "mixed line ends": HEAD + b"a = 1\r\nc = " + CALL + b"\r\nb = 2\n",
    "CR only": HEAD.replace(b"\n", b"\r") + b"c = " + CALL + b"\rd = 1\r",
    "tabs": HEAD + b"class A:\n\tdef f(self):\n\t\tself.c = " + CALL + b"\n",
    "form feed": HEAD + b"\x0c\ndef f():\n    return " + CALL + b"\n\x0c\n",
    "form feed in a line": HEAD + b"x = 1 \x0c\nc = " + CALL + b"  # \x0c\n",
    "no final newline": HEAD + b"c = " + CALL,
    "comments inside the call": HEAD
    + b'c = nn.Conv2d(  # one\n    3,  # two\n    8, 3,\n    # three\n    padding="same",  # four\n)\n',
    "nested calls": HEAD + b"c = nn.Sequential(" + CALL + b", nn.Sequential(" + CALL + b"))\n",
    "several on one line": HEAD + b"a = " + CALL + b"; b = " + CALL + b"\n",
    "line separator in a string": HEAD + "s = '\u2028\x85'; c = ".encode() + CALL + b"\n",
    "wide characters": HEAD + "s = '日本語', ".encode() + CALL + b"\n",
}


@pytest.mark.parametrize("name", FAITHFUL)
def test_a_fix_changes_nothing_but_the_padding(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content = FAITHFUL[name]
    write(tmp_path, model=content)
    arguments = ["check", "--fix", "--select", "PAD305", "."]
    done = CliRunner().invoke(cli, arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (tmp_path / "model.py").read_bytes() == content.replace(b'padding="same"', b"padding=1")
    assert os.listdir(tmp_path) == ["model.py"]  # noqa: PTH208 - no temporary file is left
    assert CliRunner().invoke(cli, arguments).output == "All checks passed!\n"


UNDECODABLE = {
    "bytes that are no UTF-8": (HEAD + b"c = " + CALL + b"  # \xe9\n", "byte 0xe9 at offset"),
    "the same in a later line": (b"# a\n# b\n# \xff\n", "byte 0xff at offset 10, line 3"),
    "unknown cookie": (b"# coding: klingon\n" + HEAD, "unknown encoding: klingon"),
    "cookie that is no text encoding": (b"# coding: rot13\n# \xc3\xa9\n", "not a text encoding"),
    "byte order mark against the cookie": (b"\xef\xbb\xbf# coding: latin-1\nx = '\xc3\xa9'\n", "encoding"),
    "UTF-16": ("import torch\n".encode("utf-16"), "byte 0xff at offset 0"),
}


@pytest.mark.parametrize("name", UNDECODABLE)
def test_undecodable_files_are_left_alone(tmp_path: Path, name: str) -> None:
    content, message = UNDECODABLE[name]
    write(tmp_path, bad=content)
    done = padlint("check", "--fix", "bad.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: bad.py: ")
    assert message in done.stderr.decode()
    assert b"All checks passed" not in done.stdout
    assert (tmp_path / "bad.py").read_bytes() == content


def test_empty_file(tmp_path: Path) -> None:
    write(tmp_path, empty=b"")
    done = padlint("check", "--fix", "empty.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"All checks passed!\n", b"")


def test_syntax_error_is_a_finding(tmp_path: Path) -> None:
    write(tmp_path, broken=BROKEN, good=SAME)
    done = padlint("check", "--fix", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert b"broken.py:" in done.stdout
    assert b"PAD001" in done.stdout
    assert (tmp_path / "broken.py").read_text() == BROKEN
    assert (tmp_path / "good.py").read_text() == SAME_FIXED


def test_nul_bytes(tmp_path: Path) -> None:
    content = HEAD + b"s = '\0'\nc = " + CALL + b"\n"
    write(tmp_path, nul=content)
    done = padlint("check", "--fix", "nul.py", cwd=tmp_path)
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "nul.py").read_bytes() in (content, content.replace(CALL, FIXED_CALL))


def test_a_large_file(tmp_path: Path) -> None:
    lines = (
        b"def f(x):\n" + b"    y = x + 1  # a line of code like many others\n" * 20 + b"    return y\n\n\n"
    )
    content = HEAD + lines * (1_000_000 // len(lines)) + b"c = " + CALL + b"\n"
    write(tmp_path, large=content)
    done = padlint("check", "--fix", "--select", "PAD305", "large.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "large.py").read_bytes() == content.replace(CALL, FIXED_CALL)


def test_read_only_file(tmp_path: Path) -> None:
    """Refused for the superuser, too."""
    write(tmp_path, a=SAME, b=SAME)
    (tmp_path / "a.py").chmod(0o444)
    done = padlint("check", "--fix", "--output-format", "json", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == b"error: a.py: the file is read-only; nothing was written\n"
    assert b'"filename": "a.py"' in done.stdout, "the problem that is left must be listed"
    assert b'"filename": "b.py"' not in done.stdout
    assert (tmp_path / "a.py").read_text() == SAME
    assert (tmp_path / "b.py").read_text() == SAME_FIXED
    assert (tmp_path / "a.py").stat().st_mode & 0o777 == 0o444


def test_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    write(folder, a=SAME)
    folder.chmod(0o555)
    try:
        done = padlint("check", "--fix", ".", cwd=tmp_path)
    finally:
        folder.chmod(0o755)
    assert done.returncode == 2
    assert b"its folder is read-only; nothing was written" in done.stderr
    assert (folder / "a.py").read_text() == SAME


@pytest.mark.skipif(os.name == "nt", reason="POSIX file types")
def test_things_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    write(tmp_path / "folder.py", inner=STRIDED)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "dangling.py").symlink_to("nowhere")
    (tmp_path / "round").symlink_to(tmp_path)
    done = padlint("check", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(b"folder.py/inner.py:3:8: PAD401")
    assert done.stderr == b""
    for name, message in (
        ("pipe.py", "not a regular file"),
        ("loop.py", "too many levels of symbolic links"),
        ("dangling.py", "no such file"),
    ):
        done = padlint("check", name, cwd=tmp_path)
        assert done.returncode == 2
        assert f"error: {name}: " in done.stderr.decode()
        assert message in done.stderr.decode()


@pytest.mark.skipif(os.name == "nt", reason="POSIX file names")
def test_names_that_are_no_text(tmp_path: Path) -> None:
    for name in (b"caf\xe9.py", b"new\nline.py", b"esc\x1b[31m.py"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(STRIDED)
    done = padlint("check", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert [line for line in done.stdout.splitlines() if b"PAD401" in line and b":3:8" in line] == [
        line for line in done.stdout.splitlines() if b"PAD401" in line
    ]
    assert b"\x1b" not in done.stdout
    assert padlint("check", "--fix", "--unsafe-fixes", ".", cwd=tmp_path).returncode in (0, 1)


def test_the_plainest_locale(tmp_path: Path) -> None:
    write(tmp_path, a=SAME.replace("conv", "größe") + "s = '日本'\n", b=b"# \xff\n")
    for arguments in (["check", "."], ["check", "--diff", "."], ["check", "--output-format", "json", "."]):
        done = padlint(*arguments, cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
        assert done.returncode == 2, "because of b.py"
        assert b"Traceback" not in done.stderr
        assert b"a.py" in done.stdout
    (tmp_path / "größe.py").write_text(STRIDED)
    named = padlint("check", "größe.py", cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
    assert (named.returncode, named.stderr) == (1, b"")
    assert named.stdout.startswith(b"gr")
    named = padlint("check", "größe.py", cwd=tmp_path, PYTHONUTF8="1", PYTHONIOENCODING="ascii")
    assert (named.returncode, named.stderr) == (1, b"")
    assert named.stdout.startswith(rb"gr\xf6\xdfe.py:3:8: PAD401")
    text = padlint("check", "a.py", cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
    assert b"3 | gr??e = nn.Conv2d" in text.stdout
    assert b"\n  |         ^^^^" in text.stdout
