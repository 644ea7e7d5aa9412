"""Whether tests hold, and which of them say the same."""

from __future__ import annotations

from collections.abc import Hashable

import libcst as cst

from padlint.syntax.bindings import Open, Tested
from padlint.syntax.scopes import Scope
from padlint.syntax.splats import Splats
from padlint.syntax.units import Unit
from padlint.syntax.walk import descendants


class Truths(Splats):
    """Decides tests. What is not decided holds or does not, but everywhere alike."""

    _open: Open | None
    _tests: dict[cst.BaseExpression, bool | None]

    def truth(self, test: cst.BaseExpression) -> bool | None:
        """Whether a test in the tree of this unit holds; None if either may be."""
        if test not in self._tests:
            self._tests[test] = None  # while it is being found
            self._tests[test] = self._truth(test, self.unit.index.scope_of(test))
        return self._tests[test]

    def _truth(self, test: cst.BaseExpression, scope: Scope) -> bool | None:
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self._truth(test.expression, scope)
            return None if inner is None else not inner
        if isinstance(test, cst.BooleanOperation):
            parts = (self._truth(test.left, scope), self._truth(test.right, scope))
            decisive = isinstance(test.operator, cst.Or)
            return decisive if decisive in parts else None if None in parts else not decisive
        value = self.value(test, scope)
        if value.complete and len({bool(option.value) for option in value.options}) == 1:
            return bool(value.options[0].value)
        key, denied = self._key(test, scope)
        if key in self.case.truths:
            return self.case.truths[key] is not denied
        if self._open is not None:
            self._open.add(key, Tested(key))
        return None

    def _is_object(self, name: cst.Name) -> bool:
        """Whether the file takes a name for more than a number or a flag: what is in it may change."""
        parents = self.unit.index.parents
        if isinstance(parents.get(name), cst.Attribute):
            return False  # its attribute is tested
        key = ("object", name.value)
        if key not in self.unit.memo:
            held = (parents[other] for other in self.unit.index.names.get(name.value, ()))
            self.unit.memo[key] = any(isinstance(parent, (cst.Attribute, cst.Subscript)) for parent in held)
        known: bool = self.unit.memo[key]
        return known

    def _key(self, test: cst.BaseExpression, scope: Scope) -> tuple[Hashable, bool]:
        """What tests with the same result have in common, and whether this one is the denial of it."""
        denied = False
        if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            positive = _DENIALS.get(type(test.comparisons[0].operator))
            if positive is not None:
                target = test.comparisons[0].with_changes(operator=positive())
                test, denied = test.with_changes(comparisons=[target]), True
        owners: dict[str, Scope] = {}
        for node in descendants(test):
            if isinstance(node, (cst.Call, cst.Subscript, cst.NamedExpr, cst.Await)):
                return test, denied
            if isinstance(node, cst.Attribute) and len(self.unit.index.attributes[node.attr.value]) > 1:
                stores = self.unit.index.attributes[node.attr.value]
                if sum(is_stored(self.unit, store) for store in stores) > 1:
                    return test, denied
            if isinstance(node, cst.Name):
                found = scope.lookup(node.value)
                if found is not None and (len(found[1]) > 1 or self._is_object(node)):
                    return test, denied
                if found is not None:
                    owners[node.value] = found[0]
        return (cst.Module([]).code_for_node(test), tuple(owners.items())), denied


_DENIALS: dict[type, type[cst.BaseCompOp]] = {
    cst.NotEqual: cst.Equal,
    cst.IsNot: cst.Is,
    cst.NotIn: cst.In,
    cst.LessThanEqual: cst.GreaterThan,
    cst.LessThan: cst.GreaterThanEqual,
}
_TARGETS = frozenset(
    {cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.Del, cst.AsName, cst.NamedExpr}
)
_ITEMS = frozenset({cst.Element, cst.Tuple, cst.List, cst.StarredElement})


def is_stored(unit: Unit, attribute: cst.Attribute) -> bool:
    """Whether an attribute is assigned, deleted, or unpacked into at this place."""
    child: cst.CSTNode = attribute
    parent = unit.index.parents[attribute]
    while type(parent) in _ITEMS:
        child, parent = parent, unit.index.parents[parent]
    if type(parent) is cst.AnnAssign and parent.value is None:
        return False
    return type(parent) in _TARGETS and getattr(parent, "target", child) is child
