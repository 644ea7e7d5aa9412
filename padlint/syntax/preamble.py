"""Where a file can get a definition that the rest of it uses: behind its imports."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from padlint.syntax.source import Source

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Preamble:
    """The head of a file: its imports, and what stands between them.

    `row` is the last row of the imports, 0 if there are none. `definitions` are the functions and classes of
    the module by name.
    """

    row: int
    definitions: Mapping[str, ast.stmt]

    def defines(self, name: str, text: str) -> bool:
        """Whether the module defines `name` just as `text` does, apart from layout and comments."""
        node = self.definitions.get(name)
        return node is not None and ast.unparse(node) == ast.unparse(ast.parse(text))


_KNOWN: WeakKeyDictionary[Source, Preamble | None] = WeakKeyDictionary()


def preamble_of(source: Source, users: frozenset[str]) -> Preamble | None:
    """The head of a file, read once; None where the running Python cannot parse the file.

    It ends above the first definition, and above the first statement that mentions one of the names `users`.
    """
    if source not in _KNOWN:
        _KNOWN[source] = _read(source, users)
    return _KNOWN[source]


def _read(source: Source, users: frozenset[str]) -> Preamble | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    definitions = {node.name: node for node in tree.body if isinstance(node, _DEFINITIONS)}
    return Preamble(_last_import(tree.body, users), definitions)


def _last_import(body: list[ast.stmt], users: frozenset[str]) -> int:
    """The last row of the imports at the head, and of what shares that row; 0 if a user shares it."""
    row = 0
    for statement in body:
        uses = isinstance(statement, _DEFINITIONS) or not users.isdisjoint(_mentions(statement))
        shares = row and statement.lineno == row
        if uses and not _imports(statement):
            return 0 if shares else row
        if shares or _imports(statement):
            row = statement.end_lineno or statement.lineno
    return row


def _imports(statement: ast.stmt) -> bool:
    """Whether a statement is an import, or a block with imports such as `try: import a`."""
    if isinstance(statement, _IMPORTS):
        return True
    compound = isinstance(statement, (ast.Try, ast.If, ast.With))
    return compound and any(isinstance(inner, _IMPORTS) for inner in getattr(statement, "body", ()))


def _mentions(statement: ast.stmt) -> set[str]:
    nodes = list(ast.walk(statement))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
