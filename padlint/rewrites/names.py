"""How a file can name an operator: by its own spelling, or by extending one of its imports."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from padlint import catalogue
from padlint.findings import Edit
from padlint.rewrites.model import Refusal
from padlint.sites.site import Site
from padlint.syntax.scopes import Binding, BindingKind, Scope, resolve
from padlint.syntax.units import File, Unit


@dataclass(frozen=True)
class Spelled:
    """The text that names the operator at a place, and the edits that make it valid there."""

    text: str
    edits: tuple[Edit, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


def sibling(file: File, site: Site, name: str) -> Spelled | Refusal:
    """The operator `name` beside the site's own operator, as the file would write it."""
    unit, scope, func = site.unit, site.scope, site.call.func
    if isinstance(func, cst.Attribute):
        paths = resolve(scope, func.value, catalogue.star_exports).paths
        if paths and all(catalogue.lookup(f"{path}.{name}") is not None for path in paths):
            return Spelled(f"{cst.Module([]).code_for_node(func.value)}.{name}")
    paths = resolve(scope, func, catalogue.star_exports).paths
    targets = [target for path in paths if (target := _sibling_path(path, name)) is not None]
    if not targets:
        return Refusal(f"the file has no name for {name}")
    found = spell(scope, targets[0])
    if found is not None:
        return Spelled(found)
    if isinstance(func, cst.Name):
        return _extend_import(file, unit, scope, func.value, name, targets[0])
    return Refusal(f"the file has no name for {name}")


def _sibling_path(path: str, name: str) -> str | None:
    """The path of `name` next to `path`: in the same module, or in the package's public one."""
    module = path.rpartition(".")[0]
    while module:
        for candidate in (f"{module}.{name}", f"{module}.layers.{name}"):
            if catalogue.lookup(candidate) is not None:
                return candidate
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


def _extend_import(
    file: File, unit: Unit, scope: Scope, imported: str, name: str, path: str
) -> Spelled | Refusal:
    """`from keras.layers import Conv2D` becomes `from keras.layers import Conv2D, ZeroPadding2D`."""
    missing = Refusal(f"the file has no name for {name}, and none can be added to its imports")
    found = scope.lookup(imported)
    if found is None or len(found[1]) != 1:
        return missing
    binding = found[1][0]
    if binding.kind is not BindingKind.IMPORT or path != f"{binding.path.rpartition('.')[0]}.{name}":
        return missing
    if taken(file, name):
        return Refusal(f"the name {name} is taken in this file")
    end = import_end(file, unit, binding)
    if end is None:
        return missing
    return Spelled(name, (file.source.edit(end, end, f", {name}"),), ((name, path),))


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


def functional_pad(site: Site) -> str | None:
    """How the file can write `torch.nn.functional.pad` where the site's operator is applied."""
    return spell(site.scope, "torch.nn.functional.pad")
