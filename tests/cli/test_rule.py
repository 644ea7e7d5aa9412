"""`padlint rule`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from padlint.cli import cli
from padlint.config.selection import known_codes
from padlint.rules import ALL

KEYS = ["code", "name", "severity", "fix", "targets", "summary", "why", "example", "use_instead"]
KEYS += ["fix_safety", "references"]


def rule(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["rule", *arguments])


def test_page() -> None:
    page = rule("PAD305")
    assert page.exit_code == 0
    assert page.output.startswith("# same-string (PAD305)\n\n")
    assert "\nSeverity: info. It has a fix in some cases.\n" in page.output
    headings = [line for line in page.output.split("\n") if line.startswith("## ")]
    assert headings == ["## Why", "## Example", "## Use instead", "## Fix safety", "## References"]
    assert 'conv = nn.Conv2d(3, 8, 3, padding="same")' in page.output


def test_all_pages() -> None:
    page = rule("--all")
    assert page.exit_code == 0
    titles = [line for line in page.output.split("\n") if line.startswith("# ") and line.endswith(")")]
    assert titles == [f"# {rule.name} ({rule.code})" for rule in ALL]


def test_json() -> None:
    items = json.loads(rule("--all", "--output-format", "json").output)
    assert [item["code"] for item in items] == [rule.code for rule in ALL]
    assert all(list(item) == KEYS for item in items)
    (item,) = json.loads(rule("PAD305", "--output-format", "json").output)
    assert (item["name"], item["severity"], item["targets"]) == ("same-string", "info", [])


@pytest.mark.parametrize("word", ["pad305", "same-string"])
def test_rules_by_other_names(word: str) -> None:
    assert rule(word).output == rule("PAD305").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["PAD3O5"], "unknown rule 'PAD3O5'; did you mean PAD305?"),
        (["E501"], "unknown rule 'E501'; `padlint rule --all` lists the rules"),
        ([], "Name one rule, or pass --all."),
        (["PAD305", "--all"], "Name one rule, or pass --all."),
    ],
)
def test_errors(arguments: list[str], message: str) -> None:
    result = rule(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_each_rule_is_in_a_module_named_by_its_code() -> None:
    assert known_codes() == [rule.code for rule in ALL]
