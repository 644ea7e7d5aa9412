"""PAD701: raw integers, or a hard-coded scale and zero point, around a pad."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import libcst as cst

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.zero_pads import is_zero_pad
from padlint.syntax.binding import bind
from padlint.syntax.reaching import assignment_of
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator

_CASTS = frozenset({"to", "int", "long", "short", "float", "double", "clone", "contiguous", "type"})
_RANGES = {"torch.quint8": (0, 255), "torch.qint8": (-128, 127)}


class RawQuantisedPad(Rule):
    """A pad works on raw quantised integers, or beside a hard-coded scale and zero point.

    Why
        In a quantised tensor the zero point stands for 0.0. `F.pad(q, ...)` writes it; `F.pad(q.int_repr(),
        ...)` writes the integer 0, which means -zero_point * scale. A scale and a zero point that are written
        down clip what does not fit: with scale 1.0 and zero point 0, quint8 has no negative numbers.

    Example
        from torch.nn import functional as F

        def pad(q):
            return F.pad(q.int_repr(), (1, 1, 1, 1))

    Use instead
        from torch.nn import functional as F

        def pad(q):
            return F.pad(q, (1, 1, 1, 1)).int_repr()

    Fix safety
        There is no fix: it would change what is computed.

    References
        https://pytorch.org/docs/stable/quantization.html
        https://pytorch.org/docs/stable/generated/torch.quantize_per_tensor.html
    """

    code = "PAD701"
    name = "raw-quantised-pad"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report zero pads of `int_repr()`, and literal quantisation directly before or behind a pad."""
        for unit in context.file.units:
            pads = {
                call: site
                for site in context.sites_of(unit)
                if site.operator.family is Family.PAD
                for call in site.applications
            }
            inputs = {call: _origin(unit, site.input_of(call)) for call, site in pads.items()}
            for call, site in pads.items():
                if is_zero_pad(site) and _is_raw(inputs[call]):
                    message = (
                        f"{site.written} writes the integer 0 into the raw values of int_repr(), which means "
                        "-zero_point * scale; a pad of the quantised tensor writes its zero point, 0.0"
                    )
                    reason = "it would change what is computed"
                    yield context.finding(type(self), site, message, reason, at=call)
            behind = set(inputs.values())
            for call in unit.index.calls:
                found = _Quantised.of(unit, call)
                if found is not None and (call in behind or _origin(unit, found.input) in pads):
                    numbers = {"op": "torch.quantize_per_tensor", "axes": [], "others": found.numbers}
                    reason = "the values that fit are known to an observer only"
                    yield context.report(type(self), unit, call, found.message, reason, numbers)


class _Quantised(NamedTuple):
    """A call of torch.quantize_per_tensor with a written scale and zero point."""

    input: cst.BaseExpression | None
    scale: float
    zero_point: int
    dtype: str

    @classmethod
    def of(cls, unit: Unit, call: cst.Call) -> _Quantised | None:
        """The call's arguments; None for any other call."""
        scope = unit.index.scope_of(call)
        if resolve(scope, call.func).paths != ("torch.quantize_per_tensor",):
            return None
        bound, evaluator = bind(call, _SIGNATURE), Evaluator(unit)
        scale, zero_point = (evaluator.value(bound.value(name)) for name in ("scale", "zero_point"))
        dtype = bound.value("dtype")
        paths = resolve(scope, dtype).paths if dtype is not None else ()
        if not (scale.known and zero_point.known and isinstance(zero_point.only, int)):
            return None
        if not isinstance(scale.only, (int, float)) or len(paths) != 1 or paths[0] not in _RANGES:
            return None
        return cls(bound.value("input"), scale.only, zero_point.only, paths[0])

    @property
    def numbers(self) -> Mapping[str, object]:
        """What is written down, and what fits."""
        return {"scale": self.scale, "zero_point": self.zero_point, "range": list(self.range)}

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest number that can be represented."""
        low, high = ((limit - self.zero_point) * self.scale for limit in _RANGES[self.dtype])
        return low, high

    @property
    def message(self) -> str:
        """What the numbers do."""
        low, high = (f"{limit:g}" for limit in self.range)
        return (
            f"a hard-coded scale of {self.scale} and zero point of {self.zero_point} beside a pad clip all "
            f"values to {low} ... {high}; take both from an observer that has seen the data"
        )


class _Parameter(NamedTuple):
    name: str
    keyword_only: bool = False


_SIGNATURE = tuple(map(_Parameter, ("input", "scale", "zero_point", "dtype")))


def _origin(unit: Unit, node: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """The expression that a name holds, if that is certain."""
    while isinstance(node, cst.Name):
        statement = assignment_of(unit, node)
        node = statement.value if statement is not None else None
    return node


def _is_raw(node: cst.BaseExpression | None) -> bool:
    """Whether an expression is `x.int_repr()`, maybe cast."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value == "int_repr":
            return True
        node = node.func.value if node.func.attr.value in _CASTS else None
    return False
