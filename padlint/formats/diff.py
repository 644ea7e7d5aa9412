"""Unified diffs of bytes, so that `patch` can apply them whatever the encoding and the line ends."""

from __future__ import annotations

import difflib
import os
import re

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_COLORS = ((b"---", b"1"), (b"+++", b"1"), (b"@@", b"36"), (b"-", b"31"), (b"+", b"32"))


def render(before: bytes, after: bytes, filename: str, *, color: bool = False) -> bytes:
    """The change of one file; nothing if there is none."""
    name = os.fsencode(filename)
    lines = difflib.diff_bytes(
        difflib.unified_diff, _LINE.findall(before), _LINE.findall(after), name, name, lineterm=b"\n"
    )
    complete = (
        line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines
    )
    return b"".join(map(_colored, complete) if color else complete)


def _colored(line: bytes) -> bytes:
    for prefix, code in _COLORS:
        if line.startswith(prefix):
            return b"\x1b[" + code + b"m" + line[:-1] + b"\x1b[0m\n"
    return line
