from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from dataclasses import replace
from pathlib import Path

import pytest

from padlint.engine import check, fix
from padlint.findings import Applicability
from padlint.verify import LayerProver
from tests.fixture import FIXTURES, FOLDER, Fixture

IN_COMMENTS = frozenset({"PAD002", "PAD004"})
WITHOUT_LAYER = IN_COMMENTS | {"PAD105"}  # comments, and nodes of a graph, build no layer
"""The rules whose fixes change no code: nothing is to prove, and comments do not stay."""

every = pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.path.stem)


def test_every_rule_with_findings_of_its_own_has_a_fixture() -> None:
    from padlint.rules import ALL

    announced = {code for fixture in FIXTURES for _, code, _ in fixture.expected()}
    # A file with a syntax error cannot stand among files that tools format and import.
    assert {rule.code for rule in ALL} - announced == {"PAD001"}


def test_no_golden_is_left_over() -> None:
    goldens = {path.name for path in FOLDER.glob("*.fixed.py")}
    assert goldens <= {fixture.golden.name for fixture in FIXTURES}


@every
def test_findings_are_those_that_the_comments_announce(fixture: Fixture) -> None:
    found = [
        (f.location.row, f.code, f.fix.applicability.value if f.fix is not None else "none")
        for f in fixture.findings()
    ]
    assert sorted(found) == fixture.expected()


@every
def test_every_finding_has_a_fix_or_a_reason(fixture: Fixture) -> None:
    for finding in fixture.findings():
        assert (finding.fix is None) == bool(finding.no_fix_reason)
        assert finding.fix is None or finding.fix.edits


@every
def test_fixing_gives_the_golden(fixture: Fixture) -> None:
    golden = fixture.golden.read_bytes().decode() if fixture.golden.exists() else fixture.text
    assert fixture.fixed() == golden


@every
def test_fixed_text_is_valid_and_a_second_run_changes_nothing(fixture: Fixture) -> None:
    fixed = fixture.fixed()
    ast.parse(fixed)
    assert fix(fixed, fixture.options, unsafe=True).text == fixed


@every
def test_safe_fixes_alone_leave_the_others(fixture: Fixture) -> None:
    done = fix(fixture.text, fixture.options)
    assert all(f.fix is not None and f.fix.applicability is Applicability.SAFE for f in done.applied)
    left = check(done.text, fixture.options)
    assert not [f for f in left if f.fix is not None and f.fix.applicability is Applicability.SAFE]


@every
def test_comments_and_line_ends_survive(fixture: Fixture) -> None:
    options = replace(fixture.options, unfixable=IN_COMMENTS)
    done = fix(fixture.text, options, unsafe=True)
    fixed = done.text
    assert _comments(fixed) == _comments(fixture.text)
    assert set(re.findall(r"\r\n|\n|\r", fixed)) == set(re.findall(r"\r\n|\n|\r", fixture.text))
    assert fixed.endswith(("\n", "\r")) == fixture.text.endswith(("\n", "\r"))


def _comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted(token.string for token in tokens if token.type == tokenize.COMMENT)


@every
def test_fixes_of_running_code_are_proved_by_taps_and_in_the_framework(
    fixture: Fixture, prover: LayerProver
) -> None:
    fixes = [f.fix for f in fixture.findings() if f.fix is not None and f.code not in WITHOUT_LAYER]
    running = [fix for fix in fixes if fix.proof is not None]
    assert all(fix.proof is not None and fix.proof.taps == "equal" for fix in running)
    assert all(fix.applicability is Applicability.UNSAFE for fix in fixes if fix.proof is None)
    pairs = [fix.layer for fix in running]
    assert None not in pairs
    results = prover([pair for pair in pairs if pair is not None])
    assert [(result.result, result.detail) for result in results] == [("equal", "")] * len(running)


def test_the_command_writes_the_goldens(tmp_path: Path) -> None:
    fixtures = [fixture for fixture in FIXTURES if not fixture.text.startswith("# options:")]
    for fixture in fixtures:
        (tmp_path / fixture.path.name).write_bytes(fixture.path.read_bytes())
    command = [
        sys.executable,
        "-m",
        "padlint",
        "check",
        "--isolated",
        "--no-cache",
        "--fix",
        "--unsafe-fixes",
        ".",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # errors and warnings without a fix are left
    for fixture in fixtures:
        golden = fixture.golden if fixture.golden.exists() else fixture.path
        assert (tmp_path / fixture.path.name).read_bytes() == golden.read_bytes(), fixture.path.name
