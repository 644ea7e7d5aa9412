"""One cheap pass over a whole file with `ast`: the module's names, and which top-level statements matter.

Everything else is done on LibCST trees of those statements alone. Where the running Python cannot parse the
file (newer grammar), the caller indexes the whole file with LibCST instead.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field
from itertools import pairwise

from padlint.syntax.facts import MAKERS, Facts, Tally
from padlint.syntax.inheritance import inherited_base
from padlint.syntax.limits import DEEPEST
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.source import Source

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STEPS = 4  # from the code of the module to a function that matters
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Scouted:
    """What the pass found. Rows are 1-based and inclusive.

    `others` are the statements that do not matter on their own, with the names that they mention.
    """

    module: Scope
    definitions: list[tuple[int, int]] = field(default_factory=list)
    statements: list[tuple[int, int]] = field(default_factory=list)
    others: list[tuple[int, int, frozenset[str]]] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)


def scout(source: Source, interesting: frozenset[str]) -> Scouted:
    """Scout a file. `interesting` are the names whose mention makes a statement worth a LibCST parse.

    Names that the module imports or assigns from an interesting name are interesting too. Raises what
    `ast.parse` raises: SyntaxError, ValueError (NUL), RecursionError, MemoryError.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SyntaxWarning for bad escapes would go to the user's terminal
        tree = ast.parse(source.text)
    result = Scouted(Scope("module"))
    binder = _Binder(result.module, source)
    for statement in tree.body:
        binder.statement(statement)
    wanted = interesting | binder.aliases(interesting)
    tally = Tally(result.module)
    small: list[tuple[int, int, frozenset[str]]] = []
    counted = [(statement, *tally.statement(statement)) for statement in tree.body]
    composed = _composed([(s, found) for s, found, depth in counted if depth <= DEEPEST], wanted)
    for statement, found, depth in counted:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        hit = not wanted.isdisjoint(found)
        if depth > DEEPEST:
            if hit:
                raise RecursionError("nested too deeply")
            continue
        hit = hit or statement in composed
        rows = (_first_row(statement), statement.end_lineno or statement.lineno)
        if not isinstance(statement, _DEFINITIONS):
            result.statements.append(rows)
            small.append((*rows, frozenset(found)))
            binder.hit = binder.hit or hit
        elif hit:
            result.definitions.append(rows)
        else:
            result.others.append((*rows, frozenset(found)))
    named = [(s.name, found, s) for s, found, _ in counted if isinstance(s, ast.FunctionDef)]
    lead = _leading(named, {rows[0] for rows in result.definitions})
    if not binder.hit and all(lead.isdisjoint(names) for _, _, names in small):
        result.statements.clear()
        result.others += small
    result.facts = tally.finish()
    return _separate_lines(result)


def _leading(named: list[tuple[str, set[str], ast.FunctionDef]], rows: set[int]) -> set[str]:
    """The functions that matter, by the rows they start in, and those that call them, over a few steps."""
    lead = {name for name, _, statement in named if _first_row(statement) in rows}
    for _ in range(_STEPS):
        lead |= {name for name, found, _ in named if not lead.isdisjoint(found)}
    return lead


def _composed(counted: list[tuple[ast.stmt, set[str]]], wanted: frozenset[str]) -> set[ast.stmt]:
    """The statements that build something of the file's classes that matter, as a model does of its blocks.

    Other classes matter with them; other code if it also makes a tensor that it may give to such a model.
    """
    readers: dict[str, list[ast.stmt]] = {}
    names = {statement.name for statement, _ in counted if isinstance(statement, ast.ClassDef)}
    waiting: list[str] = []
    tensors: set[ast.stmt] = set()
    together = any(not MAKERS.isdisjoint(found) for s, found in counted if not isinstance(s, _DEFINITIONS))
    for statement, found in counted:
        if isinstance(statement, ast.ClassDef) and not wanted.isdisjoint(found):
            waiting.append(statement.name)
        if together if not isinstance(statement, _DEFINITIONS) else not MAKERS.isdisjoint(found):
            tensors.add(statement)
        for name in names & found:
            readers.setdefault(name, []).append(statement)
    result: set[ast.stmt] = set()
    while waiting:
        for statement in readers.pop(waiting.pop(), ()):
            if isinstance(statement, ast.ClassDef) and statement not in result:
                result.add(statement)
                waiting.append(statement.name)
            elif statement in tensors:
                result.add(statement)
    return result


def _separate_lines(result: Scouted) -> Scouted:
    """Statements that share a row (`a = 1; b = 2`) become one range, adjacent simple statements one piece."""
    merged: list[tuple[int, int]] = []
    for first, last in result.statements:
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    result.statements = merged
    return result


def _first_row(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


class _Binder:
    """Collects the bindings of module-level code into a scope."""

    def __init__(self, scope: Scope, source: Source) -> None:
        self.scope = scope
        self.source = source
        self.hit = False
        self._lines: list[bytes] | None = None

    def aliases(self, interesting: frozenset[str]) -> frozenset[str]:
        """Names of the module that stand for an interesting one, or for such a name."""
        found: set[str] = set()
        fresh = True
        while fresh:
            fresh = False
            for name, bindings in self.scope.bindings.items():
                tails = {(b.path or b.text or "").rpartition(".")[2] for b in bindings}
                partial = any(b.text and "partial" in b.text for b in bindings)
                known = partial or not (tails.isdisjoint(interesting) and tails.isdisjoint(found))
                if known and name not in found:
                    found.add(name)
                    fresh = True
        return frozenset(found)

    def bind(
        self,
        name: str,
        kind: BindingKind,
        row: int,
        path: str = "",
        value: ast.expr | None = None,
        element: tuple[int, ...] = (),
        loop: object = None,
    ) -> None:
        """Add one binding; the text of its value is kept for later."""
        text = self._text(value) if value is not None else None
        self.scope.bind(name, Binding(kind, row, path, text=text, element=element, loop=loop))

    def _line(self, row: int) -> bytes:
        """A row in UTF-8, in whose bytes ast counts columns."""
        if self._lines is None:
            starts = [*self.source.line_starts, len(self.source.text)]
            self._lines = [self.source.text[a:b].encode() for a, b in pairwise(starts)]
        return self._lines[row - 1]

    def _text(self, node: ast.expr) -> str | None:
        if node.end_lineno is None or node.end_col_offset is None:
            return None
        lines = [self._line(row) for row in range(node.lineno, node.end_lineno + 1)]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines).decode()

    def _end(self, node: ast.alias) -> int:
        row, column = node.end_lineno or 0, node.end_col_offset or 0
        return self.source.line_start(row) + len(self._line(row)[:column].decode())

    def statement(self, node: ast.stmt) -> None:
        """Bind what one statement binds, going into compound statements but not into definitions."""
        row = node.lineno
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.bind(node.name, BindingKind.DEFINITION, row)
            return
        if isinstance(node, ast.ClassDef):
            self.bind(node.name, BindingKind.CLASS, row, inherited_base(node))
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._target(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._target(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._target(node.target, node.iter, loop=(node.lineno, node.col_offset))
        elif isinstance(node, ast.AugAssign):
            self._target(node.target, None)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                self._target(target, None)
        elif type(node).__name__ == "TypeAlias":  # new in Python 3.12
            self._target(node.name, None)  # type: ignore[attr-defined]
        self._inside(node)

    def _inside(self, node: ast.AST, comprehension: bool = False) -> None:
        """Bind what expressions and blocks below a node bind; in a comprehension only `:=` does."""
        comprehension = comprehension or isinstance(node, _COMPREHENSIONS)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            elif isinstance(child, ast.withitem) and child.optional_vars is not None:
                self._target(child.optional_vars, None)
                self._inside(child)
            elif isinstance(child, ast.NamedExpr):
                self._target(child.target, None if comprehension else child.value)
                self._inside(child, comprehension)
            elif isinstance(child, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
                if child.name:
                    self.bind(child.name, BindingKind.OTHER, child.lineno)
                self._inside(child)
            elif isinstance(child, ast.MatchMapping):
                if child.rest:
                    self.bind(child.rest, BindingKind.OTHER, child.lineno)
                self._inside(child)
            elif not isinstance(child, ast.Lambda):
                self._inside(child, comprehension)

    def _target(
        self,
        target: ast.expr,
        value: ast.expr | None,
        element: tuple[int, ...] = (),
        loop: object = None,
    ) -> None:
        if isinstance(target, ast.Name):
            kind = BindingKind.LOOP if loop else BindingKind.ELEMENT if element else BindingKind.ASSIGN
            kind = kind if value is not None else BindingKind.OTHER
            self.bind(target.id, kind, target.lineno, value=value, element=element, loop=loop)
        elif isinstance(target, ast.Starred):
            self._target(target.value, None)
        elif isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(item, ast.Starred) for item in target.elts):
                value = None
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            starred = any(isinstance(item, ast.Starred) for item in parts)
            if loop or element or starred or len(parts) != len(target.elts):
                for i, item in enumerate(target.elts):
                    self._target(item, value, (*element, i), loop)
            else:
                for item, part in zip(target.elts, parts, strict=True):
                    self._target(item, part)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = alias.name if alias.asname else alias.name.partition(".")[0]
                self.bind(alias.asname or path, BindingKind.IMPORT, node.lineno, path)
            return
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.scope.bind_star(module)
            else:
                path, end = f"{module}.{alias.name}", self._end(alias)
                binding = Binding(BindingKind.IMPORT, node.lineno, path, end=end)
                self.scope.bind(alias.asname or alias.name, binding)
