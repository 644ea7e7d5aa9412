"""What happens to workers: they die, hang, are missing or interrupted, and the rest of the batch goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import venv
from pathlib import Path

import pytest

from padlint.verify import LayerProver, MissingFramework
from tests.verify.pairs import make

_PADDED = "self.conv = nn.Conv2d(3, 8, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))"
_FOLDED = "self.conv = nn.Conv2d(3, 8, 3, padding=1)\nself.conv(x)"
_ENDLESS = "F.avg_pool2d(F.pad(x, (500, 500, 500, 500)), 201, 1)"  # 10**12 additions in little memory
EQUAL = make("torch", _PADDED, _FOLDED)
UNEQUAL = make("torch", _PADDED, _FOLDED.replace("padding=1", "padding=2"))
SLOW_BEFORE = make("torch", _ENDLESS, "F.relu(x)")
SLOW_AFTER = make("torch", "F.relu(x)", _ENDLESS)
QUICK = make("torch", "F.relu(x)", "F.relu(x)")
QUICK_UNEQUAL = make("torch", "F.relu(x)", "F.elu(x)")
KERAS = make(
    "keras",
    "layers.Conv2D(8, 3, padding='same')(x)",
    "layers.Conv2D(8, 3)(layers.ZeroPadding2D(1)(x))",
)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_come_in_order_and_equal_pairs_run_once(prover: LayerProver) -> None:
    seen: list[tuple[int, int]] = []
    proofs = prover([EQUAL, KERAS, UNEQUAL, EQUAL], lambda done, total: seen.append((done, total)))
    assert [proof.result for proof in proofs] == ["equal", "equal", "differs", "equal"]
    assert [proof.framework for proof in proofs] == ["torch", "keras", "torch", "torch"]
    assert proofs[0] is proofs[3]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_keras_and_tensorflow_share_a_worker(prover: LayerProver) -> None:
    code = "tf.nn.relu(x)"
    prover([KERAS, make("tf", code, code), EQUAL])
    assert sorted(prover.pids) == ["tensorflow", "torch"]


def test_no_pairs_start_no_worker() -> None:
    with LayerProver() as prover:
        assert prover([]) == []
        assert prover.pids == {}


def test_hanging_worker_is_replaced() -> None:
    with LayerProver(timeout=2) as prover:
        proofs = prover([QUICK, SLOW_BEFORE, SLOW_AFTER, QUICK_UNEQUAL])
    assert [proof.result for proof in proofs] == ["equal", "no reference", "differs", "differs"]
    assert proofs[1].detail == "the old code cannot be run: it took too long"
    assert proofs[2].detail == "the new code cannot be run: it took too long"


def test_killed_worker_is_replaced() -> None:
    def kill() -> None:
        os.kill(prover.pids["torch"], signal.SIGKILL)

    def kill_after_the_first(done: int, total: int) -> None:
        if done == 1:
            kill()
            time.sleep(0.2)

    with LayerProver() as prover:
        between = prover([EQUAL, UNEQUAL], kill_after_the_first)
        threading.Timer(0.5, kill).start()
        within = prover([SLOW_AFTER, QUICK])
    assert [proof.result for proof in between] == ["equal", "differs"]
    assert "shape" in between[1].detail
    assert [proof.result for proof in within] == ["differs", "equal"]
    assert within[0].detail == "the new code cannot be run: it killed the process (SIGKILL)"


@pytest.mark.parametrize(
    ("pair", "hint"), [(EQUAL, "pip install '.[torch]'"), (KERAS, "pip install '.[tensorflow]'")]
)
def test_missing_framework(tmp_path: Path, pair: object, hint: str) -> None:
    venv.create(tmp_path, with_pip=False)
    python = tmp_path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with (
        LayerProver(python=str(python)) as prover,
        pytest.raises(MissingFramework, match="No module") as caught,
    ):
        prover([pair])  # type: ignore[list-item]
    assert hint in str(caught.value)
    assert prover.pids == {}


def test_interpreter_that_cannot_start_a_worker(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho 'no luck today' >&2\nexit 3\n")
    python.chmod(0o755)
    with LayerProver(python=str(python)) as prover, pytest.raises(MissingFramework, match="no luck today"):
        prover([EQUAL])


def test_folder_of_the_user_shadows_nothing_and_close_ends_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "numpy", "padlint", "json"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w')\n")
    monkeypatch.chdir(tmp_path)
    with LayerProver() as prover:
        assert prover([EQUAL])[0].result == "equal"
        pid = prover.pids["torch"]
        assert _alive(pid)
    assert not _alive(pid)
    assert not (tmp_path / "imported").exists()


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupt_ends_the_workers(tmp_path: Path, number: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            from padlint.verify import LayerProver
            from tests.verify.test_processes import EQUAL, SLOW_AFTER
            with LayerProver() as prover:
                prover([EQUAL, SLOW_AFTER], lambda done, total: print(prover.pids["torch"], flush=True))
            """
        )
    )
    parent = subprocess.Popen(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.send_signal(number)
    with parent:
        assert parent.wait(10) != 0
    deadline = time.monotonic() + 10
    while _alive(worker) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _alive(worker)
