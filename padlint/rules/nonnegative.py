"""Whether every element that an operator reads is >= 0, so that a zero pad adds nothing to a maximum."""

from __future__ import annotations

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, Operator
from padlint.rewrites.doubts import follows
from padlint.sites.producers import Made, Producers
from padlint.sites.site import Site
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator


def reads_nonnegative(producers: Producers, site: Site) -> bool:
    """Whether each input of a site comes straight from ReLU or the like, or from a max pool of such."""
    makers = producers.inputs(site)
    return bool(makers) and all(maker is not None and _never_negative(producers, maker) for maker in makers)


def _never_negative(producers: Producers, made: Made) -> bool:
    site = made.site
    if not site.sure or site.bound.star is not None:
        return False
    if site.operator.kind is Kind.LAYER and site.use.escapes:
        return False
    if site.operator.framework == "torch" and not _straight(producers, made):
        return False
    if site.operator.family is Family.MAX_POOL and "dilation" not in site.bound.arguments:
        return reads_nonnegative(producers, site)  # a dilated window can lie in its own pad, which is -inf
    if site.operator.family is Family.ELEMENTWISE and site.operator.non_negative:
        set_by_call = site.operator.unless & site.bound.arguments.keys()
        return not set_by_call and site.bound.double_star is None
    activation = activation_of(site)
    return activation is not None and activation.non_negative


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
