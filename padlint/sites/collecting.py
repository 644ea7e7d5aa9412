"""Finds the operator calls of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Operator
from padlint.sites.handed_over import handed_over
from padlint.sites.site import Partial, Site
from padlint.sites.traced import Traced
from padlint.sites.traced_callee import Callees
from padlint.syntax.binding import bind
from padlint.syntax.callers import Callers
from padlint.syntax.scopes import BindingKind, Candidates, Scope, resolve
from padlint.syntax.units import File, Unit
from padlint.syntax.worlds import Cases
from padlint.traces.model import FileTrace


@lru_cache(maxsize=1)
def interesting_names() -> frozenset[str]:
    """Names whose mention makes a definition worth parsing: convolutions, pools, pads and ONNX nodes."""
    return catalogue.operator_names(catalogue.PADDED) | {"make_node"}


def collect(file: File, wrappers: Mapping[str, str] | None = None) -> list[Site]:
    """Every call of a catalogued operator in the parsed parts of the file, in source order per unit.

    `wrappers` maps the dotted paths of the user's own operators to those that they behave like.
    """
    return Collector(file, wrappers or {}).sites()


class Collector:
    """Finds the sites of one file; `wrappers` as for `collect`, `trace` is what a run showed of it."""

    def __init__(self, file: File, wrappers: Mapping[str, str], trace: FileTrace | None = None) -> None:
        self.file = file
        self.traced = Traced(trace) if trace is not None else None
        self.callees = Callees(file, self.traced) if self.traced is not None else None
        self.wrappers = wrappers
        self.cases = Cases(Callers(file))

    def sites(self) -> list[Site]:
        """The sites in the parts that matter."""
        return [site for unit in self.file.units for site in self.sites_in(unit)]

    def sites_in(self, unit: Unit) -> list[Site]:
        """The sites in one unit, in source order."""
        return [*self._find(unit)]

    def _find(self, unit: Unit) -> Iterator[Site]:
        names = _all_names() | {path.rpartition(".")[2] for path in self.wrappers}
        for call in unit.index.calls:
            func = call.func
            if not isinstance(func, (cst.Name, cst.Attribute)):
                continue
            last = func.value if isinstance(func, cst.Name) else func.attr.value
            scope = None
            if last not in names:
                # An alias of an operator is a plain name that is not an operator's own.
                scope = unit.index.scope_of(call)
                if not isinstance(func, cst.Name) or scope.lookup(last) is None:
                    site = self._built(unit, call, scope)
                    if site is not None:
                        yield site
                    continue
            scope = scope or unit.index.scope_of(call)
            site = self._site(unit, call, func, scope) or self._partial(unit, call, scope)
            site = site or self._built(unit, call, scope)
            if site is not None:
                yield site

    def _site(
        self,
        unit: Unit,
        call: cst.Call,
        func: cst.BaseExpression,
        scope: Scope,
        made: tuple[cst.Call, Scope] | None = None,
    ) -> Site | None:
        """The site of a call, or of a call of what `functools.partial` made of a function."""
        home = made[1] if made is not None else scope
        candidates = resolve(home, func, catalogue.star_exports)
        if not candidates.paths and (path := handed_over(unit, home, func)):
            candidates = Candidates((path,), unsure=True)
        wrapped = any(path in self.wrappers for path in candidates.paths)
        found = [catalogue.lookup(self.wrappers.get(path, path)) for path in candidates.paths]
        known = {operator.name: operator for operator in found if operator is not None}
        if len(known) != 1:
            return None
        sure = not candidates.open and not candidates.unsure and None not in found and not wrapped
        if any(path.rpartition(".")[2] in unit.facts.patched for path in candidates.paths):
            sure = False  # `nn.Conv2d = ...` somewhere in the file
        operator = next(iter(known.values()))
        if made is None:
            return Site(unit, call, _generation(call, operator), scope, sure, self.cases, traced=self.traced)
        bound = bind(made[0].with_changes(args=made[0].args[1:]), operator.signature)
        return Site(unit, call, operator, scope, sure, self.cases, Partial(*made, bound), traced=self.traced)

    def _built(self, unit: Unit, call: cst.Call, scope: Scope) -> Site | None:
        """The site of a call that built a layer in a traced run, whatever its name is bound to."""
        operator = self.callees.of(unit, call) if self.callees is not None else None
        if operator is None:
            return None
        return Site(unit, call, _generation(call, operator), scope, False, self.cases, traced=self.traced)

    def _partial(self, unit: Unit, call: cst.Call, scope: Scope) -> Site | None:
        """The site of `conv(...)` behind `conv = functools.partial(layers.Conv2D, ...)`."""
        found = scope.lookup(call.func.value) if isinstance(call.func, cst.Name) else None
        if found is None or len(found[1]) != 1 or found[1][0].kind is not BindingKind.ASSIGN:
            return None
        made = found[1][0].expression()
        if not isinstance(made, cst.Call) or not made.args or made.args[0].keyword or made.args[0].star:
            return None
        if resolve(found[0], made.func).paths != ("functools.partial",):
            return None
        return self._site(unit, call, made.args[0].value, scope, (made, found[0]))


@lru_cache(maxsize=1)
def _all_names() -> frozenset[str]:
    return catalogue.operator_names(frozenset(Family))


def _generation(call: cst.Call, operator: Operator) -> Operator:
    """The operator with the signature that the call binds to: today's, or that of Keras 2 and TF 1."""
    generation = operator
    while (older := catalogue.older(generation)) is not None:
        if _fits(call, generation, older):
            return generation
        generation = older
    bound = bind(call, generation.signature)
    return operator if bound.surplus or (bound.unknown and not generation.var_keyword) else generation


def _fits(call: cst.Call, operator: Operator, older: Operator) -> bool:
    """Whether a call binds, without keywords that only the older signature has."""
    bound = bind(call, operator.signature)
    unknown = set(bound.unknown)
    if operator.var_keyword:
        unknown &= {parameter.name for parameter in older.signature}
    return not bound.surplus and not unknown
