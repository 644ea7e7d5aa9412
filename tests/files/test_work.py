"""One file from bytes to outcome: nothing that happens to it escapes."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from padlint import engine
from padlint.files import Mode, Task, process
from padlint.options import Options
from tests.cli.command import SAME, SAME_FIXED

CODES = frozenset({"PAD305"})


def task(path: Path | None, mode: Mode = Mode.FIX) -> Task:
    return Task("model.py", path, Options(CODES), mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.py"
    file.write_text(SAME)
    return file


def test_check(path: Path) -> None:
    outcome = process(task(path, Mode.CHECK))
    assert [finding.code for finding in outcome.findings] == ["PAD305"]
    assert outcome.text == SAME
    assert path.read_text() == SAME


def test_fix(path: Path) -> None:
    outcome = process(task(path))
    assert (outcome.findings, outcome.text, outcome.problem) == ((), "", None)
    assert [finding.code for finding in outcome.applied] == ["PAD305"]
    assert path.read_text() == SAME_FIXED


@pytest.mark.parametrize("place", ["path", None])
def test_preview_writes_nothing(path: Path, place: str | None) -> None:
    outcome = process(task(path if place else None, Mode.PREVIEW), content=SAME.encode())
    assert (outcome.before, outcome.after) == (SAME.encode(), SAME_FIXED.encode())
    assert path.read_text() == SAME


def test_the_edit_of_the_user_wins(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved in an editor while the file is being fixed."""
    fix = engine.fix

    def slow_fix(text: str, options: Options, **arguments: object) -> engine.Fixed:
        fixed = fix(text, options, **arguments)  # type: ignore[arg-type]
        path.write_text("edited = True\n")
        return fixed

    monkeypatch.setattr(engine, "fix", slow_fix)
    outcome = process(task(path))
    assert path.read_text() == "edited = True\n"
    assert outcome.problem is not None
    assert "changed while it was being fixed" in outcome.problem.message
    assert outcome.applied == (), "nothing is reported as applied that was not"
    assert [finding.code for finding in outcome.findings] == ["PAD305"]


@pytest.mark.parametrize("error", [RuntimeError("boom"), RecursionError(), AssertionError(), MemoryError()])
def test_a_bug_in_the_engine_is_an_error_of_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*arguments: object, **named: object) -> NoReturn:
        raise error

    monkeypatch.setattr(engine, "fix", fail)
    outcome = process(task(path))
    assert outcome.problem is not None
    assert outcome.problem.where == "model.py"
    assert outcome.problem.message.startswith(f"internal error: {type(error).__name__}")
    assert "Traceback" in outcome.problem.details
    assert path.read_text() == SAME


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    outcome = process(task(tmp_path / "gone.py"))
    assert outcome.problem is not None
    assert outcome.problem.message == "cannot read: no such file or directory"
