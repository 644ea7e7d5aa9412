"""Keras: an explicit ZeroPadding layer in front, and padding="valid"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import libcst as cst

from padlint import catalogue
from padlint.catalogue import Kind, Pads, PadStyle, PadText, pads_nothing
from padlint.findings import Edit, Program
from padlint.rewrites.calls import (
    SAMPLE,
    applications,
    before_program,
    edited_call,
    layer_program,
    layer_programs,
    new_row_before,
    own_row,
    padded_inputs,
    set_padding_word,
    whole_assignment,
    wrap,
)
from padlint.rewrites.caveats import with_caveats
from padlint.rewrites.insertion import named
from padlint.rewrites.model import Refusal, Rewrite, unique
from padlint.rewrites.names import Spelled, means_the_same, sibling, taken
from padlint.rewrites.order import CAVEAT, may_reorder_weights
from padlint.sites.producers import in_sequential, means_sequential
from padlint.sites.reading import data_format
from padlint.sites.site import Site
from padlint.syntax.edits import edited, remove_argument, starts_row
from padlint.syntax.repeating import repeatable
from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import File
from padlint.syntax.uses import UseKind
from padlint.syntax.walk import descendants

# Names by which a layer declares the shape of a model's input; they move to the layer that comes first.
_SHAPES = ("input_shape", "batch_input_shape", "batch_shape")
# Pads without a name of their own are numbered in the order in which they are built.
_PAD_NAMED = re.compile(r"""["']zero_?padding""")


def explicit_padding(file: File, site: Site, pads: Pads | PadText, keras_pad: str) -> Rewrite | Refusal:
    """`valid`, and the pads written as a ZeroPadding layer (or keras.ops.pad) on every input of the site.

    Pads that are all zero need no layer.
    """
    valid = set_padding_word(site, "valid")
    if pads_nothing(pads):
        return _only_valid(site, valid)
    if keras_pad == "ops" or site.operator.kind is Kind.FUNCTION:
        return padded_by_ops(file, site, pads)
    amounts = catalogue.write_pads(PadStyle.KERAS, pads)
    rank = pads.rank if isinstance(pads, PadText) else len(pads)
    pad = beside(file, site, f"ZeroPadding{rank}D", amounts)
    return pad if isinstance(pad, Refusal) else padded_by_layer(file, site, pad)


def padded_by_layer(file: File, site: Site, pad: Spelled) -> Rewrite | Refusal:
    """`valid`, and a layer that pads on every input of the site."""
    valid, shape = set_padding_word(site, "valid"), _Shape(site)
    builder = {
        UseKind.APPLIED: _applied,
        UseKind.LOCAL: _called,
        UseKind.ATTRIBUTE: _attribute,
        UseKind.ELEMENT: _element,
        UseKind.ADDED: _added,
    }.get(site.use.kind)
    if builder is None:
        return Refusal("the layer is handed on, so where it is applied is not seen")
    result = builder(file, site, pad, valid, shape)
    return result if isinstance(result, Refusal) else with_caveats(file, site, result, _PAD_NAMED)


class _Shape:
    """The input shape that a layer declares, to be moved to the pad in front of it."""

    def __init__(self, site: Site) -> None:
        self.arguments = [site.bound.unknown[name] for name in _SHAPES if name in site.bound.unknown]
        self.text = "".join(f", {site.unit.text_of_argument(arg)}" for arg in self.arguments)

    def removal(self, site: Site) -> list[Edit] | None:
        edits = [remove_argument(site.unit, site.call, arg) for arg in self.arguments]
        return None if None in edits else [edit for edit in edits if edit is not None]


def _only_valid(site: Site, valid: Edit) -> Rewrite:
    edits = [valid]
    return Rewrite(
        (valid,), layer_program(site.unit.text(site.call)), layer_program(edited_call(site, edits))
    )


def beside(
    file: File, site: Site, name: str, argument: str, shared: Sequence[str] = ("data_format", "dtype")
) -> Spelled | Refusal:
    """A layer `name(argument)` that works beside the site's own: with what both have to share, as written."""
    spelled = sibling(file, site, name)
    if isinstance(spelled, Refusal):
        return spelled
    arguments = [argument]
    for keyword in shared:
        arg = site.bound.arguments.get(keyword) or site.bound.unknown.get(keyword)
        if arg is None:
            continue
        if not repeatable(site.unit, arg.value):
            return Refusal(f"{keyword} is computed, and {name} needs the same")
        if isinstance(arg.value, cst.Name) and arg.value.value == "None":
            continue
        arguments.append(f"{keyword}={site.unit.text(arg.value)}")
    return Spelled(f"{spelled.text}({', '.join(arguments)})", spelled.edits, spelled.added)


def _applied(file: File, site: Site, pad: Spelled, valid: Edit, shape: _Shape) -> Rewrite | Refusal:
    """`y = Conv2D(...)(x)`: two statements where it is a whole assignment, nested calls elsewhere.

    A call in the input stays inside: the site is built before it, and layers are numbered as they are built.
    """
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    (call, source), unit = found[0], site.unit
    before = before_program(site, call, source)
    assignment = whole_assignment(unit, call)
    text = unit.text(source)
    others = [site.call, *(arg for arg in call.args if arg.value is not source)]
    if (
        assignment is None
        or any(isinstance(node, cst.Call) for node in descendants(source))
        or "\n" in text
        or "\r" in text
        or any(_mentions(part, assignment[1].value) for part in others)
    ):
        edits = [valid, *wrap(unit, source, f"{pad.text}(")]
        after = Program((), edited(unit, unit.outer_span(call), edits), text)
        return Rewrite(unique((*pad.edits, *edits)), before, after, added=pad.added)
    statement, target = assignment
    row = f"{target.value} = {pad.text}({text})"
    edits = [valid]
    if text != target.value:
        edits.append(unit.replace(source, target.value))
    after = Program((row,), edited(unit, unit.outer_span(call), edits), text)
    edits.append(new_row_before(unit, statement, row))
    return Rewrite(unique((*pad.edits, *edits)), before, after, added=pad.added)


def _mentions(node: cst.CSTNode, name: str) -> bool:
    """Whether an expression reads a name; the pad's row would have rebound it."""
    return bool(re.search(rf"\b{re.escape(name)}\b", cst.Module([]).code_for_node(node)))


def _called(file: File, site: Site, pad: Spelled, valid: Edit, shape: _Shape) -> Rewrite | Refusal:
    """`conv = Conv2D(...)`, then `conv(x)`: the pad goes around the input of every call."""
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    if not all(means_the_same(site, call, pad.text) for call, _ in found):
        return Refusal("the names that the pad layer needs mean something else where the layer is applied")
    wraps = [wrap(site.unit, source, f"{pad.text}(") for _, source in found]
    return _layer_rewrite(site, found, wraps, (*pad.edits, valid), pad)


def _attribute(file: File, site: Site, pad: Spelled, valid: Edit, shape: _Shape) -> Rewrite | Refusal:
    """`self.c = Conv2D(...)`: `self.c_pad` beside it, and `self.c(self.c_pad(x))` at every call."""
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    unit, statement = site.unit, site.use.statement
    if statement is None or not own_row(unit, statement):
        return Refusal("the assignment does not stand alone in its row")
    name = next(
        (n for n in _pad_names(site.use.name) if not file.facts.attributes[n] and not taken(file, n)), None
    )
    if name is None:
        return Refusal("no attribute name is free for the pad layer")
    target = unit.text(found[0][0].func)
    owner = target.rpartition(".")[0]
    row = f"{owner}.{name} = {pad.text}"
    edits = (*pad.edits, valid, new_row_before(unit, statement, row))
    wraps = [
        wrap(unit, source, f"{unit.text(call.func).rpartition('.')[0]}.{name}(") for call, source in found
    ]
    return _layer_rewrite(site, found, wraps, edits, pad, (row,))


def _pad_names(name: str) -> list[str]:
    return [f"{name}_pad", f"{name}_zero_pad", f"{name}_explicit_pad"]


def _layer_rewrite(
    site: Site,
    found: list[tuple[cst.Call, cst.BaseExpression]],
    wraps: list[list[Edit]],
    edits: tuple[Edit, ...],
    pad: Spelled,
    setup: tuple[str, ...] = (),
) -> Rewrite:
    before, after = layer_programs(site, found[-1], wraps[-1], list(edits), setup)
    return Rewrite(unique((*edits, *chain(*wraps))), before, after, added=pad.added)


def _element(file: File, site: Site, pad: Spelled, valid: Edit, shape: _Shape) -> Rewrite | Refusal:
    """An element of `keras.Sequential([...])`: the pad layer is inserted before it."""
    unit = site.unit
    if not in_sequential(site):
        return Refusal("it is an argument of another call, so where it is applied is not seen")
    removal = shape.removal(site)
    if removal is None:
        return Refusal("a comment stands between its arguments and the input shape that has to move")
    start = unit.outer_span(site.call)[0]
    layer = f"{pad.text[:-1]}{shape.text})"
    separator = ", "
    if starts_row(unit, start):
        separator = f",{unit.source.newline(start)}{unit.source.indentation(start)}"
    return _inserted(site, pad, layer, valid, removal, unit.insert(start, f"{layer}{separator}"))


def _added(file: File, site: Site, pad: Spelled, valid: Edit, shape: _Shape) -> Rewrite | Refusal:
    """`model.add(Conv2D(...))`: `model.add(pad)` in the row before it."""
    outer, unit = site.use.outer, site.unit
    statement = unit.index.parents.get(outer) if outer is not None else None
    if outer is None or not isinstance(statement, cst.Expr) or not own_row(unit, statement):
        return Refusal("the call of add does not stand alone in its row")
    removal = shape.removal(site)
    if removal is None:
        return Refusal("a comment stands between its arguments and the input shape that has to move")
    layer = f"{pad.text[:-1]}{shape.text})"
    row = new_row_before(unit, statement, f"{unit.text(outer.func)}({layer})")
    rewrite = _inserted(site, pad, layer, valid, removal, row)
    if adds_to_sequential(site, outer):
        return rewrite
    caveat = f"{unit.text(outer.func)} may not be that of a keras.Sequential"
    return Rewrite(rewrite.edits, rewrite.before, rewrite.after, (caveat,), rewrite.added)


def _inserted(
    site: Site, pad: Spelled, layer: str, valid: Edit, removal: list[Edit], insertion: Edit
) -> Rewrite:
    inside = [valid, *removal]
    before = layer_program(site.unit.text(site.call))
    after = Program(
        (f"padlint_pad = {layer}", f"padlint_layer = {edited_call(site, inside)}"),
        f"padlint_layer(padlint_pad({SAMPLE}))",
        SAMPLE,
    )
    return Rewrite(unique((*pad.edits, insertion, *inside)), before, after, added=pad.added)


def adds_to_sequential(site: Site, outer: cst.Call) -> bool:
    """Whether the model of `model.add` is a Sequential made in the same scope."""
    model = outer.func.value if isinstance(outer.func, cst.Attribute) else None
    found = site.scope.lookup(model.value) if isinstance(model, cst.Name) else None
    if found is None or len(found[1]) != 1 or found[1][0].kind is not BindingKind.ASSIGN:
        return False
    value = found[1][0].expression()
    return isinstance(value, cst.Call) and means_sequential(site.scope, value.func)


def padded_by_ops(file: File, site: Site, pads: Pads | PadText, fill: str = "") -> Rewrite | Refusal:
    """`keras.ops.pad` around the input: adds no layer, so that `model.layers` stays as it is.

    `fill` is the text of a fill other than zero.
    """
    valid = set_padding_word(site, "valid")
    pad = named(file, site, "keras.ops.pad")
    layout = data_format(site)
    if isinstance(pad, Refusal):
        return pad
    if layout is None:
        return Refusal("data_format is computed, and the order of the pads depends on it")
    rows = [f"*{pads.text}"] if isinstance(pads, PadText) else [*map(str, pads)]
    rows = ["(0, 0)", *rows, "(0, 0)"] if layout == "channels_last" else ["(0, 0)", "(0, 0)", *rows]
    amounts = f"({', '.join(rows)})" + (f", constant_values={fill}" if fill else "")
    rewrite = padded_inputs(site, pad.text, lambda call: amounts, valid, amounts)
    if isinstance(rewrite, Refusal):
        return rewrite
    caveats = (*rewrite.caveats, CAVEAT) if may_reorder_weights(file, site) else rewrite.caveats
    edits, added = (*pad.edits, *rewrite.edits), (*rewrite.added, *pad.added)
    return replace(rewrite, edits=edits, added=added, caveats=caveats)
