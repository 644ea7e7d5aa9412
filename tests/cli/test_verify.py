"""`--verify`: fixes are run in the framework before they are believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

import pytest
from click.testing import CliRunner, Result

import padlint.verify
from padlint.cli import cli
from padlint.findings import LayerPair, LayerProof
from padlint.verify import MissingFramework
from tests.cli.command import CLEAN, SAME, SAME_FIXED, write

Answer = Callable[[LayerPair], LayerProof]


class FakeProver:
    """Answers at once, as `answer` says."""

    answer: Answer

    def __init__(self, *, on_progress: Callable[[int, int], None]) -> None:
        self._on_progress = on_progress

    def __enter__(self) -> FakeProver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def __call__(self, pairs: Sequence[LayerPair]) -> list[LayerProof]:
        proofs = []
        for done, pair in enumerate(pairs, start=1):
            proofs.append(type(self).answer(pair))
            self._on_progress(done, len(pairs))
        return proofs


def says(result: str, detail: str = "") -> Answer:
    return lambda pair: LayerProof(pair.framework, result, 0.0, "float64", pair.sizes, detail)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Answer], None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(padlint.verify, "LayerProver", FakeProver)
    return lambda given: monkeypatch.setattr(FakeProver, "answer", staticmethod(given), raising=False)


def check(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["check", "--verify", "--select", "PAD305", *arguments], input=stdin)


def test_a_proved_fix_is_applied(tmp_path: Path, answer: Callable[[Answer], None]) -> None:
    answer(says("equal"))
    write(tmp_path, a=SAME, b=SAME)
    shown = check("--fix", ".")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert (tmp_path / "a.py").read_text() == (tmp_path / "b.py").read_text() == SAME_FIXED


def test_the_proof_is_shown(tmp_path: Path, answer: Callable[[Answer], None]) -> None:
    answer(says("equal"))
    write(tmp_path, a=SAME)
    (item,) = json.loads(check("--output-format", "json", ".").output)
    assert item["fix"]["proof"]["layer"]["result"] == "equal"
    assert "proof: torch: equal (float64, largest difference 0)" in check(".").output


@pytest.mark.parametrize("arguments", [["--fix"], [], ["--fix", "--exit-zero"]])
def test_a_refuted_fix_is_said_and_not_applied(
    tmp_path: Path, answer: Callable[[Answer], None], arguments: list[str]
) -> None:
    answer(says("differs", "at 8x8"))
    write(tmp_path, a=SAME)
    shown = check(*arguments, ".")
    assert shown.exit_code == 2
    assert (
        "a.py:3:8: the fix of PAD305 was refuted in torch: differs at 8x8; it was not applied" in shown.stderr
    )
    assert "PAD305" in shown.stdout, "the problem is left"
    assert (tmp_path / "a.py").read_text() == SAME


def test_a_refuted_fix_of_stdin(answer: Callable[[Answer], None]) -> None:
    answer(says("differs"))
    shown = check("--fix", "-", stdin=SAME)
    assert (shown.exit_code, shown.stdout) == (2, SAME)


def test_a_missing_framework_is_said_and_nothing_is_applied(
    tmp_path: Path, answer: Callable[[Answer], None]
) -> None:
    def missing(pair: LayerPair) -> LayerProof:
        raise MissingFramework("torch", "No module named 'torch'")

    answer(missing)
    write(tmp_path, a=SAME, b=SAME, c=CLEAN)
    shown = check("--fix", ".")
    assert shown.exit_code == 2
    first, second = shown.stderr.splitlines()
    assert first.startswith("error: a.py: the layer proof needs torch")
    assert "pip install '.[torch]'" in first
    assert second == "error: b.py: not proved: torch is missing"
    assert "Found 2 problems" in shown.stdout
    assert (tmp_path / "a.py").read_text() == SAME


def test_a_prover_that_fails_is_an_error_of_the_file(
    tmp_path: Path, answer: Callable[[Answer], None]
) -> None:
    def fail(pair: LayerPair) -> LayerProof:
        raise RuntimeError("boom")

    answer(fail)
    write(tmp_path, a=SAME)
    shown = check("--fix", ".")
    assert shown.exit_code == 2
    assert "error: a.py: internal error: RuntimeError: boom" in shown.stderr
    assert (tmp_path / "a.py").read_text() == SAME


def test_with_the_real_framework(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=SAME)
    assert "proof: torch: equal" in check(".").output
    shown = check("--fix", ".")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert (tmp_path / "a.py").read_text() == SAME_FIXED
