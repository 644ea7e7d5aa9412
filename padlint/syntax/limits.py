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
_FEWEST_QUOTES = 2 * DEEPEST
_JOINED_STRINGS = re.compile(
    rf"""(?:[rbufRBUF]{{0,2}}(?:"[^"\n]*"|'[^'\n]*')(?:[\s\\]|\#[^\n]*)*){{{DEEPEST}}}"""
)
_STRINGS = re.compile(r"""'{3}.*?'{3}|"{3}.*?"{3}|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*""", re.S)
_MARKS = re.compile(r"[()\[\]{},\r\n]|[-+*/%@&|^.~]|\b(?:not|lambda|if|and|or|await)\b")


def joins_too_many(text: str) -> bool:
    """Whether a text writes so many strings side by side, which LibCST nests and `ast` makes one of."""
    if text.count('"') + text.count("'") < _FEWEST_QUOTES:
        return False
    return _JOINED_STRINGS.search(text) is not None


def overflows(text: str) -> bool:
    """Whether a text, valid or not, may be nested deeper than LibCST can bear."""
    text = _STRINGS.sub("", text)
    operators = [0]  # in a row, per open bracket
    for match in _MARKS.finditer(text):
        mark, before = match.group(), text[match.start() - 1 : match.start()]
        if mark in "([{":
            operators[-1] += before in (")", "]")  # a call of a call
            operators.append(0)
        elif mark in ")]}":
            if len(operators) > 1:
                operators.pop()
        elif mark == "," or (mark in "\r\n" and len(operators) == 1):
            operators[-1] = 0
        elif mark not in "\r\n":
            operators[-1] += 1
        if len(operators) > _DEEPEST_BRACKETS or operators[-1] > _MOST_OPERATORS:
            return True
    return False
