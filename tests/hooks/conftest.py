"""This project as a repository of hooks, and a repository that uses them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What pip needs to build the package, and pre-commit to find its hooks.
SNAPSHOT = ("padlint", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a command; pre-commit keeps its environments for the session, and git reads no configuration."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))},
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("environments")),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "padlint" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "padlint@localhost" for who in ("AUTHOR", "COMMITTER")},
    }

    def run_command(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    return run_command


@pytest.fixture(scope="session")
def pre_commit(run: Run) -> Run:
    """Run pre-commit."""
    pytest.importorskip("pre_commit")
    return lambda *arguments, cwd: run(sys.executable, "-m", "pre_commit", *arguments, cwd=cwd)


@pytest.fixture(scope="session")
def hooks(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that holds this project as it is now, committed or not."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in SNAPSHOT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    commit(run, folder)
    return folder


def commit(run: Run, folder: Path) -> None:
    """Make a repository of a folder, with everything committed."""
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message=all")):
        done = run("git", *command, cwd=folder)
        assert done.returncode == 0, done.stderr
