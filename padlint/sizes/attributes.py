"""What a class assigns to the attributes of its instances, and whether anything else may change that."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from padlint.sizes.blueprints import Blueprint
from padlint.syntax.attributes import is_target, owner_of, reached_elsewhere
from padlint.syntax.units import Unit

# What may be read of a layer without changing what it does to sizes.
_READ = frozenset(
    {
        *("weight", "bias", "in_channels", "out_channels", "in_features", "out_features", "num_features"),
        *(
            "kernel_size",
            "stride",
            "padding",
            "dilation",
            "groups",
            "running_mean",
            "running_var",
            "training",
        ),
        *("parameters", "named_parameters", "state_dict", "load_state_dict", "zero_grad", "requires_grad_"),
        *("train", "eval", "to", "cuda", "cpu", "half", "float", "double", "buffers", "modules"),
        *("size", "shape", "num_classes", "embed_dim", "dim"),
    }
)
_CHANGES = frozenset({"resize_", "set_", "resize_as_", "register_hook"})
_HARMLESS_CALLS = frozenset({"len", "isinstance", "hasattr", "print", "id", "bool"})
_ITERATORS = frozenset({"enumerate", "zip", "reversed", "list", "tuple"})


@dataclass
class Attribute:
    """An attribute of a class's instances.

    `values` are the expressions that the method which builds an instance assigns to it, `reads` the places
    that may run the module. `changed` says why it may hold something else, `open` why what it holds may be
    changed or run out of sight; both are empty if that cannot be.
    """

    values: list[cst.BaseExpression] = field(default_factory=list)
    reads: list[cst.Attribute] = field(default_factory=list)
    changed: str = ""
    used: str = ""

    @property
    def open(self) -> str:
        """Why nothing can be said of the module in it."""
        return self.changed or self.used


class Attributes:
    """The attributes of the module classes of one file, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[cst.ClassDef, str], Attribute] = {}

    def of(self, blueprint: Blueprint, name: str) -> Attribute:
        """The attribute `self.name`."""
        key = (blueprint.node, name)
        if key not in self._known:
            self._known[key] = _look(blueprint, name)
        return self._known[key]


def _look(blueprint: Blueprint, name: str) -> Attribute:
    unit, owner = blueprint.unit, blueprint.node
    found = Attribute(changed=reached_elsewhere(unit, name, owner))
    build = blueprint.method(blueprint.protocol.build)
    for node in unit.index.attributes.get(name, ()):
        holder = owner_of(unit, node.value)
        if holder is not owner:
            if holder is None and isinstance(node.value, cst.Name) and node.value.value == "self":
                found.changed = f".{name} is also reached from outside of the class"
            continue
        value = _assigned(unit, node)
        if value is not None:
            found.values.append(value)
            if unit.index.scope_of(node).node is not build:
                found.changed = f"self.{name} is assigned outside of {blueprint.protocol.build}"
        elif is_target(unit, node):
            found.changed = f"self.{name} is changed"
        else:
            _read(blueprint, node, name, found)
    return found


def _assigned(unit: Unit, node: cst.Attribute) -> cst.BaseExpression | None:
    """The value that a plain assignment gives to an attribute."""
    parent = unit.index.parents[node]
    statement = unit.index.parents[parent] if isinstance(parent, cst.AssignTarget) else parent
    if isinstance(statement, (cst.Assign, cst.AnnAssign)) and node is not statement.value:
        return statement.value
    return None


def _is_called(unit: Unit, node: cst.Attribute) -> bool:
    parent = unit.index.parents[node]
    return isinstance(parent, cst.Call) and parent.func is node


def _read(blueprint: Blueprint, node: cst.Attribute, name: str, found: Attribute) -> None:
    unit = blueprint.unit
    parents = unit.index.parents
    if unit.index.scope_of(node).node is blueprint.method(blueprint.protocol.build) and _builds(unit, node):
        return
    parent = parents[node]
    if isinstance(parent, cst.Call) and parent.func is node:
        found.reads.append(node)
    elif isinstance(parent, cst.Attribute):
        if parent.attr.value == blueprint.protocol.run and _is_called(unit, parent):
            found.reads.append(node)
        elif not _only_looks(unit, parent):
            found.used = f".{parent.attr.value} of self.{name} is used"
    elif (isinstance(parent, cst.Subscript) and parent.value is node and _loads(unit, parent)) or (
        isinstance(parent, cst.For) and parent.iter is node
    ):
        found.reads.append(node)
    elif isinstance(parent, cst.Arg):
        _handed(unit, node, parent, name, found)
    elif not _is_test(unit, node):
        found.used = f"self.{name} is also used without being called"


def _builds(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a constructor adds to what an attribute holds, or puts it into a container."""
    parent = unit.index.parents[node]
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in ("append", "extend") and _is_called(unit, parent)
    call = unit.index.parents[parent] if isinstance(parent, cst.Arg) else None
    func = call.func if isinstance(call, cst.Call) else None
    word = (
        func.attr.value
        if isinstance(func, cst.Attribute)
        else func.value
        if isinstance(func, cst.Name)
        else ""
    )
    return word in ("Sequential", "ModuleList")


def _handed(unit: Unit, node: cst.Attribute, arg: cst.Arg, name: str, found: Attribute) -> None:
    call = unit.index.parents[arg]
    func = call.func if isinstance(call, cst.Call) else None
    word = func.value if isinstance(func, cst.Name) else ""
    if word in _ITERATORS and isinstance(unit.index.parents[call], cst.For):
        found.reads.append(node)
    elif word not in _HARMLESS_CALLS:
        found.used = f"self.{name} is handed to another function"


def _only_looks(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `self.name.attr`, with all that follows, only reads, or calls a method that changes no size."""
    if node.attr.value not in _READ:
        return False
    current: cst.CSTNode = node
    while isinstance(parent := unit.index.parents[current], cst.Attribute):
        if parent.attr.value in _CHANGES:
            return False
        current = parent
    return _loads(unit, current)


def _loads(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an attribute or an element of it is read, not assigned or deleted."""
    parent = unit.index.parents[node]
    if isinstance(parent, cst.Subscript) and parent.value is node:
        return _loads(unit, parent)
    return not is_target(unit, node)


def _is_test(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is only compared, or asked whether it is true."""
    parent = unit.index.parents[node]
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(parent, (cst.If, cst.IfExp, cst.While, cst.Assert)):
        return parent.test is node
    if isinstance(parent, cst.BooleanOperation):
        return _is_test(unit, parent)
    return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)
