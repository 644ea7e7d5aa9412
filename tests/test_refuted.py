"""A wrong fix is refuted by each of the two proofs, whichever side of it is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from padlint.engine import check, fix
from padlint.options import Options
from padlint.rewrites import keras
from padlint.rules import same
from padlint.verify import LayerProver

SOURCE = """\
from keras import Input, layers

x = Input(shape=(8, 8, 3))
x = layers.Conv2D(4, 3, strides=2, padding="same")(x)
"""
OPTIONS = Options(codes=frozenset({"PAD101"}))
write = keras.explicit_padding


def mirrored(file: Any, site: Any, pads: list[tuple[int, int]], keras_pad: str) -> Any:
    """The right claim, and a text that pads the other side."""
    return write(file, site, [(after, before) for before, after in pads], keras_pad)


def test_the_taps_refute_wrong_amounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same, "same_pads_of", lambda *args: (1, 0))
    (finding,) = check(SOURCE, OPTIONS)
    assert finding.fix is None
    assert "the rewrite does not compute the same" in (finding.no_fix_reason or "")
    assert fix(SOURCE, OPTIONS, unsafe=True).text == SOURCE


def test_the_framework_refutes_a_wrong_text(monkeypatch: pytest.MonkeyPatch, prover: LayerProver) -> None:
    assert fix(SOURCE, OPTIONS, prover=prover).refuted == ()
    monkeypatch.setattr(keras, "explicit_padding", mirrored)
    done = fix(SOURCE, OPTIONS, prover=prover)
    assert done.text == SOURCE
    assert done.applied == ()
    (refuted,) = done.refuted
    assert refuted.fix is not None
    assert refuted.fix.proof is not None
    assert refuted.fix.proof.layer is not None
    assert refuted.fix.proof.layer.result == "differs"
    assert "values differ" in refuted.fix.proof.layer.detail


def test_the_command_writes_nothing_and_exits_with_2(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(SOURCE)
    script = (
        "from padlint.cli import main; from padlint.rewrites import keras; from tests import test_refuted; "
        "keras.explicit_padding = test_refuted.mirrored; main()"
    )
    command = [sys.executable, "-c", script, "check", "--isolated", "--fix", "--verify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "refuted" in done.stderr
    assert path.read_text() == SOURCE
