"""The user's file as a module of its project. Runs in the child process."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from padlint.verify.models.request import Side

_INSTALLED = ("site-packages", "dist-packages")

Hook = Callable[[ModuleType], None]


class UserError(Exception):
    """Something about the user's code that is said in a sentence."""


def load(side: Side, hooks: Mapping[str, Hook]) -> ModuleType:
    """Import the side's file. `hooks` are run when a framework of that name has been imported."""
    sys.argv = [str(side.file)]
    sys.path[:0] = [str(path) for path in side.paths]
    sys.meta_path.insert(0, _Finder(side, hooks))
    for name, hook in hooks.items():
        if name in sys.modules:
            hook(sys.modules[name])
    package, _, _ = side.module.rpartition(".")
    if package:
        importlib.import_module(package)
    if side.module in sys.modules:  # its package has imported it
        return sys.modules[side.module]
    loader = _Loader(side.module, str(side.file), side.overlay)
    spec = importlib.util.spec_from_file_location(side.module, side.file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[side.module] = module
    loader.exec_module(module)
    if package:
        setattr(sys.modules[package], side.module.rpartition(".")[2], module)
    return module


def find(module: ModuleType, path: str) -> Any:
    """The object of a dotted path in the module."""
    found: Any = module
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise UserError(f"there is no {path!r} in it") from None
    return found


def is_own(filename: str, root: Path) -> bool:
    """Whether a file belongs to the project: it lies in it and is not installed there."""
    path = Path(filename)
    return path.is_relative_to(root) and not any(part in _INSTALLED for part in path.parts)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the project's files without bytecode caches, and from elsewhere if told."""

    def __init__(self, name: str, path: str, overlay: Mapping[Path, Path]) -> None:
        super().__init__(name, path)
        self._overlay = overlay

    def get_data(self, path: str) -> bytes:
        return self._overlay.get(Path(path), Path(path)).read_bytes()

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class Hooked(importlib.abc.Loader):
    """Runs a hook once a module is loaded."""

    def __init__(self, loader: Any, hook: Hook) -> None:
        self._loader = loader
        self._hook = hook

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """As the loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """As the loader does, and then the hook."""
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._hook(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds what the other finders do, except that a checkout's modules come from that checkout.

    An editable installation may lead to the project's working tree; those modules are loaded from `root`.
    """

    def __init__(self, side: Side, hooks: Mapping[str, Hook]) -> None:
        self._side = side
        self._hooks = hooks

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(name, path, target)) is not None:
                return self._adapted(name, spec)
        return None

    def _adapted(self, name: str, spec: importlib.machinery.ModuleSpec) -> importlib.machinery.ModuleSpec:
        if (
            spec.has_location
            and spec.origin
            and isinstance(spec.loader, importlib.machinery.SourceFileLoader)
        ):
            origin = self._translated(spec.origin)
            if is_own(origin, self._side.root):
                spec.origin = origin
                spec.loader = _Loader(name, origin, self._side.overlay)
                spec.cached = None
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations[:] = map(self._translated, spec.submodule_search_locations)
        if name in self._hooks and spec.loader is not None:
            spec.loader = Hooked(spec.loader, self._hooks[name])
        return spec

    def _translated(self, path: str) -> str:
        """The path in the checkout, if there is one and the path is in the working tree."""
        side = self._side
        if side.instead_of is None or not is_own(path, side.instead_of):
            return path
        inner = side.root / os.path.relpath(path, side.instead_of)
        return str(inner) if inner.exists() else path
