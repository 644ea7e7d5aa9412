"""Whether a functional model whose input size was promised is the whole model, or part of another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Extent, Known
from padlint.sizes.held import Graph, Held, Items, tensor
from padlint.sizes.models import called
from padlint.syntax.units import File, Unit

_ELSEWHERE = "models of this file are applied to inputs of the promised size only"
# The layers of a model may be run again, on tensors of other sizes: copied, rebuilt, or taken out of it and
# called. An attribute of a layer that was looked up (`get_layer("conv").output`) runs nothing.
_AGAIN = re.compile(
    r"\bclone_model\b|\._layers\b|\b_flatten_layers\b"
    r"|(?<!def )\b(?:from_config|model_from_config|model_from_json|model_from_yaml)\s*\("
    r"|(?<!def )\bget_layer\b(?!\s*\((?:[^()]|\([^()]*\))*\)\s*\.(?!call\b|__call__\b|layers\b)\w)"
    r"|\.layers\s*\[[^\]\n]*\]\s*\("
    r"|\bfor\s+(?:\w+\s*,\s*)?(\w+)\s+in\b[^\n]*\.layers\b(?:[^\n]*\n){0,8}?[^\n]*?\b\1\s*\("
)
_RERUN = "layers that the file runs again, or in a copy of their model, get inputs of this size"


class Applications:
    """The models without declared input size in one file, by what they are known, and their applications.

    A promise speaks of the inputs of whole models. Where one is applied to a tensor of another size, or to
    one of which nothing is known, no promised size of the file is certain.
    """

    def __init__(self, file: File) -> None:
        self._file = file
        self._words: set[str] = set()
        self._attributes: set[str] = set()
        self._fitting: set[cst.Call] = set()
        self._misfit = False
        self._elsewhere: bool | None = None

    def applied(self, node: cst.Call, graph: Graph, given: Held) -> None:
        """Note that a model is applied."""
        if _is_open(graph) and not _is_promised(graph, given):
            self._misfit = True
        self._fitting.add(node)

    def named(self, target: cst.BaseExpression, held: Held) -> None:
        """Note the name or attribute that gets a model."""
        if any(map(_is_open, _graphs(held))):
            self._words.update(_words(target))
            if isinstance(target, cst.Attribute):
                self._attributes.add(target.attr.value)

    def returned(self, held: Held, calls: Iterable[tuple[Unit, cst.Call]] | None) -> None:
        """Note that a function returns a model; `calls` are those not followed, None for unknown ones."""
        if not any(map(_is_open, _graphs(held))):
            return
        self._misfit |= calls is None
        for unit, call in calls or ():
            parent = unit.index.parents[call]
            if isinstance(parent, cst.Assign):
                for target in parent.targets:
                    self.named(target.target, held)
            elif not isinstance(parent, (cst.Attribute, cst.Expr)):
                self._misfit = True

    def handed(self, held: Held) -> None:
        """Note that a model is handed to code that may apply it."""
        self._misfit |= any(map(_is_open, _graphs(held)))

    def weighed(self, site: Site, known: Known) -> Known:
        """A size that reaches a site, as an assumption where what it rests on may not hold."""
        if not isinstance(known, Extent) or known.effective_basis is Basis.ASSUMED:
            return known
        if site.operator.framework == "keras" and self._file.source.holds(_AGAIN):
            return known.doubted(_RERUN)
        if not known.promised:
            return known
        if self._elsewhere is None:
            self._elsewhere = self._misfit or any(map(self._is_called, self._words))
        return known.doubted(_ELSEWHERE) if self._elsewhere else known

    def _is_called(self, word: str) -> bool:
        """Whether what a name or attribute holds is called where its input was not seen to fit."""
        readers = self._file.mentioning(word)
        if readers is None:
            return True
        reads: list[tuple[Unit, cst.BaseExpression]]
        reads = [(unit, node) for unit in readers for node in unit.index.names.get(word, ())]
        if any(_is_elsewhere(unit, word, node) for unit, node in reads):
            return True
        if word in self._attributes:
            parsed = {*self._file.units, *readers}
            found = [(unit, node) for unit in parsed for node in unit.index.attributes.get(word, ())]
            if self._file.facts.attributes[word] > len(found):
                return True
            reads += found
        return any(self._is_run(unit, node) for unit, node in reads)

    def _is_run(self, unit: Unit, node: cst.BaseExpression) -> bool:
        parent = unit.index.parents[node]
        while isinstance(parent, cst.Subscript):
            parent = unit.index.parents[parent]
        return isinstance(parent, cst.Call) and parent not in self._fitting


def _is_elsewhere(unit: Unit, word: str, node: cst.BaseExpression) -> bool:
    """Whether another function than the one that binds a name takes what it holds."""
    scope = unit.index.scope_of(node)
    found = scope.lookup(word)
    local = found is None or found[0] is scope
    return not local and not isinstance(unit.index.parents[node], (cst.Attribute, cst.Call))


def _is_open(graph: Graph) -> bool:
    """Whether a model takes any size, as far as is known."""
    return any(not isinstance(extent, Extent) or extent.promised for extent in graph.inputs)


def _is_promised(graph: Graph, given: Held) -> bool:
    tensors = given.items if isinstance(given, Items) else (given,)
    sure = (
        isinstance(known, Extent) and known.effective_basis <= Basis.PROMISE for known in map(tensor, tensors)
    )
    return all(sure) and called(graph, given) is graph.output


def _graphs(held: Held) -> Iterator[Graph]:
    if isinstance(held, Graph):
        yield held
    elif isinstance(held, Items):
        for item in held.items:
            yield from _graphs(item)


def _words(target: cst.BaseExpression) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Attribute):
        yield target.attr.value
    elif isinstance(target, cst.Subscript):
        yield from _words(target.value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _words(element.value)
