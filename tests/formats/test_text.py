"""The text format: one line per finding, what to do, and a summary."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest

from padlint.findings import Finding, LayerProof, Proof, Severity
from padlint.formats import Failure, Report, render
from tests.formats.findings import at, finding, unfixable, unsafe

SAFE = finding()
UNSAFE = unsafe(SAFE)
NONE = unfixable(SAFE)


def text(*findings: Finding, **changes: object) -> str:
    report = Report(findings, {"model.py": 'c = Conv2d(3, padding="same")\n'}, files=1)
    return render("text", report._replace(**changes))


def test_a_finding() -> None:
    assert text(SAFE) == (
        "model.py:1:5: PAD305 [*] padding is a string\n"
        "  |\n"
        '1 | c = Conv2d(3, padding="same")\n'
        "  |     ^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  |\n"
        "help: write a number\n"
        "\n"
        "Found 1 problem (1 fixable with --fix)\n"
    )


@pytest.mark.parametrize(
    ("found", "changes", "star", "help"),
    [
        (SAFE, {}, True, "help: write a number"),
        (UNSAFE, {}, False, "help: write a number (unsafe fix)"),
        (UNSAFE, {"unsafe_fixes": True}, True, "help: write a number (unsafe fix)"),
        (NONE, {"unsafe_fixes": True}, False, "help: no fix: the size is not known"),
    ],
)
def test_star_and_help(found: Finding, changes: dict[str, object], star: bool, help: str) -> None:
    lines = text(found, **changes).split("\n")
    assert ("[*]" in lines[0]) == star
    assert lines[5] == help


@pytest.mark.parametrize(
    ("findings", "changes", "summary"),
    [
        ((), {}, "All checks passed!"),
        ((), {"failures": (Failure("a.py", "cannot read"),)}, None),
        ((), {"files": 0}, None),
        ((), {"quiet": True}, None),
        ((SAFE,), {"quiet": True}, None),
        ((NONE,), {}, "Found 1 problem"),
        ((SAFE, SAFE, NONE), {}, "Found 3 problems (2 fixable with --fix)"),
        ((SAFE, SAFE, UNSAFE), {}, "Found 3 problems (2 fixable with --fix, 1 more with --unsafe-fixes)"),
        ((UNSAFE, NONE), {}, "Found 2 problems (1 fixable with --fix --unsafe-fixes)"),
        ((SAFE, UNSAFE), {"unsafe_fixes": True}, "Found 2 problems (2 fixable with --fix)"),
        ((NONE, NONE), {"fix": True, "fixed": 3}, "Found 5 problems (3 fixed, 2 remaining)"),
        ((), {"fix": True, "fixed": 1}, "Found 1 problem (1 fixed, 0 remaining)"),
        (
            (UNSAFE,),
            {"fix": True, "fixed": 1},
            "Found 2 problems (1 fixed, 1 remaining; 1 fixable with --unsafe-fixes)",
        ),
    ],
)
def test_summary(findings: tuple[Finding, ...], changes: dict[str, object], summary: str | None) -> None:
    lines = text(*findings, **changes).split("\n")
    if summary is None:
        assert not any(line.startswith(("Found", "All")) for line in lines)
    else:
        assert lines[-2:] == [summary, ""]


def test_statistics_count_by_rule() -> None:
    other = replace(NONE, code="PAD401", name="same-with-stride", severity=Severity.ERROR)
    mixed = (SAFE, at(UNSAFE, 2, 1), other, at(other, 2, 1), at(other, 3, 1), replace(SAFE, code="PAD101"))
    assert text(*mixed, statistics=True).split("\n") == [
        "3  PAD401  [ ] same-with-stride",
        "2  PAD305  [-] same-string",
        "1  PAD101  [*] same-string",
        "[*] all fixable with --fix, [-] some fixable",
        "Found 6 problems (2 fixable with --fix, 1 more with --unsafe-fixes)",
        "",
    ]


def test_colours_change_nothing_but_colours() -> None:
    colored = text(SAFE, NONE, color=True)
    assert "\x1b[" in colored
    assert click.unstyle(colored) == text(SAFE, NONE)


def test_messages_and_names_cannot_control_the_terminal() -> None:
    shown = text(replace(SAFE, message="a\x1b[2Jb\nc", filename="a\r\udcffb.py"))
    assert shown.startswith("a\\r\\udcffb.py:1:5: PAD305 [*] a\\x1b[2Jb\\nc\n")


def test_proof_of_the_framework() -> None:
    assert SAFE.fix is not None
    layer = LayerProof("torch", "equal", 0.0, "float64", ((8, 8),))
    proved = replace(SAFE, fix=replace(SAFE.fix, proof=Proof("equal", "all", layer)))
    assert "proof: torch: equal (float64, largest difference 0)\n" in text(proved)
