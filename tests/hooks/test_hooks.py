"""The hooks, run by pre-commit itself on a repository of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hooks.conftest import Run, commit
from tests.readme import blocks

STRIDED = """\
from keras import Input, layers

x = layers.Conv2D(8, 3, 2, padding="same")(Input((224, 224, 3)))
"""
EXPLICIT = """\
from keras import Input, layers

x = layers.Conv2D(8, 3, 2, padding="valid")(layers.ZeroPadding2D(((0, 1), (0, 1)))(Input((224, 224, 3))))
"""
NO_SIZE = """\
from keras import layers

def down(x):
    return layers.Conv2D(8, 3, strides=2, padding="same")(x)
"""
MODIFIED = "files were modified by this hook"


@pytest.fixture
def repository(run: Run, tmp_path: Path) -> Path:
    """A repository with a clean file."""
    (tmp_path / "clean.py").write_text(EXPLICIT)
    commit(run, tmp_path)
    return tmp_path


@pytest.fixture
def configured(run: Run, hooks: Path, repository: Path) -> Path:
    """The same with the configuration that the README shows."""
    (block,) = blocks("yaml")
    head = run("git", "rev-parse", "HEAD", cwd=hooks).stdout.strip()
    text = block.text.replace("URL-OF-THIS-REPOSITORY", str(hooks)).replace("REVISION", head)
    (repository / ".pre-commit-config.yaml").write_text(text)
    return repository


def test_strided_same_fails_and_is_fixed(run: Run, pre_commit: Run, hooks: Path, repository: Path) -> None:
    (repository / "model.py").write_text(STRIDED)
    run("git", "add", "--all", cwd=repository)
    done = pre_commit("try-repo", hooks, "--all-files", cwd=repository)
    assert done.returncode == 1, done.stdout + done.stderr
    reported, fixed = re.split("^padlint fix", done.stdout, flags=re.M)
    assert "model.py:3:5: PAD101" in reported
    assert MODIFIED not in reported
    assert MODIFIED in fixed
    assert (repository / "model.py").read_text() == EXPLICIT
    assert (repository / "clean.py").read_text() == EXPLICIT


def test_clean_file_passes(pre_commit: Run, hooks: Path, repository: Path) -> None:
    done = pre_commit("try-repo", hooks, "--all-files", cwd=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^padlint(?: fix)?\.+(\w+)$", done.stdout, re.M) == ["Passed", "Passed"]


@pytest.mark.parametrize(
    ("source", "fails", "left"),
    [
        pytest.param(STRIDED, True, EXPLICIT, id="fixed"),
        pytest.param(NO_SIZE, True, NO_SIZE, id="no fix"),
        pytest.param(EXPLICIT, False, EXPLICIT, id="clean"),
    ],
)
def test_configuration_of_the_readme(
    run: Run, pre_commit: Run, configured: Path, source: str, fails: bool, left: str
) -> None:
    (configured / "model.py").write_text(source)
    run("git", "add", "--all", cwd=configured)
    done = pre_commit("run", "--all-files", cwd=configured)
    assert done.returncode == int(fails), done.stdout + done.stderr
    assert (MODIFIED in done.stdout) == (source != left)
    assert (configured / "model.py").read_text() == left


def test_excluded_file_is_left_alone(run: Run, pre_commit: Run, configured: Path) -> None:
    (configured / "model.py").write_text(STRIDED)
    (configured / "pyproject.toml").write_text('[tool.padlint]\nextend-exclude = ["model.py"]\n')
    run("git", "add", "--all", cwd=configured)
    done = pre_commit("run", "--all-files", cwd=configured)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (configured / "model.py").read_text() == STRIDED
