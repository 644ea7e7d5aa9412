"""What an expression can be worth: one value, one of a few, or anything; and where each was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

_MAX_OPTIONS = 8
_MOST_PLACES = 12  # that a message names


class Place(Protocol):
    """A piece of code that can be pointed at."""

    @property
    def row(self) -> int:
        """The row at which it starts. Finding it costs as much as parsing the code around."""


@dataclass(frozen=True)
class Origin:
    """Where a value was learned: in words, and the calls or loops that make it so, or the first of these.

    `more` counts the others. `passing` says that the words are only a name, and that whoever hands the value
    on knows better.
    """

    text: str
    places: tuple[Place, ...] = ()
    more: int = 0
    passing: bool = False

    def __str__(self) -> str:
        return self.text + from_rows((place.row for place in self.places), self.more)


def learned_from(text: str, places: Sequence[Place]) -> Origin:
    """The origin of a value that these calls give."""
    return Origin(text, tuple(places[:_MOST_PLACES]), max(len(places) - _MOST_PLACES, 0))


def from_rows(rows: Iterable[int], more: int = 0) -> str:
    """` from line 31`, ` from lines 31, 40 and 3 more`; empty if there are none."""
    numbers = sorted(set(rows))
    if not numbers:
        return ""
    others = f" and {more} more" if more else ""
    return f" from line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}{others}"


@dataclass(frozen=True)
class Option:
    """One possible value; `origin` says where it was learned, None for what the call itself shows."""

    value: Any
    origin: Origin | None = None


@dataclass(frozen=True)
class Value:
    """The possible values of an expression. `complete` is False where there may be others."""

    options: tuple[Option, ...] = ()
    complete: bool = False

    @property
    def known(self) -> bool:
        """Whether there is exactly one value it can have."""
        return self.complete and len(self.options) == 1

    @property
    def only(self) -> Any:
        """The value, if it is known. Raises ValueError otherwise."""
        if not self.known:
            raise ValueError("the value is not known")
        return self.options[0].value

    @property
    def origin(self) -> str:
        """Where a known value was learned, in words."""
        found = self.options[0].origin if self.options else None
        return str(found) if found is not None else ""

    @property
    def open(self) -> Value:
        """The same options, and perhaps others."""
        return replace(self, complete=False)

    def map(self, function: Callable[[Any], Any]) -> Value:
        """Apply a function to every option; options for which it raises make the value incomplete."""
        options: dict[Any, Option] = {}
        complete = self.complete
        for option in self.options:
            try:
                result = function(option.value)
            except (TypeError, ValueError, ArithmeticError, IndexError):
                complete = False
            else:
                options.setdefault((type(result), result), Option(result, option.origin))
        return Value(tuple(options.values()), complete)

    def learned(self, origin: Callable[[Option], Origin | None]) -> Value:
        """The same values with other origins."""
        return replace(self, options=tuple(Option(o.value, origin(o)) for o in self.options))


UNKNOWN = Value()


def constant(value: Any, origin: Origin | None = None) -> Value:
    """A value known from the call itself, or from `origin`."""
    return Value((Option(value, origin),), True)


def union(values: Iterable[Value]) -> Value:
    """The value of an expression that is one of several."""
    options: dict[Any, Option] = {}
    complete = True
    for value in values:
        complete = complete and value.complete
        for option in value.options:
            options.setdefault((type(option.value), option.value), option)
    if len(options) > _MAX_OPTIONS:
        return UNKNOWN
    return Value(tuple(options.values()), complete)


def combine(values: list[Value], function: Callable[..., Any]) -> Value:
    """`function` applied to every combination of the options."""
    if all(len(value.options) == 1 for value in values):  # as in long lists of numbers
        only = [value.options[0] for value in values]
        origin = next((option.origin for option in only if option.origin), None)
        taken = Option(tuple(option.value for option in only), origin)
        complete = all(value.complete for value in values)
        return Value((taken,), complete).map(lambda arguments: function(*arguments))
    result = Value((Option(()),), True)
    for value in values:
        options = tuple(
            Option((*done.value, option.value), done.origin or option.origin)
            for done in result.options
            for option in value.options
        )
        result = Value(options, result.complete and value.complete)
        if len(options) > _MAX_OPTIONS:
            return UNKNOWN
    return result.map(lambda arguments: function(*arguments))
