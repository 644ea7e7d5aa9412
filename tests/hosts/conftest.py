"""Programs that find padlint as an installed package."""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Host = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the metadata of this project, whatever else is installed."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    project = toml.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("installed")
    metadata = folder / "padlint-0.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: padlint\nVersion: 0.0\n")
    entries = configparser.ConfigParser()
    entries.optionxform = str  # type: ignore[assignment,method-assign]
    entries.read_dict(project["entry-points"])
    with (metadata / "entry_points.txt").open("w") as file:
        entries.write(file)
    return folder


@pytest.fixture
def host(installed: Path, tmp_path: Path) -> Host:
    """Run a module of Python in the test's folder, with padlint installed."""
    path = os.pathsep.join(filter(None, [str(installed), str(ROOT), os.environ.get("PYTHONPATH")]))

    def run(*command: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )

    return run
