"""What is known of the spatial sizes of one tensor, why, and what becomes of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace

import libcst as cst

from padlint.geometry import Size, Unknown
from padlint.geometry import join as either_size
from padlint.sites.site import Site
from padlint.sizes.steps import NO_STEPS, Step, Steps
from padlint.syntax.units import Unit

_LONGEST = 40  # characters of a call that are shown
_OTHER_SIZES = "a Sequential model takes other sizes than the declared one too"


class Basis(enum.IntEnum):
    """How well a size is founded; the weakest link of a chain counts."""

    LITERAL = 0  # the framework enforces it: Input(shape=(224, 224, 3)), TensorSpec
    PROMISE = 1  # --input-size, --input-multiple: the user vouches for every model input
    ASSUMED = 2  # plausible only: a default parameter, a Sequential that takes other sizes too


@dataclass(eq=False)
class Chain:
    """The layers of a Sequential model so far. Flatten followed by Dense pins the input size.

    Keras lets a Sequential take other sizes than the declared one unless a Dense behind a Flatten has been
    built for it. `layers` are those before the Flatten that can change a size, each with the sizes that reach
    it. All is noted as the analysis meets it, so it is asked at the end only.
    """

    flattened: bool = False
    pinned: bool = False
    layers: list[tuple[Site, tuple[Size, ...]]] = field(default_factory=list)


@dataclass(frozen=True)
class Extent:
    """Sizes per spatial axis.

    `channels` says that `sizes` still holds the channel axis, first or last: which one depends on the layer
    that reads it. `channels_last` is where the layers so far had it. `every_axis` is a size that holds for
    all spatial axes, however many there are. `promised` says that it goes back to the user's word,
    `traced` that a run showed it, of the axes that the operator itself reads as spatial.
    """

    sizes: tuple[Size, ...] = ()
    basis: Basis = Basis.LITERAL
    steps: Steps = NO_STEPS
    note: str = ""
    channels: bool = False
    every_axis: Size | None = None
    channels_last: bool | None = None
    chain: Chain | None = None
    promised: bool = False
    traced: bool = False

    def spatial(self, rank: int, channels_last: bool) -> tuple[Size, ...] | None:
        """The sizes of `rank` spatial axes, None if the tensor has another rank."""
        if self.every_axis is not None:
            return (self.every_axis,) * rank
        if not self.channels:
            return self.sizes if len(self.sizes) == rank else None
        if len(self.sizes) != rank + 1:
            return None
        return self.sizes[:-1] if channels_last else self.sizes[1:]

    def like(self, other: Extent) -> tuple[Size, ...] | None:
        """The sizes of the axes of which another extent has some; None if that is not clear."""
        if self.every_axis is not None and other.every_axis is None:
            return (self.every_axis,) * (len(other.sizes) - other.channels)
        if self.channels and not other.channels and other.every_axis is None:
            layout = other.channels_last
            return None if layout is None else self.spatial(len(other.sizes), layout)
        return self.sizes

    def after(
        self, sizes: tuple[Size, ...], where: str, *, moved: bool, channels_last: bool | None
    ) -> Extent:
        """The extent behind a layer."""
        steps = self.steps.then(Step(describe(sizes), where)) if moved else self.steps
        return replace(
            self, sizes=sizes, steps=steps, channels=False, every_axis=None, channels_last=channels_last
        )

    def doubted(self, note: str) -> Extent:
        """The same, as an assumption."""
        return replace(self, basis=Basis.ASSUMED, note=self.note or note)

    @property
    def is_promise(self) -> bool:
        """Whether this is a model input itself, as the user promised it."""
        return self.promised and len(self.steps) == 1

    @property
    def effective_basis(self) -> Basis:
        """The basis, with what the rest of a Sequential model says about a literal size."""
        if self.chain is not None and self.basis is Basis.LITERAL and not self.chain.pinned:
            return Basis.ASSUMED
        return self.basis

    @property
    def assumption(self) -> str:
        """What an ASSUMED size rests on, in words."""
        if self.note and self.note != _OTHER_SIZES:
            return f"assumes that {self.note}"
        return _OTHER_SIZES

    @property
    def story(self) -> str:
        """The chain in short: `224 (Input, line 12) -> 112 (line 14)`."""
        return str(self.steps)


class NotFollowed:
    """`f(x) in line 3 is not followed`. To find its words takes a while, and few of them are told."""

    def __init__(self, unit: Unit, call: cst.Call) -> None:
        self._unit, self._call = unit, call

    def __str__(self) -> str:
        written = cst.Module([]).code_for_node(self._call.func)
        if len(written) > _LONGEST or "\n" in written:
            written = "a call"
        return f"{written} in line {self._unit.row(self._call)} is not followed"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NotFollowed) and other._call is self._call

    def __hash__(self) -> int:
        return hash(self._call)


@dataclass(frozen=True)
class Lost:
    """Nothing is known of a size, and why.

    `parameter` says that the tensor comes from a caller as it is, `open` that an input declares no size.
    """

    reason: str | NotFollowed
    parameter: bool = False
    open: bool = False


Known = Extent | Lost


def describe(sizes: tuple[Size, ...]) -> str:
    """`224`, `224x112`, `a multiple of 32`."""
    if len(set(sizes)) == 1:
        return str(sizes[0])
    return "x".join("?" if isinstance(size, Unknown) else str(size) for size in sizes)


def join(first: Known, second: Known, difference: str = "it depends on a condition") -> Known:
    """What is known of a tensor that comes from one of two places; `difference` says so where they disagree.

    A parameter that may stand in for a model input (`x = input_tensor if given else Input(...)`) is a model
    input too, so the user's promise holds for it.
    """
    for promised, other in ((first, second), (second, first)):
        if (
            isinstance(promised, Extent)
            and isinstance(other, Lost)
            and other.parameter
            and promised.is_promise
        ):
            return promised
    if isinstance(first, Lost):
        return first
    if isinstance(second, Lost):
        return second
    told = (first.sizes, first.every_axis, first.channels, first.chain)
    if told == (second.sizes, second.every_axis, second.channels, second.chain):
        return first if first.basis >= second.basis else second
    return _between(first, second) or Lost(difference)


def _between(first: Extent, second: Extent) -> Extent | None:
    """The residue classes that hold the sizes of both, such as the multiples of 56 for 112 and 56."""
    worse = first if first.effective_basis >= second.effective_basis else second
    if worse.effective_basis is not worse.basis:
        worse = worse.doubted(_OTHER_SIZES)
    layout = first.channels_last if first.channels_last == second.channels_last else None
    worse = replace(worse, channels_last=layout, chain=None)
    if first.every_axis is not None and second.every_axis is not None:
        both = either_size(first.every_axis, second.every_axis)
        joined = replace(worse, every_axis=both)
        return None if isinstance(both, Unknown) else _told(joined, first, second, (both,))
    mine, yours = first.like(second), second.like(first)
    if mine is None or yours is None or len(mine) != len(yours):
        return None
    sizes = tuple(map(either_size, mine, yours))
    if all(isinstance(size, Unknown) for size in sizes):
        return None
    channels = first.channels and second.channels
    joined = replace(worse, sizes=sizes, every_axis=None, channels=channels)
    return joined if mine == yours else _told(joined, first, second, sizes)


def _told(joined: Extent, first: Extent, second: Extent, sizes: tuple[Size, ...]) -> Extent:
    """The extent with the part of the way that both have in common."""
    shown = sizes[:-1] if joined.channels else sizes
    step = Step(describe(shown), "in several ways")
    return replace(joined, steps=first.steps.common(second.steps).then(step))
