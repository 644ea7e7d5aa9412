"""GitLab and SARIF know findings again by fingerprints, wherever the lines have gone."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from padlint.findings import Location
from padlint.formats import Failure, Report, render
from tests.cli.command import SAME, STRIDED, padlint, write
from tests.formats.findings import finding, unfixable, unsafe
from tests.formats.test_registry import HOSTILE, TEXT, hostile

SCHEMA = Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json"


def gitlab(*texts: str) -> list[dict[str, Any]]:
    report = Report(
        tuple(finding(text, filename=f"{i}.py") for i, text in enumerate(texts)),
        {f"{i}.py": text for i, text in enumerate(texts)},
    )
    items: list[dict[str, Any]] = json.loads(render("gitlab", report))
    return items


def fingerprint(text: str) -> str:
    return str(gitlab(text)[0]["fingerprint"])


def sarif(report: Report) -> dict[str, Any]:
    """The run of a log that keeps to the schema of the standard."""
    log = json.loads(render("sarif", report))
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(log)
    (run,) = log["runs"]
    return dict(run)


def test_gitlab() -> None:
    (item,) = gitlab(TEXT)
    assert len(item.pop("fingerprint")) == 32
    assert item == {
        "check_name": "PAD305",
        "description": "PAD305: padding is a string",
        "severity": "info",
        "location": {
            "path": "0.py",
            "positions": {"begin": {"line": 1, "column": 5}, "end": {"line": 1, "column": 30}},
        },
    }


def test_gitlab_paths_start_at_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert gitlab(TEXT)[0]["location"]["path"] == "sub/0.py"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("import torch\n\n\n" + TEXT, True),
        ("if x:\n    " + TEXT, True),
        (TEXT.replace(", ", ",\n    "), True),
        (TEXT.replace("3", "5"), False),
    ],
)
def test_fingerprints_hold_the_code_and_not_the_line(other: str, same: bool) -> None:
    assert (fingerprint(TEXT) == fingerprint(other)) is same


def test_fingerprints_are_unique() -> None:
    twice = Report((finding(), replace(finding(), location=Location(1, 5))), {"model.py": TEXT})
    items = json.loads(render("gitlab", twice))
    assert len({item["fingerprint"] for item in items}) == 2
    assert len({item["fingerprint"] for item in gitlab(TEXT, TEXT)}) == 2, "in two files"


def test_sarif() -> None:
    text = '"é𐐀"; ' + TEXT
    run = sarif(Report((finding(text), unsafe(finding(text)), unfixable(finding(text))), {"model.py": text}))
    driver = run["tool"]["driver"]
    (rule,) = driver["rules"]
    assert (driver["name"], rule["id"], rule["name"]) == ("padlint", "PAD305", "same-string")
    assert rule["help"]["markdown"].startswith("# same-string (PAD305)\n")
    assert "helpUri" not in rule
    assert run["columnKind"] == "unicodeCodePoints"
    safe, risky, none = run["results"]
    place = safe["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "model.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 36}
    assert safe["level"] == "note"
    (change,) = safe["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {"deletedRegion": place["region"], "insertedContent": {"text": "Conv2d(3, padding=1)"}}
    ]
    assert risky["fixes"][0]["description"]["text"] == "write a number (unsafe fix)"
    assert risky["fixes"][0]["properties"]["applicability"] == "unsafe"
    assert "fixes" not in none
    assert none["properties"]["noFixReason"] == "the size is not known"
    assert len({result["partialFingerprints"]["findingText/v1"] for result in run["results"]}) == 3


def test_sarif_says_what_failed() -> None:
    failures = (Failure("b.py", "cannot read"), Failure("", "bad"), Failure("c.py", "no {0}", Location(3, 4)))
    run = sarif(Report((), failures=failures, status=2))
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    first, second, third = invocation["toolExecutionNotifications"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b.py"
    assert "locations" not in second
    assert third["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 4}
    assert third["message"]["text"] == "no {{0}}", "braces stand for arguments"
    assert sarif(Report((), status=1))["invocations"][0]["executionSuccessful"]


def test_sarif_locates_any_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "a b#%"
    folder.mkdir()
    monkeypatch.chdir(folder)
    run = sarif(hostile())
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert base == f"{tmp_path.as_uri()}/a%20b%23%25/"
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("a%0D%0A%3A%3Aerror%3A%3Ab%FF%25")
    assert uri.isascii()
    outside = sarif(Report((finding(filename="../x.py"),), {"../x.py": TEXT}))
    place = outside["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": (tmp_path / "x.py").as_uri()}
    assert HOSTILE not in json.dumps(run)


def test_sarif_of_a_cell_has_no_line_of_the_file() -> None:
    run = sarif(Report((finding(filename="a.ipynb", cell=2),), {"a.ipynb": TEXT}))
    (result,) = run["results"]
    (location,) = result["locations"]
    assert location["logicalLocations"] == [{"fullyQualifiedName": "cell 2", "kind": "cell"}]
    assert "region" not in location["physicalLocation"]
    assert "fixes" not in result


def test_sarif_links_to_the_documentation() -> None:
    run = sarif(Report((finding(),), {"model.py": TEXT}, documentation_url="https://x.org/{name}#{code}"))
    assert run["tool"]["driver"]["rules"][0]["helpUri"] == "https://x.org/same-string#PAD305"


def test_sarif_of_a_run_keeps_to_the_schema(tmp_path: Path) -> None:
    write(tmp_path, a=SAME + STRIDED, b=b"\xff")
    done = padlint("check", "--output-format", "sarif", "--select", "ALL", ".", cwd=tmp_path)
    jsonschema = pytest.importorskip("jsonschema")
    log = json.loads(done.stdout)
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(log)
    assert log["runs"][0]["invocations"][0]["exitCode"] == done.returncode == 2
    results = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results)


def test_fixes_in_sarif_give_the_fixed_file(tmp_path: Path) -> None:
    source = "# \U0001f4a9é\n" + SAME.replace("conv =", "é = '\U0001f4a9'; conv =")
    write(tmp_path, a=source)
    done: subprocess.CompletedProcess[bytes] = padlint("check", "--output-format", "sarif", ".", cwd=tmp_path)
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    lines = source.split("\n")
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    region = replacement["deletedRegion"]
    line = lines[region["startLine"] - 1]
    text = replacement["insertedContent"]["text"]
    lines[region["startLine"] - 1] = (
        line[: region["startColumn"] - 1] + text + line[region["endColumn"] - 1 :]
    )
    padlint("check", "--fix", ".", cwd=tmp_path)
    assert "\n".join(lines) == (tmp_path / "a.py").read_text(encoding="utf-8")
