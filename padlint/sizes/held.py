"""What a name or an expression can hold at one point of a program, besides a tensor: see `Held`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known, Lost, join
from padlint.syntax.functions import Function
from padlint.syntax.values import UNKNOWN, Value, combine, union

if TYPE_CHECKING:
    from padlint.sizes.environment import Environment
    from padlint.syntax.scopes import Scope


@dataclass(frozen=True)
class Constant:
    """A number, a text, or a tuple of such."""

    value: Value


@dataclass(frozen=True)
class Items:
    """A tuple or list of which some items are no constants. A list may be `shared` with other names."""

    items: tuple[Held, ...]
    changes: bool = False  # a list, which can be changed in place


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer object."""

    site: Site


@dataclass(frozen=True, eq=False)
class Closure:
    """A function that stands in another one, with what the names around it hold."""

    function: Function
    around: tuple[tuple[Scope, Environment], ...] = ()


@dataclass(eq=False)
class Record:
    """What becomes of a model: it is `applied` to tensors, `escapes`, or is `changed` out of sight.

    `names` is the name that it was assigned to when it was made.
    """

    applied: bool = False
    escapes: bool = False
    changed: bool = False
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Stack:
    """A Sequential model: its elements (None for one that is not known) and what leaves the last one.

    `declared` says that an element tells the input size.
    """

    extent: Known
    declared: bool = False
    elements: tuple[Site | None, ...] = ()
    record: Record = field(default_factory=Record)


@dataclass(frozen=True)
class Graph:
    """A functional model: what enters and what leaves it."""

    inputs: tuple[Known, ...]
    output: Held


Held = Extent | Lost | Constant | Items | Layer | Closure | Stack | Graph
"""Extents are tensors; Lost is whatever nothing is known of."""


def tensor(held: Held) -> Known:
    """The same as a tensor."""
    if isinstance(held, (Extent, Lost)):
        return held
    if isinstance(held, Constant):
        return Lost("it is a constant, not a tensor")
    if isinstance(held, Layer):
        site = held.site
        return Lost(f"{site.written} in line {site.unit.row(site.call)} is a layer, not a tensor")
    if isinstance(held, (Stack, Graph)):
        return Lost("it is a model")
    return Lost("it is a list or a function, not a tensor")


def value_of(held: Held | None) -> Value:
    """The same as a constant."""
    if isinstance(held, Constant):
        return held.value
    if isinstance(held, Items) and held.items and all(isinstance(item, Constant) for item in held.items):
        return combine([value_of(item) for item in held.items], lambda *items: items)
    return UNKNOWN


def either(first: Held, second: Held) -> Held:
    """What a name holds that comes from one of two places."""
    if first is second or first == second:
        return first
    if isinstance(first, (Extent, Lost)) and isinstance(second, (Extent, Lost)):
        return join(first, second)
    if isinstance(first, Constant) and isinstance(second, Constant):
        return Constant(union((first.value, second.value)))
    if isinstance(first, Items) and isinstance(second, Items) and len(first.items) == len(second.items):
        items = tuple(map(either, first.items, second.items))
        return Items(items, first.changes or second.changes)
    if isinstance(first, Stack) and isinstance(second, Stack):
        return _either_stack(first, second)
    for lost in (first, second):
        if isinstance(lost, Lost) and not lost.parameter:
            return lost
    return Lost("it depends on a condition")


def _either_stack(first: Stack, second: Stack) -> Stack:
    for stack in (first, second):
        stack.record.escapes = True  # which one is applied from here on is not known
    elements = first.elements if first.elements == second.elements else (None,)
    declared = first.declared and second.declared
    return Stack(join(first.extent, second.extent), declared, elements, first.record)


def key(held: Held) -> Hashable:
    """Equal for what no layer can tell apart; the way that led to a size does not count."""
    if isinstance(held, Extent):
        told = (held.sizes, held.every_axis, held.channels, held.channels_last)
        return (*told, held.effective_basis, held.note, id(held.chain) if held.chain else None)
    if isinstance(held, Lost):
        return held.parameter, held.open
    if isinstance(held, Constant):
        options = ((type(option.value), repr(option.value)) for option in held.value.options)
        return held.value.complete, tuple(options)
    if isinstance(held, Items):
        return "items", held.changes, keys(held.items)
    return id(held) if isinstance(held, (Layer, Closure)) else held


def keys(held: Iterable[Held]) -> Hashable:
    """The keys of several."""
    return tuple(map(key, held))
