"""Counts over a whole file, for what no single definition can tell."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.tree import Index

_BY_NAME = frozenset({"getattr", "setattr", "delattr"})
MAKERS = frozenset({"empty", "full", "normal", "ones", "rand", "randint", "randn", "uniform", "zeros"})
"""Functions that make a tensor of a given shape."""
_LEAST = 3  # entries of a shape that has a spatial axis


@dataclass
class Facts:
    """What a file mentions.

    `mentions` counts every name that is read, bound or declared; `attributes` every attribute, also as
    `getattr(x, "name")`; `foreign` the attributes of anything but `self` in a class and imported modules,
    where "" stands for `getattr(x, computed)()`; `bases` the names of base classes; `inside` the names that
    are read inside of a class with another name; `outer` the names that a function declares global or
    nonlocal; `patched` the attributes that are assigned on an imported module; `stored` those that are
    assigned on anything but `self`, with "" for computed names. `definitions` has what each definition and
    each value of the module mentions, by its name; "" stands for statements that hold definitions. `shapes`
    says that a tensor may be made with a shape that has a spatial axis.
    """

    mentions: Counter[str] = field(default_factory=Counter)
    attributes: Counter[str] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    outer: set[str] = field(default_factory=set)
    patched: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    definitions: dict[str, set[str]] = field(default_factory=dict)
    shapes: bool = False


class Tally:
    """Counts the facts of a file from its `ast` trees, statement by statement."""

    def __init__(self, module: Scope) -> None:
        self.facts = Facts()
        self.module = module
        self._of_name: Counter[tuple[str, str]] = Counter()  # (name, attribute) wherever the value is a name
        self._assigned: set[tuple[str, str]] = set()
        self._stored: set[str] = set()
        self._found: set[str] = set()
        self._own: Counter[str] = Counter()
        self._in_class = False
        self._chained = 0  # levels that LibCST nests and `ast` does not
        self._makers = 0  # mentions of functions that make tensors, but for calls that cannot have a shape

    def statement(self, statement: ast.stmt) -> tuple[set[str], int]:
        """Count what a top-level statement mentions; returns the names it reads and how deep it is nested."""
        self._found, self._own, self._in_class, self._chained = set(), Counter(), False, 0
        level: list[ast.AST] = [statement]
        depth = 0
        while level:
            depth += 1
            following: list[ast.AST] = []
            for node in level:
                count = _COUNTERS.get(type(node))
                if count is not None:
                    count(self, node)
                following += ast.iter_child_nodes(node)
            level = following
        if not self._in_class:
            self.facts.foreign.update(self._own)
        if isinstance(statement, ast.ClassDef):
            self.facts.inside.update(self._found - {statement.name})
        for name in _defines(statement):
            self.facts.definitions.setdefault(name, set()).update(self._found)
        return self._found, depth + self._chained

    def finish(self) -> Facts:
        """The facts, once all statements have been counted and the names of the module are bound."""
        for (root, name), count in self._of_name.items():
            if not is_module(self.module, root) or root in self._stored:
                self.facts.foreign[name] += count
        self.facts.patched.update(name for root, name in self._assigned if is_module(self.module, root))
        self.facts.shapes = self._makers > 0
        return self.facts

    def _name(self, node: ast.Name) -> None:
        self.facts.mentions[node.id] += 1
        self._found.add(node.id)
        self._makers += node.id in MAKERS
        if not isinstance(node.ctx, ast.Load):
            self._stored.add(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        self._found.add(node.attr)
        self._makers += node.attr in MAKERS
        self._reach(node.value, node.attr)
        if not isinstance(node.ctx, ast.Load):
            self._store(node.value, node.attr)

    def _store(self, value: ast.expr, name: str) -> None:
        root = value.id if isinstance(value, ast.Name) else ""
        if root:
            self._assigned.add((root, name))
        if root != "self":
            self.facts.stored.add(name)

    def _reach(self, value: ast.expr, name: str) -> None:
        self.facts.attributes[name] += 1
        if not isinstance(value, ast.Name):
            self.facts.foreign[name] += 1
        elif value.id == "self":
            self._own[name] += 1
        else:
            self._of_name[value.id, name] += 1

    def _call(self, node: ast.Call) -> None:
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        self._makers -= name in MAKERS and not _may_have_shape(node)
        func, called = (node.func.func, True) if isinstance(node.func, ast.Call) else (node.func, False)
        args = node.func.args if isinstance(node.func, ast.Call) else node.args
        if not (isinstance(func, ast.Name) and func.id in _BY_NAME and len(args) > 1):
            return
        literal = args[1].value if isinstance(args[1], ast.Constant) else None
        if called and literal is None:
            self._reach(args[0], "")
        elif not called and isinstance(literal, str):
            self._reach(args[0], literal)
        if not called and func.id != "getattr":
            self._store(args[0], literal if isinstance(literal, str) else "")

    def _argument(self, node: ast.arg) -> None:
        self._bound(node.arg)

    def _bound(self, name: str) -> None:
        self.facts.mentions[name] += 1
        self._stored.add(name)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bound(node.name)

    def _class(self, node: ast.ClassDef) -> None:
        self._bound(node.name)
        self._in_class = True
        for base in node.bases:
            if isinstance(base, (ast.Name, ast.Attribute)):
                self.facts.bases[base.id if isinstance(base, ast.Name) else base.attr] += 1

    def _operators(self, node: ast.BoolOp) -> None:
        self._chained = max(self._chained, len(node.values))

    def _from(self, node: ast.ImportFrom) -> None:
        self._chained = max(self._chained, (node.module or "").count("."))

    def _alias(self, node: ast.alias) -> None:
        self._chained = max(self._chained, node.name.count("."))
        self._makers += node.asname is not None and node.name in MAKERS
        self.facts.mentions[node.asname or node.name.partition(".")[0]] += 1

    def _outer(self, node: ast.Global | ast.Nonlocal) -> None:
        self.facts.outer.update(node.names)
        if isinstance(node, ast.Global):
            # A function may rebind a name of the module; what to is not followed.
            for name in node.names:
                self.module.bind(name, Binding(BindingKind.OTHER, node.lineno))


def _may_have_shape(call: ast.Call) -> bool:
    """Whether a call may be given three sizes or more, one by one or as a tuple that is written out."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return len(call.args) >= _LEAST or any(
        isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) >= _LEAST for value in values
    )


def _defines(statement: ast.stmt) -> list[str]:
    """The names under which what a statement of the module mentions is kept."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Expr)) or _is_main(statement):
        return []
    return [""] if any(isinstance(node, _DEFINITIONS) for node in ast.walk(statement)) else []


_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _is_main(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def is_module(scope: Scope, name: str) -> bool:
    """Whether a module imports a name."""
    return any(binding.kind is BindingKind.IMPORT for binding in scope.bindings.get(name, ()))


# Each counter takes the node type that is its key.
_COUNTERS: dict[type, Callable[[Tally, Any], None]] = {
    ast.Name: Tally._name,
    ast.Attribute: Tally._attribute,
    ast.Call: Tally._call,
    ast.arg: Tally._argument,
    ast.FunctionDef: Tally._definition,
    ast.AsyncFunctionDef: Tally._definition,
    ast.ClassDef: Tally._class,
    ast.BoolOp: Tally._operators,
    ast.ImportFrom: Tally._from,
    ast.alias: Tally._alias,
    ast.Global: Tally._outer,
    ast.Nonlocal: Tally._outer,
}


def count(index: Index) -> Facts:
    """The facts of a file that is indexed as a whole."""
    facts = Facts(shapes=True)
    module, scopes = index.module_scope, (index.module_scope, *index.scopes.values())
    facts.mentions.update({name: len(nodes) for name, nodes in index.names.items()})
    stored: set[str] = set()
    for scope in scopes:
        facts.mentions.update({name: len(bindings) for name, bindings in scope.bindings.items()})
        facts.outer.update(scope.outer_names)
        for name, bindings in scope.bindings.items():
            if any(binding.kind is not BindingKind.IMPORT for binding in bindings):
                stored.add(name)
    for name, value, node, assigned in _reached(index):
        if assigned and not name:
            facts.stored.add("")
            continue
        facts.attributes[name] += 1
        root = value.value if isinstance(value, cst.Name) else ""
        if root == "self":
            facts.foreign[name] += index.scope_of(node).class_scope is None
        else:
            facts.foreign[name] += not is_module(module, root) or root in stored
            if is_module(module, root) and assigned:
                facts.patched.add(name)
            if assigned:
                facts.stored.add(name)
    for name, reads in index.names.items():
        for read in reads:
            for outer in _defined_around(index, read):
                facts.definitions.setdefault(outer, set()).add(name)
        owners = {owner.node for read in reads if (owner := index.scope_of(read).class_scope) is not None}
        facts.inside[name] += sum(isinstance(o, cst.ClassDef) and o.name.value != name for o in owners)
    for base in (argument.value for node in index.classes for argument in node.bases):
        if isinstance(base, (cst.Name, cst.Attribute)):
            facts.bases[base.value if isinstance(base, cst.Name) else base.attr.value] += 1
    return facts


def _defined_around(index: Index, node: cst.CSTNode) -> list[str]:
    """The same as `_defines`, for the statement of the module that a node stands in."""
    around = [node]
    while (parent := index.parents.get(around[-1])) is not None:
        around.append(parent)
    statement = around[-2] if len(around) > 1 else node
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return [statement.name.value]
    if not isinstance(statement, cst.SimpleStatementLine):
        return [""]
    small = around[-3] if len(around) > 2 else node
    targets = [t.target for t in small.targets] if isinstance(small, cst.Assign) else []
    return [target.value for target in targets if isinstance(target, cst.Name)]


_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.For)


def _reached(index: Index) -> Iterator[tuple[str, cst.BaseExpression, cst.CSTNode, bool]]:
    """Every attribute, those of `getattr` too: its name, the object, the node, and whether it is assigned."""
    for name, nodes in index.attributes.items():
        for node in nodes:
            parent = index.parents[node]
            target = isinstance(parent, _TARGETS) and parent.target is node
            yield name, node.value, node, target
    for call in index.calls:
        called = isinstance(call.func, cst.Call)
        inner = call.func if isinstance(call.func, cst.Call) else call
        if not (isinstance(inner.func, cst.Name) and inner.func.value in _BY_NAME and len(inner.args) > 1):
            continue
        named = inner.args[1].value
        literal = named.raw_value if isinstance(named, cst.SimpleString) else None
        if called and literal is None:
            yield "", inner.args[0].value, call, False
        elif not called and (literal is not None or inner.func.value != "getattr"):
            yield literal or "", inner.args[0].value, call, inner.func.value != "getattr"
