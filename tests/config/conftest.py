"""A few rules to select from, whatever rules there are."""

from __future__ import annotations

import pytest

import padlint.rules
from padlint.config import selection
from padlint.findings import Severity
from padlint.rules import Rule


def _rule(rule_code: str, *rule_targets: str) -> type[Rule]:
    class Made(Rule):
        code = rule_code
        name = "made"
        severity = Severity.WARNING
        fix = "none"
        targets = frozenset(rule_targets)

    return Made


@pytest.fixture(autouse=True)
def few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    made = (
        _rule("PAD101"),
        _rule("PAD102"),
        _rule("PAD203", "torch"),
        _rule("PAD301"),
        _rule("PAD304", "onnx"),
    )
    monkeypatch.setattr(padlint.rules, "ALL", made)
    monkeypatch.setattr(selection, "known_codes", lambda: [rule.code for rule in made])
