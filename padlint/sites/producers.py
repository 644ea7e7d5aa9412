"""Which operator made the tensor that another one reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind
from padlint.sites.site import Site
from padlint.syntax.reaching import assignment_of
from padlint.syntax.scopes import Scope, resolve
from padlint.syntax.units import Unit
from padlint.syntax.uses import UseKind, block_of

_LIBRARIES = frozenset({"flax", "haiku", "jax", "keras", "numpy", "tensorflow", "tf_keras", "torch"})


@dataclass(frozen=True)
class Made:
    """A tensor as a call of an operator made it.

    `call` applies the operator; for a layer in a Sequential it is the layer itself. `reader` is the call that
    reads the tensor under a name, and `assignment` gave it that name; both are None where no name stands in
    between.
    """

    site: Site
    call: cst.Call
    reader: cst.Call | None = None
    assignment: cst.Assign | None = None


class Producers:
    """Finds the makers of tensors in one unit."""

    def __init__(self, unit: Unit, sites: Sequence[Site]) -> None:
        self.unit = unit
        self._by_call: dict[cst.BaseExpression, Site] = {site.call: site for site in sites}
        self._applied: dict[cst.BaseExpression, Site] = {}
        self._containers: dict[cst.BaseExpression, Site] = {}
        for site in sites:
            into = self._containers if site.operator.family is Family.CONTAINER else self._applied
            if site.operator.family is not Family.INPUT:
                into.update(dict.fromkeys(site.applications, site))

    def inputs(self, site: Site) -> list[Made | None]:
        """For every application of a site what made its input; empty where none is seen."""
        if site.operator.kind is Kind.LAYER and site.use.kind is UseKind.ELEMENT:
            return [self._sibling(site)]
        if site.operator.kind is Kind.LAYER and site.use.kind is UseKind.ADDED:
            return [self._added_before(site)]
        return [self.maker(site.input_of(call), call) for call in site.applications]

    def foreign(self, site: Site) -> bool:
        """Whether an input comes from a call that is no operator's, such as a module of the file's own."""
        applied = site
        if site.use.kind is UseKind.ELEMENT and site.use.position == 0 and in_sequential(site):
            applied = self._by_call.get(site.use.outer, site) if site.use.outer is not None else site
        sources = [self._source(applied.input_of(call))[0] for call in applied.applications]
        return any(isinstance(node, cst.Call) and self._is_foreign(node) for node in sources)

    def _is_foreign(self, call: cst.Call) -> bool:
        container = self._containers.get(call)
        if container is not None:
            elements = container.call.args
            return not elements or elements[-1].value not in self._by_call
        if call in self._applied or call in self._by_call:
            return False
        paths = resolve(self.unit.index.scope_of(call), call.func, catalogue.star_exports).paths
        return not paths or any(path.partition(".")[0] not in _LIBRARIES for path in paths)

    def _source(self, node: cst.BaseExpression | None) -> tuple[cst.BaseExpression | None, cst.Assign | None]:
        """The expression behind names, and the assignment to the first of them."""
        assignment: cst.Assign | None = None
        while isinstance(node, cst.Name):
            statement = assignment_of(self.unit, node)
            if statement is None:
                return None, None
            assignment = assignment or statement
            node = statement.value
        return node, assignment

    def source(self, node: cst.BaseExpression | None) -> cst.BaseExpression | None:
        """The expression that a name stands for, if it is certain; any other expression itself."""
        return self._source(node)[0]

    def maker(self, node: cst.BaseExpression | None, reader: cst.Call | None) -> Made | None:
        """What made the tensor that an expression stands for; None where that is no operator."""
        node, assignment = self._source(node)
        site = self._applied.get(node) if isinstance(node, cst.Call) else None
        if site is None or not isinstance(node, cst.Call):
            return None
        return Made(site, node, reader if assignment is not None else None, assignment)

    def _sibling(self, site: Site) -> Made | None:
        """The element before one of a Sequential."""
        if site.use.position < 1 or not in_sequential(site):
            return None
        return self._layer(site.use.siblings[site.use.position - 1])

    def _layer(self, node: cst.BaseExpression) -> Made | None:
        found = self._by_call.get(node) if isinstance(node, cst.Call) else None
        return Made(found, found.call) if found is not None and found.operator.kind is Kind.LAYER else None

    def _added_before(self, site: Site) -> Made | None:
        """The layer that `model.add` gets in the statement above."""
        outer, parents = site.use.outer, self.unit.index.parents
        statement = parents.get(outer) if outer is not None else None
        place = block_of(self.unit, statement) if isinstance(statement, cst.Expr) else None
        if place is None or place[1] < 1:
            return None
        line = getattr(place[0], "body", ())[place[1] - 1]
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        call = small.value if isinstance(small, cst.Expr) else None
        if not isinstance(call, cst.Call) or len(call.args) != 1 or outer is None:
            return None
        if not call.func.deep_equals(outer.func):
            return None
        return self._layer(call.args[0].value)


def in_sequential(site: Site) -> bool:
    """Whether the site is an element of a Sequential."""
    outer = site.use.outer
    return outer is not None and bool(site.use.siblings) and means_sequential(site.scope, outer.func)


def means_sequential(scope: Scope, func: cst.BaseExpression) -> bool:
    """Whether a name or attribute can mean nothing but a Sequential."""
    found = [catalogue.lookup(path) for path in resolve(scope, func, catalogue.star_exports).paths]
    return bool(found) and all(
        operator is not None and operator.family is Family.CONTAINER and operator.short == "Sequential"
        for operator in found
    )
