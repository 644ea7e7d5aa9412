"""What IPython allows beyond Python, made Python of the same length: no offset, row or column moves."""

from __future__ import annotations

import ast
import re
import warnings

_PYTHON_MAGICS = frozenset({"capture", "debug", "memit", "prun", "time", "timeit"})
_CELL_MAGIC = re.compile(r"\s*%%(\w*)[^\r\n]*")
_TIMED = re.compile(
    r"(?P<indent>[ \t]*)(?P<magic>%(?:time|timeit|prun|memit)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*)[ \t]"
)
_ESCAPE = re.compile(r"[ \t]*(?P<mark>%|!|\?|,(?=\w)|;(?=\w)|/(?=\w))")
_ASSIGNED = re.compile(r"[ \t]*[\w.\[\], \t'\"]+=[ \t]*(?P<mark>!|%(?=\w))")
_HELP = re.compile(r"[ \t]*(?P<mark>[%\w.*]+)\?{1,2}[ \t]*(?:#.*)?\Z")
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_TOKEN = re.compile(
    r"""\#[^\r\n]*|'{3}|"{3}|'(?:[^'\\\r\n]|\\.)*'|"(?:[^"\\\r\n]|\\.)*"|[()\[\]{}]|\\(?:\r\n|\r|\n)""", re.S
)


def as_python(text: str) -> str | None:
    """The text of a cell as Python of the same length; None if another program reads the cell."""
    if _is_python(text):
        return text
    start, head = 0, ""
    if match := _CELL_MAGIC.match(text):
        if match[1] not in _PYTHON_MAGICS:
            return None
        start = match.end()
        head = text[: match.start(1) - 2] + "#" + text[match.start(1) - 1 : start]
        if _is_python(head + text[start:]):
            return head + text[start:]
    return head + "".join(_masked_rows(text[start:]))


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _masked_rows(text: str) -> list[str]:
    """The rows, those that are IPython's own masked: only where a statement can start."""
    rows, depth, quote, joined, in_magic = [], 0, "", False, False
    for match in _ROW.finditer(text):
        row = match.group()
        if in_magic:
            rows.append(_commented(row))
        elif depth or quote or joined or (masked := _masked(row)) is None:
            rows.append(row)
            depth, quote, joined = _state(row, depth, quote)
            continue
        else:
            rows.append(masked)
            if _TIMED.match(row):
                depth, quote, joined = _state(masked, depth, quote)
                continue
        in_magic = row.rstrip("\r\n").endswith("\\")
    return rows


def _masked(row: str) -> str | None:
    """A row of IPython's own as Python; None if it is none."""
    if match := _TIMED.match(row):  # the statement that is timed is one of the program
        width = len(match["magic"])
        if width >= len("if 1:"):
            return match["indent"] + "if 1:".ljust(width) + row[match.end("magic") :]
    match = _ESCAPE.match(row) or _ASSIGNED.match(row) or _HELP.match(row.rstrip("\r\n"))
    if match is None:
        return None
    start = match.start("mark")
    tail = row[start:].rstrip("\r\n")
    return row[:start] + ("0#" + tail[2:])[: len(tail)] + row[start + len(tail) :]


def _commented(row: str) -> str:
    content = row.rstrip("\r\n")
    return "#" * bool(content) + content[1:] + row[len(content) :]


def _state(row: str, depth: int, quote: str) -> tuple[int, str, bool]:
    """Brackets that are open, the quotes of a string that is, and whether the next row goes on with it."""
    position = 0
    while True:
        if quote:
            end = re.compile(rf"(?:[^\\]|\\.)*?{quote}", re.S).match(row, position)
            if end is None:
                return depth, quote, False
            position, quote = end.end(), ""
        match = _TOKEN.search(row, position)
        if match is None:
            return depth, "", False
        mark, position = match.group(), match.end()
        if mark in ("'''", '"""'):
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(depth - 1, 0)
        elif mark.startswith("\\"):
            return depth, "", True
