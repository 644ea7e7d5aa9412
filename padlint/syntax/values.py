"""What an expression can be worth: constants, arithmetic on them, and names bound to them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import libcst as cst

from padlint.syntax.arithmetic import BINARY, CALLS, COMPARE, MAX_ITEMS, bounded
from padlint.syntax.bindings import Bindings, Case, Open
from padlint.syntax.bound import Names
from padlint.syntax.possible import UNKNOWN, Option, Value, combine, constant, union
from padlint.syntax.scopes import Scope
from padlint.syntax.splats import present
from padlint.syntax.units import Unit

__all__ = ["UNKNOWN", "Bindings", "Evaluator", "Option", "Value", "combine", "constant", "union"]

_MAX_STEPS = 2000  # names made of names can need exponentially many


class Evaluator(Names):
    """Evaluates expressions of one unit under `bindings`; what these leave open is noted in `open`."""

    def __init__(self, unit: Unit, bindings: Bindings | Case | None = None, open: Open | None = None) -> None:
        super().__init__(unit, bindings, open)
        self._steps = [0]

    def at(self, unit: Unit) -> Evaluator:
        """The same evaluation in another unit of the file."""
        if unit is self.unit:
            return self
        other = Evaluator(unit, self.case, self._open)
        other._seen, other._tests, other._steps = self._seen, self._tests, self._steps
        return other

    def value(self, node: cst.BaseExpression | None, scope: Scope | None = None) -> Value:
        """What `node` can be worth. `scope` is where it stands; found from the tree if absent."""
        if node is None:
            return UNKNOWN
        if scope is None:
            scope = self.unit.index.scope_of(node)
        handler = _HANDLERS.get(type(node))
        self._steps[0] += 1
        if handler is None or self._steps[0] > _MAX_STEPS:
            return UNKNOWN
        value = handler(self, node, scope)
        return value if all(bounded(option.value) for option in value.options) else UNKNOWN

    def _literal(self, node: Any, scope: Scope) -> Value:
        return _literal(node.value)

    def _sequence(self, node: cst.Tuple | cst.List, scope: Scope) -> Value:
        if len(node.elements) > MAX_ITEMS or not all(isinstance(e, cst.Element) for e in node.elements):
            return UNKNOWN
        return combine([self.value(e.value, scope) for e in node.elements], lambda *items: items)

    def _unary(self, node: cst.UnaryOperation, scope: Scope) -> Value:
        value = self.value(node.expression, scope)
        if isinstance(node.operator, cst.Minus):
            return value.map(operator.neg)
        if isinstance(node.operator, cst.Plus):
            return value.map(operator.pos)
        return value.map(operator.not_) if isinstance(node.operator, cst.Not) else UNKNOWN

    def _binary(self, node: cst.BinaryOperation, scope: Scope) -> Value:
        function = BINARY.get(type(node.operator))
        if function is None:
            return UNKNOWN
        return combine([self.value(node.left, scope), self.value(node.right, scope)], function)

    def _comparison(self, node: cst.Comparison, scope: Scope) -> Value:
        if len(node.comparisons) != 1:
            return UNKNOWN
        target = node.comparisons[0]
        function = COMPARE.get(type(target.operator))
        if function is None:
            return UNKNOWN
        return combine([self.value(node.left, scope), self.value(target.comparator, scope)], function)

    def _conditional(self, node: cst.IfExp, scope: Scope) -> Value:
        test = self._truth(node.test, scope)
        if test is None:
            return union((self.value(node.body, scope), self.value(node.orelse, scope)))
        return self.value(node.body if test else node.orelse, scope)

    def _boolean(self, node: cst.BooleanOperation, scope: Scope) -> Value:
        """`a or b`: what is decided by `a` alone, else what `b` is worth."""
        left = self.value(node.left, scope)
        decides = isinstance(node.operator, cst.Or)
        kept = Value(tuple(o for o in left.options if bool(o.value) is decides), left.complete)
        if left.complete and len(kept.options) == len(left.options):
            return left
        return union((kept, self.value(node.right, scope)))

    def _subscript(self, node: cst.Subscript, scope: Scope) -> Value:
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            return UNKNOWN
        key = node.slice[0].slice.value
        if isinstance(key, cst.SimpleString):
            return present(self.entry(node.value, scope, key.raw_value), UNKNOWN)
        index = self.value(key, scope)
        if index.known and type(index.only) is int:
            return self.pick(node.value, scope, (index.only,))
        return combine([self.value(node.value, scope), index], operator.getitem)

    def _call(self, node: cst.Call, scope: Scope) -> Value:
        if isinstance(node.func, cst.Name) and len(node.args) == 1 and not node.args[0].star:
            function = CALLS.get(node.func.value)
            if (
                function is not None
                and scope.lookup(node.func.value) is None
                and node.args[0].keyword is None
            ):
                return self.value(node.args[0].value, scope).map(function)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in ("get", "pop"):
            return self._looked_up(node, node.func, scope)
        return UNKNOWN

    def _looked_up(self, node: cst.Call, func: cst.Attribute, scope: Scope) -> Value:
        """`options.get("stride", 1)`, `kwargs.pop("stride", 1)`."""
        key = node.args[0].value if node.args else None
        if not isinstance(key, cst.SimpleString) or len(node.args) > 2:
            return UNKNOWN
        default = constant(None) if func.attr.value == "get" else UNKNOWN
        if len(node.args) == 2:
            default = self.value(node.args[1].value, scope)
        return present(self.entry(func.value, scope, key.raw_value), default)


@lru_cache(maxsize=4096)
def _literal(text: str) -> Value:
    """What a number or string is worth, from how it is written."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return UNKNOWN
    return constant(value) if isinstance(value, (int, float, str)) else UNKNOWN


_HANDLERS: dict[type, Callable[[Evaluator, Any, Scope], Value]] = {
    cst.Integer: Evaluator._literal,
    cst.Float: Evaluator._literal,
    cst.SimpleString: Evaluator._literal,
    cst.Tuple: Evaluator._sequence,
    cst.List: Evaluator._sequence,
    cst.UnaryOperation: Evaluator._unary,
    cst.BinaryOperation: Evaluator._binary,
    cst.Comparison: Evaluator._comparison,
    cst.IfExp: Evaluator._conditional,
    cst.BooleanOperation: Evaluator._boolean,
    cst.Subscript: Evaluator._subscript,
    cst.Call: Evaluator._call,
    cst.Name: Evaluator._name,
    cst.Attribute: Evaluator._attribute,
}
