"""Classes that add nothing to what their base does, so that a call of them means a call of the base."""

from __future__ import annotations

import ast

import libcst as cst

from padlint.syntax.scopes import dotted_parts

# Methods that decide what a layer computes or what its constructor takes.
_DECISIVE = frozenset(
    {
        *("__init__", "__new__", "__call__", "__init_subclass__", "__getattribute__", "__getattr__"),
        *("forward", "call", "setup", "build", "_conv_forward", "convolution_op", "compute_output_shape"),
    }
)


def inherited_base(node: ast.ClassDef) -> str:
    """The dotted base of a class that keeps its base's meaning; empty for any other class.

    Attributes of the class may be fields of the base (Flax: `padding: str = "VALID"`), so they count as a
    change.
    """
    if len(node.bases) != 1 or node.keywords or node.decorator_list:
        return ""
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name in _DECISIVE:
                return ""
        elif not isinstance(statement, ast.Pass) and not _is_text(statement):
            return ""
    base = ast.unparse(node.bases[0])
    return base if all(part.isidentifier() for part in base.split(".")) else ""


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def inherited_base_of(node: cst.ClassDef) -> str:
    """The same for a LibCST tree."""
    if len(node.bases) != 1 or node.keywords or node.decorators:
        return ""
    for statement in node.body.body:
        if isinstance(statement, cst.FunctionDef):
            if statement.name.value in _DECISIVE:
                return ""
        elif not isinstance(statement, cst.SimpleStatementLine) or not all(
            map(_says_nothing, statement.body)
        ):
            return ""
    parts = dotted_parts(node.bases[0].value) if not node.bases[0].star else None
    return ".".join(parts or ())


def _says_nothing(statement: cst.BaseSmallStatement) -> bool:
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, (cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis))
    return isinstance(statement, cst.Pass)
