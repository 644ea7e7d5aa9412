"""The steps of the GitHub Action, run as a runner would do it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import CLEAN, SAME, STRIDED, write

yaml = pytest.importorskip("yaml")
FILE = Path(__file__).parents[2] / ".github" / "action.yml"
ACTION: dict[str, Any] = yaml.safe_load(FILE.read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")


def run(step: dict[str, Any], values: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step with bash, its environment filled in. An unknown expression is a KeyError."""
    environment = {
        name: _EXPRESSION.sub(lambda match: values[match[1]], value) for name, value in step["env"].items()
    }
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert step["shell"] == "bash"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**inherited, **environment, "RUNNER_TEMP": values["temp"]},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def values(hooks: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The contexts of a run, after the action has installed itself from its checkout."""
    action = tmp_path_factory.mktemp("action") / "padlint"
    shutil.copytree(hooks, action, ignore=shutil.ignore_patterns(".git"))
    (action / ".github").mkdir()
    shutil.copy2(FILE, action / ".github")
    found = {f"inputs.{name}": given["default"] for name, given in ACTION["inputs"].items()}
    found |= {
        "github.action_path": str(action / ".github"),
        "steps.python.outputs.python-path": sys.executable,
        "temp": str(tmp_path_factory.mktemp("runner temp")),
    }
    done = run(STEPS[1], found, action)
    assert done.returncode == 0, done.stderr
    return found


def test_no_input_is_pasted_into_a_script() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert STEPS[0]["uses"].startswith("actions/setup-python@")
    assert not any("${{" in step.get("run", "") for step in STEPS)
    assert all(given["description"] for given in ACTION["inputs"].values())


@pytest.mark.parametrize(
    ("inputs", "status", "expected"),
    [
        pytest.param({}, 1, "::error title=padlint (PAD401),file=", id="default"),
        pytest.param({"path": "a.py"}, 0, "::notice title=padlint (PAD305)", id="path"),
        pytest.param({"path": "clean.py"}, 0, "", id="clean"),
        pytest.param({"path": "'with space.py' clean.py", "args": "--select PAD4"}, 1, "PAD401", id="quoted"),
        pytest.param({"args": "--exit-zero", "output-format": "json"}, 0, '"code": "PAD401"', id="options"),
        pytest.param({"args": "; touch $(pwd)/bad"}, 2, "", id="no shell"),
    ],
)
def test_check(
    tmp_path: Path, values: dict[str, str], inputs: dict[str, str], status: int, expected: str
) -> None:
    write(tmp_path, a=SAME, clean=CLEAN, **{"with space": STRIDED})
    done = run(STEPS[2], values | {f"inputs.{name}": text for name, text in inputs.items()}, tmp_path)
    assert done.returncode == status, done.stdout + done.stderr
    assert expected in done.stdout
    assert not (tmp_path / "bad").exists()
