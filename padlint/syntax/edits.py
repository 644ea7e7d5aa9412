"""Small edits on calls, as text changes that leave every other byte alone."""

from __future__ import annotations

import re

import libcst as cst

from padlint.findings import Edit
from padlint.syntax.source import apply_edits
from padlint.syntax.units import Unit

_QUOTED = re.compile(r"""^(?P<prefix>[A-Za-z]*)(?P<quote>'''|\"\"\"|'|")(?P<word>.*)(?P=quote)$""", re.S)


def add_argument(unit: Unit, call: cst.Call, text: str) -> Edit:
    """Insert an argument behind the last one."""
    if call.args:
        end = unit.span(call.args[-1])[1]
        return unit.insert(end, f", {text}")
    return unit.insert(unit.span(call)[1] - 1, text)


def remove_argument(unit: Unit, call: cst.Call, arg: cst.Arg) -> Edit | None:
    """Remove an argument with its comma; None if a comment would be lost."""
    position = next(i for i, item in enumerate(call.args) if item is arg)
    start, end = unit.span(arg)
    if position + 1 < len(call.args):
        end = unit.span(call.args[position + 1])[0]
    elif position > 0:
        start = unit.span(call.args[position - 1])[1]
    elif isinstance(arg.comma, cst.Comma):
        end = unit.outer_span(arg)[1]
    if "#" in unit.source.text[start:end]:
        return None
    return unit.source.edit(start, end, "")


def same_style(text: str, word: str) -> str:
    """`word` quoted and cased as the string literal `text`; with double quotes for other expressions."""
    match = _QUOTED.match(text.strip())
    if match is None or match["quote"] in match["word"]:
        return f'"{word}"'
    quote, old = match["quote"], match["word"]
    return f"{quote}{word.upper() if old.isupper() else word}{quote}"


def edited(unit: Unit, span: tuple[int, int], edits: list[Edit]) -> str:
    """The text of a span as it will read after the edits that lie inside it."""
    start, end = span
    inside = [
        Edit(e.start - start, e.end - start, e.content, e.location, e.end_location)
        for e in edits
        if start <= e.start and e.end <= end
    ]
    return apply_edits(unit.source.text[start:end], inside)


def starts_row(unit: Unit, offset: int) -> bool:
    """Whether nothing but white space stands before an offset in its row."""
    row_start = unit.source.line_start(unit.source.row(offset))
    return not unit.source.text[row_start:offset].strip()
