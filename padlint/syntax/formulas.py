"""Arithmetic as a function of what it reads, whatever the steps in between are called.

`out = ceil(n / s)` and then `(out - 1) * s + k - n` is one formula of n, s and k. What it computes can be
compared with a known function, which recognises it in every way of writing it.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import libcst as cst

from padlint.syntax.arithmetic import BINARY, COMPARE
from padlint.syntax.attributes import owner_of
from padlint.syntax.reaching import assignment_of
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import Unit
from padlint.syntax.uses import is_store

_MOST_STEPS = 200  # written-out formulas are far shorter
_PRINTER = cst.Module([])


@dataclass(frozen=True)
class Read:
    """Something that a formula reads and the file does not compute: a parameter, a size, an attribute."""

    text: str
    scope: Scope


Values = Mapping[Read, Any]
Function = Callable[[Values], Any]


@dataclass(frozen=True)
class Formula:
    """An expression as a function of its reads, in order of appearance; `literals` are the ints in it."""

    reads: tuple[Read, ...]
    literals: frozenset[int]
    function: Function

    def at(self, values: Values) -> Any:
        """The result for these values; None where there is none."""
        try:
            return self.function(values)
        except (ArithmeticError, TypeError, ValueError, LookupError):
            return None

    def plus(self, other: Formula) -> Formula:
        """The sum of two formulas."""
        return Formula(
            tuple(dict.fromkeys((*self.reads, *other.reads))),
            self.literals | other.literals,
            lambda values: self.function(values) + other.function(values),
        )


class Formulas:
    """Makes formulas of the expressions in one unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._reads: dict[Read, None] = {}
        self._literals: set[int] = set()
        self._steps = 0
        self._open: list[cst.CSTNode] = []

    def of(self, node: cst.BaseExpression) -> Formula | None:
        """The formula of an expression; None where it is too long."""
        self._reads, self._literals, self._steps = {}, set(), 0
        function = self._function(node, self.unit.index.scope_of(node))
        if self._steps > _MOST_STEPS:
            return None
        return Formula(tuple(self._reads), frozenset(self._literals), function)

    def resolved(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression that a name or an attribute of `self` holds, if the file shows just one.

        It may stand in a part of the file that is not parsed, where it has no place.
        """
        scope = self.unit.index.scope_of(node)
        for _ in range(_MOST_STEPS):
            value = self._value(node, scope)
            if value is None:
                break
            node, scope = value
        return node

    def _function(self, node: cst.BaseExpression, scope: Scope) -> Function:
        self._steps += 1
        handler = _HANDLERS.get(type(node)) if self._steps <= _MOST_STEPS else None
        return handler(self, node, scope) if handler is not None else self._read(node, scope)

    def _read(self, node: cst.BaseExpression, scope: Scope) -> Function:
        root: cst.BaseExpression = node
        while isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        found = scope.lookup(root.value) if isinstance(root, cst.Name) else None
        owner = self.unit.index.scopes[instance] if (instance := owner_of(self.unit, root)) else None
        read = Read(_PRINTER.code_for_node(node), owner or (found[0] if found is not None else scope))
        self._reads[read] = None
        return lambda values: values[read]

    def _literal(self, node: Any, scope: Scope) -> Function:
        number = ast.literal_eval(node.value)
        if isinstance(number, int):
            self._literals.add(number)
        return lambda values: number

    def _named(self, node: cst.Name | cst.Attribute, scope: Scope) -> Function:
        value = self._value(node, scope)
        if (
            value is not None and value[0] not in self._open
        ):  # `self.s = f(self.s)` reads what was there before
            self._open.append(value[0])
            function = self._function(*value)
            self._open.pop()
            return function
        if not isinstance(node, cst.Name):
            return self._read(node, scope)
        unpacked = self._unpacked(node, scope)
        if unpacked is not None:
            return self._function(unpacked, scope)
        branches = self._branches(node, scope)
        if branches is None:
            return self._read(node, scope)
        test, body, orelse = (self._function(part, scope) for part in branches)
        return lambda values: body(values) if test(values) else orelse(values)

    def _unpacked(self, node: cst.Name, scope: Scope) -> cst.Subscript | None:
        """`pair[1]` for the second name of `a, b = pair`."""
        found = scope.lookup(node.value)
        if found is None or found[0] is not scope or len(found[1]) != 1:
            return None
        index = self.unit.index
        names = [name for name in index.names.get(node.value, ()) if is_store(self.unit, name)]
        element = next((index.parents[name] for name in names if index.scope_of(name) is scope), None)
        around = index.parents[element] if isinstance(element, cst.Element) else None
        if not isinstance(around, (cst.Tuple, cst.List)):
            return None
        whole, position = assigned(self.unit, around), around.elements.index(element)
        if whole is None or not all(isinstance(item, cst.Element) for item in around.elements):
            return None
        return cst.Subscript(whole, [cst.SubscriptElement(cst.Index(cst.Integer(str(position))))])

    def _value(self, node: cst.BaseExpression, scope: Scope) -> tuple[cst.BaseExpression, Scope] | None:
        """What a name or attribute was assigned, and the scope of that, where it is certain."""
        if isinstance(node, cst.Attribute):
            return self._attribute_value(node)
        found = scope.lookup(node.value) if isinstance(node, cst.Name) else None
        if found is None or not isinstance(node, cst.Name):
            return None
        owner, bindings = found
        if len(bindings) == 1 and bindings[0].kind is BindingKind.ASSIGN:
            value = bindings[0].expression()
            return (value, owner) if value is not None else None
        statement = assignment_of(self.unit, node) if node in self.unit.index.parents else None
        return (statement.value, scope) if statement is not None else None

    def _attribute_value(self, node: cst.Attribute) -> tuple[cst.BaseExpression, Scope] | None:
        """What the only assignment of `self.name` in a class assigns."""
        owner, index = owner_of(self.unit, node.value), self.unit.index
        if owner is None or self.unit.facts.foreign[node.attr.value]:
            return None
        stores = [
            other
            for other in index.attributes.get(node.attr.value, ())
            if owner_of(self.unit, other.value) is owner and (value := assigned(self.unit, other)) is not None
        ]
        value = assigned(self.unit, stores[0]) if len(stores) == 1 else None
        return (value, index.scope_of(value)) if value is not None else None

    def _branches(
        self, node: cst.Name, scope: Scope
    ) -> tuple[cst.BaseExpression, cst.BaseExpression, cst.BaseExpression] | None:
        """Test and values of a name that both branches of one `if` assign."""
        found = scope.lookup(node.value)
        if found is None or found[0] is not scope or len(found[1]) != 2:
            return None
        first, second = (self._branch(binding) for binding in found[1])
        values = [binding.expression() for binding in found[1]]
        if first is None or second is None or values[0] is None or values[1] is None:
            return None
        (test, taken), (other, left) = first, second
        return (test.test, values[0], values[1]) if test is other and taken and not left else None

    def _branch(self, binding: Binding) -> tuple[cst.If, bool] | None:
        """The `if` around an assignment, and whether it stands in its first branch."""
        parents = self.unit.index.parents
        block = parents.get(parents[binding.node]) if binding.node in parents else None
        around = parents.get(block) if block is not None else None
        if isinstance(around, cst.If):
            return around, True
        above = parents.get(around) if isinstance(around, cst.Else) else None
        return (above, False) if isinstance(above, cst.If) else None

    def _subscript(self, node: cst.Subscript, scope: Scope) -> Function:
        base = self.resolved(node.value) if node in self.unit.index.parents else node.value
        index = node.slice[0].slice if len(node.slice) == 1 else None
        if isinstance(base, (cst.Tuple, cst.List)) and isinstance(index, cst.Index):
            try:
                element = base.elements[ast.literal_eval(_PRINTER.code_for_node(index))]
            except (ValueError, TypeError, SyntaxError, IndexError):
                return self._read(node, scope)
            return self._function(element.value, self.unit.index.scope_of(element.value))
        return self._read(node, scope)

    def _unary(self, node: cst.UnaryOperation, scope: Scope) -> Function:
        operand, function = self._function(node.expression, scope), _UNARY.get(type(node.operator))
        return (lambda values: function(operand(values))) if function else self._read(node, scope)

    def _binary(self, node: cst.BinaryOperation, scope: Scope) -> Function:
        function = BINARY.get(type(node.operator))
        if function is None:
            return self._read(node, scope)
        left, right = self._function(node.left, scope), self._function(node.right, scope)
        return lambda values: function(left(values), right(values))

    def _comparison(self, node: cst.Comparison, scope: Scope) -> Function:
        function = COMPARE.get(type(node.comparisons[0].operator))
        if function is None or len(node.comparisons) != 1:
            return self._read(node, scope)
        left = self._function(node.left, scope)
        right = self._function(node.comparisons[0].comparator, scope)
        return lambda values: function(left(values), right(values))

    def _conditional(self, node: cst.IfExp, scope: Scope) -> Function:
        test, body, orelse = (self._function(part, scope) for part in (node.test, node.body, node.orelse))
        return lambda values: body(values) if test(values) else orelse(values)

    def _call(self, node: cst.Call, scope: Scope) -> Function:
        """`max(x, 0)`, `math.ceil(x)`, `np.maximum(x, 0)`, `torch.clamp(x, min=0)`, `x.ceil()`."""
        func = node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
        function = _CALLS.get(name) if isinstance(name, str) else None
        arguments = [argument.value for argument in node.args if not argument.star]
        if not arguments and isinstance(func, cst.Attribute):
            arguments = [func.value]
        if function is None or len(arguments) < len(node.args) or not arguments:
            return self._read(node, scope)
        parts = [self._function(argument, scope) for argument in arguments]
        return lambda values: function(*(part(values) for part in parts))


def assigned(unit: Unit, target: cst.BaseExpression) -> cst.BaseExpression | None:
    """What an assignment to this target assigns to it; None if it is none, or takes the value apart."""
    parents = unit.index.parents
    parent = parents[target]
    if isinstance(parent, cst.AnnAssign) and parent.target is target:
        return parent.value
    if isinstance(parent, cst.AssignTarget):
        statement = parents[parent]
        return statement.value if isinstance(statement, cst.Assign) else None
    around = parents[parent] if isinstance(parent, cst.Element) else None
    whole = assigned(unit, around) if isinstance(around, (cst.Tuple, cst.List)) else None
    if not isinstance(whole, (cst.Tuple, cst.List)) or not isinstance(around, (cst.Tuple, cst.List)):
        return None
    if len(whole.elements) != len(around.elements):
        return None
    pairs = zip(around.elements, whole.elements, strict=True)
    return next(value.value for element, value in pairs if element is parent)


_UNARY: dict[type, Callable[[Any], Any]] = {
    cst.Minus: operator.neg,
    cst.Plus: operator.pos,
    cst.Not: operator.not_,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "ceil": math.ceil,
    "clamp": max,
    "float": float,
    "floor": math.floor,
    "int": int,
    "max": max,
    "maximum": max,
    "min": min,
    "minimum": min,
}
_HANDLERS: dict[type, Callable[[Formulas, Any, Scope], Function]] = {
    cst.Integer: Formulas._literal,
    cst.Float: Formulas._literal,
    cst.Name: Formulas._named,
    cst.Attribute: Formulas._named,
    cst.Subscript: Formulas._subscript,
    cst.UnaryOperation: Formulas._unary,
    cst.BinaryOperation: Formulas._binary,
    cst.Comparison: Formulas._comparison,
    cst.IfExp: Formulas._conditional,
    cst.Call: Formulas._call,
}
