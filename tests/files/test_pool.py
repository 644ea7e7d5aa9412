"""Several processes: the same outcomes, whatever happens to a process."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from padlint import engine
from padlint.files import Mode, Outcome, Task, pool
from padlint.findings import Finding
from padlint.options import Options
from tests.cli.command import SAME, SAME_FIXED

CODES = frozenset({"PAD305"})


def tasks(folder: Path, count: int, mode: Mode = Mode.CHECK) -> list[Task]:
    made = []
    for number in range(count):
        path = folder / f"m{number}.py"
        path.write_text(SAME * (1 + number % 3))
        made.append(Task(path.name, path, Options(CODES), mode, size=path.stat().st_size))
    return made


def done(tasks: list[Task], jobs: int | None) -> list[Outcome]:
    return sorted(pool.run(tasks, jobs), key=lambda outcome: outcome.filename)


@pytest.fixture(autouse=True)
def always_worthwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_WORTHWHILE", 0)


@pytest.mark.parametrize("jobs", [1, 2, 5, None])
def test_every_task_has_an_outcome(tmp_path: Path, jobs: int | None) -> None:
    outcomes = done(tasks(tmp_path, 9), jobs)
    assert [outcome.filename for outcome in outcomes] == [f"m{number}.py" for number in range(9)]
    assert [len(outcome.findings) for outcome in outcomes] == [1, 2, 3] * 3


def test_fixes(tmp_path: Path) -> None:
    outcomes = done(tasks(tmp_path, 6, Mode.FIX), 2)
    assert all(outcome.applied and not outcome.findings for outcome in outcomes)
    assert (tmp_path / "m0.py").read_text() == SAME_FIXED


def test_nothing_to_do() -> None:
    assert done([], 4) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the patched engine reaches the children by fork")
def test_a_process_that_dies_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check, parent = engine.check, os.getpid()

    def deadly(text: str, options: Options, filename: str) -> list[Finding]:
        if filename in ("m2.py", "m5.py"):
            assert os.getpid() != parent
            os.kill(os.getpid(), signal.SIGKILL)
        return check(text, options, filename)

    monkeypatch.setattr(engine, "check", deadly)
    outcomes = done(tasks(tmp_path, 8), 2)
    failed = [outcome for outcome in outcomes if outcome.problem]
    assert [outcome.filename for outcome in failed] == ["m2.py", "m5.py"]
    assert all(o.problem and "the process that checked it died" in o.problem.message for o in failed)
    assert all(outcome.findings for outcome in outcomes if not outcome.problem)


@pytest.mark.skipif(sys.platform != "linux", reason="the patched engine reaches the children by fork")
def test_an_interrupt_ends_the_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, once = os.getpid(), tmp_path / "once"

    def brief(text: str, options: Options, filename: str) -> list[Finding]:
        with contextlib.suppress(FileExistsError):
            once.touch(exist_ok=False)
            os.kill(parent, signal.SIGINT)
        return []

    monkeypatch.setattr(engine, "check", brief)
    with pytest.raises(KeyboardInterrupt):
        done(tasks(tmp_path, 50), 2)


def test_outcomes_can_be_sent() -> None:
    import pickle

    outcome = Outcome("a.py")
    assert pickle.loads(pickle.dumps(outcome)) == outcome
