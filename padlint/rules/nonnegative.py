"""Whether every element that an operator reads is >= 0, so that a zero pad adds nothing to a maximum."""

from __future__ import annotations

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, Operator
from padlint.rewrites.doubts import follows
from padlint.sites.producers import Made, Producers
from padlint.sites.site import Site
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator


def reads_nonnegative(producers: Producers, site: Site, *, certain: bool = True) -> bool:
    """Whether each input of a site comes straight from ReLU or the like, or from a max pool of such.

    If it need not be certain, names that may mean something else are taken for what they seem to mean.
    """
    makers = producers.inputs(site)
    return bool(makers) and all(
        made is not None
        and (not certain or _is_certain(made.site))
        and _is_nonnegative(producers, made, certain)
        for made in makers
    )


def _is_certain(site: Site) -> bool:
    """Whether a call runs the operator that it seems to run, and nothing else."""
    if not site.sure or site.bound.star is not None:
        return False
    return site.operator.kind is not Kind.LAYER or not site.use.escapes


def _is_nonnegative(producers: Producers, made: Made, certain: bool) -> bool:
    site = made.site
    if site.operator.framework == "torch" and not _straight(producers, made):
        return False
    if site.operator.family is Family.MAX_POOL and "dilation" not in site.bound.arguments:
        # A dilated window can lie in its own pad, which is -inf.
        return reads_nonnegative(producers, site, certain=certain)
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
