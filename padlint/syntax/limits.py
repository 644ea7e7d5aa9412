"""How deep syntax may be nested before a parser or a pass over the tree would overflow a stack.

CPython gives up with an exception of its own. LibCST's parser is native code: it takes time that grows with
the square of the depth, and from a few thousand levels on it ends the process.
"""

from __future__ import annotations

import re

DEEPEST = 400  # levels of syntax in one definition
RECURSION_LIMIT = 6000  # all passes over a tree use less than ten calls for each level

_DEEPEST_BRACKETS = 200  # CPython's own limit
_MOST_OPERATORS = 1000  # in a row: `a + b + c` is nested to the left
_STRINGS = re.compile(r"""'{3}.*?'{3}|"{3}.*?"{3}|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*""", re.S)
_MARKS = re.compile(r"[()\[\]{},\r\n]|[-+*/%@&|^.~]|\b(?:not|lambda|if|and|or|await)\b")


def overflows(text: str) -> bool:
    """Whether a text, valid or not, may be nested deeper than LibCST can bear."""
    brackets = operators = 0
    for match in _MARKS.finditer(_STRINGS.sub("", text)):
        mark = match.group()
        if mark in "([{":
            brackets += 1
        elif mark in ")]}":
            brackets = max(brackets - 1, 0)
        elif mark == "," or (mark in "\r\n" and not brackets):
            operators = 0
        elif mark not in "\r\n":
            operators += 1
        if brackets > _DEEPEST_BRACKETS or operators > _MOST_OPERATORS:
            return True
    return False
