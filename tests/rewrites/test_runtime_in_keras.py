"""Models with computed pads against the models that they come from, in every Keras and on every backend."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from padlint.engine import fix
from tests.rewrites.keras_models import SOURCE
from tests.rewrites.test_runtime import OPTIONS

ROOT = Path(__file__).parents[2]
KERAS = {
    "tensorflow": SOURCE,
    "torch": SOURCE,
    "jax": SOURCE,
    "tf.keras": SOURCE.replace("from keras import", "from tensorflow.keras import"),
    "tf_keras": SOURCE.replace("from keras import", "from tf_keras import"),
}


@pytest.mark.parametrize("kind", KERAS)
def test_models_compute_the_same(kind: str, tmp_path: Path) -> None:
    backend = kind if kind in ("torch", "jax") else "tensorflow"
    for module in (backend, "tf_keras" if kind == "tf_keras" else "keras"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is missing")
    after = fix(KERAS[kind], OPTIONS, unsafe=True)
    assert '"same"' not in after.text.lower()
    assert after.text.count("class SamePadding") == 1
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(KERAS[kind], encoding="utf-8")
    new.write_text(after.text, encoding="utf-8")
    flags = ["--tf-keras"] if kind == "tf_keras" else []
    done = subprocess.run(
        [sys.executable, "-m", "tests.rewrites.in_keras", str(old), str(new), *flags],
        cwd=ROOT,
        env={**os.environ, "KERAS_BACKEND": backend, "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_ENABLE_X64": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("equal\n"), done.stdout + done.stderr
