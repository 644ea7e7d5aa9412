"""Modules of Keras that a file gets from a function: `backend, layers, _, _ = get_submodules(...)`."""

from __future__ import annotations

import libcst as cst

from padlint import catalogue
from padlint.syntax.scopes import Binding, BindingKind, Scope, dotted_parts
from padlint.syntax.units import Unit

_UNPACKED = (BindingKind.ELEMENT, BindingKind.OTHER)  # in a function that declares the name global


def handed_over(unit: Unit, scope: Scope, func: cst.BaseExpression) -> str:
    """`keras.layers.Conv2D` for `layers.Conv2D`, where `layers` is most likely such a module; else empty."""
    parts = dotted_parts(func)
    found = scope.lookup(parts[0]) if parts is not None and len(parts) > 1 else None
    if parts is None or found is None or not all(map(_may_be_module, found[1])):
        return ""
    for function, modules in catalogue.HANDED_OVER.items():
        if parts[0] in modules and unit.facts.mentions[function]:
            return ".".join((modules[parts[0]], *parts[1:]))
    return ""


def _may_be_module(binding: Binding) -> bool:
    """Whether a name is unpacked here, or holds None until then."""
    value = binding.expression() if binding.kind is BindingKind.ASSIGN else None
    return binding.kind in _UNPACKED or (isinstance(value, cst.Name) and value.value == "None")
