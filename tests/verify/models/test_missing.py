"""Without a framework, in an environment that really lacks it, a sentence says what to install."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import venv
from pathlib import Path

import pytest

from tests.cli.command import ROOT
from tests.verify.models.comparing import write

NEEDED = ("click", "libcst", "numpy")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with what padlint itself and the child processes need, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in NEEDED:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        for found in (package, package.with_name(f"{name}.libs")):  # and the libraries of a wheel
            if found.exists():
                (packages / found.name).symlink_to(found)
    return folder / "bin/python"


@pytest.mark.skipif(os.name == "nt", reason="makes links")
@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            "import torch\n\n\ndef build():\n    return torch.nn.ReLU()\n",
            (),
            "the code before cannot be run: ModuleNotFoundError: No module named 'torch' at net.py:1, "
            "when it was built; pip install '.[torch]' in padlint's folder installs it",
        ),
        (
            "from keras import layers\n",
            (),
            "No module named 'keras' at net.py:1, when it was built; pip install '.[tensorflow]'",
        ),
        ("import tensorflow as tf\n", (), "; pip install '.[tensorflow]'"),
        ("from flax import linen as nn\n", (), "; pip install '.[jax]'"),
        (
            "import nothing_like_it\n",
            (),
            "No module named 'nothing_like_it' at net.py:1, when it was built\n",
        ),
        (
            "import torch\n",
            ("--against", "net.py::build"),
            "the code of the first model cannot be run: ModuleNotFoundError: No module named 'torch'",
        ),
    ],
    ids=["torch", "keras", "tensorflow", "flax", "another module", "against"],
)
def test_a_missing_framework(
    tmp_path: Path, python: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    write(tmp_path, net=text)
    done = subprocess.run(
        [
            python,
            "-m",
            "padlint",
            "verify",
            "net.py::build",
            "--input",
            "1x3x8x8",
            *(options or ("--before", "net.py")),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("incomparable: net.py::build")
    assert said in done.stdout
