"""Diffs of bytes."""

from __future__ import annotations

from padlint.formats.diff import render


def test_nothing_changed() -> None:
    assert render(b"a\n", b"a\n", "a.py") == b""


def test_line_ends_survive() -> None:
    assert render(b"a\r\nb\r\n", b"a\r\nc\r\n", "a.py") == (
        b"--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"
    )


def test_missing_final_newline_is_marked() -> None:
    assert render(b"a", b"b", "a.py").split(b"\n")[3:] == [
        b"-a",
        b"\\ No newline at end of file",
        b"+b",
        b"\\ No newline at end of file",
        b"",
    ]


def test_colour() -> None:
    colored = render(b"a\n", b"b\n", "a.py", color=True)
    assert b"\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n" in colored
