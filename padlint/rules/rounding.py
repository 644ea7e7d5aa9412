"""Arithmetic on the amounts of pads that PyTorch's exporters do not write as it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from padlint.findings import Fix
from padlint.rewrites.ceil import Ceil, round_up
from padlint.rules.computed import computed_pads
from padlint.rules.proposal import Claim, propose
from padlint.rules.trail import Part, Trail
from padlint.sites.site import Site
from padlint.sizes.origins import Origins, tests_around
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator

if TYPE_CHECKING:
    from padlint.rules.context import FileContext

# Code for eager mode that has another branch for tensors or exports.
_GUARDED = re.compile(r"\bisinstance\b.*Tensor|\bis_(tracing|scripting|exporting|in_onnx_export|compiling)\b")
_SIZES = ((33, 34), (32, 35))

_ONCE = "it is computed once, for the example,"
_TRUNCATED = "both ONNX exporters of PyTorch write a division that rounds towards zero, so the pads are wrong"
_TRACED = f"{_ONCE} by torch.jit.trace and the TorchScript ONNX exporter"
_BAKED = f"{_ONCE} by both ONNX exporters of PyTorch"


@dataclass(frozen=True)
class Unsafe:
    """A part of a pad's arithmetic, and what an export makes of it.

    `ceil` is the division that it rounds up; None where it is a remainder that decides something.
    """

    unit: Unit
    node: cst.BaseExpression
    effect: str
    ceil: Ceil | None = None

    @property
    def text(self) -> str:
        """The part in one row."""
        return _code(self.node)


class Arithmetic:
    """The pads of a file with computed amounts, and the unsafe parts behind each.

    A part that several pads share stands with the first of them.
    """

    def __init__(self, context: FileContext) -> None:
        self.origins = Origins(context.file)
        self._trail = Trail(self.origins)
        self.pads = list(computed_pads(context, self.origins))
        parts = [list(self._trail.follow(pad.site.unit, pad.amounts, *pad.tests)) for pad in self.pads]
        self.unsafe = {
            pad.site: [unsafe for part in behind for unsafe in self._unsafe(part)]
            for pad, behind in zip(self.pads, parts, strict=True)
        }

    def _unsafe(self, part: Part) -> Iterator[Unsafe]:
        unit, node = part.unit, part.node
        if isinstance(node, cst.BinaryOperation) and _decides(unit, node):
            unsafe, subject = Unsafe(unit, node, _BAKED), part
        elif (found := _rounding(unit, node)) is not None:
            ceil, effect = found
            unsafe, subject = Unsafe(unit, ceil.node, effect, ceil), Part(unit, ceil.dividend)
        else:
            return
        if self._trail.is_sized(subject) and not _is_guarded(part):
            yield unsafe

    def fix(self, ceils: Sequence[Ceil], pad: Site) -> Fix | str:
        """The same amounts with divisions that every exporter writes as they are meant."""
        doubts: list[str] = []
        known: list[Ceil] = []
        for ceil in ceils:
            value = Evaluator(ceil.unit).value(ceil.divisor)
            known.append(replace(ceil, known=value.known))
            if not value.known:
                doubts.append(f"{_code(ceil.divisor)} may be no positive int")
            elif not isinstance(value.only, int) or value.only < 1:
                return "the divisor is no positive int"
            if not self._trail.is_whole(Part(ceil.unit, ceil.dividend)):
                if not isinstance(ceil.dividend, cst.Name):
                    return "the dividend may be no int"
                doubts.append(f"{_code(ceil.dividend)} may be no int")
        # Both are the same int, so every pad that is computed from them has the same taps.
        claim = Claim((), (), (), doubts, shapes=_SIZES)
        message = f"Write {' and '.join(ceil.text for ceil in ceils)}"
        return propose(pad, round_up(pad, known), message, claim)


def _rounding(unit: Unit, node: cst.CSTNode) -> tuple[Ceil, str] | None:
    """A division that is rounded up, and what becomes of it."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        division = node.expression
        if isinstance(division, cst.BinaryOperation) and isinstance(division.operator, cst.FloorDivide):
            left, right = _negated(division.left), _negated(division.right)
            if left is not None and right is None:
                return Ceil(unit, node, left, division.right), _TRUNCATED
            if right is not None and left is None:
                return Ceil(unit, node, division.left, right), _TRUNCATED
    return _ceil_call(unit, node) if isinstance(node, cst.Call) else None


def _negated(node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        return node.expression
    return None


def _ceil_call(unit: Unit, node: cst.Call) -> tuple[Ceil, str] | None:
    """`math.ceil(n / s)`, or `int(...)` of that or of `np.ceil(n / s)`."""
    division = _only_argument(node)
    if not isinstance(division, cst.BinaryOperation) or not isinstance(division.operator, cst.Divide):
        return None
    paths = resolve(unit.index.scope_of(node), node.func).paths
    whole = _around(unit, node)
    outer = whole if isinstance(whole, cst.Call) and _is_builtin(unit, whole, "int") else None
    if paths != ("math.ceil",) and (paths != ("numpy.ceil",) or outer is None):
        return None
    n, s = (_without_float(unit, side) for side in (division.left, division.right))
    return Ceil(unit, outer or node, n, s), _TRACED if outer is None else _BAKED


def _only_argument(call: cst.Call) -> cst.BaseExpression | None:
    if len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
        return None
    return call.args[0].value


def _around(unit: Unit, node: cst.Call) -> cst.CSTNode:
    """The call of which this is an argument, if it is one."""
    return unit.index.parents[unit.index.parents[node]]


def _is_builtin(unit: Unit, call: cst.Call, name: str) -> bool:
    func = call.func
    if not isinstance(func, cst.Name) or func.value != name or _only_argument(call) is None:
        return False
    return unit.index.scope_of(call).lookup(name) is None


def _without_float(unit: Unit, node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.Call) and _is_builtin(unit, node, "float"):
        return _only_argument(node) or node
    return node


def _decides(unit: Unit, node: cst.BinaryOperation) -> bool:
    """Whether a remainder is asked for its truth, or compared."""
    if not isinstance(node.operator, cst.Modulo):
        return False
    parent = unit.index.parents[node]
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
        return parent.test is node
    if isinstance(parent, cst.UnaryOperation):
        return isinstance(parent.operator, cst.Not)
    return isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.BooleanOperation))


def _is_guarded(part: Part) -> bool:
    return any(_GUARDED.search(_code(test)) for test in tests_around(part.unit, part.node))


def _code(node: cst.CSTNode) -> str:
    return " ".join(cst.Module([]).code_for_node(node).split())
