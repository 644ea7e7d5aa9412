"""PyTorch: an int padding, or F.pad in front of a convolution without padding. Parameter names stay."""

from __future__ import annotations

from itertools import chain

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.findings import Program
from padlint.rewrites.calls import (
    applications,
    before_program,
    edited_call,
    layer_program,
    layer_programs,
    set_padding,
    wrap,
)
from padlint.rewrites.model import Refusal, Rewrite
from padlint.rewrites.names import means_the_same, spell, taken
from padlint.sites.collecting import collect
from padlint.sites.producers import in_sequential
from padlint.sites.site import Site
from padlint.syntax.edits import add_argument, edited
from padlint.syntax.units import File
from padlint.syntax.uses import UseKind

Pads = list[tuple[int, int]]

_SUBCLASS = '''\
class {name}({base}):
    """{base} behind an explicit zero pad: `pad` is (before, after) per axis, last axis first."""

    def __init__(self, *args, pad, **kwargs):
        super().__init__(*args, **kwargs)
        self.pad = pad

    def forward(self, input):
        return self._conv_forward({function}(input, self.pad), self.weight, self.bias)


'''


def numbers(amounts: list[int]) -> str:
    """Per-axis numbers as torch takes them: one int where they are equal."""
    return str(amounts[0]) if len(set(amounts)) == 1 else f"({', '.join(map(str, amounts))})"


def symmetric_padding(site: Site, amounts: list[int]) -> Rewrite:
    """The same call with an int (or one int per axis) as its padding."""
    edits = [set_padding(site, numbers(amounts))]
    unit = site.unit
    if site.operator.kind is Kind.FUNCTION:
        source = site.input_of(site.call)
        if source is None:
            return Rewrite(tuple(edits))
        after = Program((), edited(unit, unit.outer_span(site.call), edits), unit.text(source))
        return Rewrite(tuple(edits), before_program(site, site.call, source), after)
    after = layer_program(edited_call(site, edits))
    return Rewrite(tuple(edits), layer_program(unit.text(site.call)), after)


def explicit_padding(file: File, site: Site, pads: Pads) -> Rewrite | Refusal:
    """`padding=0`, and F.pad around the input of every application; a subclass inside a Sequential."""
    if "padding_mode" in site.operator.roles:
        mode = site.value("padding_mode")
        if not mode.known or mode.only != "zeros":
            return Refusal("padding_mode is not zeros, which F.pad would write")
    function = spell(site.scope, "torch.nn.functional.pad")
    if function is None:
        return Refusal("the file has no name for torch.nn.functional.pad")
    if site.use.kind is UseKind.ELEMENT and site.operator.kind is Kind.LAYER:
        return _subclass(file, site, pads, function)
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    if not all(means_the_same(site, call, function) for call, _ in found):
        return Refusal(f"{function} means something else where the convolution is called")
    unit = site.unit
    amounts = catalogue.write_pads(PadStyle.TORCH, pads)
    padding = set_padding(site, "0")
    wraps = [wrap(unit, source, f"{function}(", f", {amounts})") for _, source in found]
    before, after = layer_programs(site, found[-1], wraps[-1], [padding])
    return Rewrite((padding, *chain(*wraps)), before, after)


def _subclass(file: File, site: Site, pads: Pads, function: str) -> Rewrite | Refusal:
    """In a Sequential the element stays at its index: a subclass pads its own input."""
    if not in_sequential(site):
        return Refusal("it is an argument of another call, so where it is applied is not seen")
    if site.operator.short.startswith("Lazy"):
        return Refusal("a lazy layer becomes an instance of another class at its first call")
    base = spell(file.module, f"torch.nn.{site.operator.short}")
    outside = spell(file.module, "torch.nn.functional.pad")
    if base is None or outside is None:
        return Refusal("the file has no module-level names for the convolution and for F.pad")
    name, unit = f"Padded{site.operator.short}", site.unit
    edits = [
        set_padding(site, "0"),
        unit.replace(site.call.func, name),
        add_argument(unit, site.call, f"pad={catalogue.write_pads(PadStyle.TORCH, pads)}"),
    ]
    text = _SUBCLASS.format(name=name, base=base, function=outside).replace("\n", unit.source.newline)
    if not unit.source.holds(text):
        if taken(file, name):
            return Refusal(f"the name {name} is taken in this file")
        edits.append(unit.insert(_before_all_sites(file), text))
    caveat = "code that asks for the type of the layer, and fusing passes, do not know the subclass"
    return Rewrite(tuple(edits), caveats=(caveat,))


def _before_all_sites(file: File) -> int:
    """A place for a class that every convolution of the file can use."""
    convolutions = (site for site in collect(file) if site.operator.family is Family.CONV)
    return min(_top_level_start(site) for site in convolutions)


def _top_level_start(site: Site) -> int:
    """Offset of the first row of the top-level statement around a site, decorators and comments included."""
    unit = site.unit
    chain: list[cst.CSTNode] = [site.call, *unit.ancestors(site.call)]
    statement = chain[-2]
    decorators = getattr(statement, "decorators", ())
    start = unit.span(decorators[0] if decorators else statement)[0]
    row = unit.source.row(start)
    while row > 1 and unit.source.line(row - 1).startswith("#"):
        row -= 1
    return unit.source.line_start(row)
