"""Changed lines, baselines, questions and comments in notebooks."""

from __future__ import annotations

import json
from pathlib import Path

from padlint.files import Mode, process
from padlint.findings import Finding
from padlint.scope import Scope, kind
from padlint.syntax.source import Source, apply_edits
from tests.cli.command import padlint
from tests.cli.test_since import committed
from tests.notebooks.documents import FIXED, IMPORT, SAME, code, markdown, notebook
from tests.notebooks.test_check import task

OTHER = SAME.replace("3, p", "5, p")


def test_changed_lines_of_the_json() -> None:
    text = notebook(code(IMPORT), code(["x = 1\n", f"{SAME}\n", OTHER]), code(SAME))
    rows = [number for number, line in enumerate(text.split("\n"), start=1) if "Conv2d" in line]
    for row, place in zip(rows, [(2, 2), (2, 3), (3, 1)], strict=True):
        (finding,) = process(task(scope=Scope(((2 * row, 2 * row),))), content=text.encode()).findings
        assert (finding.cell, finding.location.row) == place
    none = Scope(((2, 2),))
    assert process(task(scope=none), content=text.encode()).findings == ()


def test_only_changed_lines_are_fixed(tmp_path: Path) -> None:
    text = notebook(code(IMPORT), code([f"{SAME}\n", OTHER]))
    row = next(n for n, line in enumerate(text.split("\n"), start=1) if "Conv2d(3, 8, 3" in line)
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    done = process(task(path, mode=Mode.FIX, unsafe=True, scope=Scope(((2 * row, 2 * row),))))
    assert (len(done.applied), done.findings) == (1, ())
    assert path.read_text() == notebook(code(IMPORT), code([f"{FIXED}\n", OTHER]))


def test_what_is_known_does_not_count() -> None:
    first = notebook(code(IMPORT), code(SAME), code("x = ("))
    findings = process(task(), content=first.encode()).findings
    texts = {2: SAME, 3: "x = ("}
    known = {kind(finding, Source(texts[finding.cell or 0])): 1 for finding in findings}
    done = process(task(scope=Scope(None, known)), content=first.encode())
    assert done.findings == ()
    assert done.met == known
    more = notebook(markdown("x"), code(IMPORT), code(f"!ls\n{SAME}"), code(SAME), code("x = ("))
    (finding,) = process(task(scope=Scope(None, known)), content=more.encode()).findings
    assert (finding.code, finding.cell) == ("PAD305", 4)


def test_a_baseline_written_and_used(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(code(IMPORT), code(SAME)))
    assert padlint("baseline", "--isolated", "-o", "b.json", cwd=tmp_path).returncode == 0
    flags = "check", "--isolated", "--baseline", "b.json", "--output-format", "json", "."
    done = padlint(*flags, cwd=tmp_path)
    assert (json.loads(done.stdout), done.stderr) == ([], b"")
    (tmp_path / "a.ipynb").write_text(notebook(code(IMPORT), code("x"), code(SAME), code(OTHER)))
    (finding,) = json.loads(padlint(*flags, cwd=tmp_path).stdout)
    assert finding["cell"] == 4


def test_since_a_revision(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(code([f"{IMPORT}\n", "x"]), code(["y\n", SAME])))
    committed(tmp_path)
    changed = notebook(code([f"{IMPORT}\n", "x"]), code(["y\n", f"{SAME}  #"]), code([f"{OTHER}\n", "x"]))
    (tmp_path / "a.ipynb").write_text(changed)
    done = padlint("check", "--isolated", "--since", "HEAD", "--output-format", "json", cwd=tmp_path)
    assert [f["cell"] for f in json.loads(done.stdout)] == [2, 3], done.stderr
    (tmp_path / "a.ipynb").write_text(changed.replace("  #", ""))
    done = padlint("check", "--isolated", "--since", "HEAD", "--output-format", "json", cwd=tmp_path)
    assert [f["cell"] for f in json.loads(done.stdout)] == [3], done.stderr


def test_comments_that_silence(tmp_path: Path) -> None:
    text = notebook(code(f"!ls\n{IMPORT}"), code([f"%time {SAME}\n", "x"]), code("z = ("))
    (tmp_path / "a.ipynb").write_text(text)
    done = padlint("check", "--isolated", "--add-noqa=later", "a.ipynb", cwd=tmp_path)
    after = json.loads((tmp_path / "a.ipynb").read_text())
    assert after["cells"][1]["source"] == [f"%time {SAME}  # noqa: PAD305 later\n", "x"]
    assert (tmp_path / "a.ipynb").read_text() == text.replace(
        '\\"same\\")', '\\"same\\")  # noqa: PAD305 later'
    )
    assert b"Silenced 1 finding in 1 file" in done.stderr
    left = padlint("check", "--isolated", "--output-format", "json", "a.ipynb", cwd=tmp_path).stdout
    assert [finding["code"] for finding in json.loads(left)] == ["PAD001"]


def test_each_fix_is_asked_about_in_its_cell() -> None:
    text = notebook(code(f"%cd\n{IMPORT}"), code(["x\n", SAME]), code(OTHER))
    asked = []

    def accept(text: str, finding: Finding) -> bool:
        assert finding.fix is not None
        asked.append((finding.cell, finding.location.row, text, apply_edits(text, finding.fix.edits)))
        return finding.cell == 2

    done = process(task(mode=Mode.FIX, unsafe=True), content=text.encode(), accept=accept)
    assert done.after.decode() == notebook(code(f"%cd\n{IMPORT}"), code(["x\n", FIXED]), code(OTHER))
    assert (2, 2, f"x\n{SAME}\n", f"x\n{FIXED}\n") in asked
    assert [place[:2] for place in asked] == [(2, 2), (3, 1)]
