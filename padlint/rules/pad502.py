"""PAD502: a SAME padding written by hand for a dilated convolution, without the dilation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import libcst as cst

from padlint.findings import Finding, Severity
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.defaults import depends_on_parameters
from padlint.rules.half_kernel import HalfKernel, definition_around, half_kernels
from padlint.rules.handwritten import Part, parts_of, total
from padlint.sites.site import Site
from padlint.syntax.formulas import Formulas, Read
from padlint.syntax.walk import descendants

_OF_DILATION = re.compile(r"dilat|^d$|^rate$|atrous|eff", re.I)
_FUNCTIONS = frozenset({"max", "maximum", "clamp"})
_REASON = "a model may have been trained with these pads"


class SameIgnoresDilation(Rule):
    """A SAME padding written by hand leaves out the dilation of its convolution.

    Why
        A dilated kernel reaches over (kernel - 1) * dilation + 1 elements, and SAME has to pad for that. A
        formula with the plain kernel pads too little: with kernel 3 and dilation 2 a map of 33 becomes 31.

    Example
        from torch import nn

        conv = nn.Conv2d(8, 8, 3, padding=3 // 2, dilation=2)

    Use instead
        from torch import nn

        conv = nn.Conv2d(8, 8, 3, padding=2 * (3 // 2), dilation=2)

    Fix safety
        There is no fix: it would change what is computed, and a model may have been trained as it is.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
    """

    code = "PAD502"
    name = "same-ignores-dilation"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report half-kernel paddings of dilated calls, and SAME formulas in definitions that dilate."""
        definitions: dict[cst.CSTNode, list[Site]] = {}
        for site in context.sites:
            found = next((half for half in half_kernels(site) if _shrinks(site, half)), None)
            if found is not None:
                yield context.finding(type(self), site, _half_message(site, found), _REASON, at=found.node)
            elif site.operator.family.is_convolution or site.operator.family.is_pooling:
                definitions.setdefault(definition_around(site), []).append(site)
        for definition, sites in definitions.items():
            if not all(map(_may_dilate, sites)) or _computes_with_dilation(definition, sites):
                continue
            formula = next(_plain_formulas(definition, sites[0]), None)
            if formula is not None:
                message = (
                    f"this SAME padding leaves out the dilation of {sites[0].written}: with stride 1, kernel "
                    "3 and dilation 2 it pads 2 in all where 4 are needed, and the output loses 2"
                )
                yield context.finding(type(self), sites[0], message, _REASON, at=formula)


def _shrinks(site: Site, half: HalfKernel) -> bool:
    axis = half.axis
    too_little = axis.dilation > 1 and axis.kernel is not None and axis.kernel % 2 == 1
    return too_little and (half.reading.sure or not depends_on_parameters(site))


def _half_message(site: Site, half: HalfKernel) -> str:
    axis, (reach, kernel) = half.axis, (half.axis.reach or 0, half.axis.kernel or 0)
    return (
        f"this padding leaves out the dilation of {site.written}{wording.learned(half.reading)}: with kernel "
        f"{kernel} and dilation {axis.dilation} it pads {kernel - 1} in all where {reach - 1} are needed"
    )


def _may_dilate(site: Site) -> bool:
    """Whether a dilation is written that the file does not show to be 1."""
    if site.argument("dilation") is None:
        return False
    value = site.value("dilation")
    return not value.known or any(number != 1 for number in _entries(value.only))


def _entries(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _computes_with_dilation(definition: cst.CSTNode, sites: list[Site]) -> bool:
    """Whether a definition does more with a dilation than to keep it and to hand it to its convolutions."""
    given = {argument.value for site in sites if (argument := site.argument("dilation")) is not None}
    names = {name for value in given for node in descendants(value) if (name := _name(node))} - {"self"}
    parents, calls = sites[0].unit.index.parents, {site.call for site in sites}
    return any(
        (name in names or _OF_DILATION.search(name)) and not _handed_on(parents, node, calls)
        for node in descendants(definition)
        if (name := _name(node))
    )


def _name(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def _handed_on(
    parents: Mapping[cst.CSTNode, cst.CSTNode], node: cst.CSTNode, calls: Collection[cst.Call]
) -> bool:
    """Whether a name is stored as it is, or an argument of one of the calls or of a base's constructor."""
    parent = parents.get(node)
    while isinstance(parent, (cst.Attribute, cst.Element, cst.Tuple, cst.AssignTarget)):
        parent = parents.get(parent)
    if isinstance(parent, cst.Arg):
        call = parents.get(parent)
        return isinstance(call, cst.Call) and (call in calls or _name(call.func) == "__init__")
    return parent is None or isinstance(parent, (cst.Assign, cst.AnnAssign))  # None: a parameter or keyword


def _plain_formulas(definition: cst.CSTNode, site: Site) -> Iterator[cst.BaseExpression]:
    """The expressions in a definition that compute a SAME total of a kernel without dilation."""
    formulas = Formulas(site.unit)
    for node in descendants(definition):
        if not isinstance(node, (cst.BinaryOperation, cst.IfExp, cst.Call)):
            continue
        if isinstance(node, cst.Call) and _name(node.func) not in _FUNCTIONS:
            continue
        formula = formulas.of(node)
        parts = parts_of(formula, total) if formula is not None else None
        if parts is not None and parts.dilation == 1 and not _is_reach(parts.kernel):
            yield node


def _is_reach(kernel: Part) -> bool:
    """Whether the name of a kernel says that it holds the dilation already."""
    return isinstance(kernel, Read) and any(map(_OF_DILATION.search, re.findall(r"\w+", kernel.text)))
