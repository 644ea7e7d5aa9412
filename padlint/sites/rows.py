"""Which calls stand in a row, and which of them may have run an operator."""

from __future__ import annotations

import builtins

import libcst as cst

from padlint import catalogue
from padlint.catalogue import Operator
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit

_BUILTINS = frozenset(dir(builtins)) - {"eval", "exec", "filter", "map"}  # these call what they are given
_METHODS = frozenset({"add", "add_module", "append", "extend", "format", "get", "insert", "join"})
"""Methods that take a layer, a text or a name, whatever they are of: none runs an operator."""
_PARTS = frozenset({"constraints", "initializers", "math", "numpy", "random", "regularizers"})
"""Parts of libraries without operators."""


def is_only(unit: Unit, node: cst.Call, operator: Operator, row: int) -> bool:
    """Whether no other call in a row may have run an operator of that family."""
    calls = unit.once(_by_row).get(row, ())
    return not any(call is not node and _may_run(unit, call, operator) for call in calls)


def _by_row(unit: Unit) -> dict[int, list[cst.Call]]:
    """The calls of a unit by each row in which they stand."""
    found: dict[int, list[cst.Call]] = {}
    for call in unit.index.calls:
        start, end = unit.span(call)
        for row in range(unit.source.row(start), unit.source.row(end) + 1):
            found.setdefault(row, []).append(call)
    return found


def _may_run(unit: Unit, call: cst.Call, operator: Operator) -> bool:
    func = call.func
    if isinstance(func, cst.Call):  # what is built is applied: the operator of a layer ran where it was built
        built = _paths(unit, func)
        return not built or not all(map(_in_catalogue, built))
    paths = _paths(unit, call)
    if paths:
        return any(_may_be(path, operator) for path in paths)
    if isinstance(func, cst.Attribute):
        return func.attr.value not in _METHODS
    if not isinstance(func, cst.Name) or func.value not in _BUILTINS:
        return True
    scope = unit.index.scope_of(call)
    return scope.lookup(func.value) is not None or bool(scope.module.stars)


def _paths(unit: Unit, call: cst.Call) -> tuple[str, ...]:
    """What a call calls; empty if that is not known for sure."""
    found = resolve(unit.index.scope_of(call), call.func, catalogue.star_exports)
    return () if found.open else found.paths


def _in_catalogue(path: str) -> bool:
    """Whether a path leads into a module that the catalogue knows: what is not an operator there is none."""
    return catalogue.is_module(path.rpartition(".")[0])


def _may_be(path: str, operator: Operator) -> bool:
    known = catalogue.lookup(path)
    if known is not None:
        return (known.framework, known.family) == (operator.framework, operator.family)
    return not _in_catalogue(path) and not _PARTS & set(path.split("."))
