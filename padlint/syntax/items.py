"""What loops run over and what unpacking takes apart, item by item."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst

from padlint.syntax.possible import UNKNOWN, Value, constant
from padlint.syntax.scopes import BindingKind, Scope

Item = Callable[[tuple[int, ...]], Value]
"""Gives what an item is worth, or the part of it with this path of indices."""

_MOST = 32  # items of one loop


class Items:
    """Takes sequences apart. What is not needed of an item need not be known."""

    def value(self, node: cst.BaseExpression | None, scope: Scope | None = None) -> Value:
        """What an expression can be worth."""
        raise NotImplementedError

    def _may_change(self, name: str, owner: Scope) -> bool:
        raise NotImplementedError

    def pick(self, node: cst.BaseExpression, scope: Scope, path: tuple[int, ...]) -> Value:
        """What a part of an expression is worth."""
        if not path:
            return self.value(node, scope)
        elements = _elements(node)
        if elements is not None:
            inside = -len(elements) <= path[0] < len(elements)
            return self.pick(elements[path[0]], scope, path[1:]) if inside else UNKNOWN
        held = self._held_by(node, scope)
        if held is not None:
            return self.pick(*held, path)
        value = self.value(node, scope)
        for index in path:
            value = value.map(lambda whole, index=index: operator.getitem(whole, index))  # type: ignore[misc]
        return value

    def items(self, node: cst.BaseExpression, scope: Scope) -> Sequence[Item] | None:
        """The items that a loop over an expression takes; None where they are not known, or too many."""
        found = self._items(node, scope)
        return found if found is not None and 0 < len(found) <= _MOST else None

    def _items(self, node: cst.BaseExpression, scope: Scope) -> Sequence[Item] | None:
        elements = _elements(node)
        if elements is not None:
            return [partial(self.pick, element, scope) for element in elements]
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
            return self._made(node.func.value, node, scope)
        held = self._held_by(node, scope)
        if held is not None:
            return self._items(*held)
        value = self.value(node, scope)
        if value.known and isinstance(value.only, tuple):
            return [partial(_part, item) for item in value.only]
        return None

    def _made(self, name: str, call: cst.Call, scope: Scope) -> Sequence[Item] | None:
        """The items of `range`, `enumerate`, `zip` and the like."""
        if scope.lookup(name) is not None or any(arg.star or arg.keyword for arg in call.args):
            return None
        arguments = [arg.value for arg in call.args]
        if name == "range":
            return self._range([self.value(argument, scope) for argument in arguments])
        inner = [self._items(argument, scope) for argument in arguments]
        found = [items for items in inner if items is not None]
        if len(found) < len(inner) or not found:
            return None
        if name == "zip":
            return [partial(_row, row) for row in zip(*found, strict=False)]
        if len(found) > 1:
            return None
        if name == "enumerate":
            return [partial(_numbered, i, item) for i, item in enumerate(found[0])]
        if name == "reversed":
            return found[0][::-1]
        return found[0] if name in ("list", "tuple") else None

    @staticmethod
    def _range(bounds: Sequence[Value]) -> Sequence[Item] | None:
        numbers = [bound.only for bound in bounds if bound.known and type(bound.only) is int]
        if len(numbers) < len(bounds) or not 1 <= len(numbers) <= 3 or 0 in numbers[2:]:
            return None
        return [partial(_part, number) for number in range(*numbers)[: _MOST + 1]]

    def _held_by(self, node: cst.BaseExpression, scope: Scope) -> tuple[cst.BaseExpression, Scope] | None:
        """The only expression that a name ever holds."""
        found = scope.lookup(node.value) if isinstance(node, cst.Name) else None
        if found is None or len(found[1]) != 1 or not isinstance(node, cst.Name):
            return None
        owner, (binding,) = found
        expression = binding.expression() if binding.kind is BindingKind.ASSIGN else None
        if expression is None or _elements(expression) is None or self._may_change(node.value, owner):
            return None
        return expression, owner


def _elements(node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    if not isinstance(node, (cst.Tuple, cst.List)):
        return None
    if not all(isinstance(element, cst.Element) for element in node.elements):
        return None
    return [element.value for element in node.elements]


def _part(item: object, path: tuple[int, ...]) -> Value:
    value = constant(item)
    for index in path:
        value = value.map(lambda whole, index=index: operator.getitem(whole, index))  # type: ignore[misc]
    return value


def _row(items: Sequence[Item], path: tuple[int, ...]) -> Value:
    return items[path[0]](path[1:]) if path and path[0] < len(items) else UNKNOWN


def _numbered(number: int, item: Item, path: tuple[int, ...]) -> Value:
    if not path or path[0] > 1:
        return UNKNOWN
    return item(path[1:]) if path[0] else _part(number, path[1:])
