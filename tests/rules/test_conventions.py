from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import padlint.rules
from padlint.engine import check, fix
from padlint.options import Options
from padlint.rules import ALL, Rule

FOLDER = Path(padlint.rules.__file__).parent
OF_RULES = pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.code) for rule in ALL])
OPTIONS: dict[str, dict[str, Any]] = {
    "PAD002": {"codes": frozenset({"PAD002", "PAD101"})},  # another rule that ran and found nothing
}
"""What the example of a rule needs besides its code, by code."""


def options_for(rule: type[Rule]) -> Options:
    options = {"codes": frozenset({rule.code}), "targets": rule.targets, **OPTIONS.get(rule.code, {})}
    return Options(**options)


def example(rule: type[Rule]) -> str:
    return rule.documentation().example + "\n"


def use_instead(rule: type[Rule]) -> str:
    return rule.documentation().use_instead + "\n"


def test_codes_are_unique_and_sorted() -> None:
    codes = [rule.code for rule in ALL]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in ALL}) == len(ALL)


def test_every_rule_has_a_file_and_is_listed() -> None:
    assert sorted(path.stem.upper() for path in FOLDER.glob("pad[0-9]*.py")) == [rule.code for rule in ALL]
    assert {rule.__module__ for rule in ALL} == {f"padlint.rules.{rule.code.lower()}" for rule in ALL}


@OF_RULES
def test_every_rule_has_a_test_file(rule: type[Rule]) -> None:
    assert Path(__file__).with_name(f"test_{rule.code.lower()}.py").is_file()


@OF_RULES
def test_names_read_well(rule: type[Rule]) -> None:
    assert re.fullmatch(r"PAD[0-9]{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", rule.name)
    assert rule.fix in ("safe", "unsafe", "sometimes", "none")


@OF_RULES
def test_documentation_is_complete(rule: type[Rule]) -> None:
    documentation = rule.documentation()
    assert documentation.summary.endswith(".")
    assert "\n" not in documentation.summary
    for section in (documentation.why, documentation.fix_safety):
        assert section.endswith(".")
    references = documentation.references.splitlines()
    assert references
    assert all(reference.startswith("https://") for reference in references)


@OF_RULES
def test_the_example_is_reported_once(rule: type[Rule]) -> None:
    found = check(example(rule), options_for(rule))
    assert [finding.code for finding in found] == [rule.code]
    assert (found[0].name, found[0].severity) == (rule.name, rule.severity)


@OF_RULES
def test_use_instead_is_silent(rule: type[Rule]) -> None:
    assert check(use_instead(rule), options_for(rule)) == []


@OF_RULES
def test_fixing_the_example_gives_use_instead(rule: type[Rule]) -> None:
    (finding,) = check(example(rule), options_for(rule))
    if finding.fix is None:
        assert rule.fix in ("none", "sometimes")
        pytest.skip(f"{rule.code} does not fix its example: {finding.no_fix_reason}")
    assert fix(example(rule), options_for(rule), unsafe=True).text == use_instead(rule)


@OF_RULES
def test_the_declared_fix_is_what_the_example_gets(rule: type[Rule]) -> None:
    (finding,) = check(example(rule), options_for(rule))
    given = finding.fix.applicability.value if finding.fix is not None else "none"
    assert given == rule.fix or rule.fix == "sometimes"
