"""Follows the sizes of tensors through a file: which functions run, and what reaches each operator."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.options import Options
from padlint.sites.reading import Reading, readings
from padlint.sites.site import Site
from padlint.sizes.applications import Applications
from padlint.sizes.callers import Callers, Runs
from padlint.sizes.environment import Environment
from padlint.sizes.expressions import Expressions
from padlint.sizes.extent import Extent, Known, Lost, join
from padlint.sizes.following import Result
from padlint.sizes.held import Closure, Record, Stack
from padlint.sizes.operands import Mismatch
from padlint.sizes.operators import output, regained
from padlint.sizes.parts import Parts
from padlint.sizes.promises import Promises
from padlint.sizes.sources import Sources
from padlint.sizes.statements import Body
from padlint.syntax.directives import directives
from padlint.syntax.functions import Function, Functions
from padlint.syntax.scopes import Scope
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import UseKind

_PER_ROW = 5  # statements of followed calls that are run for each row of the file, and some more
_AT_LEAST = 5000


@dataclass(frozen=True)
class Context:
    """One run of an operator: what reaches it, and its arguments in this run.

    `outside` names the function that another file would have to call for it, `record` the model without
    declared input that it is an element of.
    """

    extent: Known
    site: Site
    outside: str = ""
    record: Record | None = None

    @property
    def readings(self) -> list[Reading]:
        """The geometry of the call in this run."""
        return readings(self.site)


class Flow:
    """The size that reaches each operator call of a file."""

    def __init__(
        self, file: File, sites: Sequence[Site], options: Options, find: Callable[[Unit], Sequence[Site]]
    ) -> None:
        self.file = file
        self.options = options
        self.functions = Functions(file)
        self.runs = Runs()
        self.active: set[cst.CSTNode] = set()
        self.results: dict[Hashable, Result] = {}
        self.reads: dict[cst.CSTNode, list[str]] = {}
        self.spent = 0
        self.cases = sites[0].cases if sites else None
        self._find = find
        self._directives = directives(file.source)
        self._limit = _AT_LEAST + _PER_ROW * len(file.source.line_starts)
        self._sites: dict[cst.Call, Site] = {}
        self._applied: dict[cst.Call, Site] = {}
        self._sources: dict[Unit, Sources] = {}
        self._contexts: dict[cst.Call, dict[Hashable, Context]] = {}
        self._mismatches: dict[cst.CSTNode, list[Mismatch]] = {}
        self._units: set[Unit] = set(file.units)
        self.applications = Applications(file)
        self.parts = Parts(file, self)
        self._add(sites)
        self._run()

    # -- what is known afterwards ----------------------------------------------------------------------------

    def input_of(self, site: Site) -> Known:
        """What is known of the tensor that a site's operator runs on, over all its applications."""
        return self.applications.weighed(site, self._input_of(site))

    def _input_of(self, site: Site) -> Known:
        doubt = self.parts.doubt(site)
        if doubt:
            return Lost(doubt)
        if self.parts.in_attribute(site):
            return self._over_all(site)
        if site.operator.kind is Kind.LAYER and site.use.escapes:
            return Lost(site.use.escapes)
        if site.applications:
            if not self.runs.followed.issuperset(site.applications):
                return Lost("its input is not followed here")
        elif site.use.kind not in (UseKind.ELEMENT, UseKind.ADDED):
            return Lost("where it is applied is not seen")
        return self._over_all(site)

    def _over_all(self, site: Site) -> Known:
        contexts = self.contexts(site)
        inside = _joined(context.extent for context in contexts if not context.outside)
        outside = _joined(context.extent for context in contexts if context.outside)
        if inside is None or outside is None:
            return inside or outside or Lost("its input is not followed here")
        both = join(inside, outside) if isinstance(outside, Extent) else outside
        if isinstance(both, Extent) or isinstance(inside, Lost):
            return both if isinstance(both, Extent) else inside
        name = next(context.outside for context in contexts if context.outside)
        return inside.doubted(f"{name}() is called in this file only")

    def contexts(self, site: Site) -> list[Context]:
        """Every different run of a site's operator."""
        found = self._contexts.get(site.call, {}).values()
        return [c for c in found if c.record is None or not c.record.applied or c.record.escapes]

    def mismatches(self) -> list[Mismatch]:
        """Operations whose operands do not fit."""
        return [found[0] for found in self._mismatches.values() if found]

    # -- for the bodies --------------------------------------------------------------------------------------

    def reach(self, body: Expressions, site: Site, extent: Known, record: Record | None = None) -> Known:
        """Record what reaches a site and return what leaves it."""
        context = Context(extent, site, body.outside, record)
        told = _told(extent), bool(body.outside), id(record), _arguments(site)
        self._contexts.setdefault(site.call, {}).setdefault(told, context)
        return output(site, extent) if isinstance(extent, Extent) else regained(site, extent)

    def mismatch(self, mismatch: Mismatch) -> None:
        """Note tensors that cannot be put together."""
        self._mismatches.setdefault(mismatch.node, []).append(mismatch)

    def site_at(self, node: cst.CSTNode) -> Site | None:
        """The operator that a call names."""
        return self._sites.get(node) if isinstance(node, cst.Call) else None

    def applied(self, node: cst.Call) -> Site | None:
        """The operator of a layer in an attribute or name, where that is certain."""
        return self._applied.get(node)

    def sources(self, unit: Unit) -> Sources:
        """Where sizes enter a unit."""
        if unit not in self._sources:
            self._sources[unit] = Sources(unit, Promises(unit, self.options, self._directives))
        return self._sources[unit]

    def afford(self, unit: Unit, count: int = 1) -> bool:
        """Whether one more call (or round) may be followed; the unit is looked at first, if it is new."""
        if unit not in self._units:
            self._units.add(unit)
            self._add(self._find(unit))
        return self.spent + count < self._limit

    def body(
        self, function: Function, around: tuple[tuple[Scope, Environment], ...], outside: str, depth: int
    ) -> Body:
        """A run of a function."""
        return Body(self, function.unit, function.scope, around, outside=outside, depth=depth)

    def body_of(
        self, unit: Unit, scope: Scope, around: tuple[tuple[Scope, Environment], ...], outside: str
    ) -> Body:
        """A run of the code of a class."""
        return Body(self, unit, scope, around, outside=outside)

    # -- the run ---------------------------------------------------------------------------------------------

    def _add(self, sites: Iterable[Site]) -> None:
        for site in sites:
            self._sites[site.call] = site
            if site.use.kind is not UseKind.ATTRIBUTE or not site.use.escapes:
                for call in site.applications:
                    self._applied.setdefault(call, site)

    def _run(self) -> None:
        """Run the module, then each function that somebody else may call, callers first."""
        callers = Callers(self.file, self.parts.is_method)
        self._units.update(callers.units)
        for unit in callers.units:
            if unit not in self.file.units:
                self._add(self._find(unit))
        for unit in callers.units:
            body = Body(self, unit, unit.scope)
            environment = Environment()
            for piece in unit.pieces:
                body.block(piece.module.body, environment)
        for function in callers.ordered:
            if self.parts.is_method(function.node):
                continue
            outside = callers.outside(function, self.runs)
            if outside is not None:
                self.alone(function, outside, callers.unfollowed(function, self.runs))
        self.parts.finish()

    def part(self, body: Expressions, scope: Scope, environment: Environment) -> Body:
        """The run of a comprehension, which sees the names around it."""
        around = ((body.scope, environment), *body.around)
        return Body(self, body.unit, scope, around, outside=body.outside, depth=body.depth)

    def alone(
        self, function: Function, outside: str, unfollowed: Iterable[tuple[Unit, cst.Call]] | None = ()
    ) -> None:
        """Run a function with whatever its parameters may be."""
        node = function.node
        assert isinstance(node, cst.FunctionDef)
        body = self.body(function, (), outside, 0)
        environment = Environment()
        params = node.params
        sources = self.sources(function.unit)
        for parameter in (*params.posonly_params, *params.params, *params.kwonly_params):
            body.bind(parameter.name.value, sources.parameter(node, parameter), environment)
        self.active.add(node)
        held = body.run(node, environment)
        self.active.discard(node)
        if isinstance(held, Stack):
            held.record.escapes = True
        self.applications.returned(held, unfollowed)
        if isinstance(held, Closure):
            self.runs.escape(held.function.node, outside)


def _joined(extents: Iterable[Known]) -> Known | None:
    result: Known | None = None
    for extent in extents:
        result = extent if result is None else join(result, extent, "it is applied at several sizes")
    return result


def _told(extent: Known) -> Hashable:
    """What tells one run from another; the way that led to a size does not."""
    if isinstance(extent, Lost):
        return extent
    told = (extent.sizes, extent.every_axis, extent.channels, extent.channels_last)
    return (*told, extent.basis, extent.note, id(extent.chain))


def _arguments(site: Site) -> Hashable:
    """The geometry of a call in one run."""
    return tuple((r.axes, repr(r.padding), r.sure) for r in readings(site)) if site.has("stride") else ()
