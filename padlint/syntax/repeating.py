"""Expressions that may be evaluated a second time: they only read, and give the same value again."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit
from padlint.syntax.walk import code_children

_WORDS = frozenset({"True", "False", "None"})
_BUILTINS = frozenset({"int", "len", "max", "min", "tuple", "abs"})
_GETTERS = ("image_data_format",)
_READS = (
    *(cst.Name, cst.Attribute, cst.Subscript, cst.SubscriptElement, cst.Index),
    *(cst.Integer, cst.Float, cst.SimpleString, cst.Tuple, cst.List, cst.Element),
    *(cst.UnaryOperation, cst.BinaryOperation, cst.BooleanOperation, cst.IfExp),
    *(cst.Comparison, cst.ComparisonTarget),
)


def repeatable(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an expression reads names, attributes and items, and computes with them, and does no more.

    It has to stand in one row, so that its text can be written anywhere.
    """
    text = unit.text(node)
    return not any(mark in text for mark in "\n\r#") and _only_reads(unit, node)


def _only_reads(unit: Unit, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Call):
        return _is_pure(unit, node) and all(_only_reads(unit, arg.value) for arg in node.args)
    if isinstance(node, _READS):
        return all(_only_reads(unit, child) for child in _operands(node))
    return False


def _is_pure(unit: Unit, call: cst.Call) -> bool:
    """Whether a call is one of a built-in function of numbers, or asks for the global image format."""
    if any(arg.star or arg.keyword is not None for arg in call.args):
        return False
    scope = unit.index.scope_of(call)
    if isinstance(call.func, cst.Name) and call.func.value in _BUILTINS:
        return scope.lookup(call.func.value) is None
    paths = resolve(scope, call.func).paths
    return not call.args and bool(paths) and all(path.rpartition(".")[2] in _GETTERS for path in paths)


def _operands(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions inside one; the name of an attribute is none."""
    skipped = node.attr if isinstance(node, cst.Attribute) else None
    return (child for child in code_children(node) if child is not skipped)


def leaves(node: cst.CSTNode, tested: bool = False) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """The names, attributes and items that a repeatable expression reads, and whether a test reads them."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        if not (isinstance(node, cst.Name) and node.value in _WORDS):
            yield node, tested
    elif isinstance(node, cst.Call):
        for arg in node.args:
            yield from leaves(arg.value, tested)
    else:
        for child in _operands(node):
            yield from leaves(child, tested or (isinstance(node, cst.IfExp) and child is node.test))
