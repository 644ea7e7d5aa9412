"""Notebooks through the command: one program over the cells, and nothing else of the file changes."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from padlint.config import Configuration, parse
from padlint.files import Mode, Task, process
from padlint.formats import FORMATS, Report, render
from padlint.notebooks import Document
from padlint.traces.model import FileTrace
from tests.cli.command import padlint
from tests.notebooks.documents import FIXED, IMPORT, SAME, code, markdown, notebook


def task(path: Path | None = None, **more: Any) -> Task:
    name = Path("a.ipynb") if path is None else path
    options = Configuration(parse({}, Path.cwd(), ""), isolated=True).settings(Path.cwd()).options(name)
    return Task(str(name), path, options, **more)


def check(folder: Path, text: str | bytes, *flags: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "a.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())
    return padlint("check", "--isolated", *flags, "a.ipynb", cwd=folder)


def found(folder: Path, text: str | bytes, *flags: str) -> list[dict[str, Any]]:
    done = check(folder, text, "--output-format", "json", *flags)
    findings: list[dict[str, Any]] = json.loads(done.stdout)
    return findings


def places(findings: list[dict[str, Any]]) -> list[tuple[str, int, int, int]]:
    return [(f["code"], f["cell"], f["location"]["row"], f["location"]["column"]) for f in findings]


@pytest.mark.parametrize(
    "text",
    [
        notebook(markdown(f"{IMPORT}\n{SAME}"), code("x = 1")),
        notebook(code(IMPORT), code(SAME), language="julia"),
        notebook(code(IMPORT), code(f"%%writefile a.py\n{SAME}")),
        notebook(code(IMPORT), code(f"{SAME}  # noqa: PAD305")),
        notebook(code(IMPORT), code(SAME), code("# padlint: skip-file")),
        notebook(code(SAME), code("import torch.nn as other")),
    ],
)
def test_silent(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


def test_cells_are_one_program(tmp_path: Path) -> None:
    text = notebook(code(f"!ls\n{IMPORT}"), markdown("#"), code(f"%%time\n\n{SAME}\n"), code(["x = 1"]))
    (finding,) = found(tmp_path, text)
    assert places([finding]) == [("PAD305", 3, 3, 8)]
    (edit,) = finding["fix"]["edits"]
    assert (edit["cell"], edit["location"]["row"], edit["content"]) == (3, 3, "1")
    done = check(tmp_path, text)
    assert done.stdout.startswith(b"a.ipynb:cell 3:3:8: PAD305 [*] ")
    assert b"3 | conv = nn.Conv2d" in done.stdout


def test_a_name_that_is_bound_again(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, notebook(code(IMPORT), code("nn = mine"), code(SAME)))
    assert finding["fix"]["applicability"] == "unsafe"
    text = notebook(code(IMPORT), code(SAME), code(SAME.replace("3, p", "5, p")))
    assert places(found(tmp_path, text)) == [("PAD305", 2, 1, 8), ("PAD305", 3, 1, 8)]


KERAS = "from keras import Input\nfrom keras.layers import Conv2D"
STRIDED = 'Conv2D(8, 3, strides=2, padding="same")'


def test_one_fix_with_edits_in_two_cells(tmp_path: Path) -> None:
    def written(imports: str, use: str) -> str:
        made = code("x = Input((224, 224, 3))")
        return notebook(code(f"%cd\n{KERAS}{imports}"), markdown("é"), made, code(use))

    text = written("", f"y = {STRIDED}(x)")
    (finding,) = found(tmp_path, text)
    assert {edit["cell"] for edit in finding["fix"]["edits"]} == {1, 4}
    check(tmp_path, text, "--fix")
    padded = 'y = ZeroPadding2D(((0, 1), (0, 1)))(x)\ny = Conv2D(8, 3, strides=2, padding="valid")(y)'
    assert (tmp_path / "a.ipynb").read_text() == written(", ZeroPadding2D", padded)


@pytest.mark.parametrize(
    ("hidden", "is_known"),
    [("%lprun -f f g(z)", True), ("%lprun -f f block(z)", False), ("%%html\n<b>block</b>", False)],
)
def test_names_in_what_is_hidden_count_as_used(tmp_path: Path, hidden: str, is_known: bool) -> None:
    """What IPython alone can read may call a function with another size."""
    block = code(f"def block(x):\n    y = {STRIDED}(x)\n    return y")
    use = code("z = block(Input((224, 224, 3)))")
    (finding,) = process(task(), content=notebook(code(KERAS), block, use, code(hidden)).encode()).findings
    assert (finding.fix is not None) is is_known


@pytest.mark.parametrize("style", [{}, {"indent": None}, {"indent": "\t"}, {"ensure_ascii": True}])
@pytest.mark.parametrize("end", ["\n", "", "\r\n\r\n"])
@pytest.mark.parametrize("listed", [True, False])
def test_nothing_else_changes(tmp_path: Path, style: dict[str, Any], end: str, listed: bool) -> None:
    def written(line: str) -> bytes:
        rows = [f"{IMPORT}\n", "# é\n", f"{line}  # ü\n", "!ls é"]
        cells = code(rows if listed else "".join(rows)), markdown("ö")
        text = notebook(*cells, **style).replace("\n", "\r\n" if "\r" in end else "\n")
        return b"\xef\xbb\xbf" * ("\r" in end) + (text.rstrip() + end).encode()

    path = tmp_path / "a.ipynb"
    path.write_bytes(written(SAME))
    done = process(task(path, mode=Mode.FIX, unsafe=True))
    assert (len(done.applied), done.findings, done.problem) == (1, (), None)
    assert path.read_bytes() == written(FIXED)


def test_a_cell_that_does_not_parse(tmp_path: Path) -> None:
    text = notebook(code(IMPORT), code("x = (\n1"), code(SAME))
    findings = found(tmp_path, text)
    assert [place[:2] for place in places(findings)] == [("PAD001", 2), ("PAD305", 3)]
    assert findings[0]["message"].startswith("The cell cannot be parsed")
    assert findings[1]["no_fix_reason"].startswith("another cell does not parse")
    check(tmp_path, text, "--fix")
    assert (tmp_path / "a.ipynb").read_text() == text


@pytest.mark.parametrize(
    "text", ['{"cells": [torch nn.Conv2d(', "[" * 100_000 + " torch nn.Conv2d(", "{}  torch.Conv2d("]
)
def test_what_is_no_notebook(tmp_path: Path, text: str) -> None:
    done = check(tmp_path, text, "--output-format", "concise")
    assert (done.returncode, b"PAD001" in done.stdout) == (1, True)


def test_diff_by_cell(tmp_path: Path) -> None:
    text = notebook(code(IMPORT), code(["x = 1\n", SAME]))
    done = check(tmp_path, text, "--diff")
    assert done.returncode == 1
    name = "a.ipynb:cell 2"
    assert done.stdout.decode() == f"--- {name}\n+++ {name}\n@@ -1,2 +1,2 @@\n x = 1\n-{SAME}\n+{FIXED}\n"
    assert (tmp_path / "a.ipynb").read_text() == text


def test_stdin(tmp_path: Path) -> None:
    text = notebook(code(IMPORT), code(SAME))
    flags = "check", "--isolated", "--fix", "--stdin-filename", "a.ipynb", "-"
    done = padlint(*flags, cwd=tmp_path, stdin=text.encode())
    assert done.stdout.decode() == notebook(code(IMPORT), code(FIXED))


def test_unused_suppression(tmp_path: Path) -> None:
    text = notebook(
        code(["x = 1\n", "y = 2  # noqa: PAD305"]), code(["z = 3\n", "# noqa: PAD305"]), code("a")
    )
    assert [place[:2] for place in places(found(tmp_path, text))] == [("PAD002", 1), ("PAD002", 2)]
    check(tmp_path, text, "--fix")
    after = [cell["source"] for cell in json.loads((tmp_path / "a.ipynb").read_text())["cells"]]
    assert ["".join(source).rstrip("\n") for source in after] == ["x = 1\ny = 2", "z = 3", "a"]


def test_rows_in_messages_name_their_cell(tmp_path: Path) -> None:
    source = "from keras import Input, layers\nx = Input((None, None, 3))  # padlint: input-size=224"
    conv = 'y = layers.Conv2D(8, 3, 2, padding="same")(x)'
    (finding,) = found(tmp_path, notebook(code("import os"), code(source), code(conv)))
    assert "cell 2 line 2" in json.dumps(finding)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(name: str) -> None:
    done = process(task(), content=notebook(code(IMPORT), code(SAME), code(SAME)).encode())
    cells = {("a.ipynb", number): text for number, text in done.cells.items()}
    assert "PAD305" in render(name, Report(done.findings, cells=cells, files=1))


def test_many_cells(tmp_path: Path) -> None:
    text = notebook(code(IMPORT), *(code(f"x{i} = {i}") for i in range(2_000)), code(SAME))
    assert places(found(tmp_path, text)) == [("PAD305", 2_002, 1, 8)]


def test_an_empty_list_of_lines_takes_a_line() -> None:
    text = notebook(code([]), code(["x"]))
    assert json.loads(Document(text).changed({1: "a\nb"}))["cells"][0]["source"] == ["a\n", "b"]


def test_many_alike_lines_are_compared_quickly() -> None:
    rows = ["a\n", *["\n"] * 20_000, "b"]
    text = notebook(code(rows))
    assert Document(text).changed({1: "x\n" + "\n" * 20_000 + "y"}) == notebook(
        code(["x\n", *rows[1:-1], "y"])
    )


def test_a_trace_is_said_to_be_ignored() -> None:
    asked = task()
    asked = asked._replace(options=replace(asked.options, trace=FileTrace("a", ())))
    done = process(asked, content=notebook(code(IMPORT), code(SAME)).encode())
    assert done.problem is not None
    assert "not checked with a trace" in done.problem.message
    assert len(done.findings) == 1
