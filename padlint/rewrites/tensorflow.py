"""tf.nn: explicit pairs in `padding=`, or tf.pad and VALID where the operator refuses pairs."""

from __future__ import annotations

from padlint import catalogue
from padlint.catalogue import Kind, Pads, PadStyle, PadText, pads_nothing
from padlint.findings import Program
from padlint.rewrites.calls import before_program, set_padding, set_padding_word, wrap
from padlint.rewrites.model import Refusal, Rewrite
from padlint.rewrites.names import spell
from padlint.sites.reading import data_format
from padlint.sites.site import Site
from padlint.syntax.edits import edited


def explicit_padding(site: Site, pads: Pads | PadText, fill: str | None = None) -> Rewrite | Refusal:
    """The call with its pads written out, ordered by data_format.

    `fill` has tf.pad write zeros (if empty) or what its text says; None leaves it to the operator if it can.
    """
    unit, call = site.unit, site.call
    if site.operator.kind is not Kind.FUNCTION:
        return Refusal("where the layer is applied is not followed")
    source = site.input_of(call)
    layout = data_format(site)
    if source is None:
        return Refusal("its input is not written as an argument")
    if layout is None:
        return Refusal("data_format is computed, and the order of the pads depends on it")
    amounts = catalogue.write_pads(PadStyle.TENSORFLOW, pads, layout == "channels_last")
    if pads_nothing(pads):
        edits = [set_padding_word(site, "valid")]
    elif site.operator.pads is PadStyle.TENSORFLOW and fill is None:
        edits = [set_padding(site, amounts)]
    else:
        function = spell(site.scope, "tensorflow.pad") or spell(site.scope, "tensorflow.compat.v1.pad")
        if function is None:
            return Refusal("the file has no name for tf.pad")
        closing = f", {amounts}, constant_values={fill})" if fill else f", {amounts})"
        edits = [set_padding_word(site, "valid"), *wrap(unit, source, f"{function}(", closing)]
    after = Program((), edited(unit, unit.outer_span(call), edits), unit.text(source))
    return Rewrite(tuple(edits), before_program(site, call, source), after)
