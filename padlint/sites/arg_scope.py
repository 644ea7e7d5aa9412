"""Defaults that slim's `arg_scope` gives to the calls inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from padlint import catalogue
from padlint.syntax.possible import Origin, from_rows
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit


@dataclass(frozen=True)
class ByScope(Origin):
    """A default of slim, of this parameter: whoever calls the function may have opened a scope around it."""

    def __str__(self) -> str:
        return joined([self])


def joined(origins: Sequence[Origin]) -> str:
    """Origins in words: those of slim's defaults as one, and what the same calls give together."""
    groups: dict[tuple[frozenset[int], int], list[str]] = {}
    for origin in origins:
        if not isinstance(origin, ByScope):
            rows = frozenset(place.row for place in origin.places)
            groups.setdefault((rows, origin.more), []).append(origin.text)
    texts = [", ".join(words) + from_rows(*places) for places, words in groups.items()]
    names = [origin.text for origin in origins if isinstance(origin, ByScope)]
    if names:
        defaults = "the default of " if len(names) == 1 else "the defaults of "
        texts.append(f"{defaults}{' and '.join(names)}, unless a caller's arg_scope says otherwise")
    return ", ".join(texts)


class Opaque:
    """A scope whose contents the file does not show at this place: `arg_scope(model_arg_scope())`."""


def scoped_argument(unit: Unit, call: cst.Call, operator: str, parameter: str) -> cst.Arg | Opaque | None:
    """The argument that the scopes around a slim call give to a parameter, the innermost scope first.

    `operator` is the canonical name of the called function. A function's body does not run inside a scope
    that is open around its definition.
    """
    child: cst.CSTNode = call
    for parent in unit.ancestors(call):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return None
        if isinstance(parent, cst.With) and child is parent.body:
            for item in reversed(parent.items):
                found = _given(unit, item.item, operator, parameter)
                if found is not None:
                    return found
        child = parent
    return None


def _given(unit: Unit, node: cst.BaseExpression, operator: str, parameter: str) -> cst.Arg | Opaque | None:
    if not isinstance(node, cst.Call):
        return None
    paths = resolve(unit.index.scope_of(node), node.func, catalogue.star_exports).paths
    if not any(map(catalogue.is_arg_scope, paths)):
        return None
    first = next((arg for arg in node.args if arg.keyword is None and not arg.star), None)
    if first is None or not isinstance(first.value, (cst.List, cst.Tuple)):
        return Opaque()
    if not any(_means(unit, element.value, operator) for element in first.value.elements):
        return None
    if any(arg.star for arg in node.args):
        return Opaque()
    return next((arg for arg in node.args if arg.keyword and arg.keyword.value == parameter), None)


def _means(unit: Unit, node: cst.BaseExpression, operator: str) -> bool:
    candidates = resolve(unit.index.scope_of(node), node, catalogue.star_exports)
    found = [catalogue.lookup(path) for path in candidates.paths]
    return any(other is not None and other.name == operator for other in found)
