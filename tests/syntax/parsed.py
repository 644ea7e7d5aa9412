"""Short sources, opened as padlint opens files."""

from __future__ import annotations

from textwrap import dedent

import libcst as cst

from padlint.syntax.source import Source
from padlint.syntax.units import File, Unit, _whole_file, open_file

INTERESTING = frozenset({"Conv2D", "Conv2d"})


def opened(text: str, interesting: frozenset[str] = INTERESTING) -> File:
    return open_file(dedent(text), interesting)


def opened_whole(text: str) -> File:
    """The file as it is opened where the running Python cannot parse it."""
    return _whole_file(Source(dedent(text)), SyntaxError("not for this Python"))


def calls(file: File, name: str) -> list[tuple[Unit, cst.Call]]:
    """Every call whose function ends in a name."""
    return [(unit, call) for unit in file.units for call in unit.index.calls if _last(call.func) == name]


def only_call(file: File, name: str) -> tuple[Unit, cst.Call]:
    (found,) = calls(file, name)
    return found


def _last(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
