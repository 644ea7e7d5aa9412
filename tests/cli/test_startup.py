"""A hook pays for every import, on every commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import CLEAN, ROOT, SAME, write

NEVER = {"rich", "torch", "tensorflow", "keras", "numpy", "libcst.matchers", "libcst.metadata"}
WITH_CANDIDATES = {"libcst"}
SELDOM = {"multiprocessing", "concurrent.futures", "subprocess", "tomllib", "json", "difflib", "tempfile"}


def imported(folder: Path, *arguments: str) -> set[str]:
    """The modules that `padlint check` loads besides those of click."""
    code = (
        "import sys, click\n"
        "before = {*sys.modules}\n"
        "import padlint.cli\n"
        f"try: padlint.cli.main(['check', *{arguments!r}])\n"
        "finally: print(*({*sys.modules} - before), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments", [("a.py",), (".",), ("a.py", "--select", "PAD101", "--fix", "--input-size", "224x224")]
)
def test_a_file_without_candidates_costs_nothing(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path, a=CLEAN)
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    loaded = imported(tmp_path, *arguments)
    assert not loaded & (NEVER | WITH_CANDIDATES | SELDOM)
    assert not {name for name in loaded if name.startswith(("padlint.rules", "padlint.verify"))}


def test_a_file_with_candidates_loads_only_the_parser(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    loaded = imported(tmp_path, "a.py")
    assert "libcst" in loaded
    assert not loaded & {
        "rich",
        "torch",
        "tensorflow",
        "keras",
        "numpy",
        "padlint.config.wildmatch",
        "concurrent.futures",
    }


def test_configuration_loads_what_it_needs(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN)
    (tmp_path / "padlint.toml").write_text('exclude = ["gen"]\n')
    loaded = imported(tmp_path, ".")
    assert loaded & {"tomllib", "tomli"}
    assert "padlint.config.wildmatch" not in loaded, "plain names need no patterns"
    (tmp_path / "padlint.toml").write_text('exclude = ["gen/*"]\n')
    assert "padlint.config.wildmatch" in imported(tmp_path, ".")
