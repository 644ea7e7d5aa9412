"""What in a file may notice that a pad is gone, although the convolution computes the same."""

from __future__ import annotations

import re

import libcst as cst

from padlint.sites.site import Site
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import block_of

CHANGED = "the tensor is changed in place, and the convolution's gradient needs it as it was"
BETWEEN = "what stands between the pad and the convolution may change its input"

WALKED = "the file walks over its modules, and what it meets there is another one"
HANDED_ON = "the Sequential is handed to a call that may index or change it"

_WALK = re.compile(r"\.(?:named_children|children|named_modules|get_submodule|_modules)\b|\bsetattr\s*\(")
# The nodes of such a graph are named after the modules and functions that it calls.
_GRAPH = re.compile(
    r"\b(?:symbolic_trace|make_fx|create_feature_extractor|get_graph_node_names|IntermediateLayerGetter)\b|\bfx\."
)
TRACED = "the file traces graphs, whose nodes are named after what a module calls"
_MODULES = re.compile(r"\.modules\s*\(")
# Loops that set parameters or the mode meet them in the same order whatever stands in between.
_HARMLESS_LOOP = re.compile(
    r"^([ \t]*)for (\w+) in [\w.()]+\.modules\(\):[^\S\n]*\n"
    r"((?:\1[ \t]+(?![ \t])(?:isinstance\(\2\b|\b\2\.(?:weight|bias|eval|train)\b|(?!\b\2\b)[^\n])+(?:\n|\Z)"
    r"|[ \t]*\n)+)(?!\1[ \t])",
    re.M,
)
_CONTAINERS = re.compile(r"\b(?:Sequential|ModuleList|ModuleDict)$")

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


def walks_over_modules(unit: Unit) -> bool:
    """Whether the file looks at the modules inside of others, but for setting parameters or the mode."""
    source = unit.source
    if source.holds(_WALK):
        return True
    return source.holds(_MODULES) and bool(_MODULES.search(_HARMLESS_LOOP.sub("", source.text)))


def traces_graphs(unit: Unit) -> bool:
    """Whether the file makes graphs of modules (torch.fx), in which a call more or less shows."""
    return unit.source.holds(_GRAPH)


def handed_on(unit: Unit, conv: Site) -> bool:
    """Whether the Sequential around an element is an argument of a call other than a container's."""
    outer = conv.use.outer
    argument = unit.index.parents.get(outer) if outer is not None else None
    call = unit.index.parents.get(argument) if isinstance(argument, cst.Arg) else None
    return isinstance(call, cst.Call) and not _CONTAINERS.search(unit.text(call.func))


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
