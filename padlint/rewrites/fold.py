"""PyTorch: folding a zero pad into the `padding=` of the convolution behind it."""

from __future__ import annotations

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.findings import Edit, Program
from padlint.rewrites.calls import SAMPLE, edited_call, set_padding
from padlint.rewrites.model import Rewrite, unique
from padlint.rewrites.pads import PaddedConv
from padlint.rewrites.torch import numbers
from padlint.syntax.edits import edited


def fold(found: PaddedConv, own: list[int]) -> Rewrite:
    """The pad goes, and its amounts are added to the convolution's own padding (per axis)."""
    conv = found.conv
    total = [before + mine for (before, _), mine in zip(found.pads, own, strict=True)]
    edits = [set_padding(conv, numbers(total)), *found.removals]
    before, after = _programs(found, edits)
    return Rewrite(unique(edits), before, after, added=found.added)


def _programs(found: PaddedConv, edits: list[Edit]) -> tuple[Program | None, Program | None]:
    conv, pad, unit = found.conv, found.pad, found.conv.unit
    if found.example is None:
        output = f"padlint_conv(padlint_pad({SAMPLE}))"
        return (
            Program(_assign(unit.text(pad.call), unit.text(conv.call)), output, SAMPLE),
            Program(_assign(edited_call(pad, edits), edited_call(conv, edits)), output, SAMPLE),
        )
    source = pad.input_of(found.example[1])
    if source is None:
        return None, None
    text = unit.text(source)
    return _side(found, *found.example, text, []), _side(found, *found.example, text, edits)


def _assign(pad: str, conv: str) -> tuple[str, str]:
    return f"padlint_pad = {pad}", f"padlint_conv = {conv}"


def _side(found: PaddedConv, call: cst.Call, padding: cst.Call, source: str, edits: list[Edit]) -> Program:
    """One side of the proof: the layers as they are built, and the convolution of the (padded) input."""
    conv, pad, unit = found.conv, found.pad, found.conv.unit
    setup: list[str] = []
    if pad.operator.kind is Kind.LAYER:
        setup.append(f"{unit.text(padding.func)} = {edited_call(pad, edits)}")
    if conv.operator.kind is Kind.LAYER:
        setup.append(f"{unit.text(call.func)} = {edited_call(conv, edits)}")
    read = conv.input_of(call)
    if isinstance(read, cst.Name):  # the padded tensor has a name of its own in between
        removed = pad.operator.kind is Kind.FUNCTION and bool(edits)
        setup.append(f"{read.value} = {f'({source})' if removed else unit.text(padding)}")
    return Program(tuple(setup), edited(unit, unit.outer_span(call), edits), source)
