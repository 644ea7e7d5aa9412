"""PyTorch: naming what a pad is filled with, as an argument of F.pad."""

from __future__ import annotations

from itertools import chain

from padlint import catalogue
from padlint.catalogue.model import PadStyle
from padlint.findings import Edit, Program
from padlint.rewrites.calls import applications, before_program, layer_programs, set_padding, wrap
from padlint.rewrites.model import Refusal, Rewrite
from padlint.rewrites.names import means_the_same, spell
from padlint.sites.site import Site
from padlint.syntax.edits import add_argument, edited, remove_argument
from padlint.syntax.uses import UseKind


def zero_value(site: Site) -> Rewrite | Refusal:
    """A call of F.pad without a value, with `value=0`."""
    unit, call, source = site.unit, site.call, site.input_of(site.call)
    if source is None:
        return Refusal("its input is not written as an argument")
    argument = site.argument("value")
    edit = add_argument(unit, call, "value=0") if argument is None else unit.replace(argument.value, "0")
    after = Program((), edited(unit, unit.outer_span(call), [edit]), unit.text(source))
    return Rewrite((edit,), before_program(site, call, source), after)


def explicit_mode(site: Site, pads: list[tuple[int, int]], mode: str) -> Rewrite | Refusal:
    """A convolution of another padding mode, as one without padding and F.pad at every call of it."""
    if site.use.kind is not UseKind.ATTRIBUTE:
        return Refusal(
            "only in front of the calls of an attribute can a pad stand without new parameter names"
        )
    function = spell(site.scope, "torch.nn.functional.pad")
    if function is None:
        return Refusal("the file has no name for torch.nn.functional.pad")
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    if not all(means_the_same(site, call, function) for call, _ in found):
        return Refusal(f"{function} means something else where the convolution is called")
    zeros = _zeros_mode(site)
    if zeros is None:
        return Refusal("a comment stands beside padding_mode")
    layer = [set_padding(site, "0"), zeros]
    opening, closing = f"{function}(", f', {catalogue.write_pads(PadStyle.TORCH, pads)}, mode="{mode}")'
    wraps = [wrap(site.unit, source, opening, closing) for _, source in found]
    before, after = layer_programs(site, found[-1], wraps[-1], layer)
    return Rewrite((*layer, *chain(*wraps)), before, after)


def _zeros_mode(site: Site) -> Edit | None:
    """The edit that takes `padding_mode` back to its default; None if a comment would be lost."""
    argument = site.argument("padding_mode")
    if argument is None:
        return None
    if argument.keyword is None:
        return site.unit.replace(argument.value, '"zeros"')
    return remove_argument(site.unit, site.call, argument)
