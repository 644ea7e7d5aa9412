"""Sources that break other fixers: fixed with every other byte kept, or left alone with a clear word."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from padlint.files import Mode, Outcome, Task, process
from padlint.options import Options
from tests.cli.command import padlint

OPTIONS = Options(frozenset({"PAD001", "PAD305"}))
HEAD = b"import torch.nn as nn\n"
CALL, FIXED = b'nn.Conv2d(3, 8, 3, padding="same")', b"nn.Conv2d(3, 8, 3, padding=1)"
LAST = b"c = " + CALL + b"\n"
CODE = HEAD + LAST
LINES = b"def f(x):\n" + b"    y = x + 1  # code like any other\n" * 20 + b"    return y\n\n"


def deep(before: bytes, after: bytes, count: int) -> bytes:
    return HEAD + b"x = " + before * count + b"1" + after * count + b"\n" + LAST


FIXABLE = {
    "plain": CODE,
    "crlf": CODE.replace(b"\n", b"\r\n"),
    "mixed-eol": HEAD + b"a = 1\r\n" + LAST + b"b = 2\r\n",
    "cr-only": CODE.replace(b"\n", b"\r"),
    "bom": b"\xef\xbb\xbf" + CODE,
    "tabs": HEAD + b"def f():\n\tif True:\n\t\treturn " + CALL + b"\n",
    "latin1-cookie": b"# coding: latin-1\ns = '\xe9'\n" + CODE,
    "cp1252-cookie": b"# -*- coding: cp1252 -*-\ns = '\x80'\n" + CODE,
    "utf8-nonascii": "s = 'é日本 \U0001f600'\n".encode() + CODE,
    "no-final-newline": CODE.rstrip(),
    "comments-in-args": HEAD
    + b'c = nn.Conv2d(  # a\n    3,  # b\n    8, 3,\n    # c\n    padding="same",  # d\n)\n',
    "nested": HEAD + b"c = nn.Sequential(nn.Sequential(" + CALL + b", nn.Sequential(" + CALL + b")))\n",
    "form-feed": HEAD + b"\x0c\ndef f():\n    return " + CALL + b"\n\x0c\n",
    "line-continuation": HEAD + b'c = \\\n    nn.Conv2d(3, \\\n 8, 3, padding=\\\n    "same")\n',
    "backslash-stmt": HEAD + b"if a and \\\n        b: c = " + CALL + b"\n",
    "walrus": HEAD + b"if (c := " + CALL + b"):\n    pass\n",
    "fstring-call": HEAD + b"s = f'{c} {c!r:>{w}}'\n" + LAST,
    "match-stmt": HEAD + b"match c:\n    case [1, *_]:\n        c = " + CALL + b"\n",
    "except-star": HEAD + b"try:\n    c = " + CALL + b"\nexcept* ValueError:\n    pass\n",
    "py312-type-params": HEAD + b"type A[T] = list[T]\ndef f[T](x: T):\n    return " + CALL + b"\n",
    "py312-fstring-nest": HEAD + b"s = f'{f'{1}'}'\n" + LAST,
    "py313-tpar-default": HEAD + b"class A[T = int]:\n    c = " + CALL + b"\n",
    "py314-tstring": HEAD + b"s = t'{c}'\n" + LAST,
    "py314-except-noparen": HEAD + b"try:\n    c = " + CALL + b"\nexcept ValueError, TypeError:\n    pass\n",
    "deep-parens-90": deep(b"(", b")", 90),
    "long-binop-3000": HEAD + b"x = " + b" + ".join([b"1"] * 3000) + b"\n" + LAST,
    "long-attr-chain-2000": HEAD + b"x = a" + b".b" * 2000 + b"\n" + LAST,
    "elif-1000": HEAD + b"if a:\n    pass\n" + b"elif b:\n    pass\n" * 1000 + LAST,
    "nested-if-95": HEAD + b"".join(b" " * n + b"if a:\n" for n in range(95)) + b" " * 95 + LAST,
    "nul-byte": HEAD + b"s = '\0'\n" + LAST,
    "list100k": HEAD + b"x = [\n" + b"    1,\n" * 100_000 + b"]\n" + LAST,
    "1MB": HEAD + LINES * (10**6 // len(LINES)) + LAST,
}
DEEP = "The file cannot be parsed: nested too deeply to be parsed"
REFUSED = {
    "deep-list-300": (deep(b"[", b"]", 300), 1, DEEP),
    "deep calls": (deep(b"f(", b")", 5000), 1, DEEP),
    "deep brackets": (HEAD + b"x = " + b"[" * 100_000 + b"\n" + LAST, 1, DEEP),
    "chain of 4,000 calls": (HEAD + b"x = a" + b".f()" * 4000 + b"\n" + LAST, 1, DEEP),
    "bad-utf8-nocookie": (b"# \xe9\n" + CODE, 2, "cannot decode as utf-8: byte 0xe9 at offset 2, line 1"),
    "unknown-cookie": (b"# coding: klingon\n" + CODE, 2, "unknown encoding: klingon"),
    "syntax-error": (CODE + b"def f(:\n", 1, "The file cannot be parsed: invalid syntax"),
    "py2-print": (CODE + b'print "a"\n', 1, "The file cannot be parsed: "),
    "empty": (b"", 0, ""),
    "only-comment": (b"# torch Conv2d(\n", 0, ""),
}
"""What is left alone: the content, the exit status, and how the message starts."""
SECONDS = 60.0  # of CPU time, generous: the largest need a few


def fixed(path: Path, content: bytes) -> Outcome:
    path.write_bytes(content)
    began = time.process_time()
    outcome = process(Task(path.name, path, OPTIONS, Mode.FIX))
    assert time.process_time() - began < SECONDS
    return outcome


@pytest.mark.parametrize("name", FIXABLE)
def test_fixed_and_otherwise_untouched(tmp_path: Path, name: str) -> None:
    path, content = tmp_path / "model.py", FIXABLE[name]
    outcome = fixed(path, content)
    assert (outcome.problem, outcome.findings) == (None, ())
    assert path.read_bytes() == content.replace(b'"same"', b"1")
    assert len(outcome.applied) == content.count(b'"same"')


@pytest.mark.parametrize("name", REFUSED)
def test_left_alone_with_a_word(tmp_path: Path, name: str) -> None:
    path = tmp_path / "model.py"
    content, status, message = REFUSED[name]
    outcome = fixed(path, content)
    assert path.read_bytes() == content
    assert outcome.applied == ()
    told = [outcome.problem.message] if outcome.problem is not None else []
    assert bool(told) == (status == 2)
    found = [finding.message for finding in outcome.findings if finding.code == "PAD001"]
    assert [text[: len(message)] for text in (*told, *found)] == [message] * bool(status)
    assert len(outcome.findings) == (status == 1)


def test_the_run_goes_on_and_ends_with_the_worst_status(tmp_path: Path) -> None:
    for status in (0, 1, 2):
        rows = [content for content, of, _ in REFUSED.values() if of == status]
        folder = tmp_path / str(status)
        folder.mkdir()
        for number, content in enumerate(rows):
            (folder / f"m{number}.py").write_bytes(content)
        (folder / "z.py").write_bytes(CODE)
        done = padlint("check", "--isolated", "--fix", ".", cwd=folder)
        assert done.returncode == status, done.stderr
        assert (folder / "z.py").read_bytes() == CODE.replace(CALL, FIXED)
