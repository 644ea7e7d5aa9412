"""The classes of a file that are models or parts of them, and how an instance of one is built and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, Operator
from padlint.syntax.attributes import defined_here
from padlint.syntax.scopes import BindingKind, Scope, resolve
from padlint.syntax.units import File, Unit


class Protocol(NamedTuple):
    """Which methods of a framework's modules build their parts, and which runs them."""

    framework: str
    build: str
    run: str
    fields: bool = False  # a dataclass: the constructor takes the annotated names of the class body


_TORCH = Protocol("torch", "__init__", "forward")
_LINEN = Protocol("flax", "setup", "__call__", fields=True)
_NNX = Protocol("flax", "__init__", "__call__")
_HAIKU = Protocol("haiku", "__init__", "__call__")
PROTOCOLS: Mapping[str, Protocol] = {
    **dict.fromkeys(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"), _TORCH),
    **dict.fromkeys(
        (
            "pytorch_lightning.LightningModule",
            "lightning.LightningModule",
            "lightning.pytorch.LightningModule",
        ),
        _TORCH,
    ),
    **dict.fromkeys(("flax.linen.Module", "flax.linen.module.Module"), _LINEN),
    **dict.fromkeys(("flax.nnx.Module", "flax.experimental.nnx.Module"), _NNX),
    "haiku.Module": _HAIKU,
}
"""The base classes whose subclasses are followed."""

FRAMEWORKS = frozenset({"torch", "flax", "haiku"})
"""Those whose modules are followed."""

# Decorators of methods that neither change what they are given nor what they return.
_TRANSPARENT = frozenset(
    {"compact", "no_grad", "inference_mode", "autocast", "override", "overrides", "jit", "export"}
)


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A class of the file that is a module of a framework."""

    unit: Unit
    node: cst.ClassDef
    protocol: Protocol

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.node.name.value

    def method(self, name: str) -> cst.FunctionDef | None:
        """The method of that name, if the class has exactly one, with nothing around it."""
        bindings = self.scope.bindings.get(name, ())
        node = bindings[0].node if len(bindings) == 1 else None
        if not isinstance(node, cst.FunctionDef) or self.unit.index.parents.get(node) is not self.node.body:
            return None
        return node if _transparent(node) else None

    @property
    def scope(self) -> Scope:
        """The scope of the class body."""
        return self.unit.index.scopes[self.node]

    @property
    def methods(self) -> Mapping[str, object]:
        """What the class body binds, methods above all."""
        return self.scope.bindings

    @property
    def fields(self) -> Sequence[cst.AnnAssign]:
        """The annotated names of the class body."""
        lines = [line for line in self.node.body.body if isinstance(line, cst.SimpleStatementLine)]
        found = [small for line in lines for small in line.body if isinstance(small, cst.AnnAssign)]
        return [field for field in found if isinstance(field.target, cst.Name)]

    @property
    def takes_arguments(self) -> bool:
        """Whether instances of it may be built differently."""
        method = self.method("__init__")
        params = method.params if method is not None else cst.Parameters()
        given = len(params.posonly_params) + len(params.params) + len(params.kwonly_params)
        return self.protocol.fields or given > 1 or params.star_kwarg is not None

    @property
    def field_names(self) -> list[str]:
        """The names of the fields of a dataclass."""
        return [cst.ensure_type(field.target, cst.Name).value for field in self.fields]


def _transparent(function: cst.FunctionDef) -> bool:
    return all(_last_name(decorator.decorator) in _TRANSPARENT for decorator in function.decorators)


def _last_name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        node = node.func
    return node.value if isinstance(node, cst.Name) else getattr(getattr(node, "attr", None), "value", "")


def named_operator(scope: Scope, node: cst.BaseExpression) -> Operator | None:
    """The layer of the catalogue that a name means, for code that hands it on without building it."""
    meant = resolve(scope, node, catalogue.star_exports)
    found = catalogue.lookup(meant.paths[0]) if len(meant.paths) == 1 else None
    if found is None or meant.open or meant.unsure or found.framework not in FRAMEWORKS:
        return None
    return found if found.kind is Kind.LAYER and found.family is not Family.CONTAINER else None


def blueprints(file: File) -> dict[str, Blueprint]:
    """The module classes of a file by name: defined once, the framework's base in front of all others."""
    found: dict[str, Blueprint] = {}
    for unit in file.units:
        for node in unit.index.classes:
            blueprint = _blueprint(file, unit, node)
            if blueprint is not None:
                found[blueprint.name] = blueprint
    return found


def _blueprint(file: File, unit: Unit, node: cst.ClassDef) -> Blueprint | None:
    bindings = file.module.bindings.get(node.name.value, ())
    if not isinstance(unit.index.parents.get(node), cst.Module) or not node.bases:
        return None
    if [binding.kind for binding in bindings] != [BindingKind.CLASS] or node.keywords:
        return None
    if not all(_last_name(decorator.decorator).startswith("register") for decorator in node.decorators):
        return None
    if node.name.value in file.facts.outer or file.module.later_stars(node.name.value):
        return None
    if any(base.star or base.keyword is not None or defined_here(unit, base) for base in node.bases):
        return None
    meant = resolve(file.module, node.bases[0].value)
    protocols = {PROTOCOLS.get(path) for path in meant.paths}
    protocol = protocols.pop() if len(protocols) == 1 else None
    return Blueprint(unit, node, protocol) if protocol is not None and not meant.open else None
