"""Every format: it exists, holds hostile names and cells, and goes through the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from padlint.config import OUTPUT_FORMATS
from padlint.formats import COUNTING, FORMATS, READABLE, Failure, Report, render
from tests.cli.command import BROKEN, CLEAN, SAME, SAME_FIXED, STRIDED, padlint, write
from tests.formats.findings import finding, unfixable, unsafe

TEXT = 'c = Conv2d(3, padding="same")\n'
HOSTILE = "a\r\n::error::b\udcff%,:;]<>&\"'\x1b\x00\u2028{0}.py"
MESSAGE = "x\n::error::y %0A\x1b[2J\x00 <&\"'>; ] {0} \U0001f4a9"


def hostile() -> Report:
    found = unsafe(finding(filename=HOSTILE, message=MESSAGE))
    return Report((found, unfixable(found, MESSAGE)), {HOSTILE: TEXT}, failures=(Failure(HOSTILE, MESSAGE),))


def test_the_settings_name_the_formats() -> None:
    assert tuple(FORMATS) == OUTPUT_FORMATS
    assert READABLE < COUNTING < set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_names_and_messages(name: str) -> None:
    text = render(name, hostile())
    assert "\x1b" not in text
    assert "\x00" not in text
    text.encode()  # no lone surrogate
    if name in READABLE:
        text.encode("utf-8")
    assert not any(line.startswith("::error::") for line in text.splitlines())


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(name: str) -> None:
    text = render(name, Report((), files=1))
    if name in READABLE:
        assert text == "All checks passed!\n"
    elif name in ("json", "gitlab"):
        assert json.loads(text) == []
    elif name in ("json-lines", "github", "azure", "pylint"):
        assert text == ""


@pytest.mark.parametrize("name", FORMATS)
def test_a_cell_is_named(name: str) -> None:
    found = finding(filename="a.ipynb", cell=3)
    text = render(name, Report((found,), {"a.ipynb": TEXT}, files=1))
    assert "cell 3" in text.replace('"cell": 3', "cell 3").replace('"cell":3', "cell 3")


@pytest.mark.parametrize("name", sorted(COUNTING))
def test_counts(name: str) -> None:
    assert "same-string" in render(name, Report((finding(),), statistics=True))


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"text"}))
def test_through_the_command_line(tmp_path: Path, name: str) -> None:
    write(tmp_path, a=SAME, b=STRIDED, c=BROKEN, d=CLEAN, e=b"\xff")
    done = padlint("check", "--output-format", name, ".", cwd=tmp_path)
    assert done.returncode == 2, done
    assert b"Traceback" not in done.stderr
    assert b"error: e.py: cannot decode" in done.stderr
    for code in (b"PAD305", b"PAD401", b"PAD001"):
        assert code in done.stdout
    fixed = padlint("check", "--output-format", name, "--fix", "--output-file", "out", "a.py", cwd=tmp_path)
    assert (fixed.returncode, fixed.stdout) == (0, b"")
    assert (tmp_path / "a.py").read_text() == SAME_FIXED
    assert b"PAD305" not in (tmp_path / "out").read_bytes()
    stdin = padlint(
        "check",
        "--output-format",
        name,
        "--stdin-filename",
        "q.py",
        "-",
        cwd=tmp_path,
        stdin=STRIDED.encode(),
    )
    assert b"q.py" in stdin.stdout


def test_concise_and_grouped() -> None:
    found = finding()
    report = Report((found, replace(found, filename="z.py"), unfixable(finding(filename="z.py"))))
    assert render("concise", report) == (
        "model.py:1:5: PAD305 [*] padding is a string\n"
        "z.py:1:5: PAD305 [*] padding is a string\n"
        "z.py:1:5: PAD305 padding is a string\n"
        "Found 3 problems (2 fixable with --fix)\n"
    )
    assert render("grouped", report._replace(quiet=True)) == (
        "model.py:\n  1:5  PAD305 [*] padding is a string\n\n"
        "z.py:\n  1:5  PAD305 [*] padding is a string\n  1:5  PAD305 padding is a string\n\n"
    )


def test_json_lines() -> None:
    report = Report((finding(), unsafe(finding())))
    lines = render("json-lines", report).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render("json", report))


def test_github(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = finding(filename="a,b:c%.py", message="100 %\nof it")
    (line,) = render("github", Report((found,))).splitlines()
    folder = str(tmp_path).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    assert line == (
        f"::notice title=padlint (PAD305),file={folder}/a%2Cb%3Ac%25.py,line=1,endLine=1,col=5,endColumn=30"
        "::a,b:c%25.py:1:5: PAD305 100 %25\\nof it%0A  help: write a number"
    )
    several = replace(found, end_location=replace(found.end_location, row=2))
    (line,) = render("github", Report((several,))).splitlines()
    assert ",line=1,endLine=2::" in line


def test_github_and_junit_show_what_could_not_be_checked() -> None:
    report = Report((), failures=(Failure("b.py", "cannot read"), Failure("", "bad setting")))
    first, second = render("github", report).splitlines()
    assert first.startswith("::error title=padlint,file=")
    assert first.endswith("b.py::cannot read")
    assert second == "::error title=padlint::bad setting"
    suites = ElementTree.fromstring(render("junit", report))
    assert suites.attrib == {
        "name": "padlint",
        "tests": "2",
        "failures": "0",
        "errors": "2",
        "skipped": "0",
    }
    assert [error.attrib["message"] for error in suites.iter("error")] == ["cannot read", "bad setting"]


def test_junit() -> None:
    found = finding()
    suites = ElementTree.fromstring(render("junit", Report((found, replace(found, filename="z.py")))))
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [
        ("model.py", "1"),
        ("z.py", "1"),
    ]
    case = suites[0][0]
    assert (case.get("line"), case.get("column")) == ("1", "5")
    failure = case[0]
    assert (failure.get("type"), failure.get("message")) == ("info", "padding is a string")
    ElementTree.fromstring(render("junit", hostile()))
    (suite,) = ElementTree.fromstring(render("junit", Report(())))
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0"), (
        "an empty report would count as a failure"
    )


def test_pylint_and_azure() -> None:
    report = Report((finding(message="a; b"), finding(cell=2)))
    assert render("pylint", report).splitlines() == [
        "model.py:1: [PAD305] a; b",
        "model.py:1: [PAD305] cell 2, line 1, column 5: padding is a string",
    ]
    assert render("azure", report).splitlines()[0] == (
        "##vso[task.logissue type=warning;sourcepath=model.py;linenumber=1;columnnumber=5;code=PAD305;]a%3B b"
    )


def test_rdjson() -> None:
    text = '"é𐐀"; c = Conv2d(3, padding="same")\n'
    report = Report(
        (finding(text), unsafe(finding(text))), {"model.py": text}, documentation_url="https://x/{code}"
    )
    first, second = json.loads(render("rdjson", report))["diagnostics"]
    span = {"start": {"line": 1, "column": 15}, "end": {"line": 1, "column": 40}}  # bytes, not characters
    assert first == {
        "message": "padding is a string",
        "location": {"path": "model.py", "range": span},
        "severity": "INFO",
        "code": {"value": "PAD305", "url": "https://x/PAD305"},
        "suggestions": [{"range": span, "text": "Conv2d(3, padding=1)"}],
    }
    assert "suggestions" not in second, "unsafe fixes are suggested with --unsafe-fixes only"


def test_rdjson_suggests_a_fix_of_several_edits_as_one_change() -> None:
    text = "import a\n\n\nc = Conv2d(3)\n"
    found = finding(text)
    assert found.fix is not None
    (call,) = found.fix.edits
    start = replace(call.location, row=1, column=1)
    insertion = replace(call, start=0, end=0, content="import b\n", location=start, end_location=start)
    found = replace(found, fix=replace(found.fix, edits=(call, insertion)))
    (item,) = json.loads(render("rdjson", Report((found,), {"model.py": text})))["diagnostics"]
    (suggestion,) = item["suggestions"]
    assert suggestion["text"] == "import b\nimport a\n\n\nc = Conv2d(3, padding=1)"
    assert suggestion["range"] == {"start": {"line": 1, "column": 1}, "end": {"line": 4, "column": 14}}
