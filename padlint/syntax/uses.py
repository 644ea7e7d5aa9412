"""What a file does with the result of a call: the shapes of code that a fix can rewrite, and all others."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from padlint.syntax.scopes import Scope
from padlint.syntax.units import Unit


class UseKind(enum.Enum):
    """The shape of the code around a call."""

    APPLIED = "applied"  # Op(...)(x)
    ELEMENT = "element"  # an argument or list element of another call: nn.Sequential(..., Op(...), ...)
    ADDED = "added"  # model.add(Op(...))
    ATTRIBUTE = "attribute"  # self.name = Op(...)
    LOCAL = "local"  # name = Op(...)
    RETURNED = "returned"
    OTHER = "other"


@dataclass
class Use:
    """How the result of a call is used.

    `outer` is the call around it: the application, the container, or `model.add(...)`. For ELEMENT,
    `siblings` are the elements of the container and `position` the index among them. For ATTRIBUTE and LOCAL,
    `calls` are the applications that the class or function shows; `escapes` says why there may be more.
    """

    kind: UseKind
    outer: cst.Call | None = None
    siblings: list[cst.BaseExpression] = field(default_factory=list)
    position: int = -1
    starred: bool = False
    name: str = ""
    statement: cst.CSTNode | None = None
    calls: list[cst.Call] = field(default_factory=list)
    escapes: str = ""
    class_node: cst.ClassDef | None = None


def use_of(unit: Unit, call: cst.BaseExpression) -> Use:
    """Classify the use of a call's result."""
    parent = unit.index.parents[call]
    if isinstance(parent, cst.Call):
        return Use(UseKind.APPLIED, parent)
    if isinstance(parent, cst.Arg):
        return _argument(unit, call, parent)
    if isinstance(parent, cst.Element):
        return _element(unit, call, parent)
    if isinstance(parent, cst.Return):
        return Use(UseKind.RETURNED)
    if isinstance(parent, (cst.Assign, cst.AnnAssign)):
        return _assigned(unit, parent)
    return Use(UseKind.OTHER)


def _argument(unit: Unit, call: cst.BaseExpression, arg: cst.Arg) -> Use:
    outer = unit.index.parents[arg]
    if not isinstance(outer, cst.Call):
        return Use(UseKind.OTHER)
    if isinstance(outer.func, cst.Attribute) and outer.func.attr.value == "add" and len(outer.args) == 1:
        return Use(UseKind.ADDED, outer)
    values = [a.value for a in outer.args]
    starred = any(a.star for a in outer.args)
    position = next((i for i, a in enumerate(outer.args) if a is arg), -1)
    named = any(a.keyword is not None for a in outer.args)
    return Use(UseKind.ELEMENT, outer, [] if named else values, position, starred)


def _element(unit: Unit, call: cst.BaseExpression, element: cst.Element) -> Use:
    sequence = unit.index.parents[element]
    arg = unit.index.parents.get(sequence)
    if not isinstance(sequence, (cst.List, cst.Tuple)) or not isinstance(arg, cst.Arg):
        return Use(UseKind.OTHER)
    outer = unit.index.parents[arg]
    if not isinstance(outer, cst.Call):
        return Use(UseKind.OTHER)
    values = [item.value for item in sequence.elements]
    starred = bool(arg.star) or any(isinstance(item, cst.StarredElement) for item in sequence.elements)
    position = next((i for i, item in enumerate(sequence.elements) if item is element), -1)
    return Use(UseKind.ELEMENT, outer, values, position, starred)


def _assigned(unit: Unit, statement: cst.Assign | cst.AnnAssign) -> Use:
    if isinstance(statement, cst.Assign):
        if len(statement.targets) != 1:
            return Use(UseKind.OTHER)
        target = statement.targets[0].target
    else:
        target = statement.target
    if isinstance(target, cst.Name):
        return _local(unit, target, statement)
    if isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
        return _attribute(unit, target, statement)
    return Use(UseKind.OTHER)


def _local(unit: Unit, target: cst.Name, statement: cst.CSTNode) -> Use:
    use = Use(UseKind.LOCAL, name=target.value, statement=statement)
    scope = unit.index.scope_of(target)
    found = scope.lookup(target.value)
    if found is None or len(found[1]) != 1:
        use.escapes = f"{target.value} is bound more than once"
        return use
    if found[0].kind == "module":
        use.escapes = f"{target.value} is a name of the module"
        return use
    for name in unit.index.names.get(target.value, ()):
        if name is target:
            continue
        reader = unit.index.scope_of(name).lookup(target.value)
        if reader is None or reader[0] is not found[0]:
            continue
        parent = unit.index.parents[name]
        if isinstance(parent, cst.Call) and parent.func is name:
            use.calls.append(parent)
        else:
            use.escapes = f"{target.value} is also used without being called"
    return use


def _attribute(unit: Unit, target: cst.Attribute, statement: cst.CSTNode) -> Use:
    name = target.attr.value
    use = Use(UseKind.ATTRIBUTE, name=name, statement=statement)
    scope = unit.index.scope_of(target)
    use.class_node = _class_of(scope)
    if use.class_node is None or not is_self(unit, target.value, use.class_node):
        use.escapes = "it is not assigned to an attribute of self"
        return use
    for attribute in unit.index.attributes.get(name, ()):
        if attribute is target:
            continue
        parent = unit.index.parents[attribute]
        if not is_self(unit, attribute.value, use.class_node):
            continue
        if isinstance(parent, cst.Call) and parent.func is attribute:
            use.calls.append(parent)
        else:
            use.escapes = f"self.{name} is also used without being called"
    if unit.facts.foreign[name]:
        use.escapes = f".{name} is also reached from outside of the class"
    if _reflects(unit, use.class_node):
        use.escapes = "the class looks up attributes by name"
    if unit.facts.bases[use.class_node.name.value]:
        use.escapes = f"{use.class_node.name.value} is subclassed in the file"
    return use


def _class_of(scope: Scope) -> cst.ClassDef | None:
    owner = scope.class_scope
    return owner.node if owner is not None and isinstance(owner.node, cst.ClassDef) else None


def is_self(unit: Unit, node: cst.BaseExpression, class_node: cst.ClassDef) -> bool:
    """Whether `node` is the first parameter of a method of `class_node`."""
    if not isinstance(node, cst.Name):
        return False
    found = unit.index.scope_of(node).lookup(node.value)
    if found is None or not isinstance(found[0].node, cst.FunctionDef):
        return False
    method, owner = found[0].node, found[0].parent
    params = [*method.params.posonly_params, *method.params.params]
    return (
        owner is not None
        and owner.node is class_node
        and bool(params)
        and params[0].name.value == node.value
        and len(found[1]) == 1
    )


def _inside(unit: Unit, node: cst.CSTNode, container: cst.CSTNode) -> bool:
    return any(ancestor is container for ancestor in unit.ancestors(node))


def _reflects(unit: Unit, class_node: cst.ClassDef) -> bool:
    """Whether the class reaches attributes by computed names (getattr, __dict__)."""
    names = [n for word in ("getattr", "setattr", "delattr", "vars") for n in unit.index.names.get(word, ())]
    hidden = [*names, *unit.index.attributes.get("__dict__", ())]
    return any(_inside(unit, node, class_node) for node in hidden)


def block_of(unit: Unit, statement: cst.CSTNode) -> tuple[cst.CSTNode, int] | None:
    """The block that holds a simple statement and the index of its line there; None if it shares the line."""
    line = unit.index.parents.get(statement)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    block = unit.index.parents[line]
    body = getattr(block, "body", ())
    position = next((i for i, item in enumerate(body) if item is line), -1)
    return (block, position) if position >= 0 else None


def reads_after(unit: Unit, target: cst.Name) -> list[cst.Name] | None:
    """The reads that can see the value assigned to a local name, None where control flow makes it unclear.

    Sound for straight-line code: the reads between the assignment and the next one, if both stand in the same
    block outside of loops; the reading statement itself may rebind the name.
    """
    scope = unit.index.scope_of(target)
    function = scope.node
    if not isinstance(function, cst.FunctionDef):
        return None
    inside = [n for n in unit.index.names.get(target.value, ()) if _inside(unit, n, function)]
    if target.value in scope.outer_names or any(unit.index.scope_of(n) is not scope for n in inside):
        return None  # a closure or another function may read it at any time
    statement = _statement(unit, target)
    place = block_of(unit, statement) if statement is not None else None
    if place is None or any(isinstance(a, (cst.For, cst.While)) for a in _up_to(unit, statement, function)):
        return None
    block, position = place
    return _scan(
        unit, target.value, [*getattr(block, "body", ())][position + 1 :], block, function, inside, target
    )


def _scan(
    unit: Unit,
    name: str,
    following: list[cst.CSTNode],
    block: cst.CSTNode,
    function: cst.FunctionDef,
    inside: list[cst.Name],
    target: cst.Name,
) -> list[cst.Name] | None:
    reads: list[cst.Name] = []
    for line in following:
        here = [n for n in inside if _inside(unit, n, line)]
        reads += [
            n for n in here if not is_store(unit, n) or isinstance(unit.index.parents[n], cst.AugAssign)
        ]
        stores = [n for n in here if is_store(unit, n)]
        if stores:
            rebinds = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
            return reads if rebinds else None
    if block is function.body:
        return reads
    # The block ends without rebinding: whatever reads the name behind it may see this value.
    behind = inside[inside.index(target) + 1 :]  # names are in source order
    later = [name for name in behind if not _inside(unit, name, block)]
    return reads if not later else None


def is_store(unit: Unit, name: cst.Name) -> bool:
    """Whether a name is written at this place (plain, unpacking, annotated or augmented assignment)."""
    child: cst.CSTNode = name
    parent = unit.index.parents[name]
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List, cst.StarredElement)):
        child, parent = parent, unit.index.parents[parent]
    return isinstance(parent, cst.AssignTarget) or (
        isinstance(parent, (cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor))
        and getattr(parent, "target", None) is child
    )


def _statement(unit: Unit, node: cst.CSTNode) -> cst.CSTNode | None:
    return next((a for a in unit.ancestors(node) if isinstance(a, cst.BaseSmallStatement)), None)


def _up_to(unit: Unit, node: cst.CSTNode | None, end: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if node is None:
        return
    for ancestor in unit.ancestors(node):
        if ancestor is end:
            return
        yield ancestor
