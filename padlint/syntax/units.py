"""A file as the rules see it: its module scope, and the parsed definitions that can matter."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

import libcst as cst

from padlint.findings import Edit, Location
from padlint.syntax.facts import Facts, count
from padlint.syntax.limits import DEEPEST, RECURSION_LIMIT, joins_too_many, overflows
from padlint.syntax.positions import Positions, Span
from padlint.syntax.scopes import Scope
from padlint.syntax.scout import Scouted, scout
from padlint.syntax.source import Source
from padlint.syntax.tree import Index
from padlint.syntax.walk import depth

_T = TypeVar("_T")
_Key = ParamSpec("_Key")

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
class Row:
    """The elements of a list, or the arguments of a call: values, places, whether stars or keywords."""

    values: list[cst.BaseExpression]
    positions: dict[cst.CSTNode, int]
    starred: bool
    named: bool


@dataclass(eq=False)
class Unit:
    """One definition of the file, or its module-level code: the trees, indexed in one pass."""

    source: Source
    pieces: list[Piece]
    scope: Scope
    facts: Facts = field(default_factory=Facts)
    bind_module: bool = False
    memo: dict[Any, Any] = field(default_factory=dict)  # what is found once and asked for often
    index: Index = field(init=False)
    rows: dict[cst.CSTNode, Row] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.index = Index(self.scope, bind_module=self.bind_module)
        for piece in self.pieces:
            piece.module.visit(self.index)
        self._by_module = {piece.module: piece for piece in self.pieces}

    def once(self, find: Callable[Concatenate[Unit, _Key], _T], *key: _Key.args, **names: _Key.kwargs) -> _T:
        """What a function finds in this unit for these arguments, which are hashable. It is called once."""
        place = (find, *key, *names.values())
        if place not in self.memo:
            self.memo[place] = find(self, *key, **names)
        found: _T = self.memo[place]
        return found

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


@dataclass(eq=False)
class File:
    """A parsed file: the units that can matter, and facts about all of it.

    `others` are the rows of the statements that were not parsed, with the names that they mention.
    """

    source: Source
    module: Scope
    units: list[Unit]
    facts: Facts
    others: Sequence[tuple[int, int, frozenset[str]]] = ()
    _parsed: dict[tuple[int, int], Unit | None] = field(default_factory=dict)

    def mentioning(self, name: str) -> list[Unit] | None:
        """The units that may mention a name, those parsed now that did not matter so far.

        None where one of them cannot be parsed.
        """
        found: list[Unit | None] = [*self._readers.get(name, ())]
        found += [self._unit(first, last) for first, last in self._others_by_name.get(name, ())]
        units = [unit for unit in found if unit is not None]
        return units if len(units) == len(found) else None

    @cached_property
    def _readers(self) -> dict[str, list[Unit]]:
        """The parsed units that mention a name."""
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            for name in unit.index.names:
                found.setdefault(name, []).append(unit)
        return found

    @cached_property
    def _others_by_name(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for first, last, names in self.others:
            for name in names:
                found.setdefault(name, []).append((first, last))
        return found

    def defining(self, row: int) -> Unit | None:
        """The unit of a statement that did not matter so far and whose rows hold this one."""
        return next((self._unit(first, last) for first, last, _ in self.others if first <= row <= last), None)

    def _unit(self, first: int, last: int) -> Unit | None:
        if (first, last) not in self._parsed:
            try:
                piece = _parse_rows(self.source, first, last, lenient=True)
            except RecursionError:
                piece = None
            self._parsed[first, last] = (
                Unit(self.source, [piece], self.module, self.facts) if piece is not None else None
            )
        return self._parsed[first, last]


def open_file(text: str, interesting: frozenset[str]) -> File:
    """Parse what matters of a file: the definitions that mention an interesting name.

    Raises Unparsable.
    """
    if sys.getrecursionlimit() < RECURSION_LIMIT:
        sys.setrecursionlimit(RECURSION_LIMIT)
    source = Source(text)
    try:
        try:
            scouted = scout(source, interesting)
        except (SyntaxError, ValueError) as error:
            return _whole_file(source, error)
        try:
            return _parts(source, scouted)
        except cst.ParserSyntaxError as error:
            # A piece may fail alone (it ends in a line continuation); the file as a whole may not.
            try:
                return _whole_file(source, error)
            except Unparsable:
                return _parts(source, scouted, lenient=True)
    except (RecursionError, MemoryError) as error:
        raise Unparsable("nested too deeply to be parsed", Location(1, 1)) from error


def _parts(source: Source, scouted: Scouted, *, lenient: bool = False) -> File:
    """One unit per definition that matters, and one for the statements around them.

    `lenient` leaves out what LibCST cannot parse although CPython can.
    """
    groups = [[rows] for rows in scouted.definitions] + [scouted.statements]
    units: list[Unit] = []
    for group in groups:
        parsed = [_parse_rows(source, *rows, lenient=lenient) for rows in group]
        if pieces := [piece for piece in parsed if piece is not None]:
            units.append(Unit(source, pieces, scouted.module, scouted.facts))
    return File(source, scouted.module, units, scouted.facts, scouted.others)


def _parse_rows(source: Source, first: int, last: int, *, lenient: bool) -> Piece | None:
    try:
        return _parse(source, source.line_start(first), source.line_start(last + 1))
    except cst.ParserSyntaxError:
        if lenient:
            return None
        raise


def _parse(source: Source, start: int, end: int) -> Piece:
    text = source.text[start:end]
    if joins_too_many(text):
        raise RecursionError
    removed = (
        [(start + m.start(), start + m.end()) for m in _FORM_FEED.finditer(text)] if "\f" in text else []
    )
    return Piece(cst.parse_module(_FORM_FEED.sub("", text) if removed else text), start, end, removed)


def _whole_file(source: Source, first_error: Exception) -> File:
    """Index the whole file with LibCST: slower, but it knows newer grammar than the running Python."""
    if overflows(source.text):
        raise RecursionError
    try:
        piece = _parse(source, 0, len(source.text))
    except cst.ParserSyntaxError as error:
        raise Unparsable(*_explain(source, first_error, error)) from error
    if depth(piece.module) > 2 * DEEPEST:
        raise RecursionError
    scope = Scope("module")
    unit = Unit(source, [piece], scope, bind_module=True)
    unit.facts = count(unit.index)
    return File(source, scope, [unit], unit.facts)


def _explain(source: Source, first: Exception, second: cst.ParserSyntaxError) -> tuple[str, Location]:
    """The message and place of the parser that says more: CPython's, if it raised SyntaxError."""
    if isinstance(first, SyntaxError) and first.lineno:
        row = min(first.lineno, len(source.line_starts))
        return first.msg or "invalid syntax", Location(row, max(first.offset or 1, 1))
    return second.message, Location(second.raw_line, second.raw_column + 1)


def parses(text: str) -> bool:
    """Whether a text is valid Python, for the running version or for LibCST."""
    try:
        ast.parse(text)
    except (RecursionError, MemoryError):
        return False
    except (SyntaxError, ValueError):
        try:
            return not overflows(text) and bool(cst.parse_module(text))
        except cst.ParserSyntaxError:
            return False
    return True
