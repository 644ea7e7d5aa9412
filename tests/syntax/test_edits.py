"""Edits on calls: every other character stays."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from padlint.syntax.edits import add_argument, edited, remove_argument, same_style, starts_row
from padlint.syntax.source import apply_edits
from padlint.syntax.units import Unit
from tests.syntax.parsed import opened_whole


def _call(text: str) -> tuple[Unit, cst.Call]:
    (unit,) = opened_whole(text).units
    return unit, unit.index.calls[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()", "f(p=1)"),
        ("f( )", "f( p=1)"),
        ("f(a)", "f(a, p=1)"),
        ("f(a,)", "f(a, p=1,)"),
        ("f(a, b=c)", "f(a, b=c, p=1)"),
        ("f(*a)", "f(*a, p=1)"),
        ("f(**a)", "f(**a, p=1)"),
        ("f((a))", "f((a), p=1)"),
        ("f(\n    a,  # b\n)", "f(\n    a, p=1,  # b\n)"),
        ("f(\n    a  # b\n)", "f(\n    a, p=1  # b\n)"),
        ("f(  # b\n)", "f(  # b\np=1)"),
        ("(f(a))", "(f(a, p=1))"),
    ],
)
def test_add_argument(before: str, after: str) -> None:
    unit, call = _call(before)
    assert apply_edits(before, [add_argument(unit, call, "p=1")]) == after
    ast.parse(after)


@pytest.mark.parametrize(
    ("before", "position", "after"),
    [
        ("f(a)", 0, "f()"),
        ("f(a,)", 0, "f()"),
        ("f( a , )", 0, "f( )"),
        ("f(a, b)", 0, "f(b)"),
        ("f(a, b)", 1, "f(a)"),
        ("f(a, b,)", 1, "f(a,)"),
        ("f(a, k=b, c=d)", 1, "f(a, c=d)"),
        ("f((a), k=(b))", 1, "f((a))"),
        ("f(\n    a,\n    b,\n)", 1, "f(\n    a,\n)"),
        ("f(\n    a,\n    b,\n)", 0, "f(\n    b,\n)"),
        ("f(*a, k=b)", 1, "f(*a)"),
    ],
)
def test_remove_argument(before: str, position: int, after: str) -> None:
    unit, call = _call(before)
    edit = remove_argument(unit, call, call.args[position])
    assert edit is not None
    assert apply_edits(before, [edit]) == after
    ast.parse(after)


@pytest.mark.parametrize(
    ("text", "position"),
    [("f(\n    a,  # c\n    b,\n)", 0), ("f(\n    a,  # c\n    b,\n)", 1), ("f(a  # c\n  ,)", 0)],
)
def test_an_argument_with_a_comment_is_not_removed(text: str, position: int) -> None:
    unit, call = _call(text)
    assert remove_argument(unit, call, call.args[position]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"same"', '"valid"'),
        ("'same'", "'valid'"),
        ("'SAME'", "'VALID'"),
        ("'Same'", "'valid'"),
        ("u'same'", "'valid'"),
        ("'''same'''", "'''valid'''"),
        ('"""SAME"""', '"""VALID"""'),
        ("  'same'  ", "'valid'"),
        ("PADDING", '"valid"'),
        ("'sa' 'me'", '"valid"'),
        ("'a' + 'b'", '"valid"'),
        ("", '"valid"'),
    ],
)
def test_same_style(text: str, expected: str) -> None:
    assert same_style(text, "valid") == expected


def test_edited_takes_the_edits_inside() -> None:
    text = "x = f(a, b) + g(c)"
    unit, call = _call(text)
    edits = [
        unit.replace(call.args[1].value, "B"),
        unit.replace(unit.index.calls[1], "G"),
        unit.insert(4, "h"),
    ]
    assert edited(unit, unit.span(call), edits) == "hf(a, B)"


@pytest.mark.parametrize(("offset", "expected"), [(0, True), (5, True), (6, False), (2, False)])
def test_starts_row(offset: int, expected: bool) -> None:
    unit, _ = _call("f(\n  g(1))")
    assert starts_row(unit, offset) is expected


@pytest.mark.parametrize("text", ["x = ((f(a)))", "x = f((a))", "x = (f)(a)"])
def test_replace_takes_the_brackets_with_it(text: str) -> None:
    unit, call = _call(text)
    assert apply_edits(text, [unit.replace(call, "y")]) == "x = y"
    assert unit.row(call) == 1
