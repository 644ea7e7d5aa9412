"""Deciding the tests of conditionals under the assumption that a stride is greater than one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from padlint.syntax.scopes import BindingKind, Scope
from padlint.syntax.units import Unit
from padlint.syntax.walk import code_children

if TYPE_CHECKING:
    from padlint.syntax.values import Evaluator


class Assumption:
    """That an expression (a stride) is greater than one: decides tests such as `s == 1` in conditionals.

    Says nothing where a name in the expression may have another value elsewhere.
    """

    def __init__(self, unit: Unit, subject: cst.BaseExpression) -> None:
        self._unit = unit
        self._code = _code(subject)
        scope = unit.index.scope_of(subject)
        self._owners = {name.value: _bound_once(scope, name.value) for name in _names(subject)}
        self._sound = None not in self._owners.values()

    def truth(self, evaluator: Evaluator, test: cst.BaseExpression, scope: Scope) -> bool | None:
        """Whether `test` holds under the assumption; None where it is about something else."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self.truth(evaluator, test.expression, scope)
            return None if inner is None else not inner
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return None
        left, target = test.left, test.comparisons[0]
        operation, right = target.operator, target.comparator
        if self._about(right, scope) and isinstance(operation, (cst.Equal, cst.NotEqual)):
            left, right = right, left
        if not self._about(left, scope):
            return None
        other = evaluator.without_assumption().value(right, scope)
        return _decide(operation, other.only) if other.known else None

    def excludes(self, evaluator: Evaluator, node: cst.CSTNode) -> bool:
        """Whether `node` stands in a branch that is not taken."""
        child, parents = node, self._unit.index.parents
        while (parent := parents.get(child)) is not None:
            if isinstance(parent, (cst.If, cst.IfExp)) and child is not parent.test:
                truth = self.truth(evaluator, parent.test, self._unit.index.scope_of(parent))
                if truth is not None and truth != (child is parent.body):
                    return True
            child = parent
        return False

    def _about(self, node: cst.BaseExpression, scope: Scope) -> bool:
        code = _code(node)
        if not self._sound or not (code == self._code or code.startswith(f"{self._code}[")):
            return False
        return all(_bound_once(scope, name) is owner for name, owner in self._owners.items())


def _names(node: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(node, cst.Name):
        yield node
    elif isinstance(node, cst.Attribute):
        yield from _names(node.value)
    else:
        for child in code_children(node):
            yield from _names(child)


def _bound_once(scope: Scope, name: str) -> Scope | None:
    """The scope that gives a name its only value; None where it may have several."""
    found = scope.lookup(name)
    if found is None or len(found[1]) != 1:
        return None
    return found[0] if found[1][0].kind in (BindingKind.PARAMETER, BindingKind.ASSIGN) else None


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
