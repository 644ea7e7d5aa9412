"""`padlint config`: what holds for a path, and who says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from padlint.cli import cli
from padlint.config import Settings
from padlint.config.origins import origins
from padlint.config.schema import names
from tests.cli.command import SAME, write

TOML = """\
[project]
name = "ignore"
[tool.other]
ignore = 3

[tool.padlint]
ignore = [
  "PAD305",
]
"fail-on" = "error"
exclude = "gen"
per-file-input-size = { "m/*" = 192 }

[tool.padlint.per-file-ignores]
"tests/*" = ["PAD3"]
"""


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["config", *arguments])


def shown(*arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run("--output-format", "json", *arguments).stdout)
    return document


def setting(key: str, *arguments: str) -> tuple[Any, list[str]]:
    (item,) = shown(key, *arguments)["settings"]
    assert item["key"] == key
    return item["value"], item["where"] or [item["source"]]


@pytest.mark.parametrize(
    ("arguments", "value", "where"),
    [
        (["fail-on"], "error", ["pyproject.toml:10"]),
        (["fail-on", "--fail-on", "info"], "info", ["--fail-on"]),
        (["fail-on", "--isolated"], "warning", ["default"]),
        (["ignore"], ["PAD305"], ["pyproject.toml:7"]),
        (["ignore", "--ignore", "PAD1,PAD2"], ["PAD305", "PAD1", "PAD2"], ["pyproject.toml:7", "--ignore"]),
        (["ignore", "--select", "PAD3"], [], ["default"]),  # which starts afresh
        (["exclude"], "gen", ["pyproject.toml:11"]),
        (["per-file-ignores"], {"tests/*": ["PAD3"]}, ["pyproject.toml:14"]),
        (["per-file-input-size"], {"m/*": 192}, ["pyproject.toml:12"]),
        (["per-file-input-size", "--input-size", "224"], {}, ["default"]),
        (["input-size", "--input-size", "224"], "224", ["--input-size"]),
        (["target", "--target", "onnx,tflite"], ["onnx", "tflite"], ["--target"]),
        (["output-format"], "text", ["default"]),
        (["jobs"], None, ["default"]),
        (["fix", "--no-fix"], False, ["--no-fix"]),
    ],
)
def test_where_a_setting_comes_from(
    tmp_path: Path, arguments: list[str], value: object, where: list[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(TOML)
    assert setting(*arguments) == (value, where)


def test_own_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "padlint.toml").write_text("# here\nfix = true\n")
    assert setting("fix", "sub") == (True, [str(Path("sub/padlint.toml:2"))])
    assert setting("fix") == (False, ["default"])


def test_what_the_settings_come_to(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TOML)
    (tmp_path / "tests").mkdir()
    (tmp_path / "m").mkdir()
    write(tmp_path / "tests", a=SAME)
    write(tmp_path / "m", a=SAME)
    assert {"PAD303", "PAD401"} <= set(shown()["rules"])
    assert "PAD305" not in shown()["rules"]
    assert "PAD303" not in shown("tests/a.py")["rules"]
    assert (shown("m/a.py")["input_size"], shown()["input_size"]) == ([192], None)
    text = run("m/a.py").stdout
    assert '\nfail-on = "error"  # pyproject.toml:10\n' in text
    assert "\n# input-size is not set\n" in text
    assert "\n# input size: 192\n" in text


def test_one_setting_is_explained() -> None:
    assert run("fail-on").stdout == (
        'fail-on = "warning"  # default\n'
        "# What makes the exit status 1.  [warning]\n# One of error, warning, info.\n# Flag: --fail-on\n"
    )
    for name in names():
        lines = run(name).stdout.splitlines()
        assert len(lines) >= 2, name
        assert len(lines[1]) > 10, f"{name} is explained"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fail_on"], "'fail_on' is neither a setting nor one existing path; did you mean fail-on?"),
        (["nowhere"], "'nowhere' is neither a setting nor one existing path"),
        (["--select", "PAD999"], "unknown rule or prefix 'PAD999'"),
        (["--output-format", "sarif"], "'sarif' is not one of"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_bad_configuration(tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text("fixx = true\n")
    done = run()
    assert (done.exit_code, done.stdout) == (2, "")
    assert "padlint.toml: fixx: unknown setting; did you mean fix?" in done.stderr


def test_the_lines_read_back(tmp_path: Path) -> None:
    """What is printed is TOML that means the same."""
    toml = pytest.importorskip("tomllib")
    (tmp_path / "pyproject.toml").write_text(TOML)
    read = toml.loads(run().stdout)
    assert read["ignore"] == ["PAD305"]
    assert read["per-file-ignores"] == {"tests/*": ["PAD3"]}


def test_defaults_are_those_of_a_run() -> None:
    known = {origin.key for origin in origins({}, None)}
    assert known == set(names())
    assert all(
        field.replace("_", "-") in known
        for field in Settings._fields
        if field not in ("rules", "fixes", "source")
    )
