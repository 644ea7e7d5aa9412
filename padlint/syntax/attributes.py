"""Where an attribute of `self` is called, and whether the file may reach it in other ways."""

from __future__ import annotations

import libcst as cst

from padlint.syntax.scopes import BindingKind, Scope, dotted_parts
from padlint.syntax.units import Unit

# Decorators and names of methods whose first parameter is no instance.
_STATIC = frozenset({"staticmethod", "classmethod", "__new__", "__init_subclass__", "__class_getitem__"})
# Methods that change what an attribute is.
_ACCESS = frozenset({"__getattr__", "__getattribute__", "__setattr__"})
# Attributes through which a class reaches its attributes by computed names, or one after the other.
_HIDDEN = (
    *("__dict__", "__getattribute__", "__setattr__", "_modules", "add_module", "register_module"),
    *("get_submodule", "children", "named_children"),
)


def class_around(scope: Scope) -> cst.ClassDef | None:
    """The class that a scope stands in."""
    owner = scope.class_scope
    return owner.node if owner is not None and isinstance(owner.node, cst.ClassDef) else None


def owner_of(unit: Unit, node: cst.BaseExpression) -> cst.ClassDef | None:
    """The class whose instance `node` is for sure: the first parameter of one of its methods."""
    found = unit.index.scope_of(node).lookup(node.value) if isinstance(node, cst.Name) else None
    if found is None or len(found[1]) != 1 or not isinstance(found[0].node, cst.FunctionDef):
        return None
    method, owner = found[0].node, found[0].parent
    if owner is not None and owner.kind == "types":
        owner = owner.parent
    params = [*method.params.posonly_params, *method.params.params]
    if owner is None or not params or found[1][0].node is not params[0]:
        return None
    words = {method.name.value, *decorator_names(method)}
    return owner.node if isinstance(owner.node, cst.ClassDef) and not words & _STATIC else None


def decorator_names(function: cst.FunctionDef) -> set[str]:
    """The last parts of a function's decorators that are no calls."""
    return {_last_part(decorator.decorator) for decorator in function.decorators}


def calls_of(unit: Unit, target: cst.Attribute, owner: cst.ClassDef) -> tuple[list[cst.Call], str]:
    """The calls of `self.name` that a class shows, and why there may be more (empty if there are not)."""
    name = target.attr.value
    calls: list[cst.Call] = []
    escapes, own = reached_elsewhere(unit, name, owner), 0
    for attribute in unit.index.attributes.get(name, ()):
        found = owner_of(unit, attribute.value)
        own += found is owner
        if attribute is target or (found is not None and found is not owner):
            continue
        parent = unit.index.parents[attribute]
        if found is None:
            # Attributes of names other than `self` are counted in the facts, if they are foreign.
            if isinstance(attribute.value, cst.Name) and attribute.value.value == "self":
                escapes = f".{name} is also reached from outside of the class"
        elif isinstance(parent, cst.Call) and parent.func is attribute:
            calls.append(parent)
        else:
            escapes = f"self.{name} is also used without being called"
    mentioned = unit.facts.attributes[name] > own or unit.facts.mentions[name] > 0
    if mentioned and any(defined_here(unit, base) for base in owner.bases):
        escapes = f"a base class in the file may use .{name} too"
    return calls, escapes


def reached_elsewhere(unit: Unit, name: str, owner: cst.ClassDef) -> str:
    """Why an attribute may be reached in ways that its class does not show."""
    facts, class_name = unit.facts, owner.name.value
    mangled = f"_{class_name.lstrip('_')}{name}"
    bound = unit.index.scopes[owner].bindings
    if facts.foreign[name] or facts.foreign[mangled] or facts.foreign[""]:
        return f".{name} is also reached from outside of the class"
    if _reflects(unit, name, owner):
        return "the class looks up attributes by name"
    if not _ACCESS.isdisjoint(bound):
        return f"{class_name} changes how attributes are looked up"
    if name in bound:
        return f"{name} is also a name of the class itself"
    if any(facts.bases[alias] for alias in (class_name, *unit.scope.aliases.get(class_name, ()))):
        return f"{class_name} is subclassed in the file"
    return ""


def replaced(unit: Unit, name: str) -> bool:
    """Whether a file may put something else in the place of a method: on an instance, or on the class."""
    if not unit.facts.stored.isdisjoint(("", name)):
        return True
    if any(is_target(unit, node) for node in unit.index.attributes.get(name, ())):
        return True
    return any(_names_it(unit, node, name) for node in unit.index.names.get("setattr", ()))


_ITEMS = frozenset({cst.Element, cst.Tuple, cst.List, cst.StarredElement})
_TARGETS = frozenset({cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.For, cst.NamedExpr})


def is_target(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is assigned or deleted, alone or in a tuple."""
    parent, child = unit.index.parents[node], node
    while type(parent) in _ITEMS:
        parent, child = unit.index.parents[parent], parent
    if type(parent) is cst.AsName:
        return True
    return type(parent) in _TARGETS and getattr(parent, "target", None) is child


def _reflects(unit: Unit, name: str, owner: cst.ClassDef) -> bool:
    """Whether a class may reach an attribute by a computed name."""
    words = [node for word in ("getattr", "setattr", "delattr") for node in unit.index.names.get(word, ())]
    nodes: list[cst.CSTNode] = [node for node in words if _names_it(unit, node, name)]
    nodes += unit.index.names.get("vars", ())
    nodes += [node for word in _HIDDEN for node in unit.index.attributes.get(word, ())]
    return any(ancestor is owner for node in nodes for ancestor in unit.ancestors(node))


def _names_it(unit: Unit, node: cst.Name, name: str) -> bool:
    """Whether a use of `getattr` and the like may mean this attribute."""
    call = unit.index.parents[node]
    if not isinstance(call, cst.Call) or call.func is not node or len(call.args) < 2:
        return True
    text = call.args[1].value
    start = text.parts[0] if isinstance(text, cst.FormattedString) and text.parts else None
    if isinstance(start, cst.FormattedStringText):
        return name.startswith(start.value)
    return not isinstance(text, cst.SimpleString) or text.raw_value == name


def defined_here(unit: Unit, base: cst.Arg) -> bool:
    """Whether a base class comes from the file itself, and not from an import."""
    parts = dotted_parts(base.value)
    found = unit.index.scope_of(base).lookup(parts[0]) if parts is not None else None
    return found is not None and any(binding.kind is not BindingKind.IMPORT for binding in found[1])


def _last_part(node: cst.BaseExpression) -> str:
    parts = dotted_parts(node)
    return parts[-1] if parts is not None else ""
