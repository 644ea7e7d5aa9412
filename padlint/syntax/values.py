"""What an expression can be worth: constants, arithmetic on them, and names bound to them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import libcst as cst

from padlint.syntax.arithmetic import BINARY, CALLS, COMPARE, MAX_ITEMS, bounded
from padlint.syntax.assumption import Assumption
from padlint.syntax.attributes import owner_of
from padlint.syntax.scopes import Binding, BindingKind, Scope, resolve
from padlint.syntax.units import Unit
from padlint.syntax.walk import holds_list

_MAX_OPTIONS = 8
_MAX_STEPS = 2000  # names made of names can need exponentially many


@dataclass(frozen=True)
class Option:
    """One possible value; `origin` says where it was learned, empty for what the call itself shows."""

    value: Any
    origin: str = ""


@dataclass(frozen=True)
class Value:
    """The possible values of an expression. `complete` is False where there may be others."""

    options: tuple[Option, ...] = ()
    complete: bool = False

    @property
    def known(self) -> bool:
        """Whether there is exactly one value it can have."""
        return self.complete and len(self.options) == 1

    @property
    def only(self) -> Any:
        """The value, if it is known. Raises ValueError otherwise."""
        if not self.known:
            raise ValueError("the value is not known")
        return self.options[0].value

    @property
    def origin(self) -> str:
        """Where a known value was learned."""
        return self.options[0].origin if self.options else ""

    def map(self, function: Callable[[Any], Any]) -> Value:
        """Apply a function to every option; options for which it raises make the value incomplete."""
        options: dict[Any, Option] = {}
        complete = self.complete
        for option in self.options:
            try:
                result = function(option.value)
            except (TypeError, ValueError, ArithmeticError, IndexError):
                complete = False
            else:
                options.setdefault((type(result), result), Option(result, option.origin))
        return Value(tuple(options.values()), complete)


UNKNOWN = Value()


def constant(value: Any) -> Value:
    """A value known from the call itself."""
    return Value((Option(value),), True)


def union(values: Iterable[Value]) -> Value:
    """The value of an expression that is one of several."""
    options: dict[Any, Option] = {}
    complete = True
    for value in values:
        complete = complete and value.complete
        for option in value.options:
            options.setdefault((type(option.value), option.value), option)
    if len(options) > _MAX_OPTIONS:
        return UNKNOWN
    return Value(tuple(options.values()), complete)


def combine(values: list[Value], function: Callable[..., Any]) -> Value:
    """`function` applied to every combination of the options."""
    results = [Value((Option(()),), True)]
    for value in values:
        results = [
            Value(
                tuple(
                    Option((*done.value, option.value), done.origin or option.origin)
                    for done in results[0].options
                    for option in value.options
                ),
                results[0].complete and value.complete,
            )
        ]
        if len(results[0].options) > _MAX_OPTIONS:
            return UNKNOWN
    return results[0].map(lambda arguments: function(*arguments))


_WORDS = {"True": True, "False": False, "None": None}

Bindings = Mapping[tuple[Scope, str], Value]
"""What names are worth, whatever the file binds them to: those of a function in one of its calls, say.

The key is the scope that owns the name; for an attribute of `self` that of the class, and `.name`.
"""


class Evaluator:
    """Evaluates expressions of one unit.

    `assume` overrides the test of conditionals (see `Assumption`), `bindings` what names are worth.
    """

    def __init__(
        self, unit: Unit, assume: Assumption | None = None, bindings: Bindings | None = None
    ) -> None:
        self.unit = unit
        self.assume = assume
        self.bindings: Bindings = bindings or {}
        self._seen: set[tuple[int, str]] = set()
        self._steps = [0]

    def without_assumption(self) -> Evaluator:
        """An evaluator of facts only, which counts its steps with this one's."""
        plain = Evaluator(self.unit, bindings=self.bindings)
        plain._steps = self._steps
        return plain

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
        try:
            value = ast.literal_eval(node.value)
        except (ValueError, SyntaxError, MemoryError):
            return UNKNOWN
        return constant(value) if isinstance(value, (int, float, str)) else UNKNOWN

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

    def _boolean(self, node: cst.BooleanOperation, scope: Scope) -> Value:
        left = self.value(node.left, scope)
        if left.known and bool(left.only) is isinstance(node.operator, cst.Or):
            return left
        right = self.value(node.right, scope)
        return right if left.known else Value(union((left, right)).options, False)

    def _conditional(self, node: cst.IfExp, scope: Scope) -> Value:
        known = self.value(node.test, scope)
        test = bool(known.only) if known.known else None
        if test is None and self.assume is not None:
            test = self.assume.truth(self, node.test, scope)
        if test is None:
            return union((self.value(node.body, scope), self.value(node.orelse, scope)))
        return self.value(node.body if test else node.orelse, scope)

    def _subscript(self, node: cst.Subscript, scope: Scope) -> Value:
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            return UNKNOWN
        index = self.value(node.slice[0].slice.value, scope)
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
        return UNKNOWN

    def _name(self, node: cst.Name, scope: Scope) -> Value:
        if node.value in _WORDS:
            return constant(_WORDS[node.value])
        found = scope.lookup(node.value)
        if found is None:
            return UNKNOWN
        owner, bindings = found
        given = self.bindings.get((owner, node.value))
        if given is not None:
            return given
        key = (id(owner), node.value)
        if key in self._seen:
            return UNKNOWN
        self._seen.add(key)
        try:
            values = [self._bound(node.value, binding, owner) for binding in self._reaching(bindings)]
        finally:
            self._seen.discard(key)
        value = union(values)
        return Value(value.options, False) if self._may_change(node.value, owner) else value

    def _may_change(self, name: str, owner: Scope) -> bool:
        """Whether a name may be bound anew, or its list changed, where none of its bindings shows it."""
        if owner.kind == "module":
            mentions = self.unit.facts.mentions
            if owner.later_stars(name) or mentions["exec"] or mentions["globals"]:
                return True
        lists = [b.expression() for b in owner.bindings[name] if b.kind is BindingKind.ASSIGN]
        if not any(value is not None and holds_list(value) for value in lists):
            return False
        return owner.kind != "function" or not all(
            self._only_handed_to_imports(read) for read in self.unit.index.names.get(name, ())
        )

    def _only_handed_to_imports(self, name: cst.Name) -> bool:
        """Whether a list is bound here, or given to an imported function, which will not change it."""
        parent = self.unit.index.parents[name]
        if isinstance(parent, (cst.AssignTarget, cst.AnnAssign)):
            return True
        call = self.unit.index.parents[parent] if isinstance(parent, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return False
        meant = resolve(self.unit.index.scope_of(call), call.func)
        return bool(meant.paths) and not meant.open

    def _attribute(self, node: cst.Attribute, scope: Scope) -> Value:
        """`self.strides`, where the class body gives it a default; instances may have another value."""
        owner = scope.class_scope
        if owner is None or not isinstance(owner.node, cst.ClassDef):
            return UNKNOWN
        name = node.attr.value
        key = (id(owner), f".{name}")
        if key in self._seen or owner_of(self.unit, node.value) is not owner.node:
            return UNKNOWN
        given = self.bindings.get((owner, f".{name}"))
        if given is not None:
            return given
        self._seen.add(key)
        try:
            assigned = [b for b in owner.bindings.get(name, ()) if b.kind is BindingKind.ASSIGN]
            values = [self.value(binding.expression(), owner) for binding in assigned]
        finally:
            self._seen.discard(key)
        origin = f"{owner.node.name.value}.{name}"
        return Value(tuple(Option(option.value, origin) for option in union(values).options), False)

    def _reaching(self, bindings: list[Binding]) -> list[Binding]:
        """The bindings that count: those in a branch that the assumption rules out do not."""
        if self.assume is None or len(bindings) == 1:
            return bindings
        assume = self.assume
        return [b for b in bindings if b.node is None or not assume.excludes(self, b.node)] or bindings

    def _bound(self, name: str, binding: Binding, owner: Scope) -> Value:
        if binding.kind is BindingKind.PARAMETER:
            default = self.value(binding.expression(), owner.parent or owner)
            where = _function_name(owner)
            return Value(
                tuple(Option(o.value, f"default of {name} in {where}") for o in default.options), False
            )
        if binding.kind is not BindingKind.ASSIGN:
            return UNKNOWN
        value = self.value(binding.expression(), owner)
        return Value(tuple(Option(o.value, o.origin or name) for o in value.options), value.complete)


def _function_name(scope: Scope) -> str:
    return f"{scope.node.name.value}()" if isinstance(scope.node, cst.FunctionDef) else "a lambda"


_HANDLERS: dict[type, Callable[[Evaluator, Any, Scope], Value]] = {
    cst.Integer: Evaluator._literal,
    cst.Float: Evaluator._literal,
    cst.SimpleString: Evaluator._literal,
    cst.Tuple: Evaluator._sequence,
    cst.List: Evaluator._sequence,
    cst.UnaryOperation: Evaluator._unary,
    cst.BinaryOperation: Evaluator._binary,
    cst.Comparison: Evaluator._comparison,
    cst.BooleanOperation: Evaluator._boolean,
    cst.IfExp: Evaluator._conditional,
    cst.Subscript: Evaluator._subscript,
    cst.Call: Evaluator._call,
    cst.Name: Evaluator._name,
    cst.Attribute: Evaluator._attribute,
}
