from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from padlint.findings import Edit, Finding, Fix, Location, Proof
from padlint.formats import migration_html, migration_markdown
from padlint.formats.change import change
from padlint.formats.migration import FileEntry, Migration
from padlint.formats.migration_markdown import code, escaped
from padlint.formats.numbers import axes
from padlint.formats.report import Failure
from padlint.syntax.source import Source
from tests.formats.findings import finding, unfixable, unsafe
from tests.rules.table import each

TEXT = 'c = Conv2d(3, padding="same")\n'
HOSTILE = "<script>alert(1)</script>|a`b``c\n# [x](http://y)*_&amp;"

ESCAPED = {
    "plain": ("pads (0, 1) at 224", "pads (0, 1) at 224"),
    "html": ("<b>&amp;", "\\<b\\>\\&amp;"),
    "a table": ("a|b", "a\\|b"),
    "names": ("max_pool *args [x] `y`", "max\\_pool \\*args \\[x\\] \\`y\\`"),
    "a new line": ("a\nb", "a\\\\nb"),
}
CODE = {
    "plain": ("a.py", "`a.py`"),
    "backticks": ("a``b.py", "```a``b.py```"),
    "backticks at the ends": ("`a`", "`` `a` ``"),
    "blanks at the ends": (" a ", "`  a  `"),
    "a new line": ("a\nb", "`a\\nb`"),
    "html": ("<b>|", "`<b>|`"),
    "undecodable": ("a\udcff", "`a\\udcff`"),
}


@each(ESCAPED)
def test_escaped(row: tuple[str, str]) -> None:
    assert escaped(row[0]) == row[1]


@each(CODE)
def test_code(row: tuple[str, str]) -> None:
    assert code(row[0]) == row[1]


def proved(found: Finding) -> Finding:
    assert found.fix is not None
    return replace(found, fix=replace(found.fix, proof=Proof("equal", "all")))


EVERYTHING = Migration(
    5,
    (
        FileEntry("b.py", left=(finding(TEXT), unsafe(finding(TEXT)), unfixable(finding(TEXT))), text=TEXT),
        FileEntry("a.py", fixed=(proved(finding(TEXT)),)),
        FileEntry("nothing.py"),
        FileEntry(HOSTILE, left=(finding(TEXT, message=HOSTILE),), text=TEXT),
    ),
    (Failure("c.py", "cannot read: permission denied"), Failure("d.py", HOSTILE, Location(3, 4))),
    incomplete="interrupted: 4 of 5 files were done",
    known=7,
)


def test_markdown() -> None:
    shown = migration_markdown.render(EVERYTHING)
    assert "**This report is incomplete**: interrupted: 4 of 5 files were done." in shown
    for label, count in (
        *(("Files", 5), ("Fixed", 1), ("Left", 4), ("Left, with a safe fix", 2), ("Refused fixes", 0)),
        *(("Left, with an unsafe fix", 1), ("Left, without a fix", 1), ("Failed", 2)),
        ("Passed over, since the baseline has them", 7),
    ):
        assert f"| {label} | {count} |" in shown
    headings = re.findall(r"^##.*", shown, re.M)
    assert headings[-6:] == [
        *("## `a.py`", "### Fixed", "## `b.py`", "### Has a safe fix", "### Needs a person", "## Failed")
    ]
    assert "  - Proof: taps equal at all sizes" in shown
    assert "  - Proof: no proof: there is nothing that the result could be compared with" in shown
    assert "  - No fix: the size is not known" in shown
    assert "  - Unsafe fix: write a number" in shown
    assert "- `c.py`: cannot read: permission denied" in shown
    assert "\n# [x]" not in shown


def test_markdown_of_a_preview() -> None:
    shown = migration_markdown.render(EVERYTHING._replace(preview=True, incomplete="", known=0))
    assert "| Would be fixed | 1 |" in shown
    assert "### Would be fixed" in shown
    assert "incomplete" not in shown
    assert "baseline" not in shown


class Page(HTMLParser):
    """The elements and the text of a page whose elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_page() -> None:
    page = Page(migration_html.render(EVERYTHING))
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "a", "b"}
    assert not any({"src", "href"} & attributes.keys() for _, attributes in page.elements)
    assert "url(" not in page.text
    assert "This report is incomplete: interrupted: 4 of 5 files were done." in page.text
    assert "<script>alert(1)</script>|a`b``c\\n# [x](http://y)*_&amp;" in page.text
    assert '-c = Conv2d(3, padding="same")\n+c = Conv2d(3, padding=1)' in page.text
    assert '1 | c = Conv2d(3, padding="same")\n  |     ^^^^' in page.text
    assert "Passed over, since the baseline has them" in page.text


def fix(source: Source, *edits: Edit) -> Fix:
    found = finding(TEXT).fix
    assert found is not None
    return replace(found, edits=edits)


def test_change_shows_the_rows_around_each_edit() -> None:
    text = "".join(f"row {number}\r\n" for number in range(1, 10_001))
    source = Source(text)
    last = source.line_start(9_000)
    edits = (source.edit(last, last, "new\r\n"), source.edit(0, 3, "ROW"))
    assert change(source, fix(source, *edits)) == [
        *("@@ line 1 @@", "-row 1", "+ROW 1", " row 2", " row 3"),
        *("@@ line 8998 @@", " row 8998", " row 8999", "+new", " row 9000", " row 9001"),
    ]


@pytest.mark.parametrize("end", ["", "\n"])
def test_change_at_the_end(end: str) -> None:
    source = Source(f"a\n-- b\n@@ c{end}")
    edit = source.edit(2, source.text.index("c") + 1, "++ d")
    assert change(source, fix(source, edit)) == ["@@ line 1 @@", " a", "--- b", "-@@ c", "+++ d"]


def test_numbers_put_equal_axes_together() -> None:
    one = {"axis": "height", "size": 7, "kernel": 3, "stride": 2, "dilation": 1, "pads": [1, 1]}
    other = {**one, "axis": "depth", "size": None, "pads": None, "by_residue": {"0": [0, 1], "1": [1, 1]}}
    found = finding(TEXT, numbers={"op": "x", "axes": [one, {**one, "axis": "width"}, other]})
    assert axes(found) == [
        ("height, width", "7", "3", "2", "1", "(1, 1)"),
        ("depth", "?", "3", "2", "1", "by size mod stride 0: (0, 1), 1: (1, 1)"),
    ]
    assert axes(finding(TEXT)) == []
