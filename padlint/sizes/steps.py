"""The chain of steps that led to a size. Chains share what they have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_SHOWN = 3  # steps at each end of a chain, where it is too long


@dataclass(frozen=True)
class Step:
    """One link of the chain that led to a size."""

    size: str
    where: str

    def __str__(self) -> str:
        return f"{self.size} ({self.where})"


class Steps:
    """Steps in their order. One more costs the same however many there are: a model may have thousands."""

    __slots__ = ("_before", "_count", "_first", "_step")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._before: Steps | None = None
        self._step: Step | None = None
        self._count = 0
        self._first: tuple[Step, ...] = ()
        whole = NO_STEPS.and_then(steps) if steps else None
        if whole is not None and whole._count:
            self._before, self._step = whole._before, whole._step
            self._count, self._first = whole._count, whole._first

    def then(self, step: Step) -> Steps:
        """These steps and one more."""
        longer = Steps()
        longer._before, longer._step, longer._count = self, step, self._count + 1
        longer._first = self._first if len(self._first) == _SHOWN else (*self._first, step)
        return longer

    def and_then(self, steps: Iterable[Step]) -> Steps:
        """These steps and others."""
        longer = self
        for step in steps:
            longer = longer.then(step)
        return longer

    @property
    def last(self) -> Step:
        """The last step, of at least one."""
        assert self._step is not None
        return self._step

    def since(self, start: Steps) -> tuple[Step, ...] | None:
        """The steps behind others, None if these do not begin with them."""
        added = self._last(max(self._count - len(start), 0))
        return added if self._up_to(len(start)) == start else None

    def common(self, other: Steps) -> Steps:
        """The steps that both begin with."""
        count = min(self._count, len(other))
        same = mine = self._up_to(count)
        yours = other._up_to(count)
        while mine is not yours and mine._before is not None and yours._before is not None:
            if mine._step != yours._step:
                same = mine._before
            mine, yours = mine._before, yours._before
        return same

    def _back(self) -> Iterator[Steps]:
        chain: Steps | None = self
        while chain is not None:
            yield chain
            chain = chain._before

    def _up_to(self, count: int) -> Steps:
        return next((chain for chain in self._back() if chain._count <= count), self)

    def _last(self, count: int) -> tuple[Step, ...]:
        found: list[Step] = []
        for chain in self._back():
            if len(found) == count or chain._step is None:
                break
            found.append(chain._step)
        return tuple(reversed(found))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Step]:
        return iter(self._last(self._count))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Steps) or other._count != self._count:
            return False
        for mine, yours in zip(self._back(), other._back(), strict=True):
            if mine is yours:
                return True
            if mine._step != yours._step:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self._count, self._step))

    def __repr__(self) -> str:
        return f"Steps({[*self]})"

    def __str__(self) -> str:
        """The chain in short: `224 (Input, line 12) -> 112 (line 14)`."""
        if self._count <= 2 * _SHOWN + 1:
            return " -> ".join(map(str, self))
        hidden = self._count - 2 * _SHOWN
        return " -> ".join([*map(str, self._first), f"{hidden} more", *map(str, self._last(_SHOWN))])


NO_STEPS = Steps()
