"""What a number in a function is computed from: its parameters, and the sizes of the tensors among them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from padlint.syntax.functions import Function, Functions
from padlint.syntax.scopes import Binding, BindingKind, Scope, resolve
from padlint.syntax.units import File, Unit
from padlint.syntax.walk import code_children

_Roots = frozenset[cst.Param]


@dataclass(frozen=True)
class Origin:
    """What an expression may depend on.

    `values` are the parameters whose values it is computed from, `sizes` those of which it is a size or
    computed from sizes. `whole` says that it is an int, or a sequence of ints, for certain.
    """

    values: _Roots = frozenset()
    sizes: _Roots = frozenset()
    whole: bool = False

    def __or__(self, other: Origin) -> Origin:
        return Origin(self.values | other.values, self.sizes | other.sizes, self.whole and other.whole)

    @property
    def number(self) -> Origin:
        """The same of something that need not be an int."""
        return Origin(self.values, self.sizes)


UNKNOWN = Origin()
_LEAST = Origin(whole=True)  # an int that depends on nothing

_WHOLE_OPERATORS = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)
_WHOLE_ASSIGNMENTS = (
    *(cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign),
    *(cst.FloorDivideAssign, cst.ModuloAssign),
)
_KEEP_INTS = frozenset({"abs", "list", "max", "min", "range", "reversed", "sorted", "sum", "tuple"})
_MAKE_INTS = frozenset({"int", "math.ceil", "math.floor"})


@dataclass
class _Run:
    """The names of a function whose origins are still being found: `readers` are computed from a name."""

    waiting: OrderedDict[str, None]
    current: str = ""
    readers: dict[str, dict[str, None]] = field(default_factory=dict)


class Origins:
    """The origins of expressions in one file. A function is looked at once, however often it is called."""

    def __init__(self, file: File) -> None:
        self.functions = Functions(file)
        self._names: dict[Scope, dict[str, Origin]] = {}
        self._results: dict[Function, Origin] = {}
        self._runs: dict[Scope, _Run] = {}
        self._active: set[tuple[Scope, str]] = set()

    def of(self, unit: Unit, node: cst.CSTNode, scope: Scope | None = None) -> Origin:
        """The origin of an expression. `scope` is where it stands; found from the tree if absent."""
        if scope is None:
            scope = unit.index.scope_of(node)
        handler = _HANDLERS.get(type(node), Origins._number)
        return handler(self, unit, node, scope)

    # -- expressions -----------------------------------------------------------------------------------------

    def _join(self, unit: Unit, nodes: Iterable[cst.CSTNode], scope: Scope) -> Origin:
        result = _LEAST
        for node in nodes:
            result |= self.of(unit, node, scope)
        return result

    def _parts(self, unit: Unit, node: cst.CSTNode, scope: Scope) -> Origin:
        return self._join(unit, code_children(node), scope)

    def _number(self, unit: Unit, node: cst.CSTNode, scope: Scope) -> Origin:
        return self._parts(unit, node, scope).number

    def _value(self, unit: Unit, node: cst.Arg | cst.NamedExpr, scope: Scope) -> Origin:
        return self.of(unit, node.value, scope)

    def _unknown(self, unit: Unit, node: cst.CSTNode, scope: Scope) -> Origin:
        return UNKNOWN

    def _integer(self, unit: Unit, node: cst.Integer, scope: Scope) -> Origin:
        return _LEAST

    def _attribute(self, unit: Unit, node: cst.Attribute, scope: Scope) -> Origin:
        base = self.of(unit, node.value, scope)
        return _size(base) if node.attr.value == "shape" else base.number

    def _binary(self, unit: Unit, node: cst.BinaryOperation, scope: Scope) -> Origin:
        result = self.of(unit, node.left, scope) | self.of(unit, node.right, scope)
        return result if isinstance(node.operator, _WHOLE_OPERATORS) else result.number

    def _conditional(self, unit: Unit, node: cst.IfExp, scope: Scope) -> Origin:
        result = self.of(unit, node.body, scope) | self.of(unit, node.orelse, scope)
        test = self.of(unit, node.test, scope)
        return Origin(result.values | test.values, result.sizes | test.sizes, result.whole)

    def _subscript(self, unit: Unit, node: cst.Subscript, scope: Scope) -> Origin:
        value, index = self.of(unit, node.value, scope), self._join(unit, node.slice, scope)
        return Origin(value.values | index.values, value.sizes | index.sizes, value.whole)

    def _comprehension(self, unit: Unit, node: cst.BaseSimpleComp, scope: Scope) -> Origin:
        return self.of(unit, node.elt, unit.index.scopes[node])

    # -- calls -----------------------------------------------------------------------------------------------

    def _call(self, unit: Unit, node: cst.Call, scope: Scope) -> Origin:
        func = node.func
        if isinstance(func, cst.Attribute) and func.attr.value == "size":
            return _size(self.of(unit, func.value, scope))
        called = self.functions.called(unit, node, scope)
        given = called.arguments(node) if called is not None else None
        if called is not None and given is not None:
            return self._result_for(called, {p: self.of(unit, value, scope) for p, value in given.items()})
        result = self._join(unit, node.args, scope)
        builtin = func.value if isinstance(func, cst.Name) and scope.lookup(func.value) is None else ""
        names = set(resolve(scope, func).paths) or {builtin}
        whole = names <= _MAKE_INTS or (builtin in _KEEP_INTS and result.whole)
        if isinstance(func, cst.Attribute):
            result |= self.of(unit, func.value, scope)
        return Origin(result.values, result.sizes, whole)

    def _result_for(self, called: Function, given: dict[cst.Param, Origin]) -> Origin:
        """The origin of a call, in terms of the caller's parameters."""
        result = self._result(called)
        values: set[cst.Param] = set()
        sizes: set[cst.Param] = set()
        for root in result.values:
            origin = given.get(root, UNKNOWN)
            values |= origin.values
            sizes |= origin.sizes
        for root in result.sizes:
            sizes |= given.get(root, UNKNOWN).values
        return Origin(frozenset(values), frozenset(sizes), result.whole)

    def _result(self, function: Function) -> Origin:
        """The origin of what a function returns, in terms of its own parameters."""
        if function not in self._results:
            self._results[function] = UNKNOWN  # what a recursive call adds
            result = self._join(function.unit, function.returns, function.scope)
            self._results[function] = result if function.returns else UNKNOWN
        return self._results[function]

    # -- names -----------------------------------------------------------------------------------------------

    def _name(self, unit: Unit, node: cst.Name, scope: Scope) -> Origin:
        found = scope.lookup(node.value)
        if found is None or found[0].kind in ("module", "class"):
            return UNKNOWN
        owner = found[0]
        if owner.kind != "comprehension":
            if owner in self._runs:
                run = self._runs[owner]
                run.readers.setdefault(node.value, {})[run.current] = None
            return self._environment(unit, owner)[node.value]
        key = (owner, node.value)
        if key in self._active:
            return UNKNOWN
        self._active.add(key)
        try:
            return self._bindings(unit, found[1], owner)
        finally:
            self._active.discard(key)

    def _environment(self, unit: Unit, scope: Scope) -> dict[str, Origin]:
        """The origins of all names of a function, over all that is assigned to them."""
        names = self._names.get(scope)
        if names is None:
            names = self._names[scope] = dict.fromkeys(scope.bindings, _LEAST)
            run = self._runs[scope] = _Run(OrderedDict.fromkeys(scope.bindings))
            while run.waiting:
                name = run.current = run.waiting.popitem(last=False)[0]
                origin = names[name] | self._bindings(unit, scope.bindings[name], scope)
                if origin != names[name]:
                    names[name] = origin
                    run.waiting.update(run.readers.pop(name, {}))
            del self._runs[scope]
        return names

    def _bindings(self, unit: Unit, bindings: Iterable[Binding], owner: Scope) -> Origin:
        result = _LEAST
        for binding in bindings:
            result |= self._binding(unit, binding, owner)
        return result

    def _binding(self, unit: Unit, binding: Binding, owner: Scope) -> Origin:
        node = binding.node
        if isinstance(node, cst.Param):
            return UNKNOWN if _is_first_of_method(unit, node, owner) else Origin(frozenset((node,)))
        value = source_of(binding)
        if value is None:
            return UNKNOWN
        outermost = isinstance(node, cst.CompFor) and unit.index.parents[node] is owner.node
        origin = self.of(unit, value, owner.parent if outermost else owner)
        if isinstance(node, cst.AugAssign) and not isinstance(node.operator, _WHOLE_ASSIGNMENTS):
            origin = origin.number
        for test in tests_around(unit, node) if node is not None else ():
            origin = Origin(origin.values, origin.sizes | self.of(unit, test, owner).sizes, origin.whole)
        return origin


def tests_around(unit: Unit, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The conditions that decide, inside of the function, whether a node is reached."""
    child = node
    for parent in unit.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return
        if isinstance(parent, (cst.If, cst.While, cst.IfExp)) and child is not parent.test:
            yield parent.test
        child = parent


def source_of(binding: Binding) -> cst.BaseExpression | None:
    """The expression whose value, or a part of it, a name is bound to."""
    node = binding.node
    if binding.kind is BindingKind.ASSIGN and binding.value is not None:
        return binding.value
    if isinstance(node, (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr)):
        return node.value
    return node.iter if isinstance(node, (cst.For, cst.CompFor)) else None


def _size(tensor: Origin) -> Origin:
    return Origin(sizes=tensor.values, whole=bool(tensor.values))


def _is_first_of_method(unit: Unit, param: cst.Param, owner: Scope) -> bool:
    class_node = owner.parent.node if owner.parent is not None else None
    if not isinstance(class_node, cst.ClassDef) or not isinstance(owner.node, cst.FunctionDef):
        return False
    params = [*owner.node.params.posonly_params, *owner.node.params.params]
    return bool(params) and params[0] is param


# Each handler takes the node type that is its key; the parts of other nodes count, but make no int.
_HANDLERS: dict[type, Callable[[Origins, Unit, Any, Scope], Origin]] = {
    cst.Name: Origins._name,
    cst.Integer: Origins._integer,
    cst.Attribute: Origins._attribute,
    cst.Call: Origins._call,
    cst.Arg: Origins._value,
    cst.NamedExpr: Origins._value,
    cst.BinaryOperation: Origins._binary,
    cst.UnaryOperation: Origins._parts,
    cst.IfExp: Origins._conditional,
    cst.Subscript: Origins._subscript,
    cst.Tuple: Origins._parts,
    cst.List: Origins._parts,
    cst.Element: Origins._parts,
    cst.StarredElement: Origins._parts,
    cst.ListComp: Origins._comprehension,
    cst.GeneratorExp: Origins._comprehension,
    cst.Lambda: Origins._unknown,
}
