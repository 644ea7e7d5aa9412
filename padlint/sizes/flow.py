"""Follows the sizes of tensors through the statements of a file, one function at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.options import Options
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, Lost, join
from padlint.sizes.operators import output
from padlint.sizes.sources import Sources
from padlint.syntax.units import Unit
from padlint.syntax.uses import UseKind
from padlint.syntax.walk import code_children

Environment = dict[str, Known]


class Flow:
    """The size that reaches each operator call of one unit."""

    def __init__(self, unit: Unit, sites: Sequence[Site], options: Options) -> None:
        self.unit = unit
        self.sites = {site.call: site for site in sites}
        self.sources = Sources(unit, options)
        self._applied = {call: site for site in sites for call in site.applications}
        self._inputs: dict[Site, Known] = {}
        self._run()

    def input_of(self, site: Site) -> Known:
        """What is known of the tensor that a site's operator runs on, over all its applications."""
        if site in self._inputs:
            return self._inputs[site]
        if not site.applications and site.use.kind not in (UseKind.ELEMENT, UseKind.ADDED):
            return Lost("where it is applied is not seen")
        return Lost("its input is not followed here")

    def _run(self) -> None:
        module: Environment = {}
        for piece in self.unit.pieces:
            self._block(piece.module.body, module)
        for function in self.unit.index.functions:
            self._block(function.body.body, self._parameters(function))

    def _parameters(self, function: cst.FunctionDef) -> Environment:
        return {
            parameter.name.value: self.sources.parameter(function, parameter)
            for parameter in (*function.params.posonly_params, *function.params.params)
        }

    # -- statements ------------------------------------------------------------------------------------------

    def _block(self, body: Iterable[cst.CSTNode], environment: Environment) -> None:
        for statement in body:
            self._statement(statement, environment)

    def _statement(self, node: cst.CSTNode, environment: Environment) -> None:
        if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
            self._block(node.body, environment)
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            if isinstance(node, cst.ClassDef):
                self._block(node.body.body, {})
        elif isinstance(node, cst.Assign):
            value = self._extent(node.value, environment)
            for target in node.targets:
                self._store(target.target, value, environment)
        elif isinstance(node, cst.AnnAssign) and node.value is not None:
            self._store(node.target, self._extent(node.value, environment), environment)
        elif isinstance(node, cst.AugAssign):
            value = join(self._extent(node.target, environment), self._extent(node.value, environment))
            self._store(node.target, value, environment)
        elif isinstance(node, cst.If):
            self._if(node, environment)
        elif isinstance(node, (cst.For, cst.While)):
            self._loop(node, environment)
        elif isinstance(node, (cst.Try, cst.TryStar)):
            self._try(node, environment)
        elif isinstance(node, cst.With):
            for item in node.items:
                self._visit(item, environment)
            self._block(node.body.body, environment)
        else:
            self._visit(node, environment)

    def _store(self, target: cst.BaseExpression, value: Known, environment: Environment) -> None:
        if isinstance(target, cst.Name):
            environment[target.value] = value
            return
        for name in _names(target):
            environment[name] = Lost(f"{name} is unpacked from something")

    def _if(self, node: cst.If, environment: Environment) -> None:
        self._visit(node.test, environment)
        taken, other = dict(environment), dict(environment)
        self._block(node.body.body, taken)
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse, other)
        elif node.orelse is not None:
            self._block(node.orelse.body.body, other)
        ends, other_ends = _ends(node.body), isinstance(node.orelse, cst.Else) and _ends(node.orelse.body)
        environment.clear()
        environment.update(other if ends else taken if other_ends else _joined(taken, other))

    def _loop(self, node: cst.For | cst.While, environment: Environment) -> None:
        row = self.unit.row(node)
        self._visit(node.iter if isinstance(node, cst.For) else node.test, environment)
        for name in _assigned(node):
            environment[name] = Lost(f"{name} is assigned in the loop of line {row}")
        inside = dict(environment)
        self._block(node.body.body, inside)
        if node.orelse is not None:
            self._block(node.orelse.body.body, dict(environment))

    def _try(self, node: cst.Try | cst.TryStar, environment: Environment) -> None:
        self._block(node.body.body, environment)
        for handler in node.handlers:
            self._block(handler.body.body, dict(environment))
        if node.handlers:
            for name in _assigned(node):
                environment[name] = Lost(f"{name} depends on a try statement")
        for part in (node.orelse, node.finalbody):
            if part is not None:
                self._block(part.body.body, environment)

    # -- expressions -----------------------------------------------------------------------------------------

    def _visit(self, node: cst.CSTNode, environment: Environment) -> None:
        """Look at every expression below a node, for the calls in it."""
        if isinstance(node, cst.BaseExpression):
            self._extent(node, environment)
        elif not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.IndentedBlock)):
            for child in code_children(node):
                self._visit(child, environment)

    def _extent(self, node: cst.BaseExpression, environment: Environment) -> Known:
        if isinstance(node, cst.Name):
            return environment.get(node.value) or Lost(f"{node.value} is not made in this function")
        if isinstance(node, cst.Call):
            return self._call(node, environment)
        if isinstance(node, cst.IfExp):
            self._visit(node.test, environment)
            return join(self._extent(node.body, environment), self._extent(node.orelse, environment))
        if isinstance(node, cst.BinaryOperation):
            left, right = self._extent(node.left, environment), self._extent(node.right, environment)
            if isinstance(left, Extent) and isinstance(node.right, (cst.Integer, cst.Float)):
                return left
            if isinstance(right, Extent) and isinstance(node.left, (cst.Integer, cst.Float)):
                return right
            return join(left, right)
        if isinstance(node, (cst.Lambda, cst.BaseComp)):
            return Lost("it is computed by a comprehension or lambda")
        for child in code_children(node):
            self._visit(child, environment)
        return Lost("it is computed by an expression that padlint does not follow")

    def _call(self, node: cst.Call, environment: Environment) -> Known:
        added = self._added(node, environment)
        if added is not None:
            return added
        site = self.sites.get(node)
        if site is not None and site.operator.family is Family.INPUT:
            return self.sources.declared(site)
        applied = self._applied.get(node)
        if applied is not None:
            return self._apply(applied, node, environment)
        if site is not None and site.operator.family is Family.CONTAINER:
            return self._container(site, environment)
        for child in code_children(node):
            self._visit(child, environment)
        if site is not None and site.operator.kind is Kind.LAYER:
            return Lost(f"{site.written} in line {self.unit.row(node)} is a layer, not a tensor")
        written = cst.Module([]).code_for_node(node.func)
        if len(written) > 40 or "\n" in written:
            written = "a call"
        return Lost(f"{written} in line {self.unit.row(node)} is not followed")

    def _apply(self, site: Site, node: cst.Call, environment: Environment) -> Known:
        source = site.input_of(node)
        for child in code_children(node):
            if not (isinstance(child, cst.Arg) and child.value is source) and child is not site.call:
                self._visit(child, environment)
        extent: Known = Lost("its input is not written")
        if source is not None:
            extent = self._extent(source, environment)
        return self._pass(site, extent)

    def _pass(self, site: Site, extent: Known) -> Known:
        """Record what reaches a site and return what leaves it."""
        opens = site.use.kind in (UseKind.ELEMENT, UseKind.ADDED) and getattr(extent, "chain", None) is None
        declared = self.sources.declared_by_layer(site) if opens else None
        if declared is not None:  # only the layer that opens a Sequential is heard
            extent = declared
        before = self._inputs.get(site)
        self._inputs[site] = extent if before is None else _same(before, extent)
        return output(site, extent) if isinstance(extent, Extent) else extent

    def _container(self, site: Site, environment: Environment) -> Known:
        """A Sequential with its layers in place: each reads what the one before it leaves."""
        extent = self.sources.container(site)
        for element in _elements(site):
            layer = self.sites.get(element) if isinstance(element, cst.Call) else None
            if layer is None:
                self._visit(element, environment)
                extent = Lost("an element before it is not a layer that padlint knows")
            elif layer.operator.family is Family.INPUT:
                extent = self.sources.declared(layer, sequential=True)
            elif layer.operator.family is Family.CONTAINER:
                self._container(layer, environment)
                extent = Lost("a nested model before it is not followed")
            else:
                extent = self._pass(layer, extent)
        return extent

    def _added(self, node: cst.Call, environment: Environment) -> Known | None:
        """`model.add(layer)` on a name that holds a Sequential."""
        if not (
            isinstance(node.func, cst.Attribute) and node.func.attr.value == "add" and len(node.args) == 1
        ):
            return None
        model, element = node.func.value, node.args[0].value
        layer = self.sites.get(element) if isinstance(element, cst.Call) else None
        if not isinstance(model, cst.Name) or layer is None:
            if isinstance(model, cst.Name) and model.value in environment:
                environment[model.value] = Lost("an element before it is not a layer that padlint knows")
            return None
        extent = environment.get(model.value) or Lost(f"{model.value} is not made in this function")
        if layer.operator.family is Family.INPUT:
            environment[model.value] = self.sources.declared(layer, sequential=True)
        else:
            environment[model.value] = self._pass(layer, extent)
        return Lost("add returns nothing")


def _elements(site: Site) -> list[cst.BaseExpression]:
    """The layers written inside a container call; starred ones are cut off with a placeholder."""
    values: list[cst.BaseExpression] = []
    for arg in site.call.args:
        if arg.keyword is not None and arg.keyword.value != "layers":
            continue
        if isinstance(arg.value, (cst.List, cst.Tuple)):
            values += [element.value for element in arg.value.elements]
        else:
            values.append(arg.value)
    return values


def _same(first: Known, second: Known) -> Known:
    joined = join(first, second)
    if isinstance(joined, Lost) and isinstance(first, Extent) and isinstance(second, Extent):
        return Lost("it is applied at several sizes")
    return joined


def _joined(first: Environment, second: Environment) -> Environment:
    result: Environment = {}
    for name in {**first, **second}:
        if name in first and name in second:
            result[name] = join(first[name], second[name])
        else:
            result[name] = first.get(name) or second[name]
    return result


def _ends(body: cst.BaseSuite) -> bool:
    """Whether a block always leaves: its last statement is return, raise, continue or break."""
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break))


def _names(target: cst.CSTNode) -> list[str]:
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
        return [name for child in code_children(target) for name in _names(child)]
    return []


def _assigned(node: cst.CSTNode) -> list[str]:
    """Names that statements below a node assign, definitions left out."""
    names: list[str] = []
    for child in code_children(node):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        if isinstance(child, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
            names += _names(child.target)
        elif (
            isinstance(child, cst.Call)
            and isinstance(child.func, cst.Attribute)
            and child.func.attr.value == "add"
        ):
            names += _names(child.func.value)
        names += _assigned(child)
    return names
