"""Follows the sizes of tensors through the statements of a file, one function at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.options import Options
from padlint.sites.site import Site
from padlint.sizes.environment import Environment, bound_names, changes_its_object, leaves, target_names
from padlint.sizes.extent import Extent, Known, Lost, join
from padlint.sizes.models import HARMLESS, added, bound_elsewhere, container, is_private
from padlint.sizes.operators import output
from padlint.sizes.sources import Sources
from padlint.syntax.units import Unit
from padlint.syntax.uses import UseKind
from padlint.syntax.walk import code_children

# Managers of `with` that may swallow an exception, and with it the rest of the block.
_SUPPRESSING = re.compile(r"suppress|raises", re.I)
_PLAIN = frozenset({"training", "mask"})  # arguments of an application that change no size


class Flow:
    """The size that reaches each operator call of one unit."""

    def __init__(self, unit: Unit, sites: Sequence[Site], options: Options) -> None:
        self.unit = unit
        self.sites = {site.call: site for site in sites}
        self.sources = Sources(unit, options)
        self._applied = {call: site for site in sites for call in site.applications}
        self._inputs: dict[Site, Known] = {}
        self._followed: set[cst.Call] = set()
        self._scope = unit.scope
        self._run()

    def input_of(self, site: Site) -> Known:
        """What is known of the tensor that a site's operator runs on, over all its applications."""
        if site.operator.kind is Kind.LAYER and site.use.escapes:
            return Lost(site.use.escapes)
        if site.applications:
            if not self._followed.issuperset(site.applications):
                return Lost("its input is not followed here")
        elif site.use.kind not in (UseKind.ELEMENT, UseKind.ADDED):
            return Lost("where it is applied is not seen")
        return self._inputs.get(site, Lost("its input is not followed here"))

    def _run(self) -> None:
        module = Environment()
        for piece in self.unit.pieces:
            self._block(piece.module.body, module)
        for function in self.unit.index.functions:
            self._scope = self.unit.index.scopes[function]
            self._block(function.body.body, self._parameters(function))

    def _parameters(self, function: cst.FunctionDef) -> Environment:
        environment = Environment()
        for parameter in (*function.params.posonly_params, *function.params.params):
            self._bind(parameter.name.value, self.sources.parameter(function, parameter), environment)
        return environment

    def reach(self, site: Site, extent: Known) -> Known:
        """Record what reaches a site and return what leaves it."""
        before = self._inputs.get(site)
        self._inputs[site] = (
            extent if before is None else join(before, extent, "it is applied at several sizes")
        )
        return output(site, extent) if isinstance(extent, Extent) else extent

    # -- statements ------------------------------------------------------------------------------------------

    def _block(self, body: Iterable[cst.CSTNode], environment: Environment) -> None:
        for statement in body:
            self._statement(statement, environment)

    def _statement(self, node: cst.CSTNode, environment: Environment) -> None:
        if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
            self._block(node.body, environment)
        elif isinstance(node, (cst.Assign, cst.AnnAssign)):
            self._assign(node, environment)
        elif isinstance(node, cst.AugAssign):
            before, value = self.extent(node.target, environment), self.extent(node.value, environment)
            number = isinstance(node.value, (cst.Integer, cst.Float))
            self._store(node.target, before if number else join(before, value), environment)
        elif isinstance(node, cst.If):
            self._if(node, environment)
        elif isinstance(node, (cst.For, cst.While)):
            self._loop(node, environment)
        elif isinstance(node, (cst.Try, cst.TryStar)):
            self._try(node, environment)
        elif isinstance(node, cst.With):
            self._with(node, environment)
        elif isinstance(node, cst.Match):
            self._match(node, environment)
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            if isinstance(node, cst.ClassDef):
                around, self._scope = self._scope, self.unit.index.scopes[node]
                self._block(node.body.body, Environment())
                self._scope = around
            else:
                self.visit(node.params, environment)
            environment.lose(bound_names(node), "{} is a definition")
        else:
            self.visit(node, environment)
            if isinstance(node, (cst.Import, cst.ImportFrom, cst.Del)):
                environment.lose(bound_names(node), "{} is imported or deleted")

    def _assign(self, node: cst.Assign | cst.AnnAssign, environment: Environment) -> None:
        if node.value is None:
            return
        targets = [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]
        site = self.sites.get(node.value) if isinstance(node.value, cst.Call) else None
        if site is None or site.operator.family is not Family.CONTAINER:
            value = self.extent(node.value, environment)
            for target in targets:
                self._store(target, value, environment)
            return
        stack = container(self, site, environment)
        for target in targets:
            self._store(target, Lost("it is a model"), environment)
        if len(targets) == 1 and isinstance(targets[0], cst.Name):
            name = targets[0].value
            if is_private(self.unit, name, self._scope):
                environment.models[name] = stack

    def _store(self, target: cst.BaseExpression, value: Known, environment: Environment) -> None:
        if isinstance(target, cst.Name):
            self._bind(target.value, value, environment)
        elif isinstance(target, cst.Attribute):
            environment.lose(target_names(target.value), "an attribute of {} is assigned")
        else:
            environment.lose(target_names(target), "{} is unpacked from something")

    def _bind(self, name: str, value: Known, environment: Environment) -> None:
        reason = bound_elsewhere(self.unit, name, self._scope)
        environment.bind(name, Lost(reason) if reason else value)

    def _if(self, node: cst.If, environment: Environment) -> None:
        self.visit(node.test, environment)
        taken, other = environment.copy(), environment.copy()
        self._block(node.body.body, taken)
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse, other)
        elif node.orelse is not None:
            self._block(node.orelse.body.body, other)
        ends, other_ends = leaves(node.body), isinstance(node.orelse, cst.Else) and leaves(node.orelse.body)
        environment.become(other if ends else taken if other_ends else taken.joined(other))

    def _loop(self, node: cst.For | cst.While, environment: Environment) -> None:
        if isinstance(node, cst.For):
            self.visit(node.iter, environment)
        environment.lose(bound_names(node), f"{{}} is assigned in the loop of line {self.unit.row(node)}")
        if isinstance(node, cst.While):
            self.visit(node.test, environment)
        inside, behind = environment.copy(), environment.copy()
        self._block(node.body.body, inside)
        if node.orelse is not None:
            self._block(node.orelse.body.body, behind)
        environment.keep_models((inside, behind))

    def _try(self, node: cst.Try | cst.TryStar, environment: Environment) -> None:
        reason = "{} depends on a try statement"
        interrupted = environment.copy()
        interrupted.lose(bound_names(node.body), reason)
        self._block(node.body.body, environment)
        if node.orelse is not None:
            self._block(node.orelse.body.body, environment)
        for handler in node.handlers:
            inside = interrupted.copy()
            inside.lose(bound_names(handler.name), reason)
            self._block(handler.body.body, inside)
            environment.keep_models([inside])
        if any(not leaves(handler.body) for handler in node.handlers):
            environment.lose(bound_names(node.body, node.orelse, *node.handlers), reason)
        if node.finalbody is not None:
            interrupted.lose(bound_names(node.orelse, *node.handlers), reason)
            self._block(node.finalbody.body.body, interrupted)
            environment.lose(bound_names(node.finalbody), reason)
            environment.keep_models([interrupted])

    def _with(self, node: cst.With, environment: Environment) -> None:
        for item in node.items:
            self.visit(item.item, environment)
            environment.lose(bound_names(item.asname), "{} is what a with statement gives")
        self._block(node.body.body, environment)
        printer = cst.Module([])
        if any(_SUPPRESSING.search(printer.code_for_node(item.item)) for item in node.items):
            environment.lose(bound_names(node.body), "{} depends on what a with statement suppresses")

    def _match(self, node: cst.Match, environment: Environment) -> None:
        self.visit(node.subject, environment)
        reason = "{} depends on a match statement"
        for case in node.cases:
            inside = environment.copy()
            inside.lose(bound_names(case.pattern), reason)
            if case.guard is not None:
                self.visit(case.guard, inside)
            self._block(case.body.body, inside)
            environment.keep_models([inside])
        environment.lose(bound_names(*node.cases), reason)

    # -- expressions -----------------------------------------------------------------------------------------

    def visit(self, node: cst.CSTNode, environment: Environment) -> None:
        """Look at every expression below a node, for the calls in it."""
        if isinstance(node, cst.BaseExpression):
            self.extent(node, environment)
        elif not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.IndentedBlock)):
            for child in code_children(node):
                self.visit(child, environment)

    def extent(self, node: cst.BaseExpression, environment: Environment) -> Known:
        """What is known of the size of an expression."""
        if isinstance(node, cst.Name):
            environment.models.pop(node.value, None)  # whoever gets the model may add layers to it
            return environment.tensors.get(node.value) or Lost(f"{node.value} is not made in this function")
        if isinstance(node, cst.Call):
            return self._call(node, environment)
        if isinstance(node, cst.IfExp):
            self.visit(node.test, environment)
            return join(self.extent(node.body, environment), self.extent(node.orelse, environment))
        if isinstance(node, cst.BinaryOperation):
            return self._operation(node, environment)
        if isinstance(node, cst.NamedExpr):
            return self._walrus(node, environment)
        if isinstance(node, (cst.Lambda, cst.BaseComp)):
            environment.lose(bound_names(node), "{} is assigned in a comprehension")
            return Lost("it is computed by a comprehension or lambda")
        if (
            isinstance(node, cst.Attribute)
            and node.attr.value in HARMLESS
            and isinstance(node.value, cst.Name)
        ):
            return Lost("it is an attribute of a model")
        for child in code_children(node):
            self.visit(child, environment)
        return Lost("it is computed by an expression that padlint does not follow")

    def _operation(self, node: cst.BinaryOperation, environment: Environment) -> Known:
        left, right = self.extent(node.left, environment), self.extent(node.right, environment)
        if isinstance(node.operator, cst.MatrixMultiply):
            return Lost("it is a matrix product")
        if isinstance(left, Extent) and isinstance(node.right, (cst.Integer, cst.Float)):
            return left
        if isinstance(right, Extent) and isinstance(node.left, (cst.Integer, cst.Float)):
            return right
        return join(left, right)

    def _walrus(self, node: cst.NamedExpr, environment: Environment) -> Known:
        value = self.extent(node.value, environment)
        for name in target_names(node.target):
            before = environment.tensors.get(name)  # what the name keeps if this is not evaluated
            self._bind(name, value if before is None else join(before, value), environment)
        return value

    def _call(self, node: cst.Call, environment: Environment) -> Known:
        result = added(self, node, environment)
        if result is not None:
            return result
        site = self.sites.get(node)
        if site is not None and site.operator.family is Family.INPUT:
            return self.sources.declared(site)
        applied = self._applied.get(node)
        if applied is not None:
            return self._apply(applied, node, environment)
        if site is not None and site.operator.family is Family.CONTAINER:
            return container(self, site, environment).extent
        for child in code_children(node):
            self.visit(child, environment)
        if site is not None and site.operator.kind is Kind.LAYER:
            return Lost(f"{site.written} in line {self.unit.row(node)} is a layer, not a tensor")
        if isinstance(node.func, cst.Attribute) and changes_its_object(node):
            environment.lose(target_names(node.func.value), "{} is changed in place")
        written = cst.Module([]).code_for_node(node.func)
        if len(written) > 40 or "\n" in written:
            written = "a call"
        return Lost(f"{written} in line {self.unit.row(node)} is not followed")

    def _apply(self, site: Site, node: cst.Call, environment: Environment) -> Known:
        self._followed.add(node)
        source = site.input_of(node)
        others = [arg for arg in node.args if arg.value is not source]
        for child in (node.func, *others):
            if child is not site.call:
                self.visit(child, environment)
        extent: Known = Lost("its input is not written")
        if source is not None:
            extent = self.extent(source, environment)
        result = self.reach(site, extent)
        plain = all(arg.keyword is not None and arg.keyword.value in _PLAIN for arg in others)
        if site.operator.kind is Kind.LAYER and not plain:
            return Lost(f"{site.written} is given more than its input")
        return result
