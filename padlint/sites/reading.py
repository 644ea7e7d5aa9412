"""The geometry of a call: kernel, stride, dilation, padding per spatial axis; one reading per possibility."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from padlint import catalogue
from padlint.catalogue.pads import GREATEST
from padlint.geometry import effective_kernel
from padlint.sites.arg_scope import ByScope
from padlint.sites.site import Site
from padlint.sites.weights import weight_shape
from padlint.syntax.bindings import Case
from padlint.syntax.possible import Origin, learned_from
from padlint.syntax.values import UNKNOWN, Bindings, Evaluator, Option, Value, constant

TRACED = Origin("the traced run")
"""Origin of what no code shows."""
AXIS_NAMES = {1: ("width",), 2: ("height", "width"), 3: ("depth", "height", "width")}


@dataclass(frozen=True)
class Axis:
    """One spatial axis of a convolution or pool. `kernel` is None where it is not known."""

    name: str
    kernel: int | None
    stride: int
    dilation: int

    @property
    def reach(self) -> int | None:
        """The effective kernel (kernel - 1) * dilation + 1."""
        return None if self.kernel is None else effective_kernel(self.kernel, self.dilation)


@dataclass(frozen=True)
class Reading:
    """One combination of possible argument values.

    `padding` is the argument as it is (a string, int or tuple). `sure` is True if the call cannot have any
    other values, `complete` if no others than in the readings of this call, `scoped` if nothing but the
    arg_scope of a caller can give it others. `origins` say where values were learned that the call does not
    show itself, and `case` is one in which the call runs like this.
    """

    axes: tuple[Axis, ...]
    padding: Any
    sure: bool = False
    complete: bool = False
    origins: tuple[Origin, ...] = ()
    scoped: bool = False
    case: Case | None = None

    def joined(self, other: Reading) -> Reading:
        """The same reading, as it is learned in two places."""
        joined: dict[tuple[type, str], Origin] = {}
        for origin in (*self.origins, *other.origins):
            key = (type(origin), origin.text)
            before = joined.get(key)
            if before is None:
                joined[key] = origin
            elif before != origin:
                places = tuple(dict.fromkeys((*before.places, *origin.places)))
                merged = learned_from(origin.text, places)
                more = merged.more + before.more + origin.more
                joined[key] = replace(origin, places=merged.places, more=more)
        return replace(self, origins=tuple(joined.values()))

    @property
    def same(self) -> bool:
        """Whether the padding is the word `same`."""
        return isinstance(self.padding, str) and self.padding.lower() == "same"

    @property
    def strided(self) -> bool:
        """Whether some axis has a stride above 1."""
        return any(axis.stride > 1 for axis in self.axes)


def spatial_rank(site: Site) -> int | None:
    """Number of spatial axes of a site's operator, as its code or a traced run shows."""
    rank = catalogue.rank_of(site.operator, lambda role: _first(site.value(role)))
    if rank is not None:
        return rank
    kernel = weight_shape(site)
    if not kernel and site.seen is not None and site.seen.complete:
        ranks = {len(numbers[0]) for numbers, _ in site.seen.geometries}
        return ranks.pop() if len(ranks) == 1 else None
    return len(kernel) if kernel else None


def _first(value: Value) -> Any:
    """A possible value: the number of axes is the same for all that a call can have."""
    return value.options[0].value if value.options else None


def data_format(site: Site) -> str | None:
    """`channels_last` or `channels_first`, None where the call does not say for sure."""
    word = None
    if "data_format" in site.operator.roles:
        value = site.value("data_format")
        if not value.known and not _by_scope(value):
            return traced_layout(site)
        word = _first(value)
    last = catalogue.is_channels_last(word, site.operator.channels_last)
    return None if last is None else "channels_last" if last else "channels_first"


def traced_layout(site: Site) -> str | None:
    """The data_format that a traced run showed, where the call computes it."""
    if site.seen is None or not site.seen.complete or "data_format" not in site.operator.roles:
        return None
    value = site.value("data_format")
    layouts = {run.layout for run, _ in site.seen.runs}
    return layouts.pop() if not value.known and not _by_scope(value) and len(layouts) == 1 else None


def _by_scope(value: Value) -> bool:
    """Whether the only value is a default of slim, which a scope hardly ever changes."""
    return len(value.options) == 1 and isinstance(value.options[0].origin, ByScope)


def readings(site: Site, bindings: Bindings | None = None) -> list[Reading]:
    """Every way in which the file shows that a call may run: one for each geometry and padding.

    What belongs together stays together, so that `'same' if s == 1 else 'valid'` is `valid` where the stride
    `s` is above 1. Empty if the rank, the stride or the padding is unknown. With `bindings` only what they
    allow is read, such as one call of the function around.
    """
    bindings = site.bindings if bindings is None else bindings
    if "readings" not in site.memo:
        site.memo["readings"] = _readings(site, None)
    known: list[Reading] = site.memo["readings"]
    # What holds in every run holds in one.
    return _readings(site, bindings) if bindings and not (known and known[0].sure) else known


def _readings(site: Site, bindings: Bindings | None) -> list[Reading]:
    rank = spatial_rank(site)
    if rank is None:
        return []
    layout = data_format(site)

    def look(evaluator: Evaluator) -> _Geometry:
        return _Geometry(site, rank, layout, evaluator)

    worlds = site.cases.of(site.unit, site.call, look, bindings)
    found: dict[tuple[object, ...], Reading] = {}
    complete, scoped = worlds.complete, worlds.complete
    for case, geometry in worlds.cases:
        complete, scoped = complete and geometry.complete, scoped and geometry.scoped
        for reading in geometry.readings():
            reading = replace(reading, case=case)
            key = (reading.axes, repr(reading.padding))
            found[key] = found[key].joined(reading) if key in found else reading
    if not complete and bindings is None:
        _add_traced(site, found)
    sure, scoped = complete and len(found) == 1, scoped and not complete and len(found) == 1
    return [replace(reading, sure=sure, complete=complete, scoped=scoped) for reading in found.values()]


def traced_readings(site: Site) -> list[Reading]:
    """The geometry of a call in every traced run."""
    found = []
    for numbers, padding in site.seen.geometries if site.seen is not None else ():
        named = zip(AXIS_NAMES[len(numbers[0])], *numbers, strict=True)
        axes = tuple(Axis(*axis) for axis in named)
        found.append(Reading(axes, padding, sure=True, complete=True, origins=(TRACED,)))
    return found


def _add_traced(site: Site, found: dict[tuple[object, ...], Reading]) -> None:
    """Add what ran to what the file shows, which says less where the kernel is in a weight."""
    traced = traced_readings(site)
    padding = site.value("padding")
    if padding.known and any(reading.padding != padding.only for reading in traced):
        return  # the call has been changed since
    if traced:
        for key in [key for key, reading in found.items() if any(a.kernel is None for a in reading.axes)]:
            del found[key]
    for reading in traced:
        found.setdefault((reading.axes, repr(reading.padding)), reading)


class _Geometry:
    """The values of the arguments that make the geometry of a call."""

    def __init__(self, site: Site, rank: int, layout: str | None, evaluator: Evaluator) -> None:
        spread = _Spread(site, rank, layout, evaluator)
        self.rank = rank
        self.kernel = spread.of("kernel") if site.has("kernel") else _weight_kernel(site)
        self.stride = spread.of("stride", self.kernel)
        self.dilation = spread.of("dilation") if site.has("dilation") else constant((1,) * rank)
        self.padding = site.evaluated("padding", evaluator)

    @property
    def complete(self) -> bool:
        """Whether the arguments can have no other values."""
        return all(value.complete for value in self._values)

    @property
    def scoped(self) -> bool:
        """Whether the arguments are known but for what the arg_scope of a caller may change."""
        return all(value.known or _by_scope(value) for value in self._values)

    @property
    def _values(self) -> tuple[Value, ...]:
        return self.kernel, self.stride, self.dilation, self.padding

    def readings(self) -> Iterator[Reading]:
        """Every combination of the values."""
        kernels = self.kernel.options or (Option((None,) * self.rank),)
        for options in product(kernels, self.stride.options, self.dilation.options, self.padding.options):
            *numbers, padding = (option.value for option in options)
            axes = tuple(Axis(name, *of) for name, *of in zip(AXIS_NAMES[self.rank], *numbers, strict=True))
            origins = tuple(dict.fromkeys(o.origin for o in options if o.origin is not None))
            yield Reading(axes, padding, origins=origins)


@dataclass
class _Spread:
    """Turns an argument into one number per spatial axis."""

    site: Site
    rank: int
    layout: str | None
    evaluator: Evaluator

    def of(self, role: str, fallback: Value = UNKNOWN) -> Value:
        """The values of a role; a stride of None is the kernel (pools) or 1."""
        value = self.site.evaluated(role, self.evaluator)
        if role == "stride" and not self.site.has(role):
            return constant((1,) * self.rank)
        if value.known and value.only is None:
            return fallback if self.site.operator.stride_is_kernel else constant((1,) * self.rank)
        return value.map(self._numbers)

    def _numbers(self, raw: Any) -> tuple[int, ...]:
        numbers = self._entries(raw)
        if numbers is None or any(
            isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= GREATEST for n in numbers
        ):
            raise ValueError(raw)
        return numbers

    def _entries(self, raw: Any) -> tuple[Any, ...] | None:
        """The entries of the spatial axes; where the batch and the channels have one too, it must be 1."""
        if self.site.operator.framework == "torch" or not isinstance(raw, tuple) or len(raw) != self.rank + 2:
            return catalogue.spatial_entries(raw, self.rank)
        possible = {
            catalogue.spatial_entries(raw, self.rank, last)
            for word, last in (("channels_last", True), ("channels_first", False))
            if self.layout in (word, None) and raw[0] == raw[-1 if last else 1] == 1
        }
        return possible.pop() if len(possible) == 1 else None


def _weight_kernel(site: Site) -> Value:
    shape = weight_shape(site)
    return constant(shape) if shape else UNKNOWN
