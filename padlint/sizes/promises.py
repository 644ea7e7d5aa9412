"""What the user promised about model inputs: for all files, for some, or in a comment beside the code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from padlint.catalogue.model import Family
from padlint.geometry import Exact, Size, multiple_of
from padlint.options import Options
from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Extent
from padlint.sizes.steps import Step, Steps
from padlint.syntax.directives import Directive
from padlint.syntax.units import File, Unit

_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)
_PASSES = frozenset({"forward", "call", "__call__"})


class Promises:
    """The promises that hold in one unit. The one that stands nearest counts."""

    def __init__(self, unit: Unit, options: Options, directives: Sequence[Directive]) -> None:
        self.unit = unit
        self._everywhere = _promised(options.input_size, options.input_multiple, options.promised_by)
        self._by_row = {found.row: found for found in directives if not found.malformed}

    @property
    def everywhere(self) -> Extent | None:
        """What is promised of every model input of the file."""
        return self._everywhere

    def of(self, call: cst.CSTNode) -> Extent | None:
        """What is promised of the input that a call declares."""
        if self._by_row:
            for node in (_statement(self.unit, call), *self.unit.ancestors(call)):
                found = self._beside(node)
                if found is not None:
                    return found
        return self._everywhere

    def of_first(self, function: cst.FunctionDef) -> Extent | None:
        """What a comment at a function, or at the class whose forward pass it is, promises of its input."""
        owner = self.unit.index.scope_of(function).node
        found = self._beside(function) if self._by_row else None
        if found is None and self._by_row and function.name.value in _PASSES and owner is not None:
            return self._beside(owner)
        return found

    def _beside(self, node: cst.CSTNode | None) -> Extent | None:
        for row in rows_of(self.unit, node):
            found = self._by_row.get(row)
            if found is not None:
                return _promised(found.size, found.multiple, str(found))
        return None


def _promised(size: tuple[int, ...] | None, multiple: int | None, where: str) -> Extent | None:
    every_axis: Size | None = None
    if size is not None:
        sizes = tuple(map(Exact, size)) if len(size) > 1 else ()
        every_axis = Exact(size[0]) if len(size) == 1 else None
        step = Step("x".join(map(str, size)), where or "--input-size")
    elif multiple is not None:
        sizes, every_axis = (), multiple_of(multiple)
        step = Step(f"a multiple of {multiple}", where or "--input-multiple")
    else:
        return None
    return Extent(sizes, Basis.PROMISE, Steps([step]), every_axis=every_axis, promised=True)


def rows_of(unit: Unit, node: cst.CSTNode | None) -> range:
    """The rows in which a comment concerns a node: all of a small statement, the head of a definition."""
    if node is None or not isinstance(node, (*_DEFINITIONS, cst.BaseSmallStatement)):
        return range(0)
    first = unit.row(node)
    if isinstance(node, cst.BaseSmallStatement):
        return range(first, unit.source.row(unit.span(node)[1]) + 1)
    body = node.body
    inside = body.body[0] if body.body else None
    end = unit.row(inside) if isinstance(body, cst.IndentedBlock) and inside is not None else first + 1
    return range(first, max(end, first + 1))


def _statement(unit: Unit, node: cst.CSTNode) -> cst.CSTNode | None:
    return next((a for a in unit.ancestors(node) if isinstance(a, cst.BaseSmallStatement)), None)


def idle(file: File, sites: Sequence[Site], directives: Sequence[Directive]) -> Iterator[Directive]:
    """The promises that stand in code which declares no input and defines nothing."""
    places: set[int] = set()
    for unit in file.units if directives else ():
        for definition in (*unit.index.functions, *unit.index.classes):
            places.update(rows_of(unit, definition))
    for site in sites if directives else ():
        if site.operator.family in (Family.INPUT, Family.CONTAINER):
            places.update(rows_of(site.unit, _statement(site.unit, site.call)))
    for found in directives:
        passed_over = any(first <= found.row <= last for first, last, _ in file.others)
        if found.row not in places and not passed_over:
            yield found
