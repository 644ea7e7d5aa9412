"""The values that program texts are made of: literals, arithmetic on them, and samples for all the rest."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Number = (int, float)
Sequence = (tuple, list)
Recurse = Callable[[ast.expr], Any]

MAX_BITS = 64
MAX_ITEMS = 1024

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_INFINITE = {"math.inf", "numpy.inf", "torch.inf", "numpy.infty"}
_INFINITE_TEXTS = {"float('inf')": math.inf, "float('-inf')": -math.inf}


class Unsupported(Exception):
    """A program that cannot be run here; the message is a sentence for the user."""


@dataclass(frozen=True)
class Sample:
    """Stands for source text that is never run. Equal texts get equal values on both sides of a pair."""

    text: str


@dataclass(frozen=True)
class Placeholder(Sample):
    """An input declaration (`keras.Input(...)`): a sample tensor, or no element of a Sequential."""


def literal(node: ast.expr, value: Recurse) -> Any:
    """The value of a constant, a display or arithmetic on what `value` gives; a Sample for other nodes."""
    match node:
        case ast.Constant(value=constant) if not isinstance(constant, bytes):
            return constant
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            parts = items(elements, value)
            if any(isinstance(part, Sample) and not isinstance(part, Placeholder) for part in parts):
                return sample(node)
            return tuple(parts) if isinstance(node, ast.Tuple) else parts
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {key.value: value(part) for key, part in pairs if isinstance(key, ast.Constant)}
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            number = value(operand)
            return _UNARY[type(op)](number) if isinstance(number, Number) else sample(node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            truth = value(test)
            return sample(node) if isinstance(truth, Sample) else value(body if truth else orelse)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            pair = value(left), value(right)
            unknown = any(isinstance(side, Sample) for side in pair)
            return sample(node) if unknown else _COMPARE[type(op)](*pair)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _arithmetic(node, _BINARY[type(op)], value(left), value(right))
    return sample(node)


def sample(node: ast.AST) -> Sample:
    """The sample of a node: its text in normal form."""
    return Sample(ast.unparse(node))


def infinity(text: str, dotted: str | None) -> float | None:
    """The value of the usual spellings of an infinite fill (`float("inf")`, `math.inf`), else None."""
    return math.inf if dotted in _INFINITE else _INFINITE_TEXTS.get(text)


def items(elements: list[ast.expr], value: Recurse) -> list[Any]:
    """The values of elements or arguments, `*` unpacked."""
    result: list[Any] = []
    for element in elements:
        if isinstance(element, ast.Starred):
            unpacked = value(element.value)
            if not isinstance(unpacked, Sequence):
                raise Unsupported(f"what '{ast.unparse(element)}' holds is unknown")
            result.extend(unpacked)
        else:
            result.append(value(element))
    return result


def _arithmetic(node: ast.BinOp, function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """`function` of numbers, or of sequences as Python has it; refuses what could exhaust the machine."""
    if isinstance(left, Sequence) and isinstance(right, int):
        size = len(left) * right
    elif isinstance(left, int) and isinstance(right, Sequence):
        size = left * len(right)
    elif isinstance(left, Sequence) and isinstance(right, Sequence):
        size = len(left) + len(right)
    elif isinstance(left, Number) and isinstance(right, Number):
        size = 0
        if function is operator.pow and (abs(left) >= 2**16 or abs(right) > MAX_BITS):
            raise Unsupported(f"'{ast.unparse(node)}' is too large")
    else:
        return sample(node)
    if size > MAX_ITEMS:
        raise Unsupported(f"'{ast.unparse(node)}' is too long")
    result = function(left, right)
    if isinstance(result, complex) or (isinstance(result, int) and result.bit_length() > MAX_BITS):
        raise Unsupported(f"'{ast.unparse(node)}' is too large")
    return result
