"""JAX, Flax and Haiku: the pads as pairs in `padding=`, where these operators take them themselves."""

from __future__ import annotations

from padlint import catalogue
from padlint.catalogue import Kind, Pads, PadText, pads_nothing
from padlint.findings import Program
from padlint.rewrites.calls import before_program, edited_call, layer_program, set_padding, set_padding_word
from padlint.rewrites.model import Refusal, Rewrite
from padlint.sites.reading import data_format
from padlint.sites.site import Site
from padlint.syntax.edits import edited


def explicit_padding(site: Site, pads: Pads | PadText) -> Rewrite | Refusal:
    """The call with its pads written out; nothing is added around it, so that parameter trees stay."""
    style, layout = site.operator.pads, data_format(site)
    if style is None:
        return Refusal(f"{site.written} takes no amounts as padding")
    if layout is None:
        return Refusal("the dimension numbers are computed, and the order of the pads depends on them")
    if not pads_nothing(pads):
        edit = set_padding(site, catalogue.write_pads(style, pads, layout == "channels_last"))
    else:
        edit = set_padding_word(site, "valid")
    unit = site.unit
    if site.operator.kind is Kind.FUNCTION:
        source = site.input_of(site.call)
        if source is None:
            return Refusal("its input is not written as an argument")
        after = Program((), edited(unit, unit.outer_span(site.call), [edit]), unit.text(source))
        return Rewrite((edit,), before_program(site, site.call, source), after)
    return Rewrite((edit,), layer_program(unit.text(site.call)), layer_program(edited_call(site, [edit])))
