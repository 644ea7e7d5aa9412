from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "padlint"
LEVELS = (
    ("levels", "interrupts"),
    ("geometry", "findings", "traces"),
    ("options",),
    ("catalogue", "conventions"),
    ("syntax",),
    ("sites", "fingerprints", "notebooks"),
    ("scope",),
    ("sizes",),
    ("rewrites",),
    ("rules",),
    ("engine", "config", "explain", "formats"),
    ("files", "verify"),
    ("codemod", "flake8", "record", "server"),
    ("cli",),
)
"""What may import what: a part may import lower levels and itself."""
LEVEL = {part: level for level, parts in enumerate(LEVELS) for part in parts}
OUTSIDE = frozenset({"__init__", "__main__"})
FRAMEWORKS = frozenset(
    {"torch", "tensorflow", "keras", "tf_keras", "numpy", "jax", "flax", "onnx", "onnxruntime"}
)
MODULES = [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in sorted(ROOT.rglob("*.py"))]


def part_of(path: Path) -> str:
    """The package or module right below `padlint` that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Dotted names of everything that a file imports, at its top or in its functions."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_part_has_a_level() -> None:
    assert {part_of(path.values[0]) for path in MODULES} - OUTSIDE == set(LEVEL)


@pytest.mark.parametrize("path", MODULES)
def test_imports_go_down(path: Path) -> None:
    part = part_of(path)
    if part in OUTSIDE:
        return
    for name in imports(path):
        root, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        if root == "padlint" and target in LEVEL and target != part:
            assert LEVEL[target] < LEVEL[part], f"{part} imports {name}"


@pytest.mark.parametrize("path", MODULES)
def test_only_backends_import_a_framework(path: Path) -> None:
    if part_of(path) != "verify" or not path.name.endswith("_backend.py"):
        allowed = {"numpy"} if part_of(path) == "verify" else set()
        assert {name.partition(".")[0] for name in imports(path)} & FRAMEWORKS <= allowed


def test_the_verifier_loads_no_framework_in_this_process() -> None:
    code = (
        "import sys, padlint.verify.models, padlint.cli.verify\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parent
    )
    assert not set(done.stdout.split()) & FRAMEWORKS


@pytest.mark.parametrize("path", MODULES)
def test_syntax_trees_stay_below_the_engine(path: Path) -> None:
    if part_of(path) not in ("syntax", "sites", "sizes", "rewrites", "rules", "codemod"):
        assert "libcst" not in {name.partition(".")[0] for name in imports(path)}
