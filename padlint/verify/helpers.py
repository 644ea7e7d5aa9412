"""The definitions that fixes write into files. They are known word for word, so they run as they stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from padlint.rewrites.helpers import ALL, Helper, in_keras
from padlint.verify.programs import Names

_PLACE = "padlint_{}"


@dataclass(frozen=True)
class Defined:
    """A helper under the name that the program gives it; `made` is the class or function."""

    name: str
    made: Callable[..., Any]

    @property
    def is_layer(self) -> bool:
        """Whether a call of it builds a layer."""
        return isinstance(self.made, type)


def define(
    statement: ast.ClassDef | ast.FunctionDef, names: Names, find: Callable[[str], Any]
) -> Defined | None:
    """The helper that a statement defines, None for every other definition.

    `find` gives the object of a public dotted path.
    """
    for helper in ALL:
        match = _pattern(helper).fullmatch(ast.unparse(statement))
        if match is not None and all(
            _means(match[place], path, names) for place, path in helper.needs.items()
        ):
            words = {place: _PLACE.format(place) for place in helper.needs}
            namespace = {words[place]: find(path) for place, path in helper.needs.items()}
            exec(helper.written(statement.name, words), namespace)  # a text of this package
            return Defined(statement.name, namespace[statement.name])
    return None


def _means(word: str, path: str, names: Names) -> bool:
    dotted = names.dotted(ast.parse(word, mode="eval").body)
    return dotted is not None and in_keras(dotted) == path


@cache
def _pattern(helper: Helper) -> re.Pattern[str]:
    """Matches the normal form of a helper with any words in its places."""
    words = {place: _PLACE.format(place) for place in ("name", *helper.needs)}
    name = words.pop("name")
    pattern = re.escape(ast.unparse(ast.parse(helper.written(name, words))))
    for place, word in {"name": name, **words}.items():
        first, _, rest = pattern.partition(word)
        pattern = first + rf"(?P<{place}>[\w.]+)" + rest.replace(word, f"(?P={place})")
    return re.compile(pattern)
