"""A convolution that computes too much, and its output cropped: by a layer of Keras, or by a slice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import PadStyle
from padlint.findings import Edit, Program
from padlint.rewrites.calls import (
    SAMPLE,
    applications,
    before_program,
    edited_call,
    layer_program,
    new_row_after,
    own_row,
    set_padding,
    set_padding_word,
    whole_assignment,
    wrap,
)
from padlint.rewrites.caveats import with_caveats
from padlint.rewrites.fold import programs
from padlint.rewrites.keras import adds_to_sequential, beside
from padlint.rewrites.model import Refusal, Rewrite, unique
from padlint.rewrites.names import Spelled, means_the_same, taken
from padlint.rewrites.pads import PaddedConv
from padlint.rewrites.torch import numbers
from padlint.sites.producers import in_sequential
from padlint.sites.site import Site
from padlint.syntax.edits import edited, starts_row
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import UseKind

Crops = Sequence[tuple[int, int]]

_COMMA = re.compile(r"[ \t]*,[ \t]*(#[^\r\n]*)?(\r\n|\n|\r)")
_BY_NAME = re.compile(r"\bget_layer\s*\(")
_CROP_NAMED = re.compile(r"""["']cropping""")


def by_layer(file: File, site: Site, crops: Crops) -> Rewrite | Refusal:
    """Keras: `valid`, and a Cropping layer behind every application of the site."""
    amounts = catalogue.write_pads(PadStyle.KERAS, list(crops))
    shared = ("dtype",) if len(crops) == 1 else ("data_format", "dtype")  # Cropping1D has no data_format
    crop = beside(file, site, f"Cropping{len(crops)}D", amounts, shared)
    if isinstance(crop, Refusal):
        return crop
    builder = {
        UseKind.APPLIED: _applied,
        UseKind.LOCAL: _called,
        UseKind.ATTRIBUTE: _attribute,
        UseKind.ELEMENT: _element,
        UseKind.ADDED: _added,
    }.get(site.use.kind)
    if builder is None:
        return Refusal("the layer is handed on, so where it is applied is not seen")
    result = builder(file, site, crop, set_padding_word(site, "valid"))
    if isinstance(result, Refusal):
        return result
    result = with_caveats(file, site, result, _CROP_NAMED)
    caveats = (*result.caveats, *_named(file, site))
    return Rewrite(result.edits, result.before, result.after, caveats, result.added)


def _named(file: File, site: Site) -> list[str]:
    """What in the file may mean the output of a layer by its name."""
    text = file.source.text
    name = site.bound.unknown.get("name") or site.bound.arguments.get("name")
    if file.source.holds(_BY_NAME):
        return ["the file reaches layers by name, and this one's output is cropped in another now"]
    if name is None:
        return []
    if isinstance(name.value, cst.SimpleString):
        word = name.value.raw_value
        if text.count(f'"{word}"') + text.count(f"'{word}'") < 2:
            return []
    return ["the layer's name may be that of an output, which another layer has now"]


def _applied(file: File, site: Site, crop: Spelled, valid: Edit) -> Rewrite | Refusal:
    """`y = Conv2DTranspose(...)(x)`: two statements if it is a whole assignment, nested calls elsewhere."""
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    (call, source), unit = found[0], site.unit
    before = before_program(site, call, source)
    assignment = whole_assignment(unit, call)
    if assignment is None:
        edits = [valid, *wrap(unit, call, f"{crop.text}(")]
        after = Program((), _wrapped(unit, call, crop.text, [valid]), unit.text(source))
        return Rewrite(unique((*crop.edits, *edits)), before, after, added=crop.added)
    statement, target = assignment
    row = new_row_after(unit, statement, f"{target.value} = {crop.text}({target.value})")
    layer = edited(unit, unit.outer_span(call), [valid])
    after = Program((f"{target.value} = {layer}",), f"{crop.text}({target.value})", unit.text(source))
    return Rewrite(unique((*crop.edits, valid, row)), before, after, added=crop.added)


def _wrapped(unit: Unit, call: cst.Call, function: str, edits: list[Edit]) -> str:
    return f"{function}({edited(unit, unit.outer_span(call), edits)})"


def _called(file: File, site: Site, crop: Spelled, valid: Edit) -> Rewrite | Refusal:
    """`up = Conv2DTranspose(...)`, then `up(x)`: the crop goes around every call."""
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    if not all(means_the_same(site, call, crop.text) for call, _ in found):
        return Refusal("the names that the crop needs mean something else where the layer is applied")
    return _around(site, found, [crop.text] * len(found), (*crop.edits, valid), crop)


def _attribute(file: File, site: Site, crop: Spelled, valid: Edit) -> Rewrite | Refusal:
    """`self.up = Conv2DTranspose(...)`: `self.up_crop` beside it, and `self.up_crop(self.up(x))`."""
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    unit, statement = site.unit, site.use.statement
    if statement is None or not own_row(unit, statement):
        return Refusal("the assignment does not stand alone in its row")
    name = f"{site.use.name}_crop"
    if file.facts.attributes[name] or taken(file, name):
        return Refusal(f"the attribute {name} is taken")
    owners = [unit.text(call.func).rpartition(".")[0] for call, _ in found]
    row = f"{owners[0]}.{name} = {crop.text}"
    edits = (*crop.edits, valid, new_row_after(unit, statement, row))
    return _around(site, found, [f"{owner}.{name}" for owner in owners], edits, crop, (row,))


def _around(
    site: Site,
    found: list[tuple[cst.Call, cst.BaseExpression]],
    functions: list[str],
    edits: tuple[Edit, ...],
    crop: Spelled,
    setup: tuple[str, ...] = (),
) -> Rewrite:
    """Every application inside a call of the crop."""
    unit = site.unit
    wraps = [wrap(unit, call, f"{function}(") for (call, _), function in zip(found, functions, strict=True)]
    call, source = found[-1]  # it contains no other
    before = before_program(site, call, source)
    layer = f"{unit.text(call.func)} = {edited_call(site, list(edits))}"
    after = Program((*setup, layer), _wrapped(unit, call, functions[-1], []), unit.text(source))
    return Rewrite(unique((*edits, *chain(*wraps))), before, after, added=crop.added)


def _element(file: File, site: Site, crop: Spelled, valid: Edit) -> Rewrite | Refusal:
    """An element of `keras.Sequential([...])`: the crop is inserted behind it."""
    if not in_sequential(site):
        return Refusal("it is an argument of another call, so where it is applied is not seen")
    unit, source = site.unit, site.unit.source
    start, end = unit.outer_span(site.call)
    if not starts_row(unit, start):
        return _behind(site, crop, valid, unit.insert(end, f", {crop.text}"))
    row = f"{source.indentation(start)}{crop.text}"
    following = source.line_start(source.row(end) + 1)
    if _COMMA.fullmatch(source.text[end:following]):  # what stands behind the comma stays with its element
        return _behind(site, crop, valid, unit.insert(following, f"{row},{source.newline(following)}"))
    return _behind(site, crop, valid, unit.insert(end, f",{source.newline(end)}{row}"))


def _added(file: File, site: Site, crop: Spelled, valid: Edit) -> Rewrite | Refusal:
    """`model.add(Conv2DTranspose(...))`: `model.add(crop)` in the row behind it."""
    outer, unit = site.use.outer, site.unit
    statement = unit.index.parents.get(outer) if outer is not None else None
    if outer is None or not isinstance(statement, cst.Expr) or not own_row(unit, statement):
        return Refusal("the call of add does not stand alone in its row")
    row = new_row_after(unit, statement, f"{unit.text(outer.func)}({crop.text})")
    rewrite = _behind(site, crop, valid, row)
    if adds_to_sequential(site, outer):
        return rewrite
    caveat = f"{unit.text(outer.func)} may not be that of a keras.Sequential"
    return Rewrite(rewrite.edits, rewrite.before, rewrite.after, (caveat,), rewrite.added)


def _behind(site: Site, crop: Spelled, valid: Edit, insertion: Edit) -> Rewrite:
    before = layer_program(site.unit.text(site.call))
    after = Program(
        (f"padlint_layer = {edited_call(site, [valid])}", f"padlint_crop = {crop.text}"),
        f"padlint_crop(padlint_layer({SAMPLE}))",
        SAMPLE,
    )
    return Rewrite(unique((*crop.edits, valid, insertion)), before, after, added=crop.added)


def by_slice(site: Site, outputs: Sequence[int], crops: Crops, channels_last: bool) -> Rewrite | Refusal:
    """tf.nn: VALID with the output shape that it needs, and a slice of `outputs` elements per axis."""
    unit, source = site.unit, site.input_of(site.call)
    shape = site.argument("output_shape")
    if source is None or shape is None or not isinstance(shape.value, (cst.List, cst.Tuple)):
        return Refusal("its input and the shape of its output are not written as arguments")
    elements = [element.value for element in shape.value.elements]
    spatial = elements[1:-1] if channels_last else elements[2:]
    edits = [set_padding_word(site, "valid")]
    for element, n, pair in zip(spatial, outputs, crops, strict=True):
        if any(pair):
            edits.append(unit.replace(element, str(n + sum(pair))))
    parts = [f"{before}:{before + n}" for n, (before, _) in zip(outputs, crops, strict=True)]
    text = f"[{', '.join([':', *([] if channels_last else [':']), *parts])}]"
    edits.append(unit.insert(unit.outer_span(site.call)[1], text))
    after = Program((), edited(unit, unit.outer_span(site.call), edits), unit.text(source))
    return Rewrite(tuple(edits), before_program(site, site.call, source), after)


def crop_instead(found: PaddedConv, crops: Crops) -> Rewrite | Refusal:
    """PyTorch: neither pad nor padding, and the output cropped: other numbers than before."""
    conv = found.conv
    if found.problem:
        return Refusal(found.problem)
    if found.example is None:
        return Refusal("a Sequential has no place for a crop")
    edits = (set_padding(conv, "0"), *found.removals, *_slices(conv, crops))
    return Rewrite(unique(edits), added=found.added)


def symmetric_instead(found: PaddedConv, padding: list[int], crops: Crops) -> Rewrite | Refusal:
    """PyTorch: no pad, the same padding on both sides, and what that adds cropped off the output."""
    conv = found.conv
    if found.example is None:
        return Refusal("a Sequential has no place for a crop")
    if conv.use.kind is not UseKind.ATTRIBUTE:
        return Refusal("only at an attribute are all calls seen, whose output would be cropped")
    edits = [set_padding(conv, numbers(padding)), *found.removals, *_slices(conv, crops)]
    before, after = programs(found, edits)
    return Rewrite(unique(edits), before, after, added=found.added)


def _slices(conv: Site, crops: Crops) -> Iterator[Edit]:
    """A slice behind every application of a convolution of PyTorch, unless nothing is cropped."""
    if not any(map(any, crops)):
        return
    parts = [f"{before or ''}:{-after or ''}" for before, after in crops]
    for call in conv.applications:
        yield conv.unit.insert(conv.unit.outer_span(call)[1], f"[..., {', '.join(parts)}]")
