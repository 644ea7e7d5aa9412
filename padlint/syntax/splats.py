"""What dicts hold that are splatted into calls or asked for a key, and what a function's `**kwargs` got."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from padlint.syntax.bindings import Case
from padlint.syntax.items import Items
from padlint.syntax.possible import UNKNOWN, Value, constant, union
from padlint.syntax.reaching import always_before, left_out
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import Unit
from padlint.syntax.uses import is_store


class _Absent:
    """The value of a key that a dict has not."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
NOTHING = constant(ABSENT)
_MOST_CHANGES = 32  # of one dict that are followed
_READING = frozenset({"get", "copy", "items", "keys", "values"})
_CHANGING = frozenset({"update", "setdefault", "pop"})


def present(entry: Value, otherwise: Value) -> Value:
    """What an entry is worth where an absent one is replaced."""
    if entry.complete and not any(option.value is ABSENT for option in entry.options):
        return entry
    held = Value(tuple(option for option in entry.options if option.value is not ABSENT), entry.complete)
    return union((held, otherwise))


@dataclass(frozen=True)
class _Change:
    """A statement that changes a dict: `d["k"] = v`, or `d.update(...)` and the like."""

    name: cst.Name
    assigned: cst.BaseExpression | None = None
    key: str = ""
    call: cst.Call | None = None


class Splats(Items):
    """Looks up what dicts hold. The value of an entry may be `ABSENT`."""

    unit: Unit
    case: Case

    def truth(self, test: cst.BaseExpression) -> bool | None:
        """Whether a test in the tree of this unit holds; None if either may be."""
        raise NotImplementedError

    def _truth(self, test: cst.BaseExpression, scope: Scope) -> bool | None:
        raise NotImplementedError

    def _surplus(self, owner: Scope, key: str) -> Value:
        raise NotImplementedError

    def entry(self, node: cst.BaseExpression, scope: Scope, key: str) -> Value:
        """What an expression that is a dict holds under a key."""
        if isinstance(node, cst.Dict):
            return self._written(node, scope, key)
        if isinstance(node, cst.Call):
            return self._made_dict(node, scope, key)
        if isinstance(node, cst.IfExp):
            truth = self._truth(node.test, scope)
            branches = {True: [node.body], False: [node.orelse], None: [node.body, node.orelse]}[truth]
            return union(self.entry(branch, scope, key) for branch in branches)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
            return self._over(self.entry(node.right, scope, key), node.left, scope, key)
        return self._variable(node, scope, key) if isinstance(node, cst.Name) else UNKNOWN

    def _over(self, entry: Value, below: cst.BaseExpression, scope: Scope, key: str) -> Value:
        certain = entry.complete and not any(option.value is ABSENT for option in entry.options)
        return entry if certain else present(entry, self.entry(below, scope, key))

    def _written(self, node: cst.Dict, scope: Scope, key: str) -> Value:
        entry = NOTHING
        for element in node.elements:
            if isinstance(element, cst.StarredDictElement):
                entry = present(self.entry(element.value, scope, key), entry)
            elif isinstance(element, cst.DictElement):
                name = self.value(element.key, scope)
                if not name.known:
                    entry = entry.open
                elif name.only == key:
                    entry = self.value(element.value, scope)
        return entry

    def _made_dict(self, node: cst.Call, scope: Scope, key: str) -> Value:
        """`dict(a=1, **b)`, `dict(b, a=1)`, `b.copy()`."""
        func = node.func
        if isinstance(func, cst.Attribute) and func.attr.value == "copy" and not node.args:
            return self.entry(func.value, scope, key)
        if not isinstance(func, cst.Name) or func.value != "dict" or scope.lookup("dict") is not None:
            return UNKNOWN
        return self._given(node, scope, key, NOTHING)

    def _given(self, node: cst.Call, scope: Scope, key: str, entry: Value) -> Value:
        """What the arguments of `dict` or `update` make of an entry."""
        for arg in node.args:
            if arg.star == "*":
                entry = entry.open
            elif arg.keyword is None:  # a dict, splatted or by position
                entry = present(self.entry(arg.value, scope, key), entry)
            elif arg.keyword.value == key:
                entry = self.value(arg.value, scope)
        return entry

    # -- variables -------------------------------------------------------------------------------------------

    def _variable(self, node: cst.Name, scope: Scope, key: str) -> Value:
        found = scope.lookup(node.value)
        if found is None or len(found[1]) != 1:
            return UNKNOWN
        owner, (binding,) = found
        entry = self._first(binding, owner, key)
        changes = self._changes(node.value, owner)
        if changes is None:
            return entry.open
        index = self.unit.index
        straight = node in index.parents and index.scope_of(node) is owner
        for change in changes:
            if change.name is node or left_out(self.unit, change.name, self.truth):
                continue
            if not straight:
                entry = union((entry, self._changed(change, key, entry))).open
                continue
            before = always_before(self.unit, change.name, node, self.truth)
            if before is not None:
                after = self._changed(change, key, entry)
                entry = after if before else union((entry, after))
        return entry

    def _first(self, binding: Binding, owner: Scope, key: str) -> Value:
        """What a dict holds to begin with."""
        if binding.kind is BindingKind.PARAMETER:
            param = binding.node
            splatted = isinstance(param, cst.Param) and param.star == "**"
            return self._surplus(owner, key) if splatted else UNKNOWN
        expression = binding.expression() if binding.kind is BindingKind.ASSIGN else None
        if expression is None or isinstance(expression, cst.Name):  # another name of the same dict
            return UNKNOWN
        return self.entry(expression, owner, key)

    def _changed(self, change: _Change, key: str, entry: Value) -> Value:
        """What a change leaves under a key."""
        running: set[cst.Name] = self.unit.memo.setdefault("changes that are being read", set())
        if change.name in running:  # in a loop, entries may be made of each other
            return entry.open
        running.add(change.name)
        try:
            return self._after(change, key, entry)
        finally:
            running.discard(change.name)

    def _after(self, change: _Change, key: str, entry: Value) -> Value:
        call, scope = change.call, self.unit.index.scope_of(change.name)
        if call is None:
            if change.key and change.key != key:
                return entry
            return self.value(change.assigned, scope) if change.key else entry.open
        method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        if method == "update":
            return self._given(call, scope, key, entry)
        name = self.value(call.args[0].value, scope) if call.args else UNKNOWN
        if not name.known:
            return entry.open
        if name.only != key:
            return entry
        if method == "pop":
            return NOTHING
        given = self.value(call.args[1].value, scope) if len(call.args) > 1 else constant(None)
        return present(entry, given)

    def _changes(self, name: str, owner: Scope) -> list[_Change] | None:
        """The statements that change a dict, in source order; None if it may change elsewhere."""
        memo = ("changes", name, owner)
        if memo not in self.unit.memo:
            self.unit.memo[memo] = self._find_changes(name, owner)
        changes: list[_Change] | None = self.unit.memo[memo]
        return changes

    def _find_changes(self, name: str, owner: Scope) -> list[_Change] | None:
        nodes = self.unit.index.names.get(name, [])
        stored = any(is_store(self.unit, node) for node in nodes)
        if owner.kind == "module" and self.unit.facts.mentions[name] > len(nodes) + (not stored):
            return None  # other units mention it too
        found: list[_Change] = []
        for node in nodes:
            looked_up = self.unit.index.scope_of(node).lookup(name)
            if looked_up is None or looked_up[0] is not owner:
                continue
            change = self._kind_of_use(node)
            if change is False:
                return None
            if isinstance(change, _Change):
                found.append(change)
            if len(found) > _MOST_CHANGES:
                return None
        return found

    def _kind_of_use(self, node: cst.Name) -> _Change | bool:
        """How a mention of a dict changes it; True if it does not, False if nobody knows."""
        parents = self.unit.index.parents
        parent = parents[node]
        if isinstance(parent, (cst.AssignTarget, cst.AnnAssign, cst.StarredDictElement)):
            return True
        if isinstance(parent, cst.Arg):
            return parent.star == "**"
        if isinstance(parent, (cst.ComparisonTarget, cst.Comparison)):
            return True
        if isinstance(parent, cst.Subscript) and parent.value is node:
            return self._subscripted(node, parent)
        call = parents[parent] if isinstance(parent, cst.Attribute) else None
        if isinstance(parent, cst.Attribute) and isinstance(call, cst.Call) and call.func is parent:
            if parent.attr.value in _READING:
                return True
            return _Change(node, call=call) if parent.attr.value in _CHANGING else False
        return False

    def _subscripted(self, node: cst.Name, subscript: cst.Subscript) -> _Change | bool:
        holder = self.unit.index.parents[subscript]
        if isinstance(holder, (cst.AugAssign, cst.Del)):
            return _Change(node)
        if not isinstance(holder, (cst.AssignTarget, cst.Element)):
            return True
        statement = self.unit.index.parents[holder]
        if not isinstance(statement, cst.Assign):
            return _Change(node) if not isinstance(holder, cst.Element) else self._element(node, holder)
        index = subscript.slice[0].slice if len(subscript.slice) == 1 else None
        key = index.value if isinstance(index, cst.Index) else None
        return _Change(node, statement.value, key.raw_value if isinstance(key, cst.SimpleString) else "")

    def _element(self, node: cst.Name, element: cst.Element) -> _Change | bool:
        """`d["k"]` in a tuple: read, or unpacked into."""
        inside = (cst.Element, cst.Tuple, cst.List)
        outer = next(a for a in self.unit.ancestors(element) if not isinstance(a, inside))
        return _Change(node) if isinstance(outer, (cst.AssignTarget, cst.For, cst.CompFor)) else True
