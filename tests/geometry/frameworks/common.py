"""What the models of the frameworks share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from padlint.geometry import Form


@dataclass(frozen=True)
class Call:
    """One form per spatial axis, and whether an empty result is returned instead of an error."""

    forms: tuple[Form, ...]
    may_be_empty: bool = False


class Rejected(Exception):
    """The framework refuses the arguments, at construction or at the call."""


def require(condition: bool, why: str) -> None:
    """Reject the call unless the condition holds."""
    if not condition:
        raise Rejected(why)


def integers(value: Any, length: int) -> tuple[int, ...]:
    """A single integer for all axes or a list of `length` integers; anything else is rejected."""
    if isinstance(value, int):
        return (value,) * length
    require(isinstance(value, list) and len(value) == length, "an integer for each axis")
    require(all(isinstance(item, int) for item in value), "integers")
    return tuple(value)


def pairs(value: Any, length: int) -> tuple[tuple[int, int], ...]:
    """A list of `length` pairs; anything else is rejected."""
    require(isinstance(value, list) and len(value) == length, "a pair for each axis")
    return tuple(pair(item) for item in value)


def pair(value: Any) -> tuple[int, int]:
    """Two integers; anything else is rejected."""
    before, after = integers(value, 2) if isinstance(value, list) else (None, None)
    require(before is not None, "a pair")
    return before, after  # type: ignore[return-value]


def both(amounts: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The same amount before and after, for each axis."""
    return tuple((amount, amount) for amount in amounts)
