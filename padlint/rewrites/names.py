"""How a file can name an operator: by its own spelling, or by extending one of its imports."""

from __future__ import annotations

import re
from dataclasses import dataclass

import libcst as cst

from padlint import catalogue
from padlint.findings import Edit
from padlint.rewrites.model import Refusal
from padlint.sites.handed_over import handed_over
from padlint.sites.site import Site
from padlint.syntax.scopes import Binding, BindingKind, Scope, resolve
from padlint.syntax.units import File, Unit

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*\b(?!\s*=)")  # neither attributes nor keywords


@dataclass(frozen=True)
class Spelled:
    """The text that names the operator at a place, and the edits that make it valid there."""

    text: str
    edits: tuple[Edit, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


def sibling(file: File, site: Site, name: str) -> Spelled | Refusal:
    """The operator `name` beside the site's own operator, as the file would write it."""
    scope, func = site.scope, site.call.func
    if isinstance(func, cst.Attribute):
        modules = [*resolve(scope, func.value, catalogue.star_exports).paths]
        if path := handed_over(site.unit, scope, func):
            modules.append(path.rpartition(".")[0])
        if any(name in catalogue.star_exports(module) for module in modules):
            return Spelled(f"{cst.Module([]).code_for_node(func.value)}.{name}")
    paths = resolve(scope, func, catalogue.star_exports).paths
    targets = [target for path in paths if (target := _sibling_path(path, name)) is not None]
    if not targets:
        return Refusal(f"the file has no name for {name}")
    found = spell(scope, targets[0])
    if found is not None:
        return Spelled(found)
    if set(resolve(scope, cst.Name(name), catalogue.star_exports).paths) & set(targets):
        return Spelled(name)
    if isinstance(func, cst.Name):
        return _extend_imports(file, site, func.value, name)
    return Refusal(f"the file has no name for {name}")


def _sibling_path(path: str, name: str) -> str | None:
    """The path of `name` next to `path`: in the same module, or in the package's public one."""
    module = path.rpartition(".")[0]
    while module:
        for candidate in (module, f"{module}.layers"):
            if name in catalogue.star_exports(candidate):
                return f"{candidate}.{name}"
        module = module.rpartition(".")[0]
    return None


def spell(scope: Scope, path: str) -> str | None:
    """A visible name, with attributes behind it, that means exactly `path`; the shortest there is."""
    best: str | None = None
    seen: set[str] = set()
    for level in scope.chain():
        if level.kind == "class" and level is not scope:
            continue
        for name, bindings in level.bindings.items():
            if name in seen:
                continue
            seen.add(name)
            if len(bindings) != 1 or bindings[0].kind is not BindingKind.IMPORT:
                continue
            target = bindings[0].path
            if path != target and not path.startswith(f"{target}."):
                continue
            text = name + path[len(target) :]
            if best is None or len(text) < len(best):
                best = text
    return best


def _extend_imports(file: File, site: Site, imported: str, name: str) -> Spelled | Refusal:
    """`from keras.layers import Conv2D` becomes `from keras.layers import Conv2D, ZeroPadding2D`.

    All imports of the name are extended: those of both branches of a try statement.
    """
    found = site.scope.lookup(imported)
    added: dict[str, str] = {}
    edits: list[Edit] = []
    for binding in found[1] if found is not None else ():
        module = binding.path.rpartition(".")[0]
        end = import_end(file, site.unit, binding)
        if (
            binding.kind is not BindingKind.IMPORT
            or end is None
            or name not in catalogue.star_exports(module)
        ):
            return Refusal(f"the file has no name for {name}, and none can be added to its imports")
        edits.append(file.source.edit(end, end, f", {name}"))
        added.setdefault(name, f"{module}.{name}")
    if not edits:
        return Refusal(f"the file has no name for {name}, and none can be added to its imports")
    if taken(file, name):
        return Refusal(f"the name {name} is taken in this file")
    return Spelled(name, tuple(edits), tuple(added.items()))


def import_end(file: File, unit: Unit, binding: Binding) -> int | None:
    """Offset behind an imported name, where another can be added; None for `import module`."""
    if binding.end >= 0:
        return binding.end
    if isinstance(binding.node, cst.ImportAlias):
        return unit.span(binding.node)[1]
    return None


def taken(file: File, name: str) -> bool:
    """Whether a name is used for anything anywhere in the file."""
    if file.facts.mentions[name] or name in file.module.bindings:
        return True
    return any(name in scope.bindings for unit in file.units for scope in unit.index.scopes.values())


def means_the_same(site: Site, place: cst.CSTNode, text: str) -> bool:
    """Whether the names in a text that was made for the site's own scope mean the same at another place."""
    there = site.unit.index.scope_of(place)
    return all(_owner(site.scope, name) is _owner(there, name) for name in dict.fromkeys(_NAME.findall(text)))


def _owner(scope: Scope, name: str) -> Scope | None:
    found = scope.lookup(name)
    return found[0] if found is not None else None
