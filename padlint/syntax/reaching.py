"""Which assignments a read of a name can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import Unit
from padlint.syntax.uses import block_of, is_store

MOST = 16  # bindings that one read may see
_LOOPS = (cst.For, cst.While)
_FUNCTIONS = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_ENDS = frozenset(_FUNCTIONS)
_BRANCHES = frozenset({cst.If, cst.IfExp})

Truth = Callable[[cst.BaseExpression], "bool | None"]
"""Whether a test holds, as far as is known."""


def assignment_of(unit: Unit, name: cst.Name) -> cst.Assign | None:
    """The assignment whose value a name holds where it is read: the nearest one above, if it always ran.

    None where a branch, a loop, a closure or anything but `name = value` may have bound the name since.
    """
    index = unit.index
    scope = index.scope_of(name)
    if name.value in scope.outer_names:
        return None
    nearest: cst.Name | None = None
    places, before = unit.once(_stores, name.value)
    count = before.get(name, len(places))
    while count and nearest is None:
        count -= 1
        other, scopes = places[count]
        if not _in_its_value(unit, other, name):
            if scopes != {scope}:
                return None
            nearest = other
    statement = index.parents[index.parents[nearest]] if nearest is not None else None
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    if statement.targets[0].target is not nearest:
        return None
    place = block_of(unit, statement)
    if place is None or not _dominates(unit, place[0], name):
        return None
    return statement


def _stores(unit: Unit, name: str) -> tuple[list[tuple[cst.Name, frozenset[Scope]]], dict[cst.Name, int]]:
    """Where a name is bound, with the scopes of all bindings so far, and how many stand before a read."""
    places: list[tuple[cst.Name, frozenset[Scope]]] = []
    before: dict[cst.Name, int] = {}
    for other in unit.index.names.get(name, ()):  # in source order
        before[other] = len(places)
        if _binds(unit, other):
            scopes = places[-1][1] if places else frozenset[Scope]()
            scope = unit.index.scope_of(other)
            places.append((other, scopes if scope in scopes else scopes | {scope}))
    return places, before


def _loops_that_bind(unit: Unit, name: str) -> set[cst.CSTNode]:
    """The loops in which a name is bound."""
    stores = unit.once(_stores, name)[0]
    return {a for store, _ in stores for a in unit.ancestors(store) if isinstance(a, _LOOPS)}


def _binds(unit: Unit, name: cst.Name) -> bool:
    return is_store(unit, name) or isinstance(unit.index.parents[name], (cst.AsName, cst.Del))


def _in_its_value(unit: Unit, target: cst.Name, name: cst.Name) -> bool:
    """Whether a name is read in the value of the assignment to this target, which binds it afterwards."""
    around = next((a for a in unit.ancestors(target) if isinstance(a, cst.BaseSmallStatement)), None)
    return around is not None and any(ancestor is around for ancestor in unit.ancestors(name))


def _dominates(unit: Unit, block: cst.CSTNode, name: cst.Name) -> bool:
    """Whether the block goes on to the read, and no loop in between binds the name for its next round."""
    for ancestor in unit.ancestors(name):
        if ancestor is block:
            return True
        if isinstance(ancestor, _LOOPS) and ancestor in unit.once(_loops_that_bind, name.value):
            return False
    return False


def left_out(unit: Unit, node: cst.CSTNode, truth: Truth) -> bool:
    """Whether a node stands in a branch of its function that is known not to be taken."""
    child = node
    for ancestor in unit.ancestors(node):
        kind = type(ancestor)
        if kind in _ENDS:
            return False
        if kind in _BRANCHES and isinstance(ancestor, (cst.If, cst.IfExp)) and child is not ancestor.test:
            taken = truth(ancestor.test)
            if taken is not None and taken != (child is ancestor.body):
                return True
        child = ancestor
    return False


class Reaching:
    """The bindings of one name in one scope, in the order in which they stand."""

    def __init__(self, unit: Unit, name: str, owner: Scope) -> None:
        self.unit = unit
        self.owner = owner
        self._nodes = unit.index.names.get(name, [])
        self._places = {node: i for i, node in enumerate(self._nodes)}
        bindings = unit.index.bindings_of(owner, name)
        by_node = {binding.node: binding for binding in bindings if binding.node is not None}
        self._first = [b for b in bindings if b.kind is BindingKind.PARAMETER]
        self._stores: list[tuple[int, cst.Name, Binding]] = []
        for i, node in enumerate(self._nodes):
            if _binds(unit, node) and unit.index.scope_of(node) is owner:
                binding = next((by_node[a] for a in _statement(unit, node) if a in by_node), None)
                if binding is not None:
                    self._stores.append((i, node, binding))
        placed = {binding for _, _, binding in self._stores}
        # Elsewhere in the file, in a function that declares the name, or by a definition or an import.
        self._complete = len(placed) + len(self._first) == len(owner.bindings[name])

    def at(self, name: cst.Name, truth: Truth) -> list[Binding] | None:
        """The bindings that a read sees; None where every one may."""
        place = self._places.get(name)
        if not self._complete or place is None or self.unit.index.scope_of(name) is not self.owner:
            return None
        ancestors = [name, *self._up_to_scope(name)]
        around = set(ancestors)
        found: list[Binding] = []
        before = self._count_before(place)
        own = before  # the first store of the statement that reads
        dominator: cst.CSTNode | None = None
        for i in range(before - 1, -1, -1):
            _, node, binding = self._stores[i]
            if self._is_statement_of(node, around):
                own = i  # `x = x + 1` reads what was there before
            elif not left_out(self.unit, node, truth):
                found.append(binding)
                if len(found) > MOST:
                    return None
                dominator = always_ran(self.unit, node, around, truth)
                if dominator is not None:
                    break
        else:
            found += self._first
        loops: set[cst.CSTNode] = {a for a in _until(ancestors, dominator) if isinstance(a, _LOOPS)}
        return found + self._next_rounds(own, loops, truth) if loops else found

    def _count_before(self, place: int) -> int:
        low, high = 0, len(self._stores)
        while low < high:
            middle = (low + high) // 2
            if self._stores[middle][0] < place:
                low = middle + 1
            else:
                high = middle
        return low

    def _next_rounds(self, first: int, loops: set[cst.CSTNode], truth: Truth) -> list[Binding]:
        """What the stores from this one on leave for the next round of the loops around the read."""
        found: list[Binding] = []
        for i in range(first, len(self._stores)):
            _, node, binding = self._stores[i]
            if loops.isdisjoint(self._up_to_scope(node)):
                break
            if not left_out(self.unit, node, truth):
                found.append(binding)
            if len(found) > MOST:
                break
        return found

    def _up_to_scope(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        for ancestor in self.unit.ancestors(node):
            yield ancestor
            if ancestor is self.owner.node:
                return

    def _is_statement_of(self, store: cst.Name, around: set[cst.CSTNode]) -> bool:
        """Whether a read stands in the very statement that binds the name, which it does afterwards."""
        for ancestor in _statement(self.unit, store):
            if isinstance(ancestor, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
                return ancestor in around
        return False


def always_ran(unit: Unit, store: cst.CSTNode, around: set[cst.CSTNode], truth: Truth) -> cst.CSTNode | None:
    """The block around a read (among the nodes around it) that a store above has always run in before.

    None if it may not have run.
    """
    statement: cst.CSTNode | None = None
    for ancestor in unit.ancestors(store):
        if isinstance(ancestor, (cst.NamedExpr, cst.CompFor, cst.ExceptHandler, cst.With, *_FUNCTIONS)):
            return None
        if isinstance(ancestor, cst.For):
            return ancestor.body if ancestor.body in around else None
        if isinstance(ancestor, cst.BaseSmallStatement):
            statement = ancestor
            break
    if statement is None:
        return None
    child = statement
    for block in unit.ancestors(statement):
        if block in around and isinstance(block, (cst.BaseSuite, cst.Module)):
            return block
        if isinstance(block, cst.If):
            taken = truth(block.test)
            if taken is None or taken != (child is block.body):
                return None
        elif isinstance(block, cst.Else):
            if not isinstance(unit.index.parents.get(block), cst.If):
                return None
        elif not isinstance(block, (cst.SimpleStatementLine, cst.BaseSuite)):
            return None
        child = block
    return None


def always_before(unit: Unit, store: cst.Name, read: cst.Name, truth: Truth) -> bool | None:
    """Whether a statement has always run when a name in it is read in its scope; None if never.

    What the statement itself reads, it reads before it changes anything.
    """
    places = unit.once(_places, store.value)
    around = {read, *unit.ancestors(read)}
    within = any(a in around for a in unit.ancestors(store) if isinstance(a, cst.BaseSmallStatement))
    if places[store] < places[read] and not within:
        return always_ran(unit, store, around, truth) is not None
    shared = (a for a in unit.ancestors(store) if a in around and isinstance(a, _LOOPS))
    return False if next(shared, None) is not None else None


def _places(unit: Unit, name: str) -> dict[cst.Name, int]:
    """Where each mention of a name stands among all of them."""
    return {node: i for i, node in enumerate(unit.index.names[name])}


def _until(ancestors: Sequence[cst.CSTNode], end: cst.CSTNode | None) -> Iterator[cst.CSTNode]:
    for ancestor in ancestors:
        if ancestor is end:
            return
        yield ancestor


def _statement(unit: Unit, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes around a target, up to the statement or comprehension that binds it."""
    for ancestor in unit.ancestors(node):
        yield ancestor
        if isinstance(
            ancestor, (cst.BaseSmallStatement, cst.BaseCompoundStatement, cst.CompFor, *_FUNCTIONS)
        ):
            return
