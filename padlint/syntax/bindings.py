"""What an evaluation takes for granted: which call runs a function, where a loop is, what a test says.

What has several possible values besides is left open, and noted as a `Root`: a choice that decides it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import libcst as cst

from padlint.syntax.possible import Value
from padlint.syntax.scopes import Binding, Scope
from padlint.syntax.units import Unit


class Code(NamedTuple):
    """An expression and where its names are looked up."""

    node: cst.BaseExpression
    scope: Scope
    unit: Unit


@dataclass(frozen=True)
class At:
    """A node of a unit as a place."""

    unit: Unit
    node: cst.CSTNode

    @property
    def row(self) -> int:
        """The row at which it starts."""
        return self.unit.row(self.node)


@dataclass(frozen=True)
class Row:
    """A row as a place."""

    row: int


@dataclass(frozen=True)
class Frame:
    """What a call gives to a function: `arguments` by parameter, `surplus` for its `**kwargs`.

    `splats` are the dicts that it splats, and `hidden` says that its `*args` may carry more. `calls` are the
    calls that give the same; there is none for a call that the file does not show, which leaves the
    parameters to their defaults, or if it is `unknown` does not. They agree in the parameters `names`; the
    others are left open.
    """

    calls: tuple[At, ...] = ()
    arguments: Mapping[str, Code] = field(default_factory=dict)
    surplus: Mapping[str, Code] = field(default_factory=dict)
    splats: tuple[Code, ...] = ()
    hidden: bool = False
    names: frozenset[str] = frozenset()
    unknown: bool = False


Bindings = Mapping[tuple[Scope, str], Value]
"""What names are worth where an expression is evaluated, whatever the file binds them to.

The key is the scope that owns the name.
"""


@dataclass(frozen=True)
class Case:
    """Choices by what they decide.

    `values` are those of names by where they are bound, or of attributes; `names` what names are worth where
    the expression stands.
    """

    names: Bindings = field(default_factory=dict)
    values: Mapping[Binding | tuple[Scope, str], Value] = field(default_factory=dict)
    frames: Mapping[Scope, Frame] = field(default_factory=dict)
    items: Mapping[Hashable, int] = field(default_factory=dict)
    truths: Mapping[Hashable, bool] = field(default_factory=dict)

    @property
    def free(self) -> bool:
        """Whether nothing was chosen or given."""
        return not (self.names or self.values or self.frames or self.items or self.truths)

    def with_value(self, key: Binding | tuple[Scope, str], value: Value) -> Case:
        """The same choices and another one."""
        return replace(self, values={**self.values, key: value})

    def with_frame(self, scope: Scope, frame: Frame) -> Case:
        """The same choices, and which call runs a function."""
        return replace(self, frames={**self.frames, scope: frame})

    def with_item(self, loop: Hashable, index: int) -> Case:
        """The same choices, and at which item a loop is."""
        return replace(self, items={**self.items, loop: index})

    def with_truth(self, test: Hashable, truth: bool) -> Case:
        """The same choices, and whether a test holds."""
        return replace(self, truths={**self.truths, test: truth})


class Called(NamedTuple):
    """Left open: which call runs the function (or builds the class) with this scope."""

    unit: Unit
    scope: Scope


class Looped(NamedTuple):
    """Left open: at which of so many items a loop is."""

    loop: Hashable
    length: int


class Tested(NamedTuple):
    """Left open: whether a test holds."""

    test: Hashable


class Several(NamedTuple):
    """Left open: which of its possible values a name or attribute has."""

    key: Binding | tuple[Scope, str]
    value: Value


Root = Called | Looped | Tested | Several


@dataclass
class Open:
    """The roots that an evaluation has met, in order, with the parameters that it read of each function."""

    roots: dict[Hashable, Root] = field(default_factory=dict)
    parameters: dict[Scope, dict[str, None]] = field(default_factory=dict)

    def add(self, key: Hashable, root: Root) -> None:
        """Note a root, once."""
        self.roots.setdefault(key, root)

    def including(self, other: Open) -> Open:
        """The same, with what another evaluation met."""
        for key, root in other.roots.items():
            self.add(key, root)
        for scope, names in other.parameters.items():
            self.parameters.setdefault(scope, {}).update(names)
        return self

    def parameter(self, root: Called, name: str) -> None:
        """Note that a parameter of a function was read."""
        self.add(root.scope, root)
        self.parameters.setdefault(root.scope, {})[name] = None
