"""A module imports only from lower levels or its own package, and frameworks only where they are run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import padlint

ROOT = Path(padlint.__file__).parent

LEVELS = (
    ("geometry", "findings", "options"),
    ("catalogue",),
    ("syntax",),
    ("sites",),
    ("sizes",),
    ("rewrites",),
    ("rules",),
    ("engine", "config", "formats"),
    ("files", "verify"),
    ("cli",),
    ("__init__", "__main__"),
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
FRAMEWORKS = {"torch", "tensorflow", "keras", "numpy", "jax", "flax", "onnx", "onnxruntime"}


def modules() -> Iterator[tuple[str, Path]]:
    """Every module's part of the package (`rules`, `engine`) and its file."""
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).parts[0].removesuffix(".py"), path


def imports(path: Path) -> Iterator[str]:
    """Dotted paths of everything that a file imports, wherever the statement stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_part_has_a_level() -> None:
    assert {part for part, _ in modules()} == set(LEVEL)


def test_modules_import_only_what_is_below_them() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for part, path in modules()
        for name in imports(path)
        if name.startswith("padlint.")
        and (other := name.split(".")[1]) in LEVEL
        and other != part
        and LEVEL[other] >= LEVEL[part]
    ]
    assert wrong == []


def test_frameworks_are_imported_by_the_verifier_alone() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for part, path in modules()
        for name in imports(path)
        if name.split(".")[0] in FRAMEWORKS and part != "verify"
    ]
    assert wrong == []


def test_libcst_stays_where_syntax_is_known() -> None:
    allowed = {"syntax", "sites", "sizes", "rewrites", "rules"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for part, path in modules()
        for name in imports(path)
        if name.split(".")[0] == "libcst" and part not in allowed
    ]
    assert wrong == []
