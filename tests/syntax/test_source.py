"""Lines, locations and edits of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padlint.findings import Edit, Location
from padlint.syntax.source import OverlappingEdits, Source, Taken, apply_edits

TEXT = st.text(st.sampled_from("ab \n\r\x0c\x0b\u2028é😀"), max_size=30)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("a\n\rb", ["a", "", "b"]),
        ("a\r\n\r\nb", ["a", "", "b"]),
        ("a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g", ["a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_rows(text: str, rows: list[str]) -> None:
    source = Source(text)
    assert [source.line(row) for row in range(1, len(source.line_starts) + 1)] == rows


@given(TEXT)
def test_a_location_leads_back_to_its_offset(text: str) -> None:
    source = Source(text)
    for offset in range(len(text) + 1):
        place = source.location(offset)
        assert source.line_start(place.row) + place.column - 1 == offset


def test_columns_count_characters() -> None:
    assert Source("é😀x").location(2) == Location(1, 3)


def test_the_row_behind_the_last_starts_at_the_end() -> None:
    assert Source("a\nb").line_start(3) == 3


@pytest.mark.parametrize(
    ("text", "offset", "newline"),
    [
        ("a\r\nb\n", 0, "\r\n"),
        ("a\rb\n", 1, "\r"),
        ("a\rb\n", 2, "\r"),
        ("a\rb\n", 3, "\n"),
        ("a\nb\r\n", 4, "\r\n"),
        ("a\nb", 3, "\n"),
        ("a", 1, "\n"),
    ],
)
def test_newline_is_that_of_the_row_or_of_the_one_before(text: str, offset: int, newline: str) -> None:
    assert Source(text).newline(offset) == newline


def test_indentation_is_that_of_the_row() -> None:
    assert Source("a\n \tb = 1\n").indentation(6) == " \t"


def _edits(text: str, *changes: tuple[int, int, str]) -> list[Edit]:
    source = Source(text)
    return [source.edit(*change) for change in changes]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], "abcdef"),
        ([(1, 3, "X")], "aXdef"),
        ([(3, 3, "X")], "abcXdef"),
        ([(4, 6, ""), (0, 1, "X")], "Xbcd"),
        ([(2, 2, "X"), (2, 2, "Y")], "abXYcdef"),
        ([(2, 3, "X"), (2, 2, "Y")], "abYXdef"),
        ([(0, 2, "X"), (2, 4, "Y")], "XYef"),
        ([(6, 6, "X")], "abcdefX"),
    ],
)
def test_edits_are_applied_together(changes: list[tuple[int, int, str]], expected: str) -> None:
    assert apply_edits("abcdef", _edits("abcdef", *changes)) == expected


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(OverlappingEdits):
        apply_edits("abcdef", _edits("abcdef", (0, 3, "X"), (2, 4, "Y")))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0, 2), (2, 4), False),
        ((0, 3), (2, 4), True),
        ((1, 2), (0, 4), True),
        ((2, 2), (2, 2), True),
        ((2, 2), (2, 4), True),
        ((4, 4), (2, 4), False),
        ((3, 3), (2, 4), True),
        ((0, 1), (3, 4), False),
    ],
)
def test_edits_that_touch_do_not_go_together(
    first: tuple[int, int], second: tuple[int, int], expected: bool
) -> None:
    one, other = _edits("abcdef", (*first, "X")), _edits("abcdef", (*second, "Y"))
    for before, after in ((one, other), (other, one)):
        taken = Taken()
        assert taken.takes(before)
        assert taken.takes(after) is not expected


@given(st.lists(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=2)))
def test_taken_edits_are_those_that_touch_no_earlier_one(groups: list[list[tuple[int, int]]]) -> None:
    taken, spans = Taken(), list[tuple[int, int]]()
    for number, group in enumerate(groups):
        wanted = [(min(pair), max(pair)) for pair in group]
        free = not any(_touch(a, b) for a in wanted for b in spans)
        assert taken.takes(_edits("a" * 12, *((*span, f"{number}") for span in wanted))) is free
        spans += wanted * free


def _touch(first: tuple[int, int], second: tuple[int, int]) -> bool:
    (a, b), (c, d) = first, second
    return (a < d and c < b) or (a == c and (a == b or c == d))


def test_equal_edits_are_shared() -> None:
    taken, (edit,) = Taken(), _edits("abcdef", (2, 2, "import x"))
    assert taken.takes([edit])
    assert taken.takes([edit])
