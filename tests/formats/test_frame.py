"""Code frames: the carets stand under the call, whatever the line is made of."""

from __future__ import annotations

import re
import unicodedata

import pytest

from padlint.formats.frame import frame
from padlint.syntax.source import Source
from tests.formats.findings import finding

LINES = {
    "plain": "x = Conv2d(3)",
    "first column": "Conv2d(3)",
    "tabs": "\t\tx =\tConv2d(3)",
    "wide": "s = '日本語', Conv2d(3)",
    "wide inside": "x = Conv2d('日本')",
    "combining": "s = 'e\u0301e\u0301', Conv2d(3)",
    "zero width": "s = 'a\u200db', Conv2d(3)",
    "form feed": "\x0cx = Conv2d(3)",
    "escape": "s = '\x1b[31m', Conv2d(3)",
    "line separator": "s = '\u2028', Conv2d(3)",
    "long before": "x = [" + "1, " * 200 + "Conv2d(3)]",
    "long after": "x = Conv2d(3), [" + "1, " * 200 + "]",
    "long both": "x = [" + "1, " * 200 + "Conv2d(3)" + ", 1" * 200 + "]",
    "last column that fits": "x" * 99 + " Conv2d(3)",
}


def columns(text: str) -> int:
    """How many columns a terminal takes, counted independently of the code under test."""
    widths = {"W": 2, "F": 2}
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) == "Cf"
        else widths.get(unicodedata.east_asian_width(c), 1)
        for c in text
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", LINES)
def test_carets_stand_under_the_call(name: str, newline: str) -> None:
    text = newline.join(["first", LINES[name], "last", ""])
    shown = frame(Source(text), finding(text), "utf-8", str).split("\n")
    row, carets = shown[2], shown[3]
    call = re.search(r"Conv2d\([^)]*\)", row)
    assert call is not None
    assert row.startswith("2 | ")
    assert carets == "  | " + " " * columns(row[4 : call.start()]) + "^" * columns(call.group())
    assert not re.search(r"[\x00-\x1f\u2028]", "".join(shown))
    assert columns(row) < 130


def test_cut_lines_say_so() -> None:
    row = {}
    for name in ("plain", "long before", "long after", "long both"):
        shown = frame(Source(LINES[name]), finding(LINES[name]), "utf-8", str).split("\n")[1]
        row[name] = shown.startswith("1 | ..."), shown.endswith("...")
    assert row == {
        "plain": (False, False),
        "long before": (True, False),
        "long after": (False, True),
        "long both": (True, True),
    }


def test_frame_has_a_row_of_context() -> None:
    text = "zero\none\nConv2d(3)\ntwo\nthree\n"
    assert frame(Source(text), finding(text), "utf-8", str).split("\n") == [
        "  |",
        "2 | one",
        "3 | Conv2d(3)",
        "  | ^^^^^^^^^",
        "4 | two",
        "  |",
    ]


@pytest.mark.parametrize("text", ["Conv2d(3)", "Conv2d(3)\n"])
def test_frame_at_the_edges_of_the_file(text: str) -> None:
    assert frame(Source(text), finding(text), "utf-8", str) == "  |\n1 | Conv2d(3)\n  | ^^^^^^^^^\n  |"


def test_call_over_several_rows() -> None:
    text = "x = Conv2d(\n    3,  # in\n\n    8)\n"
    assert frame(Source(text), finding(text), "utf-8", str).split("\n") == [
        "  |",
        "1 | x = Conv2d(",
        "  |     ^^^^^^^",
        "2 |     3,  # in",
        "  |     ^^^^^^^^",
        "3 |",
        "  | ^",
        "4 |     8)",
        "  |     ^^",
        "  |",
    ]


def test_a_long_call_is_cut_in_the_middle() -> None:
    text = "x = Conv2d(\n" + "    3,\n" * 90 + ")\n"
    shown = frame(Source(text), finding(text), "utf-8", str).split("\n")
    assert shown[1] == " 1 | x = Conv2d("
    assert shown[-3] == "92 | )"
    assert "..." in shown
    assert len(shown) < 20


def test_what_the_stream_cannot_show_keeps_its_place() -> None:
    text = "größe = Conv2d(3)\n"
    assert frame(Source(text), finding(text), "ascii", str).split("\n")[1:3] == [
        "1 | gr??e = Conv2d(3)",
        "  |         ^^^^^^^^^",
    ]


def test_a_line_of_a_megabyte_takes_no_time() -> None:
    text = "x = [" + "1, " * 350_000 + "Conv2d(3)]\n"
    source, found = Source(text), finding(text)
    frames = {frame(source, found, "utf-8", str) for _ in range(2_000)}
    assert len(frames) == 1
