"""A notebook keeps every byte but those of the changed lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padlint.notebooks import BadNotebook, Document
from tests.notebooks.documents import code, markdown, notebook

LINES = ["a = 1\n", "é = '\\u00e9'\n", "b\t= 2\n", "c = 3"]


def changed(text: str, *sources: str) -> str:
    document = Document(text)
    result = document.changed(dict(enumerate(sources, start=1)))
    assert [cell.text for cell in Document(result).cells] == list(sources)
    assert Document(result).rest == document.rest
    return result


@pytest.mark.parametrize("style", [{}, {"indent": None}, {"indent": 4}, {"separators": (",", ":")}])
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("source", [LINES, "".join(LINES)])
def test_one_line(style: dict[str, object], ascii_only: bool, source: str | list[str]) -> None:
    style = {"ensure_ascii": ascii_only, **style}
    text = notebook(code(source), **style)
    new = [LINES[0], LINES[1], "b\t= 'ü'\n", LINES[3]]
    expected = new if isinstance(source, list) else "".join(new)
    assert changed(text, "".join(new)) == notebook(code(expected), **style)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["a\n", "b"], ["a\n", "x\n", "b"]),
        (["a\n", "b"], ["x\n", "a\n", "b"]),
        (["a\n", "b"], ["a\n", "b\n", "x"]),
        (["a\n", "b\n", "c"], ["a\n", "c"]),
        (["a\n", "b\n", "c"], ["b\n", "c"]),
        (["a\n", "b"], ["a\n"]),
        (["a\n", "b\n"], ["a\n", "b\n", "c"]),
    ],
)
def test_lines_that_come_and_go(before: list[str], after: list[str]) -> None:
    assert changed(notebook(code(before)), "".join(after)) == notebook(code(after))


def test_spellings_of_other_lines_stay() -> None:
    text = '{"cells":[{"source":"\\u0061 = 1\\u000ab = \\"\\/\\"\\nc","cell_type":"code"}] }'
    assert changed(text, 'a = 1\nb = "/"\nd') == text.replace("\\nc", "\\nd")


LINE = st.text(alphabet='ab é\\"\r\t/🙂', max_size=5)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINE, max_size=6), st.lists(LINE, max_size=6), st.booleans(), st.booleans(), st.booleans())
def test_any_change(old: list[str], new: list[str], listed: bool, ascii_only: bool, compact: bool) -> None:
    before = "\n".join(old)
    source = (before.splitlines(keepends=True) or [before]) if listed else before
    style = {"ensure_ascii": ascii_only, "indent": None if compact else 1}
    changed(notebook(code(source), **style), "\n".join(new))


def test_which_cells_are_python() -> None:
    cells = [
        code("a"),
        markdown("b"),
        code("c", metadata={"vscode": {"languageId": "julia"}}),
        {**markdown("d"), "cell_type": "raw"},
        code(["e"]),
    ]
    assert [cell.is_python for cell in Document(notebook(*cells)).cells] == [True, False, False, False, True]
    assert not any(cell.is_python for cell in Document(notebook(*cells, language="R")).cells)


def test_worksheets() -> None:
    cell = {"cell_type": "code", "input": ["a\n", "b"], "language": "python", "outputs": []}
    sheets = [{"cells": [cell, cell], "metadata": {}}, {"cells": [cell]}]
    text = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": sheets}, indent=1)
    assert [cell.text for cell in Document(text).cells] == ["a\nb"] * 3
    assert changed(text, "a\nb", "x\nb", "a\nb").count('"x\\n"') == 1


@pytest.mark.parametrize(
    ("text", "message", "row", "column"),
    [
        ("", "invalid JSON: Expecting value", 1, 1),
        ('{"cells": [\n {"source": "a", }]}', "invalid JSON: Expecting '\"'", 2, 18),
        ('{"cells": []} x', "invalid JSON: Extra data", 1, 15),
        ('{"cells": [] "a"}', "invalid JSON: Expecting ','", 1, 14),
        ("[]", "no notebook: the JSON is no object", 1, 1),
        ("{}", "no notebook: the JSON has no list of cells", 1, 1),
        ('{"cells": [1]}', "no notebook: a cell is no object", 1, 12),
        ('{"cells": [], "cells": []}', "no notebook: 'cells' comes twice", 1, 24),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "no notebook: the source of a cell is", 1, 44),
        ('{"a": ' + "[" * 100_000, "its JSON is nested too deeply", 1, 1),
    ],
)
def test_no_notebook(text: str, message: str, row: int, column: int) -> None:
    with pytest.raises(BadNotebook) as caught:
        Document(text)
    assert caught.value.message.startswith(message)
    assert (caught.value.location.row, caught.value.location.column) == (row, column)
