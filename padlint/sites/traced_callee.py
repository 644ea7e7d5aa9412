"""Layers that are built by another name, `self.conv(...)`: which they are, by a traced run and the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.sites.traced import Traced
from padlint.syntax.formulas import assigned
from padlint.syntax.scopes import resolve
from padlint.syntax.source import Source
from padlint.syntax.units import File, Unit
from padlint.traces.model import FileTrace

_CALLEE = re.compile(r"(?:[^\W\d]\w*\s*\.\s*)*([^\W\d]\w*)\s*\(")
_DECIDING = frozenset(
    (
        *("kernel_size", "stride", "strides", "padding", "padding_mode", "data_format"),
        *("dilation", "dilation_rate", "kernel_dilation", "input_dilation"),
    )
)
"""Parameters that a call has to give itself, for it to be read without what `functools.partial` binds."""


def callee_names(trace: FileTrace, text: str) -> frozenset[str]:
    """The names by which traced calls are written."""
    source = Source(text)
    starts = (
        source.line_start(call.place.row) + call.place.column - 1 for call in trace.calls if call.place.column
    )
    return frozenset(match[1] for start in starts if (match := _CALLEE.match(source.text, start)))


class Callees:
    """Tells which operator a call builds whose name the file binds to nothing known.

    A run alone does not: a function of a library that builds the layer would be recorded at the same place.
    So everything that the file gives that name has to be the operator, or that with some other arguments.
    """

    def __init__(self, file: File, traced: Traced) -> None:
        self._file, self._traced = file, traced
        self._meant: dict[str, frozenset[str] | None] = {}

    def of(self, unit: Unit, call: cst.Call) -> Operator | None:
        """The operator that a call builds, None if that is not certain enough."""
        operator = self._traced.built(unit, call)
        if operator is None or operator.kind is not Kind.LAYER:
            return None
        name = _last(call.func)
        if name not in self._meant:
            self._meant[name] = self._means(name)
        meant = self._meant[name]
        return operator if meant is not None and meant == {operator.name} else None

    def _means(self, name: str) -> frozenset[str] | None:
        """The operators that the file gives a name; None if it gives it anything else."""
        found: set[str] = set()
        units = dict.fromkeys([*self._file.units, *(self._file.mentioning(name) or ())])
        for unit in units:
            for value in _given(unit, name):
                operator = _operator(unit, value, name)
                if operator is None:
                    return None
                found.update([operator] if operator else [])
        return frozenset(found)


def _given(unit: Unit, name: str) -> Iterator[cst.BaseExpression]:
    """What a unit assigns to a name or an attribute, or passes by that keyword."""
    for call in unit.index.calls:
        yield from (arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == name)
    for function in unit.index.functions:
        params = (*function.params.params, *function.params.kwonly_params)
        yield from (p.default for p in params if p.name.value == name and p.default is not None)
    for target in (*unit.index.names.get(name, ()), *unit.index.attributes.get(name, ())):
        value = assigned(unit, target) if target in unit.index.parents else None
        if value is not None:
            yield value


def _operator(unit: Unit, value: cst.BaseExpression, name: str) -> str | None:
    """The operator that a value is; empty if it is what has the name already, None for anything else."""
    if isinstance(value, cst.Call):
        scope = unit.index.scope_of(value)
        if resolve(scope, value.func).paths != ("functools.partial",) or not value.args:
            return None
        made, *rest = value.args
        if made.star or any(arg.keyword is None for arg in rest):
            return None
        found = _operator(unit, made.value, name)
        keywords = {arg.keyword.value for arg in rest if arg.keyword is not None}
        return None if keywords & _DECIDING else found
    paths = resolve(unit.index.scope_of(value), value, catalogue.star_exports).paths
    operator = catalogue.lookup(paths[0]) if len(paths) == 1 else None
    if operator is not None:
        return operator.name
    return "" if _last(value) == name else None


def _last(node: cst.BaseExpression) -> str:
    """The last word of a dotted name."""
    return node.attr.value if isinstance(node, cst.Attribute) else getattr(node, "value", "")
