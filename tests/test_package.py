"""What is installed: its version, its dependencies, and that it is typed."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import padlint
from tests.cli.command import padlint as run

ROOT = Path(__file__).parents[1]


def test_one_version(tmp_path: Path) -> None:
    assert metadata.version("padlint") == padlint.__version__
    assert run("--version", cwd=tmp_path).stdout.decode().strip() == f"padlint {padlint.__version__}"


def test_only_light_dependencies() -> None:
    required = [text for text in metadata.requires("padlint") or () if "extra ==" not in text]
    names = {re.split(r"[^\w-]", text)[0] for text in required}
    assert names == {"click", "libcst", "tomli"}


def test_extras() -> None:
    extras = set(metadata.metadata("padlint").get_all("Provides-Extra") or ())
    assert extras == {"all", "dev", "jax", "onnx", "server", "tensorflow", "test", "torch", "watch"}


def test_typed() -> None:
    assert (Path(padlint.__file__).parent / "py.typed").exists()


def test_changelog_has_unreleased_changes_first() -> None:
    first, *_ = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert first == "Unreleased"
