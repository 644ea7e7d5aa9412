"""What a name or an expression can hold at one point of a program, besides a tensor: see `Held`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Operator
from padlint.sites.site import Site
from padlint.sizes.blueprints import Blueprint
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
    """A tuple or list of which some items are no constants.

    A list of tensors within another is lost: it may be changed under a name of its own.
    """

    items: tuple[Held, ...]
    changes: bool = False  # a list, which can be changed in place

    def __post_init__(self) -> None:
        if any(_is_list_of_tensors(item) for item in self.items):
            lost = Lost("it stands in a list within another, which may be changed under another name")
            items = tuple(lost if _is_list_of_tensors(item) else item for item in self.items)
            object.__setattr__(self, "items", items)


def _is_list_of_tensors(held: Held) -> bool:
    if not isinstance(held, Items) or not held.changes:
        return False
    return not all(isinstance(item, Constant) for item in held.items)


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer object."""

    site: Site


class Bound(Mapping[tuple["Scope", str], Value]):
    """What names are worth at one point of a run."""

    @property
    def told(self) -> Hashable:
        """Equal where the same names hold the same."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the file: a method, or one that stands in another, with what the names around it hold.

    `me` is the object that a method belongs to.
    """

    function: Function
    around: tuple[tuple[Scope, Environment], ...] = ()
    me: Instance | None = None


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


@dataclass(frozen=True)
class Chained:
    """A Sequential of torch or Flax: modules that run one after the other."""

    modules: tuple[Held, ...]


@dataclass(frozen=True)
class Listed:
    """A ModuleList or ModuleDict, with the names of its modules if they have any."""

    modules: tuple[Held, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class OneOf:
    """One of several modules, or None in place of one."""

    options: tuple[Held, ...]


@dataclass(frozen=True)
class ClassName:
    """A module class of the file."""

    blueprint: Blueprint


@dataclass(frozen=True)
class OperatorName:
    """A layer of the catalogue that has not been built: `norm_layer=nn.BatchNorm2d`."""

    operator: Operator


@dataclass(frozen=True, eq=False)
class Instance:
    """An instance of a module class of the file, as `call` built it; None where that is not seen.

    `attributes` are what its constructor assigns. `me` says that the code is that of its own class, and
    `building` that the constructor still runs: the attributes are then names of the environment.
    """

    blueprint: Blueprint
    attributes: Mapping[str, Held] = field(default_factory=dict)
    call: cst.Call | None = None
    me: bool = False
    building: bool = False

    @cached_property
    def told(self) -> Hashable:
        """Equal for instances that do the same."""
        held = tuple((name, key(held)) for name, held in sorted(self.attributes.items()))
        return self.blueprint, self.building, held


Module = Layer | Chained | Listed | OneOf | Instance
MODULES = (Layer, Chained, Listed, OneOf, Instance)
Held = (
    Extent
    | Lost
    | Constant
    | Items
    | Layer
    | Closure
    | Stack
    | Graph
    | Chained
    | Listed
    | OneOf
    | ClassName
    | OperatorName
    | Instance
)
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
    if isinstance(held, (Stack, Graph, Chained, Listed, OneOf, Instance)):
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
    options = [*_options(first), *_options(second)]
    if options and len(options) == sum(len(_options(held)) or 1 for held in (first, second)):
        unique = {key(option): option for option in options}
        return next(iter(unique.values())) if len(unique) == 1 else OneOf(tuple(unique.values()))
    for lost in (first, second):
        if isinstance(lost, Lost) and not lost.parameter:
            return lost
    return Lost("it depends on a condition")


def _options(held: Held) -> tuple[Held, ...]:
    """The modules that something can be, and None."""
    if isinstance(held, OneOf):
        return held.options
    none = isinstance(held, Constant) and held.value.known and held.value.only is None
    return (held,) if none or isinstance(held, MODULES) else ()


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
    if isinstance(held, Layer):
        bindings = held.site.bindings
        return "layer", id(held.site.call), bindings.told if isinstance(bindings, Bound) else id(bindings)
    if isinstance(held, (Chained, Listed, OneOf)):
        modules = held.options if isinstance(held, OneOf) else held.modules
        return type(held), keys(modules), held.names if isinstance(held, Listed) else ()
    if isinstance(held, Instance):
        return held.told
    if isinstance(held, OperatorName):
        return held.operator.name
    return id(held) if isinstance(held, Closure) else held


def keys(held: Iterable[Held]) -> Hashable:
    """The keys of several."""
    return tuple(map(key, held))


def calls_in(held: Held) -> Iterator[cst.Call]:
    """The calls that build the layers and instances in something."""
    if isinstance(held, Layer):
        yield held.site.call
    elif isinstance(held, Instance):
        if held.call is not None:
            yield held.call
    elif isinstance(held, (Chained, Listed, OneOf, Items)):
        parts: Iterable[Held] = (
            held.options
            if isinstance(held, OneOf)
            else held.items
            if isinstance(held, Items)
            else held.modules
        )
        for part in parts:
            yield from calls_in(part)
