"""Scopes and what their names may stand for."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import libcst as cst


class BindingKind(enum.Enum):
    """How a name gets its value."""

    IMPORT = "import"
    ASSIGN = "assignment"
    PARAMETER = "parameter"
    DEFINITION = "def"
    CLASS = "class"
    OTHER = "other"  # loop variable, with, except, unpacking, del, match, global elsewhere


@dataclass(eq=False)
class Binding:
    """One place where a name is bound.

    `path` is the dotted path of an import. `value` is the expression assigned, or a parameter's default;
    where it stands in a part of the file that LibCST has not parsed, `text` holds its source instead.
    `end` is the offset behind the name in `from m import name`, -1 where it has to be asked of `node`.
    """

    kind: BindingKind
    row: int
    path: str = ""
    value: cst.BaseExpression | None = None
    text: str | None = None
    node: cst.CSTNode | None = None
    end: int = -1

    def expression(self) -> cst.BaseExpression | None:
        """The value as a tree, parsed on first use. None where the value is not one expression."""
        if self.value is None and self.text is not None:
            try:
                # Brackets let a value keep the line breaks that it had inside its own statement.
                self.value = cst.parse_expression(f"({self.text})")
            except (cst.ParserSyntaxError, RecursionError):
                self.text = None
        return self.value


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, with the names that it binds."""

    kind: str
    node: cst.CSTNode | None = None
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer_names: dict[str, str] = field(default_factory=dict)  # name -> "global" or "nonlocal"
    stars: list[str] = field(default_factory=list)  # modules of `from m import *`; only at module level

    def bind(self, name: str, binding: Binding) -> None:
        """Add a binding to the scope that owns the name (`global` and `nonlocal` lead elsewhere)."""
        owner = self
        if (where := self.outer_names.get(name)) is not None:
            owner = self.module if where == "global" else self.enclosing(name) or self.module
        owner.bindings.setdefault(name, []).append(binding)

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def class_scope(self) -> Scope | None:
        """The nearest scope of a class around this one."""
        return next((scope for scope in self.chain() if scope.kind == "class"), None)

    def chain(self) -> Iterator[Scope]:
        """This scope and all around it, from the inside."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def enclosing(self, name: str) -> Scope | None:
        """The nearest function scope around this one that binds the name."""
        return next(
            (s for s in self.chain() if s is not self and s.kind != "class" and name in s.bindings), None
        )

    def lookup(self, name: str) -> tuple[Scope, list[Binding]] | None:
        """The scope that a read of `name` finds, with all its bindings; None for builtins and star imports.

        Functions do not see the names of a class around them; a class body sees its own.
        """
        if self.outer_names.get(name) == "global":
            scopes = iter((self.module,))
        else:
            scopes = (scope for scope in self.chain() if scope is self or scope.kind != "class")
        for scope in scopes:
            if name in scope.bindings:
                return scope, scope.bindings[name]
        return None


def dotted_parts(node: cst.BaseExpression) -> list[str] | None:
    """`a.b.c` as its parts; None for anything but names joined by dots."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return None
    parts.append(node.value)
    return parts[::-1]


@dataclass
class Facts:
    """Counts over a whole file, for what no single definition can tell.

    `mentions` counts every name that is read, bound or declared; `attributes` every attribute; `foreign` the
    attributes of anything but `self` and imported modules; `bases` the names of base classes; `inside` the
    names that are read inside of a class with another name.
    """

    mentions: Counter[str] = field(default_factory=Counter)
    attributes: Counter[str] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)


StarExports = Callable[[str], "frozenset[str]"]
"""Names that `from module import *` brings, as far as they matter; empty for an unknown module."""


@dataclass(frozen=True)
class Candidates:
    """The dotted paths that an expression may stand for; `open` if it may also be something unknown."""

    paths: tuple[str, ...] = ()
    open: bool = True
    star: bool = False


_NOTHING = Candidates()


def resolve(scope: Scope, node: cst.BaseExpression, star_exports: StarExports | None = None) -> Candidates:
    """Every dotted path that `node` (a name or attribute chain) can mean in `scope`.

    Follows imports and aliases (`L = keras.layers`, `Conv = nn.Conv2d`). `None` as a value does not count:
    `except ImportError: L = None` leaves no call to make.
    """
    parts = dotted_parts(node)
    if parts is None:
        return _NOTHING
    return _resolve_parts(scope, parts, star_exports, frozenset())


def _resolve_parts(
    scope: Scope, parts: list[str], star_exports: StarExports | None, seen: frozenset[tuple[int, str]]
) -> Candidates:
    root, rest = parts[0], parts[1:]
    suffix = "".join(f".{part}" for part in rest)
    found = scope.lookup(root)
    if found is None:
        return _resolve_star(scope.module, root, suffix, star_exports)
    owner, bindings = found
    if (id(owner), root) in seen or len(seen) > 20:
        return _NOTHING
    paths: dict[str, None] = {}
    is_open = star = False
    for binding in bindings:
        if binding.kind is BindingKind.IMPORT:
            paths[binding.path + suffix] = None
            continue
        value = binding.expression() if binding.kind is BindingKind.ASSIGN else None
        if isinstance(value, cst.Name) and value.value == "None":
            continue
        alias = dotted_parts(value) if value is not None else None
        if alias is None:
            is_open = True
            continue
        inner = _resolve_parts(owner, alias + rest, star_exports, seen | {(id(owner), root)})
        paths.update(dict.fromkeys(inner.paths))
        is_open = is_open or inner.open
        star = star or inner.star
    return Candidates(tuple(paths), is_open or not paths, star)


def _resolve_star(module: Scope, root: str, suffix: str, star_exports: StarExports | None) -> Candidates:
    if star_exports is None:
        return _NOTHING
    paths = tuple(f"{star}.{root}{suffix}" for star in module.stars if root in star_exports(star))
    return Candidates(paths, len(paths) < len(module.stars) or not paths, star=True)
