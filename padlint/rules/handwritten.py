"""SAME padding as people write it out for any stride: which expressions are its amounts, and of what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import libcst as cst

from padlint.catalogue.model import PadStyle
from padlint.geometry import same_padding
from padlint.sites.site import Site
from padlint.syntax.formulas import Formula, Formulas, Read

# Sizes, kernels, strides and dilations at which a formula has to agree; no kernel is below its stride, where
# the amounts would be clamped at 0, which some formulas leave out.
_SAMPLES = (
    *((7, 3, 2, 1), (8, 3, 2, 2), (9, 5, 3, 1), (10, 4, 3, 2), (11, 5, 2, 3), (13, 7, 4, 1), (16, 3, 3, 2)),
    *((5, 3, 1, 1), (12, 6, 2, 1), (15, 5, 5, 3), (6, 2, 2, 1), (14, 9, 4, 2), (17, 4, 4, 1), (20, 5, 4, 1)),
)
_FEWEST = 5  # a literal kernel or stride may leave too few samples to tell anything
_NAMED_SAME = re.compile(r"\w*(same_?pad|pad_?same)\w*\(", re.I)

Part = Read | int
Amount = Callable[[int, int], int]
"""What is looked for, of the SAME pads (before, after)."""


def total(before: int, after: int) -> int:
    """Both pads together."""
    return before + after


def smaller(before: int, after: int) -> int:
    """The pad that TensorFlow puts before the input."""
    return before


def larger(before: int, after: int) -> int:
    """The pad that TensorFlow puts after the input."""
    return after


@dataclass(frozen=True)
class Parts:
    """What plays the size, kernel, stride and dilation of a SAME formula; a number where it is literal."""

    size: Part
    kernel: Part
    stride: Part
    dilation: Part


def parts_of(formula: Formula, amount: Amount) -> Parts | None:
    """The parts with which a formula computes this amount of SAME at every sample, if there are any."""
    if not 2 <= len(formula.reads) <= 4:
        return None
    return next((parts for parts in _castings(formula) if computes(formula, amount, parts)), None)


def _castings(formula: Formula) -> Iterator[Parts]:
    """Every way to give the reads a part. Kernel or stride may be a literal number, the dilation 1."""
    literals = [number for number in formula.literals if number > 1]
    for cast in permutations(("size", "kernel", "stride", "dilation"), len(formula.reads)):
        given: dict[str, Part] = dict(zip(cast, formula.reads, strict=True))
        if "size" not in given or given.keys().isdisjoint({"kernel", "stride"}):
            continue
        if "dilation" in given and "kernel" not in given:
            continue  # the larger half for a kernel k is the smaller one for kernel 2 with dilation k
        for literal in literals if len(given.keys() & {"kernel", "stride"}) == 1 else (1,):
            yield Parts(**{"kernel": literal, "stride": literal, "dilation": 1, **given})


def computes(formula: Formula, amount: Amount, parts: Parts) -> bool:
    """Whether a formula computes this amount of SAME with these parts."""
    roles = (parts.size, parts.kernel, parts.stride, parts.dilation)
    compared = 0
    for sample in _SAMPLES:
        numbers = [
            role if isinstance(role, int) else number for role, number in zip(roles, sample, strict=True)
        ]
        size, kernel, stride, dilation = numbers
        if kernel < stride:
            continue
        values = {role: number for role, number in zip(roles, numbers, strict=True) if isinstance(role, Read)}
        if formula.at(values) != amount(*same_padding(size, kernel, stride, dilation)):
            return False
        compared += 1
    return compared >= _FEWEST


def halves_same(formula: Formula, amount: Amount) -> bool:
    """Whether a formula is an amount of a total whose only source is a function that is named after SAME."""
    if len(formula.reads) != 1 or not _NAMED_SAME.match(formula.reads[0].text):
        return False
    return all(formula.at({formula.reads[0]: n}) == amount(n // 2, n - n // 2) for n in range(8))


Sides = tuple[cst.BaseExpression, cst.BaseExpression]
"""The expressions that say how much is padded before and after the input, on one axis."""


def sides_of(formulas: Formulas, site: Site) -> list[Sides]:
    """The amounts that a pad is given, axis by axis as they are written; empty where they do not show."""
    argument, style = site.argument("padding"), site.operator.pads
    if argument is None or style is None:
        return []
    flat = style is PadStyle.TORCH or (style is PadStyle.KERAS and site.operator.ndim == 1)
    return sides_in(formulas, argument.value, flat=flat)


def sides_in(formulas: Formulas, node: cst.BaseExpression, *, flat: bool) -> list[Sides]:
    """The pairs in a tuple or list: its neighbours if it is flat, else the pairs that are its elements."""
    amounts = _elements(formulas, node)
    if flat:
        return list(zip(amounts[::2], amounts[1::2], strict=False))
    nested = [_elements(formulas, amount) for amount in amounts]
    return [(pair[0], pair[1]) for pair in nested if len(pair) >= 2]


def _elements(formulas: Formulas, node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    sequence = formulas.resolved(node)
    if not isinstance(sequence, (cst.Tuple, cst.List)):
        return ()
    return [element.value for element in sequence.elements if isinstance(element, cst.Element)]
