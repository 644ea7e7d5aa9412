"""Whether every element that an operator reads is >= 0, so that a zero pad adds nothing to a maximum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, Operator
from padlint.rewrites.doubts import follows
from padlint.sites.producers import Made, Producers
from padlint.sites.site import Site
from padlint.syntax.functions import Function
from padlint.syntax.scopes import resolve
from padlint.syntax.uses import UseKind
from padlint.syntax.values import Evaluator

if TYPE_CHECKING:
    from padlint.rules.context import FileContext

_DEEPEST = 30  # tensors made of each other


def reads_nonnegative(context: FileContext, site: Site, *, certain: bool = True) -> bool:
    """Whether each input of a site comes from ReLU or the like, or from what leaves that without a sign.

    If it need not be certain, names that may mean something else are taken for what they seem to mean; so
    are those of what reaches a site whose own name is not certain.
    """
    return _Signs(context, certain, site.sure).reads(site)


@dataclass
class _Signs:
    """Looks for the signs of tensors, in the functions of the file too. `depth` counts what is on the way."""

    context: FileContext
    certain: bool
    sure: bool
    depth: int = 0

    def reads(self, site: Site) -> bool:
        """Whether each input of a site is nowhere negative."""
        if site.operator.kind is Kind.LAYER and site.use.kind in (UseKind.ELEMENT, UseKind.ADDED):
            makers = self.context.producers(site.unit).inputs(site)
            return bool(makers) and all(made is not None and self._made(made) for made in makers)
        sources = [(site.input_of(call), call) for call in site.applications]
        return bool(sources) and all(self._value(site, source, call) for source, call in sources)

    def _value(self, site: Site, node: cst.BaseExpression | None, reader: cst.Call | None) -> bool:
        """Whether what a site reads is nowhere negative; asked once, and not in circles."""
        if node is None or self.depth > _DEEPEST:
            return False
        key, memo = (_Signs, node, self.certain, self.sure), site.unit.memo
        if key not in memo:
            memo[key] = False
            self.depth += 1
            memo[key] = self._source(site, node, reader)
            self.depth -= 1
        return bool(memo[key])

    def _source(self, site: Site, node: cst.BaseExpression, reader: cst.Call | None) -> bool:
        producers = self.context.producers(site.unit)
        made = producers.maker(node, reader)
        if made is not None:
            return self._made(made)
        call = producers.source(node)
        if not isinstance(call, cst.Call) or site.operator.framework == "torch":  # may change in place
            return False
        scope = site.unit.index.scope_of(call)
        function = self.context.flow.functions.called(site.unit, call, scope)
        return function is not None and self._returned(function)

    def _returned(self, function: Function) -> bool:
        """Whether a function of the file returns nothing else."""
        node, memo = function.node, function.unit.memo
        key = (_Signs, node, self.certain, self.sure)
        if key not in memo:
            memo[key] = False  # where it calls itself
            plain = isinstance(node, cst.FunctionDef) and not node.decorators and node.asynchronous is None
            memo[key] = plain and not function.suspends and self._returns(function)
        return bool(memo[key])

    def _returns(self, function: Function) -> bool:
        producers = self.context.producers(function.unit)
        makers = [producers.maker(value, None) for value in function.returns]
        return bool(makers) and all(
            made is not None and made.site.operator.framework != "torch" and self._made(made)
            for made in makers
        )

    def _made(self, made: Made) -> bool:
        site = made.site
        if self.certain and not self._is_certain(site):
            return False
        if site.operator.framework == "torch" and not _straight(self.context.producers(site.unit), made):
            return False
        family = site.operator.family
        if family is Family.MAX_POOL and "dilation" not in site.bound.arguments:
            # A dilated window can lie in its own pad, which is -inf.
            return self.reads(site)
        if family is Family.CONCAT and site.operator.framework != "torch":
            return self._items(site, made.call)
        if family is Family.ELEMENTWISE and site.operator.non_negative:
            set_by_call = site.operator.unless & site.bound.arguments.keys()
            return not set_by_call and site.bound.double_star is None
        activation = activation_of(site)
        return activation is not None and activation.non_negative

    def _items(self, site: Site, call: cst.Call) -> bool:
        """Whether none of the tensors in a list that is written out is negative."""
        items = site.input_of(call)
        if not isinstance(items, (cst.List, cst.Tuple)) or not items.elements:
            return False
        return all(
            isinstance(item, cst.Element) and self._value(site, item.value, call) for item in items.elements
        )

    def _is_certain(self, site: Site) -> bool:
        """Whether a call runs the operator that it seems to run, and nothing else."""
        if site.bound.star is not None or (self.sure and not site.sure):
            return False
        return site.operator.kind is not Kind.LAYER or not site.use.escapes


def _straight(producers: Producers, made: Made) -> bool:
    """Whether nothing can have changed a tensor of PyTorch in place on the way to its reader."""
    if made.assignment is None or made.reader is None:
        return True
    return follows(producers.unit, made.assignment, made.reader)


def activation_of(site: Site) -> Operator | None:
    """The function that a layer of Keras applies to its output; None if it has none or an unknown one."""
    if site.operator.framework != "keras":
        return None
    argument = site.bound.arguments.get("activation")
    if argument is None:
        return None
    value = Evaluator(site.unit).value(argument.value, site.scope)
    if value.known:
        return catalogue.lookup(f"keras.activations.{value.only}") if isinstance(value.only, str) else None
    found = resolve(site.scope, argument.value, catalogue.star_exports)
    if len(found.paths) != 1 or found.open or found.unsure:
        return None
    return catalogue.lookup(found.paths[0])
