"""What the names of a function hold at one point of it, and which names code binds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from padlint.sizes.extent import Lost
from padlint.sizes.held import Held, Items, Stack, either, key
from padlint.syntax.walk import code_children


@dataclass
class Environment:
    """What the names of a function hold at one point of it."""

    names: dict[str, Held] = field(default_factory=dict)

    def copy(self) -> Environment:
        """The same names, to be changed in a branch."""
        return Environment(dict(self.names))

    def become(self, other: Environment) -> None:
        """Go on as another environment."""
        self.names = other.names

    def bind(self, name: str, value: Held) -> None:
        """Give a name a value."""
        self.names[name] = value

    def lose(self, names: Iterable[str], reason: str) -> None:
        """Forget names; `{}` in the reason stands for the name."""
        for name in names:
            self.bind(name, Lost(reason.format(name)))

    def keep_objects(self, others: Iterable[Environment]) -> None:
        """Forget the models and lists that code which may have run has changed or handed on."""
        for other in others:
            for name, held in self.names.items():
                if _can_change(held) and other.names.get(name) != held:
                    self.names[name] = Lost(f"{name} may have been changed")

    def differing(self, other: Environment) -> list[str]:
        """The names that hold something else in another environment, or nothing."""
        names = other.names
        return [
            name
            for name, held in self.names.items()
            if names.get(name) is not held and (name not in names or key(names[name]) != key(held))
        ]

    def joined(self, other: Environment) -> Environment:
        """What holds where either environment may have come."""
        names = dict(self.names)
        for name, held in other.names.items():
            # A name that only one branch binds cannot be read behind the other.
            mine = names.get(name)
            if mine is not held:
                names[name] = held if mine is None else either(mine, held)
        return Environment(names)


def _can_change(held: Held) -> bool:
    return isinstance(held, Stack) or (isinstance(held, Items) and held.changes)


def leaves(body: cst.BaseSuite) -> bool:
    """Whether a block always leaves: its last statement is return, raise, continue or break."""
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))


# `model.add(...)`, the methods of lists, and torch's `x.resize_(...)`.
_IN_PLACE = re.compile(r"^(add|append|extend|insert|remove|pop|clear|sort|reverse)$|[^_]_$")
_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.Del)


def target_names(target: cst.CSTNode) -> list[str]:
    """The names in a target, unpacked ones too."""
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
        return [name for child in code_children(target) for name in target_names(child)]
    return []


def changes_its_object(call: cst.Call) -> bool:
    """Whether a call is `model.add(...)`, `items.append(...)` or one of torch's `x.resize_(...)`."""
    return isinstance(call.func, cst.Attribute) and bool(_IN_PLACE.search(call.func.attr.value))


def bound_names(*nodes: cst.CSTNode | None) -> list[str]:
    """The names that some code binds or whose tensor or model it changes; functions inside are left out."""
    return [name for node in nodes if node is not None for name in _bound(node)]


def _bound(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, _TARGETS):
        target = node.target
        # An element of a list that is assigned changes the list, and a tensor never its size.
        inner = target.value if isinstance(target, (cst.Attribute, cst.Subscript)) else target
        yield from target_names(inner)
    elif isinstance(node, cst.AsName):
        yield from target_names(node.name)
    elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        yield node.name.value
        return
    elif isinstance(node, cst.ImportAlias):
        yield node.evaluated_alias or node.evaluated_name.partition(".")[0]
    elif isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        yield node.name.value
    elif isinstance(node, cst.MatchMapping) and node.rest is not None:
        yield node.rest.value
    elif isinstance(node, cst.Call) and changes_its_object(node):
        yield from target_names(cst.ensure_type(node.func, cst.Attribute).value)
    elif isinstance(node, cst.Lambda):
        return
    for child in code_children(node):
        yield from _bound(child)
