"""What each framework's operators are called and what their parameters mean. Never imports a framework.

A framework, or a part of one, is one module, with the tables `PACKAGES`, `NAMESPACES` and `SPELLINGS`, and
one entry in `_FRAMEWORKS`. Only `onnx` has none: its nodes are data.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from padlint.catalogue import (
    flax,
    haiku,
    jax,
    keras,
    keras_1,
    keras_ops,
    slim,
    tensorflow,
    tensorflow_image,
    tf_layers,
    torch,
    torch_quantized,
)
from padlint.catalogue.axes import geometry, is_channels_last, rank_of, spatial_entries
from padlint.catalogue.keras import HANDED_OVER, IMAGE_FORMAT, LAMBDA
from padlint.catalogue.model import Family, Kind, Operator, PadStyle
from padlint.catalogue.onnx import AUTO_PAD, is_make_node
from padlint.catalogue.pads import Pads, PadText, pads_nothing, read_pads, write_pads
from padlint.catalogue.slim import is_arg_scope
from padlint.catalogue.table import Entry, Spelling, entries
from padlint.catalogue.table import operator as _operator

__all__ = [
    "AUTO_PAD",
    "HANDED_OVER",
    "IMAGE_FORMAT",
    "LAMBDA",
    "PADDED",
    "Family",
    "Kind",
    "Operator",
    "PadStyle",
    "PadText",
    "Pads",
    "geometry",
    "is_arg_scope",
    "is_channels_last",
    "is_make_node",
    "is_module",
    "lookup",
    "older",
    "operator_names",
    "operators",
    "pads_nothing",
    "prefilter_literals",
    "rank_of",
    "read_pads",
    "spatial_entries",
    "star_exports",
    "write_pads",
]

_FRAMEWORKS = (
    *(torch, torch_quantized, keras, keras_ops, keras_1),
    *(tensorflow, tensorflow_image, tf_layers, slim, flax, jax, haiku),
)
_NAMESPACES = {space.name: space for framework in _FRAMEWORKS for space in framework.NAMESPACES}

PADDED = frozenset(family for family in Family if family.is_convolution or family.is_pooling) | {
    Family.UNFOLD,
    Family.PAD,
}
"""The families whose operators pad."""


@cache
def _entries(namespace: str) -> dict[str, Entry]:
    return dict(entries(_NAMESPACES[namespace]))


@cache
def _spellings(module: str) -> tuple[Spelling, ...]:
    """The tables' entries for a module, in order of precedence."""
    package = module.partition(".")[0]
    return tuple(
        spelling
        for framework in _FRAMEWORKS
        if package in framework.PACKAGES
        for spelling in framework.SPELLINGS
        if re.fullmatch(spelling.modules, module)
    )


@cache
def lookup(dotted: str) -> Operator | None:
    """The operator that a dotted path names, import aliases resolved; None for every other path."""
    module, _, name = dotted.rpartition(".")
    for spelling in _spellings(module):
        entry = _entries(spelling.namespace).get(name)
        if entry is not None and (spelling.only is None or name in spelling.only):
            return _make(spelling.namespace, entry.canonical, spelling.older and bool(entry.row.older))
    return None


@cache
def _make(namespace: str, name: str, older: bool) -> Operator:
    return _operator(_NAMESPACES[namespace], _entries(namespace)[name], older=older)


def older(operator: Operator) -> Operator | None:
    """The operator as the framework's previous generation knew it, if that differs.

    Keras 3 comes after Keras 2 and that after Keras 1, TF 2 after TF 1. A call that does not bind to the
    current signature may still bind to an older one.
    """
    if operator.retired:
        return None
    space, _, name = operator.name.rpartition(".")
    if _entries(space)[name].row.older and operator != (second := _make(space, name, True)):
        return second
    previous = _NAMESPACES[space].older
    return _make(previous, name, False) if previous and name in _entries(previous) else None


def operators(families: Collection[Family] = frozenset(Family)) -> tuple[Operator, ...]:
    """Every operator of these families, once each, in the order of the tables."""
    return tuple(
        _make(namespace, name, False)
        for namespace in _NAMESPACES
        for name, entry in _entries(namespace).items()
        if name == entry.canonical and entry.row.family in families
    )


def operator_names(families: Collection[Family] = frozenset(Family)) -> frozenset[str]:
    """The last components of all spellings of these families' operators."""
    return frozenset(
        name
        for namespace in _NAMESPACES
        for name, entry in _entries(namespace).items()
        if entry.row.family in families
    )


def is_module(dotted: str) -> bool:
    """True if the dotted path names a module that has operators of the catalogue."""
    return bool(_spellings(dotted))


@cache
def star_exports(module: str) -> frozenset[str]:
    """The names of operators that `from module import *` brings."""
    return frozenset(
        name
        for spelling in _spellings(module)
        if spelling.star
        for name in _entries(spelling.namespace)
        if spelling.only is None or name in spelling.only
    )


def prefilter_literals() -> tuple[bytes, ...]:
    """Literals of which the text of every file that names an operator of `PADDED` contains one."""
    return (b"onv", b"pool", b"Pool", b"pad", b"Pad", b"nfold", b"e_window")
