"""PyTorch: folding a zero pad into the `padding=` of the convolution or pool behind it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.findings import Edit, Program
from padlint.rewrites.calls import SAMPLE, edited_call, set_padding
from padlint.rewrites.model import Rewrite, unique
from padlint.rewrites.pads import Example, PaddedConv
from padlint.rewrites.torch import numbers
from padlint.sites.site import Site
from padlint.syntax.edits import edited


def fold(found: PaddedConv, own: list[int]) -> Rewrite:
    """The pad goes, and its amounts are added to the operator's own padding (per axis)."""
    total = [before + mine for (before, _), mine in zip(found.pads, own, strict=True)]
    edits = [set_padding(found.conv, numbers(total)), *found.removals]
    before, after = programs(found, edits)
    return Rewrite(unique(edits), before, after, added=found.added)


def programs(found: PaddedConv, edits: list[Edit]) -> tuple[Program | None, Program | None]:
    """Both sides of the proof: pad and operator as they are, and after the edits."""
    if found.example is None:
        return _elements(found, []), _elements(found, edits)
    source = found.pad.input_of(found.example.padding)
    if source is None:
        return None, None
    return _side(found, found.example, source, []), _side(found, found.example, source, edits)


def _elements(found: PaddedConv, edits: list[Edit]) -> Program:
    """One side of the proof in a Sequential: the elements from the pad on, one after another."""
    setup: list[str] = []
    output = SAMPLE
    for number, site in enumerate((found.pad, *found.between, found.conv)):
        setup.append(f"padlint_{number} = {edited_call(site, edits)}")
        output = f"padlint_{number}({output})"
    return Program(tuple(setup), output, SAMPLE)


def _side(found: PaddedConv, example: Example, source: cst.BaseExpression, edits: list[Edit]) -> Program:
    """One side of the proof: the layers as they are built, and the operator on the (padded) input."""
    unit = found.conv.unit
    text = unit.text(source)
    setup = [*_layers(found, example, edits)]
    for assignment in example.named:
        value = edited(unit, unit.outer_span(assignment.value), edits)
        if assignment.value is example.padding and edits and found.pad.operator.kind is Kind.FUNCTION:
            value = f"({text})"  # its row may be gone
        setup.append(f"{unit.text(assignment.targets[0].target)} = {value}")
    return Program(tuple(setup), edited(unit, unit.outer_span(example.call), edits), text)


def _layers(found: PaddedConv, example: Example, edits: list[Edit]) -> Iterator[str]:
    """The assignments that build the layers which take part."""
    calls: dict[Site, cst.Call] = {found.pad: example.padding, found.conv: example.call}
    for site in (found.pad, *found.between, found.conv):
        if site.operator.kind is not Kind.LAYER:
            continue
        call = calls.get(site) or next(iter(site.applications))
        if call.func is not site.call:
            yield f"{site.unit.text(call.func)} = {edited_call(site, edits)}"
