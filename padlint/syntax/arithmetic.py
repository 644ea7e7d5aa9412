"""Operations on constants, bounded so that hostile sources cost nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import libcst as cst

MAX_ITEMS = 64  # in one tuple, or characters made by repeating or joining text
LARGEST = 1 << 40  # padding arithmetic is far below


def bounded(value: Any) -> bool:
    """Whether a value is one that padding can be made of."""
    if isinstance(value, (tuple, str)):
        return len(value) <= MAX_ITEMS
    return not isinstance(value, (int, float)) or abs(value) <= LARGEST  # False for nan


def _plus(left: Any, right: Any) -> Any:
    if isinstance(left, (tuple, str)) and len(left) + len(right) > MAX_ITEMS:
        raise ValueError
    return left + right


def _times(left: Any, right: Any) -> Any:
    if isinstance(left, (tuple, str)) or isinstance(right, (tuple, str)):
        count, items = (left, right) if isinstance(left, int) else (right, left)
        if not isinstance(count, int) or count * len(items) > MAX_ITEMS:
            raise ValueError
    return left * right


def _power(base: Any, exponent: Any) -> Any:
    if not (isinstance(base, (int, float)) and isinstance(exponent, int) and abs(exponent) <= 64):
        raise ValueError
    return base**exponent


def _modulo(left: Any, right: Any) -> Any:
    if isinstance(left, str):  # string formatting is never evaluated
        raise ValueError
    return left % right


def _identical(left: Any, right: Any) -> bool:
    """`is`, for values of which there is only one object."""
    if not any(side is only for side in (left, right) for only in (None, True, False)):
        raise ValueError
    return left is right


BINARY: dict[type, Callable[[Any, Any], Any]] = {
    cst.Add: _plus,
    cst.Subtract: operator.sub,
    cst.Multiply: _times,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: _modulo,
    cst.Power: _power,
}
COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.GreaterThan: operator.gt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThanEqual: operator.ge,
    cst.In: lambda item, items: item in items,
    cst.NotIn: lambda item, items: item not in items,
    cst.Is: _identical,
    cst.IsNot: lambda left, right: not _identical(left, right),
}
CALLS: dict[str, Callable[[Any], Any]] = {
    "int": int,
    "tuple": tuple,
    "list": tuple,
    "float": float,
    "abs": abs,
}
