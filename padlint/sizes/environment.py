"""What the names of a function hold at one point of it, and which names code binds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from padlint.sizes.extent import Lost
from padlint.sizes.held import Held, Instance, Items, Listed, Stack, either, key
from padlint.syntax.walk import code_children


@dataclass(eq=False)
class Environment:
    """What the names of a function hold at one point of it.

    A branch has only `own` what it binds itself; the rest is what it came from, its `parent`, holds.
    """

    own: dict[str, Held] = field(default_factory=dict)
    parent: Environment | None = None

    def get(self, name: str) -> Held | None:
        """What a name holds, None if nothing has bound it."""
        environment: Environment | None = self
        while environment is not None:
            held = environment.own.get(name)
            if held is not None:
                return held
            environment = environment.parent
        return None

    def flat(self) -> dict[str, Held]:
        """All names."""
        return {**self.parent.flat(), **self.own} if self.parent is not None else dict(self.own)

    def branch(self) -> Environment:
        """The same names, to be changed on one of several ways."""
        return Environment(parent=self)

    def become(self, branch: Environment) -> None:
        """Go on as a branch of this one."""
        self.own.update(branch.own)

    def become_either(self, first: Environment, second: Environment) -> None:
        """Go on as one of two branches."""
        for name in {**first.own, **second.own}:
            # A name that only one branch binds cannot be read behind the other.
            mine, yours = first.get(name), second.get(name)
            both = yours if mine is None else mine if yours is None else either(mine, yours)
            if both is not None:
                self.own[name] = both

    def bind(self, name: str, value: Held) -> None:
        """Give a name a value."""
        self.own[name] = value

    def lose(self, names: Iterable[str], reason: str) -> None:
        """Forget names; `{}` in the reason stands for the name."""
        for name in names:
            held = self.get(name)
            if not (isinstance(held, Instance) and held.me):  # whose attributes are names of their own
                self.bind(name, Lost(reason.format(name)))

    def keep_objects(self, branches: Iterable[Environment]) -> None:
        """Forget the models and lists that a branch which may have run has changed or handed on."""
        for branch in branches:
            for name, held in branch.own.items():
                mine = self.get(name)
                if mine is not None and _can_change(mine) and mine != held:
                    self.own[name] = Lost(f"{name} may have been changed")

    def changed_by(self, branch: Environment) -> bool:
        """Whether a name that is bound here holds something else at the end of a branch."""
        for name, held in branch.own.items():
            mine = self.get(name)
            if mine is not None and mine is not held and key(mine) != key(held):
                return True
        return False


def _can_change(held: Held) -> bool:
    return isinstance(held, (Stack, Listed)) or (isinstance(held, Items) and held.changes)


def leaves(body: cst.BaseSuite) -> bool:
    """Whether a block always leaves: its last statement is return, raise, continue or break."""
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))


# `model.add(...)`, the methods of lists, and torch's `x.resize_(...)`.
_IN_PLACE = re.compile(r"^(add|append|extend|insert|remove|pop|clear|sort|reverse)$|[^_]_$")
_TARGETS = frozenset({cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.Del})


def target_names(target: cst.CSTNode) -> list[str]:
    """The names in a target, unpacked ones too; an attribute of a name counts as one: `self.layers`."""
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
        return [f"{target.value.value}.{target.attr.value}"]
    if isinstance(target, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
        return [name for child in code_children(target) for name in target_names(child)]
    return []


def changes_its_object(call: cst.Call) -> bool:
    """Whether a call is `model.add(...)`, `items.append(...)` or one of torch's `x.resize_(...)`."""
    return isinstance(call.func, cst.Attribute) and bool(_IN_PLACE.search(call.func.attr.value))


_BINDING = _TARGETS | {
    *(cst.AsName, cst.FunctionDef, cst.ClassDef, cst.ImportAlias, cst.MatchAs, cst.MatchStar),
    *(cst.MatchMapping, cst.Call, cst.Lambda),
}


def bound_names(*nodes: cst.CSTNode | None) -> list[str]:
    """The names that some code binds or whose tensor or model it changes; functions inside are left out."""
    return [name for node in nodes if node is not None for name in _bound(node)]


def _bound(node: cst.CSTNode) -> Iterator[str]:
    kind = type(node)
    if kind not in _BINDING:
        for child in code_children(node):
            yield from _bound(child)
        return
    if kind in _TARGETS:
        target = getattr(node, "target")  # noqa: B009 - which every type of `_TARGETS` has
        # An element of a list that is assigned changes the list, and a tensor never its size.
        inner = target.value if isinstance(target, (cst.Attribute, cst.Subscript)) else target
        yield from target_names(inner)
        if isinstance(target, cst.Attribute):
            yield from target_names(target)
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
