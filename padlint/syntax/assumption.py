"""Deciding the tests of conditionals under the assumption that a stride is greater than one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from padlint.syntax.scopes import Scope
from padlint.syntax.units import Unit

if TYPE_CHECKING:
    from padlint.syntax.values import Evaluator


class Assumption:
    """That an expression (a stride) is greater than one: decides tests such as `s == 1` in conditionals."""

    def __init__(self, unit: Unit, subject: cst.BaseExpression) -> None:
        self._code = _code(subject)

    def truth(self, evaluator: Evaluator, test: cst.BaseExpression, scope: Scope) -> bool | None:
        """Whether `test` holds under the assumption; None where it is about something else."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self.truth(evaluator, test.expression, scope)
            return None if inner is None else not inner
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return None
        left, target = test.left, test.comparisons[0]
        operation, right = target.operator, target.comparator
        if self._about(right) and isinstance(operation, (cst.Equal, cst.NotEqual)):
            left, right = right, left
        if not self._about(left):
            return None
        other = type(evaluator)(evaluator.unit).value(right, scope)
        return _decide(operation, other.only) if other.known else None

    def _about(self, node: cst.BaseExpression) -> bool:
        code = _code(node)
        return code == self._code or code.startswith(f"{self._code}[")


def _decide(operation: cst.BaseCompOp, other: Any) -> bool | None:
    """Truth of `x OP other` for every x > 1 (or tuple holding such), if it is the same for all."""
    one = {1, (1, 1), (1, 1, 1), (1,), (1, 1, 1, 1)}
    if isinstance(operation, (cst.Equal, cst.Is)):
        return False if other in one or other is None else None
    if isinstance(operation, (cst.NotEqual, cst.IsNot)):
        return True if other in one or other is None else None
    if isinstance(operation, (cst.In, cst.NotIn)) and isinstance(other, tuple):
        return isinstance(operation, cst.NotIn) if set(other) <= one else None
    if not isinstance(other, (int, float)):
        return None
    if isinstance(operation, cst.GreaterThan):
        return True if other <= 1 else None
    if isinstance(operation, cst.GreaterThanEqual):
        return True if other <= 2 else None
    if isinstance(operation, cst.LessThan):
        return False if other <= 2 else None
    return False if isinstance(operation, cst.LessThanEqual) and other <= 1 else None


_PRINTER = cst.Module([])


def _code(node: cst.BaseExpression) -> str:
    return _PRINTER.code_for_node(node)
