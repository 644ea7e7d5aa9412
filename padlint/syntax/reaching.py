"""Which assignment a read of a name sees, where that is certain."""

from __future__ import annotations

import libcst as cst

from padlint.syntax.units import Unit
from padlint.syntax.uses import block_of, is_store


def assignment_of(unit: Unit, name: cst.Name) -> cst.Assign | None:
    """The assignment whose value a name holds where it is read: the nearest one above, if it always ran.

    None where a branch, a loop, a closure or anything but `name = value` may have bound the name since.
    """
    index = unit.index
    scope = index.scope_of(name)
    if name.value in scope.outer_names:
        return None
    nearest: cst.Name | None = None
    for other in index.names.get(name.value, ()):  # in source order
        if other is name:
            break
        if _binds(unit, other) and not _in_its_value(unit, other, name):
            if index.scope_of(other) is not scope:
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
        if isinstance(ancestor, (cst.For, cst.While)) and any(
            _binds(unit, other) and any(a is ancestor for a in unit.ancestors(other))
            for other in unit.index.names[name.value]
        ):
            return False
    return False
