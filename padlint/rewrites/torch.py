"""PyTorch: an int padding, or F.pad in front of a convolution without padding. Parameter names stay."""

from __future__ import annotations

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.findings import Program
from padlint.rewrites.calls import (
    before_program,
    edited_call,
    layer_program,
    padded_inputs,
    set_padding,
)
from padlint.rewrites.model import Refusal, Rewrite
from padlint.rewrites.names import spell, taken
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
    problem = not_zeros(site)
    if problem is not None:
        return problem
    function = spell(site.scope, "torch.nn.functional.pad")
    if function is None:
        return Refusal("the file has no name for torch.nn.functional.pad")
    if site.use.kind is UseKind.ELEMENT and site.operator.kind is Kind.LAYER:
        return _subclass(file, site, pads, function)
    amounts = catalogue.write_pads(PadStyle.TORCH, pads)
    return padded_inputs(site, function, lambda call: amounts, set_padding(site, "0"))


def not_zeros(site: Site) -> Refusal | None:
    """Why a convolution may pad with anything but zeros; None if it does not."""
    if "padding_mode" not in site.operator.roles:
        return None
    mode = site.value("padding_mode")
    if mode.known and mode.only == "zeros":
        return None
    return Refusal("padding_mode is not zeros, which F.pad would write")


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
    place = _before_all_sites(file)
    text = _SUBCLASS.format(name=name, base=base, function=outside)
    text = text.replace("\n", unit.source.newline(place))
    if not unit.source.holds(text):
        if taken(file, name):
            return Refusal(f"the name {name} is taken in this file")
        edits.append(unit.insert(place, text))
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
