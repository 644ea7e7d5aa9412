"""What in a file may notice that a pad is gone, although the convolution computes the same."""

from __future__ import annotations

import re

import libcst as cst

from padlint.sites.site import Site
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import block_of

CHANGED = "the tensor is changed in place, and the convolution's gradient needs it as it was"
BETWEEN = "what stands between the pad and the convolution may change its input"

# `x += f(x)`: if f folds its pad, the convolution needs the very tensor that is changed.
_IN_PLACE = re.compile(r"\b(\w+)\s*[-+*/@]=.*\(\s*\1\b")


def asked_for(file: File, name: str) -> bool:
    """Whether the file mentions a class other than by calling it."""
    for unit in file.units:
        nodes = [*unit.index.names.get(name, ()), *unit.index.attributes.get(name, ())]
        if any(getattr(unit.index.parents[node], "func", None) is not node for node in nodes):
            return True
    return False


def reached_one_by_one(unit: Unit, name: str) -> bool:
    """Whether the file indexes or iterates over the Sequential of this name."""
    word = re.escape(name)
    return bool(name) and unit.source.holds(re.compile(rf"\b{word}\s*\[|\bin\b.*\b{word}\b"))


def changes_its_argument(unit: Unit) -> bool:
    """Whether the file has a statement like `x += f(x)`."""
    return unit.source.holds(_IN_PLACE)


def holder(unit: Unit, conv: Site) -> str:
    """Name or attribute that the Sequential around an element is assigned to."""
    outer = conv.use.outer
    statement = unit.index.parents.get(outer) if outer is not None else None
    if not isinstance(statement, cst.Assign):
        return ""
    target = statement.targets[0].target
    if isinstance(target, cst.Attribute):
        return target.attr.value
    return target.value if isinstance(target, cst.Name) else ""


def follows(unit: Unit, statement: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a call stands in the statement right behind another."""
    place = block_of(unit, statement)
    following = getattr(place[0], "body", ())[place[1] + 1 :] if place is not None else ()
    return bool(following) and any(ancestor is following[0] for ancestor in unit.ancestors(call))


def changed_later(unit: Unit, name: cst.Name) -> bool:
    """Whether the code behind a read changes the tensor in place: `x += y`, `x.add_(y)`, `x[0] = y`."""
    scope, parents = unit.index.scope_of(name), unit.index.parents
    names = unit.index.names[name.value]
    for other in names[names.index(name) + 1 :]:
        parent = parents[other]
        if unit.index.scope_of(other) is not scope:
            continue
        if isinstance(parent, cst.AugAssign) and parent.target is other:
            return True
        if isinstance(parent, cst.Attribute) and re.fullmatch(r"[a-z]\w*_", parent.attr.value):
            return True
        if isinstance(parent, cst.Subscript) and isinstance(
            parents[parent], (cst.AssignTarget, cst.AugAssign)
        ):
            return True
    return False
