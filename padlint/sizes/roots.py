"""Which module classes of a file are models of their own, and which are built by other classes."""

from __future__ import annotations

from collections.abc import Collection

from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import File


class Roots:
    """What the classes of a file build of each other.

    A class that no other one mentions, not even by way of a function or a table of the module, is a model.
    """

    def __init__(self, file: File) -> None:
        mentioned = file.facts.definitions
        classes = {"", *(name for name in mentioned if _is_class(file, name))}
        self._bases = file.facts.bases
        self._builders: dict[str, list[str]] = {}
        for name in classes:
            for part in mentioned.get(name, ()):
                if part != name and part in classes:
                    self._builders.setdefault(part, []).append(name)
        self._helpers = _reached(mentioned, classes)
        self._indirect = {part for helper in self._helpers for part in mentioned[helper] if part in classes}

    def is_root(self, name: str) -> bool:
        """Whether nothing in the file builds a class but code outside of classes."""
        return not self._builders.get(name) and name not in self._indirect

    def helps(self, name: str) -> bool:
        """Whether the code of some class leads to a function of the module."""
        return name in self._helpers

    def builders(self, name: str) -> list[str] | None:
        """The classes whose own code mentions a class; None if other code builds it or it has subclasses."""
        found = self._builders.get(name, [])
        return None if name in self._indirect or self._bases[name] or "" in found else found


def _is_class(file: File, name: str) -> bool:
    return any(binding.kind is BindingKind.CLASS for binding in file.module.bindings.get(name, ()))


def _reached(mentioned: dict[str, set[str]], classes: Collection[str]) -> set[str]:
    """The functions and tables of the module that the code of some class leads to."""
    waiting = [part for name in classes for part in mentioned.get(name, ())]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in mentioned and name not in classes and name not in found:
            found.add(name)
            waiting += mentioned[name]
    return found
