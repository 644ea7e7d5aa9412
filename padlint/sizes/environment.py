"""What the names of a function hold at one point of it, and which names code binds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from padlint.sizes.extent import Known, Lost, join
from padlint.syntax.walk import code_children


@dataclass(frozen=True)
class Stack:
    """A Sequential model that layers are added to, and what leaves its last layer."""

    extent: Known
    empty: bool = False


@dataclass
class Environment:
    """The tensors and models by name."""

    tensors: dict[str, Known] = field(default_factory=dict)
    models: dict[str, Stack] = field(default_factory=dict)

    def copy(self) -> Environment:
        """The same names, to be changed in a branch."""
        return Environment(dict(self.tensors), dict(self.models))

    def become(self, other: Environment) -> None:
        """Go on as another environment."""
        self.tensors, self.models = other.tensors, other.models

    def bind(self, name: str, value: Known) -> None:
        """Give a name a tensor."""
        self.models.pop(name, None)
        self.tensors[name] = value

    def lose(self, names: Iterable[str], reason: str) -> None:
        """Forget names; `{}` in the reason stands for the name."""
        for name in names:
            self.bind(name, Lost(reason.format(name)))

    def keep_models(self, others: Iterable[Environment]) -> None:
        """Forget the models that code which may have run has changed or handed on."""
        for other in others:
            kept = {name for name, stack in self.models.items() if other.models.get(name) == stack}
            self.models = {name: self.models[name] for name in kept}

    def joined(self, other: Environment) -> Environment:
        """What holds where either environment may have come."""
        tensors: dict[str, Known] = {}
        for name in {**self.tensors, **other.tensors}:
            first, second = self.tensors.get(name), other.tensors.get(name)
            # A name that only one branch binds cannot be read behind the other.
            tensors[name] = join(first, second) if first and second else first or second or Lost(name)
        models: dict[str, Stack] = {}
        for name in self.models.keys() & other.models.keys():
            mine, yours = self.models[name], other.models[name]
            models[name] = Stack(join(mine.extent, yours.extent), mine.empty and yours.empty)
        return Environment(tensors, models)


def leaves(body: cst.BaseSuite) -> bool:
    """Whether a block always leaves: its last statement is return, raise, continue or break."""
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))


_IN_PLACE = re.compile(r"^add$|[^_]_$")
_TARGETS = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.Del)


def target_names(target: cst.CSTNode) -> list[str]:
    """The names in a target, unpacked ones too."""
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
        return [name for child in code_children(target) for name in target_names(child)]
    return []


def changes_its_object(call: cst.Call) -> bool:
    """Whether a call is `model.add(...)` or one of torch's `x.resize_(...)`."""
    return isinstance(call.func, cst.Attribute) and bool(_IN_PLACE.search(call.func.attr.value))


def bound_names(*nodes: cst.CSTNode | None) -> list[str]:
    """The names that some code binds or whose tensor or model it changes; functions inside are left out."""
    return [name for node in nodes if node is not None for name in _bound(node)]


def _bound(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, _TARGETS):
        target = node.target
        yield from target_names(target.value if isinstance(target, cst.Attribute) else target)
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
