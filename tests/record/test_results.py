"""Nothing that a program computes or prints changes when it is traced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT
from tests.record import results
from tests.record.programs import loaded, seen

KERAS = [
    "19:21-19:57 keras.layers.Conv2D 9x8 -> 5x4 k(3, 3) s(2, 2) 'same'",
    "28:9-28:58 keras.layers.Conv2D 33x32 -> 17x16 k(3, 3) s(2, 2) 'same'",
    "29:9-29:42 keras.layers.MaxPooling2D 17x16 -> 9x8 k(3, 3) s(2, 2) 'same'",
]
PROGRAMS = [
    (
        *("torch", "", results.TORCH, 3),
        [
            "23:18-23:50 torch.nn.Conv2d 34x33 -> 17x17 k(3, 3) s(2, 2) (1, 1)",
            "24:18-24:52 torch.nn.Conv2d 17x17 -> 17x17 k(2, 2) s(1, 1) 'same'",
            "30:27-30:49 torch.nn.functional.pad 33x32 -> 34x33 kNone sNone (0, 1, 0, 1)",
            "32:26-32:63 torch.nn.functional.max_pool2d 17x17 -> 8x8 k3 s2 0",
        ],
    ),
    ("keras", "tensorflow", results.KERAS, 0, KERAS),
    ("keras", "torch", results.KERAS, 0, KERAS),
    ("tf_keras", "", results.TF_KERAS, 0, KERAS),
    (
        *("flax", "", results.FLAX, 0),
        [
            "22:13-22:39 flax.linen.Conv 33x32 -> 17x16 k(3, 3) s(2, 2) 'SAME'",
            "23:13-23:76 flax.linen.max_pool 17x16 -> 9x8 k(3, 3) s(2, 2) 'SAME'",
            "24:54-24:85 flax.linen.Conv 9x8 -> 9x8 k(3, 3) s1 'SAME'",
            "26:16-26:106 jax.lax.conv_general_dilated 9x8 -> 5x4 kNone s(2, 2) 'SAME'",
        ],
    ),
]


@pytest.mark.parametrize(
    ("framework", "backend", "text", "status", "runs"), PROGRAMS, ids=[f"{p[0]}{p[1]}" for p in PROGRAMS]
)
def test_a_program_does_the_same(
    tmp_path: Path, framework: str, backend: str, text: str, status: int, runs: list[str]
) -> None:
    pytest.importorskip(framework)
    pytest.importorskip(backend or framework)
    (tmp_path / "net.py").write_text(text)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "KERAS_BACKEND": backend or "tensorflow"}
    plain, traced = (
        subprocess.run([sys.executable, *words, "net.py"], cwd=tmp_path, env=env, capture_output=True)
        for words in ((), ("-m", "padlint", "trace", "-q", "-o", "t.json"))
    )
    assert plain.returncode == status, plain.stderr.decode()
    assert (traced.returncode, traced.stdout) == (status, plain.stdout), traced.stderr.decode()
    assert [run.rpartition(" x")[0] for run in seen(loaded(tmp_path / "t.json"), "net.py")] == runs
