"""Which layers an expression holds for sure: by how it was assigned, annotated or tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.sites.site import Site
from padlint.syntax.attributes import owner_of
from padlint.syntax.reaching import assignment_of
from padlint.syntax.scopes import BindingKind, Scope, resolve
from padlint.syntax.units import Unit
from padlint.syntax.uses import UseKind, is_store

_LEAVES = (cst.Continue, cst.Break, cst.Return, cst.Raise)


class Instances:
    """Finds the layers of one unit."""

    def __init__(self, unit: Unit, sites: Sequence[Site]) -> None:
        self.unit = unit
        self._by_call: Mapping[cst.BaseExpression, Site] = {site.call: site for site in sites}
        self._attributes = {
            (site.use.class_node, site.use.name): site
            for site in sites
            if site.operator.kind is Kind.LAYER and site.use.kind is UseKind.ATTRIBUTE
        }

    def built(self, node: cst.BaseExpression) -> Site | None:
        """The call that made what a name or an attribute of `self` holds."""
        if isinstance(node, cst.Attribute):
            return self._attributes.get((owner_of(self.unit, node.value), node.attr.value))
        statement = assignment_of(self.unit, node) if isinstance(node, cst.Name) else None
        return self._by_call.get(statement.value) if statement is not None else None

    def kinds(self, node: cst.BaseExpression) -> list[Operator]:
        """The layers of which it is an instance: one of these, where the file tests or declares that."""
        built = self.built(node)
        if built is not None:
            return [built.operator]
        return next(filter(None, self._tests(node)), None) or self._annotated(node)

    def _tests(self, node: cst.BaseExpression) -> Iterator[list[Operator]]:
        """What `isinstance` says of an expression, from the inside."""
        child: cst.CSTNode = node
        for ancestor in self.unit.ancestors(node):
            if isinstance(ancestor, (cst.FunctionDef, cst.Lambda, cst.ClassDef)) or self._binds(child, node):
                return
            if isinstance(ancestor, cst.If) and child is ancestor.body:
                yield from self._conjuncts(ancestor.test, node)
            if isinstance(ancestor, cst.For) and child is ancestor.body:
                yield from self._filter(ancestor, node)
            for statement in _before(ancestor, child):
                if isinstance(statement, cst.If) and statement.orelse is None and _leaves(statement.body):
                    yield from self._refused(statement.test, node)
            child = ancestor

    def _binds(self, around: cst.CSTNode, node: cst.BaseExpression) -> bool:
        """Whether a piece of code may give another value to the name that an expression begins with."""
        root = node
        while isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        names = self.unit.index.names.get(root.value, ()) if isinstance(root, cst.Name) else ()
        stores = (name for name in names if is_store(self.unit, name))
        return any(ancestor is around for name in stores for ancestor in self.unit.ancestors(name))

    def _conjuncts(self, test: cst.BaseExpression, node: cst.BaseExpression) -> Iterator[list[Operator]]:
        if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
            yield from self._conjuncts(test.left, node)
            yield from self._conjuncts(test.right, node)
        elif isinstance(test, cst.Call):
            yield from self._isinstance(test, node)
        elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            operation, left = test.comparisons[0], test.left
            same = isinstance(operation.operator, (cst.Equal, cst.Is))
            if same and isinstance(left, cst.Call) and _is_call(left, "type", node):
                yield self._layers(operation.comparator)

    def _refused(self, test: cst.BaseExpression, node: cst.BaseExpression) -> Iterator[list[Operator]]:
        """`if not isinstance(...): continue`."""
        if not isinstance(test, cst.UnaryOperation) or not isinstance(test.operator, cst.Not):
            return
        if isinstance(test.expression, cst.Call):
            yield from self._isinstance(test.expression, node)

    def _filter(self, loop: cst.For, node: cst.BaseExpression) -> Iterator[list[Operator]]:
        """`for m in [m for m in ... if isinstance(m, ...)]`."""
        made = loop.iter
        if isinstance(made, (cst.ListComp, cst.GeneratorExp)) and loop.target.deep_equals(node):
            for test in made.for_in.ifs:
                yield from self._conjuncts(test.test, made.elt)

    def _isinstance(self, call: cst.Call, node: cst.BaseExpression) -> Iterator[list[Operator]]:
        if _is_call(call, "isinstance", node) and len(call.args) == 2:
            yield self._layers(call.args[1].value)

    def _annotated(self, node: cst.BaseExpression) -> list[Operator]:
        """What a parameter is declared to be."""
        found = self.unit.index.scope_of(node).lookup(node.value) if isinstance(node, cst.Name) else None
        if found is None or len(found[1]) != 1 or found[1][0].kind is not BindingKind.PARAMETER:
            return []
        param = found[1][0].node
        annotation = param.annotation if isinstance(param, cst.Param) else None
        return self._layers(annotation.annotation) if annotation is not None else []

    def _layers(self, node: cst.BaseExpression) -> list[Operator]:
        """The layers that a class, or a tuple of classes, names."""
        nodes = [e.value for e in node.elements] if isinstance(node, (cst.Tuple, cst.List)) else [node]
        scope = self.unit.index.scope_of(node)
        found = [operator for item in nodes for operator in _operators(scope, item)]
        return [operator for operator in found if operator.kind is Kind.LAYER]


def _operators(scope: Scope, node: cst.BaseExpression) -> Iterator[Operator]:
    paths = resolve(scope, node, catalogue.star_exports).paths
    found = [catalogue.lookup(path) for path in paths]
    if None not in found:
        yield from (operator for operator in found if operator is not None)


def _is_call(call: cst.Call, name: str, subject: cst.BaseExpression) -> bool:
    """Whether a call reads `name(subject, ...)`."""
    if not (isinstance(call.func, cst.Name) and call.func.value == name and call.args):
        return False
    return call.args[0].value.deep_equals(subject)


def _before(block: cst.CSTNode, child: cst.CSTNode) -> list[cst.CSTNode]:
    """The statements of a block that stand before one of them."""
    body = getattr(block, "body", ())
    if not isinstance(body, (list, tuple)):
        return []
    position = next((i for i, item in enumerate(body) if item is child), 0)
    return list(body[:position])


def _leaves(block: cst.BaseSuite) -> bool:
    last = block.body[-1] if block.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, _LEAVES)
