"""What the expressions of one function hold, as it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from padlint.sizes import calls, instances, models, tensors
from padlint.sizes.blueprints import named_operator
from padlint.sizes.environment import Environment, bound_names, target_names
from padlint.sizes.extent import Extent, Known, Lost
from padlint.sizes.held import (
    MODULES,
    Chained,
    Closure,
    Constant,
    Graph,
    Held,
    Instance,
    Items,
    Listed,
    OperatorName,
    Stack,
    either,
    tensor,
    value_of,
)
from padlint.sizes.loops import comprehended
from padlint.sizes.operands import combined
from padlint.sizes.points import Point
from padlint.sizes.truths import truth, truth_of
from padlint.syntax.scopes import Scope
from padlint.syntax.values import UNKNOWN, Evaluator, Value
from padlint.syntax.walk import code_children, is_expression

if TYPE_CHECKING:
    from padlint.sizes.flow import Flow
    from padlint.syntax.units import Unit

# Types are compared as they are: `isinstance` takes a while for nodes, since they have an abstract base.
_COMPUTED = frozenset(
    {
        *(cst.Integer, cst.Float, cst.SimpleString, cst.UnaryOperation, cst.BinaryOperation),
        *(cst.Comparison, cst.BooleanOperation, cst.Subscript, cst.Call, cst.Attribute),
    }
)
_CLOSED = frozenset({cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp})
_BODIES = frozenset({cst.FunctionDef, cst.ClassDef, cst.IndentedBlock})


class Expressions:
    """One run of the code of a function, a class or the module: its expressions.

    `around` are the scopes around the function whose names are known. `outside` says that another file may
    run it so, and `depth` how many followed calls led to it.
    """

    def __init__(
        self,
        flow: Flow,
        unit: Unit,
        scope: Scope,
        around: tuple[tuple[Scope, Environment], ...] = (),
        *,
        outside: str = "",
        depth: int = 0,
    ) -> None:
        self.flow = flow
        self.unit = unit
        self.scope = scope
        self.around = around
        self.outside = outside
        self.depth = depth

    def point(self, environment: Environment) -> Point:
        """What names are worth now."""
        return Point(((self.scope, environment), *self.around))

    def value(self, node: cst.BaseExpression, environment: Environment) -> Value:
        """What an expression is worth now, if it is a constant."""
        return Evaluator(self.unit, bindings=self.point(environment)).value(node)

    def visit(self, node: cst.CSTNode, environment: Environment) -> None:
        """Look at every expression below a node, for the calls in it."""
        if is_expression(node):
            self.held(node, environment)
        elif type(node) not in _BODIES:
            for child in code_children(node):
                self.visit(child, environment)

    def extent(self, node: cst.BaseExpression, environment: Environment) -> Known:
        """What is known of the size of an expression."""
        return tensor(self.held(node, environment))

    def held(self, node: cst.BaseExpression, environment: Environment) -> Held:
        """What an expression holds."""
        kind = type(node)
        if type(node) is cst.Name:
            return self._name(node, environment)
        if type(node) is cst.Attribute:
            module = instances.attribute(self, node, environment)
            if module is None:
                named = named_operator(self.scope, node)
                module = OperatorName(named) if named is not None else None
            if module is not None:
                return module
        if kind in _COMPUTED:
            value = self.value(node, environment)
            if value.options:
                return Constant(value)
        if type(node) is cst.Call:
            return calls.result(self, node, environment)
        if type(node) is cst.IfExp:
            return self._conditional(node, environment)
        if type(node) is cst.BinaryOperation:
            return self._operation(node, environment)
        if type(node) is cst.BooleanOperation:
            return self._either(node, environment)
        if type(node) is cst.NamedExpr:
            return self._walrus(node, environment)
        if type(node) is cst.Tuple or type(node) is cst.List:
            return self._items(node, environment)
        if type(node) is cst.Subscript:
            return self._subscript(node, environment)
        if type(node) is cst.ListComp or type(node) is cst.GeneratorExp:
            items = comprehended(self, node, environment)
            if items is not None:
                return items
        if kind in _CLOSED:
            environment.lose(bound_names(node), "{} is assigned in a comprehension")
            return Lost("it is computed by a comprehension or lambda")
        if type(node) is cst.Attribute and self.harmless(node, environment):
            return Lost("it is an attribute of a model")
        for child in code_children(node):
            self.visit(child, environment)
        return Lost("it is computed by an expression that padlint does not follow")

    def harmless(self, node: cst.Attribute, environment: Environment) -> bool:
        """Whether an attribute of a name can be read without changing what the name holds."""
        if not isinstance(node.value, cst.Name):
            return False
        module = isinstance(environment.get(node.value.value), MODULES)
        return node.attr.value in (models.HARMLESS_OF_MODULES if module else models.HARMLESS)

    def _name(self, node: cst.Name, environment: Environment) -> Held:
        held = self.peek(node, environment)
        if isinstance(held, Stack):
            held.record.escapes = True  # whoever gets the model may add layers to it
            environment.bind(node.value, Lost(f"{node.value} is handed on"))
            return Lost("it is a model")
        if isinstance(held, Items) and held.changes:
            environment.bind(node.value, Lost(f"{node.value} is handed on"))
            return Lost("it is a list that other code may change")
        if isinstance(held, (Instance, Chained, Listed)) and self.scope.class_scope is None:
            environment.bind(node.value, Lost(f"{node.value} is handed on"))
        if isinstance(held, Closure):
            self.flow.runs.escape(held.function.node, self.outside)
        return held

    def peek(self, node: cst.Name, environment: Environment) -> Held:
        """What a name holds, where reading it hands nothing on."""
        held = environment.get(node.value)
        if held is not None:
            return held
        value = self.value(node, environment)
        if value.options:
            return Constant(value)
        found = self.scope.lookup(node.value)
        for scope, around in self.around:
            if found is not None and found[0] is scope:
                outer = around.get(node.value)
                if isinstance(outer, (Extent, Closure, Graph, *MODULES)):
                    return outer
        named = instances.named(self, node)
        if named is not None:
            return named
        return Lost(f"{node.value} is not made in this function")

    def around_of(
        self, scope: Scope | None, environment: Environment | None = None
    ) -> tuple[tuple[Scope, Environment], ...]:
        """The part of the known scopes that a function standing in `scope` sees."""
        known = ((self.scope, environment), *self.around) if environment is not None else self.around
        chain = list(scope.chain()) if scope is not None else []
        return tuple((s, e) for s, e in known if e is not None and s.kind == "function" and s in chain)

    def _conditional(self, node: cst.IfExp, environment: Environment) -> Held:
        holds = truth(self, node.test, environment)
        self.visit(node.test, environment)
        if holds is not None:
            return self.held(node.body if holds else node.orelse, environment)
        taken, other = environment.branch(), environment.branch()
        first, second = self.held(node.body, taken), self.held(node.orelse, other)
        environment.become_either(taken, other)
        return either(first, second)

    def _either(self, node: cst.BooleanOperation, environment: Environment) -> Held:
        """`norm or nn.BatchNorm2d`."""
        left = self.held(node.left, environment)
        truth = truth_of(left)
        if truth is isinstance(node.operator, cst.Or):
            return left
        right = self.held(node.right, environment)
        return right if truth is not None else either(left, right)

    def _operation(self, node: cst.BinaryOperation, environment: Environment) -> Held:
        left, right = self.held(node.left, environment), self.held(node.right, environment)
        if isinstance(node.operator, cst.MatrixMultiply):
            return Lost("it is a matrix product")
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(node.operator, cst.Add):
            return Items((*left.items, *right.items), left.changes or right.changes)
        return self.arithmetic(node, left, right)

    def arithmetic(self, node: cst.CSTNode, left: Held, right: Held) -> Known:
        """`left + right` for tensors: sizes that differ are broadcast where one of them is 1."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Constant) and isinstance(other, Extent):
                return other if _is_number(one.value) else Lost("it is computed with a constant")
        return combined(self.flow, self.unit, node, [tensor(left), tensor(right)])

    def _walrus(self, node: cst.NamedExpr, environment: Environment) -> Held:
        value = self.held(node.value, environment)
        for name in target_names(node.target):
            before = environment.get(name)  # what the name keeps if this is not evaluated
            self.bind(name, value if before is None else either(before, value), environment)
        return value

    def _items(self, node: cst.Tuple | cst.List, environment: Environment) -> Held:
        items: list[Held] = []
        starred = False
        for element in node.elements:
            held = self.held(element.value, environment)
            if isinstance(element, cst.StarredElement) and isinstance(held, Items):
                items += held.items
            elif isinstance(element, cst.StarredElement):
                starred = True
            else:
                items.append(held)
        if starred:
            return Lost("it holds items that are not known")
        found = Items(tuple(items), isinstance(node, cst.List))
        value = UNKNOWN if found.changes else value_of(found)
        return Constant(value) if value.options else found

    def _subscript(self, node: cst.Subscript, environment: Environment) -> Held:
        inner = node.value
        held = self.peek(inner, environment) if isinstance(inner, cst.Name) else self.held(inner, environment)
        for child in node.slice:
            self.visit(child, environment)
        if isinstance(held, Extent):
            return tensors.sliced(node, held, Evaluator(self.unit, bindings=self.point(environment)))
        index = node.slice[0].slice
        if isinstance(held, Items) and len(node.slice) == 1 and isinstance(index, cst.Index):
            value = self.value(index.value, environment)
            number = value.only if value.known else None
            if isinstance(number, int) and -len(held.items) <= number < len(held.items):
                return held.items[number]
            return Lost("it is one of several items")
        if isinstance(inner, cst.Name):
            self.held(inner, environment)  # a model or list of which something else is taken
        return Lost("it is computed by an expression that padlint does not follow")

    def bind(self, name: str, value: Held, environment: Environment) -> None:
        """Give a name of this scope a value."""
        reason = models.bound_elsewhere(self.unit, name, self.scope)
        if reason:
            value = Constant(UNKNOWN) if isinstance(value, Constant) else Lost(reason)
        environment.bind(name, value)


def _is_number(value: Value) -> bool:
    options = [option.value for option in value.options]
    return value.complete and all(isinstance(one, (int, float)) for one in options)
