"""A file as the rules see it: its module scope, and the parsed definitions that can matter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import libcst as cst

from padlint.findings import Edit, Location
from padlint.syntax.positions import Positions, Span
from padlint.syntax.scopes import BindingKind, Facts, Scope
from padlint.syntax.scout import Scouted, scout
from padlint.syntax.source import Source
from padlint.syntax.tree import Index

# CPython forgets the indentation before a form feed; LibCST refuses the file.
_FORM_FEED = re.compile(r"^[ \t]*\f[ \t\f]*(?<=\f)", re.M)


class Unparsable(Exception):
    """Neither `ast` nor LibCST can parse the text."""

    def __init__(self, message: str, location: Location) -> None:
        super().__init__(message)
        self.message = message
        self.location = location


@dataclass(eq=False)
class Piece:
    """Whole rows of the source, parsed. `removed` lists spans (in the source) that were left out."""

    module: cst.Module
    start: int
    end: int
    removed: Sequence[Span] = ()

    @cached_property
    def positions(self) -> Positions:
        """Offsets of the nodes, found on first use."""
        return Positions(self.module)

    def absolute(self, offset: int) -> int:
        """Offset in the source of a character of the parsed text."""
        offset += self.start
        for start, end in self.removed:
            if start <= offset:
                offset += end - start
        return offset


@dataclass(eq=False)
class Unit:
    """One definition of the file, or its module-level code: the trees, indexed in one pass."""

    source: Source
    pieces: list[Piece]
    scope: Scope
    facts: Facts = field(default_factory=Facts)
    bind_module: bool = False
    index: Index = field(init=False)

    def __post_init__(self) -> None:
        self.index = Index(self.scope, bind_module=self.bind_module)
        for piece in self.pieces:
            piece.module.visit(self.index)
        self._by_module = {piece.module: piece for piece in self.pieces}

    def piece_of(self, node: cst.CSTNode) -> Piece:
        """The piece that holds the node."""
        parents = self.index.parents
        while (parent := parents.get(node)) is not None:
            node = parent
        return self._by_module[node]  # type: ignore[index]

    def span(self, node: cst.CSTNode) -> Span:
        """Source offsets of a node, without brackets around it."""
        piece = self.piece_of(node)
        start, end = piece.positions.inner(node)
        return piece.absolute(start), piece.absolute(end)

    def outer_span(self, node: cst.CSTNode) -> Span:
        """Source offsets of an expression with the brackets around it."""
        piece = self.piece_of(node)
        start, end = piece.positions.outer(node)
        return piece.absolute(start), piece.absolute(end)

    def text(self, node: cst.CSTNode) -> str:
        """The source text of an expression, brackets included."""
        start, end = self.outer_span(node)
        return self.source.text[start:end]

    def text_of_argument(self, arg: cst.Arg) -> str:
        """The source text of an argument with its keyword, without its comma."""
        start, end = self.span(arg)
        return self.source.text[start:end]

    def row(self, node: cst.CSTNode) -> int:
        """Row at which the node starts."""
        return self.source.row(self.span(node)[0])

    def replace(self, node: cst.CSTNode, content: str) -> Edit:
        """The edit that replaces an expression, brackets included."""
        return self.source.edit(*self.outer_span(node), content)

    def insert(self, offset: int, content: str) -> Edit:
        """The edit that inserts text at an offset."""
        return self.source.edit(offset, offset, content)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, from the inside."""
        parents = self.index.parents
        while (parent := parents.get(node)) is not None:
            yield parent
            node = parent

    def comments(self) -> Iterator[Span]:
        """Source offsets of every comment in the unit."""
        for piece in self.pieces:
            for start, end in piece.positions.comments():
                yield piece.absolute(start), piece.absolute(end)


@dataclass(eq=False)
class File:
    """A parsed file: the units that can matter, and facts about all of it."""

    source: Source
    module: Scope
    units: list[Unit]
    facts: Facts


def open_file(text: str, interesting: frozenset[str]) -> File:
    """Parse what matters of a file: the definitions that mention an interesting name.

    Raises Unparsable.
    """
    source = Source(text)
    try:
        scouted = scout(source, interesting)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return _whole_file(source, error)
    try:
        return _parts(source, scouted)
    except (cst.ParserSyntaxError, RecursionError) as error:
        # A piece may fail alone (it ends in a line continuation); the file as a whole may not.
        return _whole_file(source, error)


def _parts(source: Source, scouted: Scouted) -> File:
    rows = sorted([*scouted.definitions, *scouted.statements])
    if any(first <= last for (_, last), (first, _) in pairwise(rows)):
        raise RecursionError("definitions share a row")
    units = [
        Unit(source, [_parse_rows(source, *rows)], scouted.module, scouted.facts)
        for rows in scouted.definitions
    ]
    if scouted.statements:
        pieces = [_parse_rows(source, *rows) for rows in scouted.statements]
        units.append(Unit(source, pieces, scouted.module, scouted.facts))
    return File(source, scouted.module, units, scouted.facts)


def _parse_rows(source: Source, first: int, last: int) -> Piece:
    return _parse(source, source.line_start(first), source.line_start(last + 1))


def _parse(source: Source, start: int, end: int) -> Piece:
    text = source.text[start:end]
    removed = (
        [(start + m.start(), start + m.end()) for m in _FORM_FEED.finditer(text)] if "\f" in text else []
    )
    return Piece(cst.parse_module(_FORM_FEED.sub("", text) if removed else text), start, end, removed)


def _whole_file(source: Source, first_error: Exception) -> File:
    """Index the whole file with LibCST: slower, but it knows newer grammar than the running Python."""
    try:
        piece = _parse(source, 0, len(source.text))
        scope = Scope("module")
        unit = Unit(source, [piece], scope, bind_module=True)
    except RecursionError as error:
        raise Unparsable("nested too deeply to be parsed", Location(1, 1)) from error
    except cst.ParserSyntaxError as error:
        raise Unparsable(*_explain(source, first_error, error)) from error
    _count(unit)
    return File(source, scope, [unit], unit.facts)


def _count(unit: Unit) -> None:
    """Facts of a file that is one unit, from its index."""
    index, facts = unit.index, unit.facts
    facts.mentions.update({name: len(nodes) for name, nodes in index.names.items()})
    for scope in (unit.scope, *index.scopes.values()):
        facts.mentions.update({name: len(bindings) for name, bindings in scope.bindings.items()})
    for name, nodes in index.attributes.items():
        facts.attributes[name] += len(nodes)
        facts.foreign[name] += sum(not _is_own(unit, node.value) for node in nodes)
    for name, reads in index.names.items():
        owners = {owner.node for read in reads if (owner := index.scope_of(read).class_scope) is not None}
        facts.inside[name] += sum(isinstance(o, cst.ClassDef) and o.name.value != name for o in owners)
    bases = [base.value for node in index.classes for base in node.bases]
    facts.bases.update(base.value for base in bases if isinstance(base, cst.Name))


def _is_own(unit: Unit, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Name):
        return False
    bindings = unit.scope.bindings.get(node.value, ())
    return node.value == "self" or any(binding.kind is BindingKind.IMPORT for binding in bindings)


def _explain(source: Source, first: Exception, second: cst.ParserSyntaxError) -> tuple[str, Location]:
    """The message and place of the parser that says more: CPython's, if it raised SyntaxError."""
    if isinstance(first, SyntaxError) and first.lineno:
        row = min(first.lineno, len(source.line_starts))
        return first.msg or "invalid syntax", Location(row, max(first.offset or 1, 1))
    if isinstance(first, (RecursionError, MemoryError)):
        return "nested too deeply to be parsed", Location(1, 1)
    return second.message, Location(second.raw_line, second.raw_column + 1)


def parses(text: str) -> bool:
    """Whether a text is valid Python, for the running version or for LibCST."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        try:
            cst.parse_module(text)
        except (cst.ParserSyntaxError, RecursionError):
            return False
    return True
