"""Whether a new layer in a functional model of Keras may change the order of the model's weights.

Keras orders layers by their depth, counted from the outputs, and `set_weights`, `.weights.h5` and `.h5` go by
that order without a check. A new layer makes all layers in front of it deeper by one. The order stays where
these are all that were made before: where every tensor that is used later comes out of the padded call.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import libcst as cst

from padlint.rewrites.tensors import ASKS, MODELS, Tensors, calls_of, constructs, last_name
from padlint.sites.site import Site
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import UseKind, is_store
from padlint.syntax.walk import code_children

CAVEAT = "the model may have branches, and a new layer in one of them may change the order of its weights"

_DEEPEST = 8  # functions that call each other
_WEIGHTLESS = frozenset({"Activation", "Dropout", "ReLU", "Rescaling", "Reshape", "Resizing"})
_LOOPS = (cst.For, cst.While)


def may_reorder_weights(file: File, site: Site) -> bool:
    """Whether a layer next to a site may come between the weights of parallel branches."""
    if site.use.kind in (UseKind.ELEMENT, UseKind.ADDED):
        return False  # the layers of a Sequential stand in a row
    if site.use.kind is UseKind.ATTRIBUTE and site.use.class_node is not None and site.use.class_node.bases:
        return False  # layers that are attributes are ordered by when they were assigned
    branches = _Branches(file)
    for call in site.applications:
        source = site.input_of(call)
        around = next((a for a in site.unit.ancestors(call) if isinstance(a, cst.BaseSmallStatement)), call)
        if source is not None and _is_input(site.unit, source, site.unit.span(around)[0]):
            continue  # nothing with weights stands in front
        if not branches.only_way(site.unit, call, _DEEPEST):
            return True
    return False


class _Uses:
    """The names of a scope that may hold tensors, by where they are bound first and used last."""

    def __init__(self, rows: Iterable[tuple[int, int, str]]) -> None:
        self._rows = sorted(rows)
        self._latest: list[tuple[tuple[int, str], tuple[int, str]]] = []  # so far: the two used last
        first, second = (-1, ""), (-1, "")
        for _, place, name in self._rows:
            if (place, name) > first:
                first, second = (place, name), first
            else:
                second = max(second, (place, name))
            self._latest.append((first, second))

    def reach(self, start: int, place: int, without: str) -> bool:
        """Whether a name but one is bound before a start and used at a place or behind it."""
        count = bisect_left(self._rows, (start,))
        if not count:
            return False
        first, second = self._latest[count - 1]
        return (second if first[1] == without else first)[0] >= place


class _Branches:
    """Looks for tensors that pass by a call."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._tensors = Tensors(file)
        self._seen: set[cst.CSTNode] = set()

    def only_way(self, unit: Unit, call: cst.Call, depth: int) -> bool:
        """Whether all that is used behind a call comes out of it, in the functions that call this one too."""
        scope = unit.index.scope_of(call)
        statement = self._statement(unit, call, scope)
        if statement is None or depth == 0:
            return False
        if not isinstance(statement, cst.Return) and self._passes_by(unit, statement, scope):
            return False
        function = scope.node
        if not isinstance(function, cst.FunctionDef) or function in self._seen or _makes_model(unit, scope):
            return True
        self._seen.add(function)
        calls = calls_of(self._file, function.name.value)
        return calls is not None and all(self.only_way(other, outer, depth - 1) for other, outer in calls)

    def _statement(self, unit: Unit, call: cst.Call, scope: Scope) -> cst.BaseSmallStatement | None:
        """The statement around a call if nothing else in it may be a tensor."""
        child: cst.CSTNode = call
        for node in unit.ancestors(call):
            if isinstance(node, (cst.BaseComp, cst.Lambda)):
                return None
            makes_model = isinstance(node, cst.Call) and last_name(node.func) in MODELS
            for other in () if makes_model else code_children(node):
                target = isinstance(other, cst.AssignTarget) or getattr(node, "target", None) is other
                if other is not child and not target and self._tensors.held(unit, other, scope):
                    return None
            if isinstance(node, cst.BaseSmallStatement):
                return node
            child = node
        return None

    def _passes_by(self, unit: Unit, statement: cst.BaseSmallStatement, scope: Scope) -> bool:
        """Whether a tensor made above a statement is used behind it."""
        start, end = unit.span(statement)
        bound = ""
        if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
            bound = getattr(statement.targets[0].target, "value", "")
        for node in unit.ancestors(statement):
            if isinstance(node, cst.FunctionDef):
                break
            if isinstance(node, _LOOPS):
                end = unit.span(node)[0]  # what stands above in the loop runs in its next round
        return _starts_branch(unit, scope, start) or self._uses(unit, scope).reach(start, end, bound)

    def _uses(self, unit: Unit, scope: Scope) -> _Uses:
        key = (_Uses, scope)
        if key not in unit.memo:
            unit.memo[key] = _Uses(self._rows(unit, scope))
        found: _Uses = unit.memo[key]
        return found

    def _rows(self, unit: Unit, scope: Scope) -> Iterator[tuple[int, int, str]]:
        """Per name that may hold a tensor: the offsets of its first binding and of its last use."""
        last: dict[str, int] = {}
        aliases: list[tuple[str, str, int]] = []
        for name in scope.bindings:
            if not self._tensors.named(unit, name, scope):
                continue
            last[name] = -1
            for reader, node in self._reads(unit, name, scope):
                alias = _alias(reader, node)
                if alias is not None:
                    aliases.append((name, alias, reader.span(node)[0]))
                elif not _is_harmless(reader, node):
                    within = reader.index.scope_of(node).node
                    later = within is not scope.node and isinstance(within, (cst.FunctionDef, cst.Lambda))
                    last[name] = max(last[name], sys.maxsize if later else reader.span(node)[0])
        for _ in range(_DEEPEST):
            for name, alias, place in aliases:
                if last.get(alias, -1) >= place:
                    last[name] = max(last[name], place)
        for name, place in last.items():
            yield min(_place(unit, binding) for binding in scope.bindings[name]), place, name

    def _reads(self, unit: Unit, name: str, scope: Scope) -> Iterator[tuple[Unit, cst.Name]]:
        units = self._file.mentioning(name) if scope.kind == "module" else None
        for reader in units if units is not None else [unit]:
            for node in reader.index.names.get(name, ()):
                found = reader.index.scope_of(node).lookup(name)
                if found is not None and found[0] is scope and not is_store(reader, node):
                    yield reader, node


def _starts_branch(unit: Unit, scope: Scope, end: int) -> bool:
    """Whether another input is made behind a statement, before the next model."""
    key = (_starts_branch, scope)
    if key not in unit.memo:
        named = ((last_name(call.func), call) for call in unit.index.calls)
        here = [(name, call) for name, call in named if name == "Input" or name in MODELS]
        mine = ((unit.span(call)[0], name) for name, call in here if unit.index.scope_of(call) is scope)
        unit.memo[key] = sorted(mine)
    places: list[tuple[int, str]] = unit.memo[key]
    index = bisect_left(places, (end,))
    return index < len(places) and places[index][1] == "Input"


def _place(unit: Unit, binding: Binding) -> int:
    """Where a name is bound; parameters, and what is not known, at the beginning."""
    if binding.kind is BindingKind.PARAMETER:
        return -1
    if binding.node is not None and binding.node in unit.index.parents:
        return unit.span(binding.node)[0]
    return unit.source.line_start(binding.row) if binding.row > 0 else -1


def _is_input(unit: Unit, node: cst.BaseExpression, start: int, depth: int = _DEEPEST) -> bool:
    """Whether an expression is the input of a model, or that behind layers without weights.

    The parameter that may stand in for `Input(...)` is one too.
    """
    if isinstance(node, cst.Call):
        layer = node.func if isinstance(node.func, cst.Call) else node
        name, args = last_name(layer.func), node.args
        if layer is node or depth == 0:
            return name == "Input"
        weightless = name in _WEIGHTLESS or name.startswith("ZeroPadding")
        return weightless and len(args) == 1 and _is_input(unit, args[0].value, start, depth - 1)
    if not isinstance(node, cst.Name) or depth == 0:
        return False
    scope = unit.index.scope_of(node)
    found = scope.lookup(node.value)
    if found is None or found[0] is not scope or any(isinstance(a, _LOOPS) for a in unit.ancestors(node)):
        return False
    seen = False
    for binding in found[1]:  # the first that is something else decides, however many there are
        if _place(unit, binding) >= start:
            continue
        seen = True
        value = binding.expression()
        if binding.kind is BindingKind.PARAMETER:
            if getattr(value, "value", "") != "None":
                return False
        elif value is None or not _is_input(unit, value, _place(unit, binding), depth - 1):
            return False
    return seen


def _makes_model(unit: Unit, scope: Scope) -> bool:
    return any(last_name(c.func) in MODELS and unit.index.scope_of(c) is scope for c in unit.index.calls)


def _is_harmless(unit: Unit, node: cst.Name) -> bool:
    """Whether a read makes no layer work on what it reads."""
    child: cst.CSTNode = node
    for parent in unit.ancestors(node):
        if isinstance(parent, (cst.Comparison, cst.Del, cst.FormattedString)):
            return True
        if isinstance(getattr(parent, "operator", None), cst.Modulo):
            return True
        if child is getattr(parent, "test", None) or child is getattr(parent, "func", None):
            return True
        if isinstance(parent, cst.Attribute) and parent.attr.value == "shape":
            return True
        if isinstance(parent, cst.Call):
            name = last_name(parent.func)
            if name in MODELS:
                return _keyword(child) != "outputs" and child not in parent.args[1:2]
            return name in ASKS or constructs(unit, parent)
        if isinstance(parent, cst.BaseSmallStatement):
            return False
        child = parent
    return False


def _keyword(node: cst.CSTNode) -> str:
    return node.keyword.value if isinstance(node, cst.Arg) and node.keyword is not None else ""


def _alias(unit: Unit, node: cst.Name) -> str | None:
    """The name that gets just what is read: `inputs = x`."""
    parent = unit.index.parents[node]
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        target = parent.targets[0].target
        return target.value if isinstance(target, cst.Name) else None
    return None
