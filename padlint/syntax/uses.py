"""What a file does with the result of a call: the shapes of code that a fix can rewrite, and all others."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from padlint.syntax.attributes import calls_of, class_around, owner_of
from padlint.syntax.scopes import BindingKind, Scope
from padlint.syntax.units import Row, Unit


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
    row = _row_of(unit, outer, outer.args)
    return Use(UseKind.ELEMENT, outer, [] if row.named else row.values, row.positions[arg], row.starred)


def _element(unit: Unit, call: cst.BaseExpression, element: cst.Element) -> Use:
    sequence = unit.index.parents[element]
    arg = unit.index.parents.get(sequence)
    if not isinstance(sequence, (cst.List, cst.Tuple)) or not isinstance(arg, cst.Arg):
        return Use(UseKind.OTHER)
    outer = unit.index.parents[arg]
    if not isinstance(outer, cst.Call):
        return Use(UseKind.OTHER)
    row = _row_of(unit, sequence, sequence.elements)
    return Use(UseKind.ELEMENT, outer, row.values, row.positions[element], bool(arg.star) or row.starred)


def _row_of(unit: Unit, holder: cst.CSTNode, items: Sequence[cst.Arg | cst.BaseElement]) -> Row:
    """What a call or a list holds; all of its elements share it."""
    row = unit.rows.get(holder)
    if row is None:
        positions: dict[cst.CSTNode, int] = {item: i for i, item in enumerate(items)}
        starred = any(
            isinstance(item, cst.StarredElement) or bool(getattr(item, "star", "")) for item in items
        )
        named = any(isinstance(item, cst.Arg) and item.keyword is not None for item in items)
        row = unit.rows[holder] = Row([item.value for item in items], positions, starred, named)
    return row


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
    if found[0].kind in ("module", "class"):
        use.escapes = f"{target.value} is a name of the {found[0].kind}"
        return use
    if _reached_by_name(unit, found[0]):
        use.escapes = "the function looks up names by computed text"
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
    use = Use(UseKind.ATTRIBUTE, name=target.attr.value, statement=statement)
    use.class_node = class_around(unit.index.scope_of(target))
    if use.class_node is None or owner_of(unit, target.value) is not use.class_node:
        use.escapes = "it is not assigned to an attribute of self"
    else:
        use.calls, use.escapes = calls_of(unit, target, use.class_node)
    return use


def _inside(unit: Unit, node: cst.CSTNode, container: cst.CSTNode) -> bool:
    return any(ancestor is container for ancestor in unit.ancestors(node))


def _reached_by_name(unit: Unit, scope: Scope) -> bool:
    """Whether code in a scope may reach its names by `locals()`, `eval` and the like."""
    for word in ("locals", "vars", "eval", "exec"):
        for name in unit.index.names.get(word, ()):
            call = unit.index.parents[name]
            harmless = word == "vars" and isinstance(call, cst.Call) and bool(call.args)
            if not harmless and any(inner is scope for inner in unit.index.scope_of(name).chain()):
                return True
    return False


def block_of(unit: Unit, statement: cst.CSTNode) -> tuple[cst.CSTNode, int] | None:
    """The block that holds a simple statement and the index of its line there; None if it shares the line."""
    line = unit.index.parents.get(statement)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    block = unit.index.parents[line]
    key = (block_of, block)
    if key not in unit.memo:
        unit.memo[key] = {item: i for i, item in enumerate(getattr(block, "body", ()))}
    position = unit.memo[key].get(line)
    return (block, position) if position is not None else None


def reads_after(unit: Unit, target: cst.Name) -> list[cst.Name] | None:
    """The reads that can see the value assigned to a local name, None where control flow makes it unclear.

    Sound for straight-line code: the reads between the assignment and the next one, if both stand in the same
    block outside of loops and `try`; the reading statement itself may rebind the name.
    """
    scope = unit.index.scope_of(target)
    function = scope.node
    if not isinstance(function, cst.FunctionDef) or target.value in scope.outer_names:
        return None
    if any(binding.kind not in _ASSIGNED for binding in scope.bindings.get(target.value, ())):
        return None
    inside = [n for n in unit.index.names.get(target.value, ()) if _inside(unit, n, function)]
    if any(unit.index.scope_of(n) is not scope for n in inside) or _reached_by_name(unit, scope):
        return None  # a closure may read it at any time
    statement = _statement(unit, target)
    place = block_of(unit, statement) if statement is not None else None
    if place is None or any(isinstance(a, _UNCLEAR) for a in _up_to(unit, statement, function)):
        return None
    return _scan(unit, place, function, inside, target)


_ASSIGNED = (
    *(BindingKind.ASSIGN, BindingKind.ELEMENT, BindingKind.LOOP, BindingKind.OTHER),
    BindingKind.PARAMETER,
)
_UNCLEAR = (cst.For, cst.While, cst.Try, cst.TryStar)


def _scan(
    unit: Unit,
    place: tuple[cst.CSTNode, int],
    function: cst.FunctionDef,
    inside: list[cst.Name],
    target: cst.Name,
) -> list[cst.Name] | None:
    block, position = place
    reads: list[cst.Name] = []
    for line in [*getattr(block, "body", ())][position + 1 :]:
        here = [n for n in inside if _inside(unit, n, line)]
        reads += [n for n in here if not is_store(unit, n) or isinstance(_holder(unit, n)[0], cst.AugAssign)]
        stores = [n for n in here if is_store(unit, n)]
        if stores:
            simple = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
            always = any(isinstance(_holder(unit, n)[0], _STATEMENTS) for n in stores)
            return reads if simple and always else None
    if block is function.body:
        return reads
    # The block ends without rebinding: whatever reads the name behind it may see this value.
    behind = inside[inside.index(target) + 1 :]  # names are in source order
    later = [name for name in behind if not _inside(unit, name, block)]
    return reads if not later else None


# What holds the target of a binding that always takes place, and of one that may not.
_STATEMENTS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)
_TARGETS = (cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.CompFor)
_CAPTURES = (cst.AssignTarget, cst.AsName, cst.Del, cst.MatchAs, cst.MatchStar, cst.MatchMapping)


def is_store(unit: Unit, name: cst.Name) -> bool:
    """Whether a name is bound at this place: by an assignment, a loop, `as`, `del` or a pattern."""
    holder, child = _holder(unit, name)
    if isinstance(holder, cst.AnnAssign) and holder.value is None:
        return False
    return isinstance(holder, _CAPTURES) or (
        isinstance(holder, _TARGETS) and getattr(holder, "target", None) is child
    )


def _holder(unit: Unit, name: cst.Name) -> tuple[cst.CSTNode, cst.CSTNode]:
    """What an expression of names (a name, or a tuple to unpack into) stands in, and that expression."""
    child: cst.CSTNode = name
    parent = unit.index.parents[name]
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List, cst.StarredElement)):
        child, parent = parent, unit.index.parents[parent]
    return parent, child


def _statement(unit: Unit, node: cst.CSTNode) -> cst.CSTNode | None:
    return next((a for a in unit.ancestors(node) if isinstance(a, cst.BaseSmallStatement)), None)


def _up_to(unit: Unit, node: cst.CSTNode | None, end: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if node is None:
        return
    for ancestor in unit.ancestors(node):
        if ancestor is end:
            return
        yield ancestor
