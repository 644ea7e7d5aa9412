"""Scopes and what their names may stand for."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import libcst as cst

from padlint.syntax.limits import joins_too_many, overflows


class BindingKind(enum.Enum):
    """How a name gets its value."""

    IMPORT = "import"
    ASSIGN = "assignment"
    PARAMETER = "parameter"
    DEFINITION = "def"
    CLASS = "class"
    ELEMENT = "element"  # unpacked from what is assigned
    LOOP = "loop"  # an item of what is iterated over, or unpacked from that
    OTHER = "other"  # with, except, starred, augmented, del, match, global elsewhere


@dataclass(eq=False)
class Binding:
    """One place where a name is bound.

    `path` is the dotted path of an import, and of a class the base (in the words of the file) whose meaning
    it keeps, if it does. `value` is the expression assigned, or a parameter's default; where it stands in a
    part of the file that LibCST has not parsed, `text` holds its source instead. A name that takes only a
    part of `value` has the path of indices `element`; the names of one loop share `loop`.
    `end` is the offset behind the name in `from m import name`, -1 where it has to be asked of `node`.
    `order` numbers the bindings of a scope.
    """

    kind: BindingKind
    row: int
    path: str = ""
    value: cst.BaseExpression | None = None
    text: str | None = None
    node: cst.CSTNode | None = None
    end: int = -1
    order: int = 0
    element: tuple[int, ...] = ()
    loop: object = None

    def expression(self) -> cst.BaseExpression | None:
        """The value as a tree, parsed on first use. None where the value is not one expression."""
        if self.value is None and self.text is not None:
            if overflows(self.text) or joins_too_many(self.text):
                self.text = None
                return None
            try:
                # Brackets let a value keep the line breaks that it had inside its own statement.
                self.value = cst.parse_expression(f"({self.text})")
            except (cst.ParserSyntaxError, RecursionError):
                self.text = None
        return self.value


@dataclass(frozen=True)
class Star:
    """`from module import *`, and when it ran among the bindings of the module."""

    module: str
    order: int


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, with the names that it binds."""

    kind: str
    node: cst.CSTNode | None = None
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer_names: dict[str, str] = field(default_factory=dict)  # name -> "global" or "nonlocal"
    stars: list[Star] = field(default_factory=list)  # only at module level
    _clock: int = 0
    _binds: list[int] = field(default_factory=lambda: [0])  # counts the bindings of the whole file
    _meanings: dict[tuple[object, ...], tuple[int, Candidates]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.parent is not None:
            self._binds = self.parent._binds

    def bind(self, name: str, binding: Binding) -> None:
        """Add a binding to the scope that owns the name (`global` and `nonlocal` lead elsewhere)."""
        owner = self
        if (where := self.outer_names.get(name)) is not None:
            owner = self.module if where == "global" else self.enclosing(name) or self.module
            if binding.kind is not BindingKind.IMPORT:  # the value would be read in another scope
                binding = Binding(BindingKind.OTHER, binding.row, node=binding.node)
        owner._clock += 1
        owner._binds[0] += 1
        binding.order = owner._clock
        owner.bindings.setdefault(name, []).append(binding)

    def bind_star(self, module: str) -> None:
        """Note `from module import *`."""
        self._clock += 1
        self._binds[0] += 1
        self.stars.append(Star(module, self._clock))

    def later_stars(self, name: str) -> list[Star]:
        """The star imports that may have bound a name anew after all its own bindings."""
        last = max((binding.order for binding in self.bindings.get(name, ())), default=0)
        return [star for star in self.stars if star.order > last]

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

    @cached_property
    def aliases(self) -> dict[str, list[str]]:
        """For each name the names that are assigned from it as it is. Asked once all is bound."""
        found: dict[str, list[str]] = {}
        for alias, bindings in self.bindings.items():
            for binding in bindings:
                value = binding.value.value if isinstance(binding.value, cst.Name) else binding.text
                if binding.kind is BindingKind.ASSIGN and value is not None:
                    found.setdefault(value, []).append(alias)
        return found

    def chain(self) -> Iterator[Scope]:
        """This scope and all around it, from the inside."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def enclosing(self, name: str) -> Scope | None:
        """The nearest function scope around this one that binds the name."""
        functions = (s for s in self.chain() if s is not self and s.kind == "function")
        return next((scope for scope in functions if name in scope.bindings), None)

    def lookup(self, name: str) -> tuple[Scope, list[Binding]] | None:
        """The scope that a read of `name` finds, with all its bindings; None for builtins and star imports.

        Functions do not see the names of a class around them; a class body sees its own.
        """
        for scope in self.chain():
            if scope.outer_names.get(name) == "global":
                scope = scope.module
            elif scope.kind == "class" and scope is not self:
                continue
            if name in scope.bindings:
                return scope, scope.bindings[name]
            if scope.parent is None:
                return None
        return None

    def meaning(self, parts: list[str], star_exports: StarExports) -> Candidates:
        """What a dotted name can mean here. Kept by the scope that binds it, until the file binds another."""
        found = self.lookup(parts[0])
        owner = self.module if found is None else found[0]
        key = (*parts, star_exports)
        at, meaning = owner._meanings.get(key, (-1, _NOTHING))
        if at != self._binds[0]:
            meaning = _Search(star_exports).find(self, parts)
            owner._meanings[key] = (self._binds[0], meaning)
        return meaning


def dotted_parts(node: cst.BaseExpression) -> list[str] | None:
    """`a.b.c` as its parts; None for anything but names joined by dots."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return None
    parts.append(node.value)
    return parts[::-1]


StarExports = Callable[[str], "frozenset[str]"]
"""Names that `from module import *` brings, as far as they matter; empty for an unknown module."""


@dataclass(frozen=True)
class Candidates:
    """The dotted paths that an expression may stand for; `open` if it may also be something unknown.

    `unsure` says that a star import or a subclass stands between.
    """

    paths: tuple[str, ...] = ()
    open: bool = True
    unsure: bool = False


_NOTHING = Candidates()
_MAX_STEPS = 200  # aliases of aliases; each may have several


def resolve(scope: Scope, node: cst.BaseExpression, star_exports: StarExports | None = None) -> Candidates:
    """Every dotted path that `node` (a name or attribute chain) can mean in `scope`.

    Follows imports and aliases (`L = keras.layers`, `Conv = nn.Conv2d`). `None` as a value does not count:
    `except ImportError: L = None` leaves no call to make.
    """
    parts = dotted_parts(node)
    return _NOTHING if parts is None else scope.meaning(parts, star_exports or _no_exports)


def _no_exports(module: str) -> frozenset[str]:
    return frozenset()


@dataclass
class _Search:
    """One walk along aliases. `seen` are the names on the way, `steps` bounds what hostile aliases cost."""

    star_exports: StarExports
    seen: set[tuple[int, str]] = field(default_factory=set)
    steps: int = 0

    def find(self, scope: Scope, parts: list[str]) -> Candidates:
        """What the name `parts[0]` with the attributes `parts[1:]` can mean."""
        root = parts[0]
        found = scope.lookup(root)
        if found is None:
            return self._starred(scope.module, parts)
        owner, bindings = found
        key = (id(owner), root)
        self.steps += 1
        if key in self.seen or self.steps > _MAX_STEPS:
            return _NOTHING
        self.seen.add(key)
        options = [self._bound(binding, owner, parts[1:]) for binding in bindings]
        options += [self._rebound(star, parts) for star in owner.later_stars(root)]
        self.seen.discard(key)
        return _either([option for option in options if option is not None])

    def _bound(self, binding: Binding, owner: Scope, rest: list[str]) -> Candidates | None:
        """What one binding makes of a name; None for the value None."""
        if binding.kind is BindingKind.IMPORT:
            return Candidates((".".join([binding.path, *rest]),), open=False)
        if binding.kind is BindingKind.CLASS and binding.path and not rest:
            # What is built is an object of another class: close, but never certain.
            return replace(self.find(owner, binding.path.split(".")), unsure=True)
        value = binding.expression() if binding.kind is BindingKind.ASSIGN else None
        if isinstance(value, cst.Name) and value.value == "None":
            return None
        alias = dotted_parts(value) if value is not None else None
        return self.find(owner, alias + rest) if alias is not None else _NOTHING

    def _rebound(self, star: Star, parts: list[str]) -> Candidates | None:
        """What a star import behind all bindings of a name makes of it; None if it brings no such name."""
        exports = self.star_exports(star.module)
        if parts[0] in exports:
            return Candidates((".".join([star.module, *parts]),), open=False, unsure=True)
        return None if exports else _NOTHING

    def _starred(self, module: Scope, parts: list[str]) -> Candidates:
        """What star imports make of a name that the file does not bind."""
        known = [star.module for star in module.stars if parts[0] in self.star_exports(star.module)]
        paths = tuple(".".join([star, *parts]) for star in dict.fromkeys(known))
        return Candidates(paths, len(known) < len(module.stars) or not known, unsure=True)


def _either(options: list[Candidates]) -> Candidates:
    paths = dict.fromkeys(path for option in options for path in option.paths)
    is_open = any(option.open for option in options) or not paths
    return Candidates(tuple(paths), is_open, any(option.unsure for option in options))
