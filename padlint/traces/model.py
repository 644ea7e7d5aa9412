"""The parts of a trace. Immutable where the analysis reads them, collected in dicts while a run goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MOST_RUNS = 256
"""Different runs of one call that are kept; others are counted."""
MOST_LAYERS = 4000
"""Lines of the flow that are kept."""

Sizes = tuple[int | None, ...]


@dataclass(frozen=True)
class Place:
    """Where a call stands: rows and columns from 1, the end exclusive; 0 for a column that is not known."""

    file: str
    row: int
    column: int = 0
    end_row: int = 0
    end_column: int = 0


@dataclass(frozen=True)
class Run:
    """One way in which a call ran. `arguments` are pairs of a role and its value.

    `used` is where the layer was applied when it first ran so, which makes no difference.
    """

    arguments: tuple[tuple[str, Any], ...]
    layout: str
    input: Sizes
    output: Sizes
    dtype: str
    used: tuple[str, int] | None = field(default=None, compare=False)

    def get(self, role: str) -> Any:
        """The value of a role, None if there is none."""
        return dict(self.arguments).get(role)


@dataclass
class Call:
    """A place that ran an operator, with how often in which way.

    `runs` counts calls with real numbers, 0 for a way that only `symbolic` calls went: those by which a
    framework builds, initialises or traces a model. `more` counts calls of which no way is kept.
    """

    place: Place
    operator: str
    runs: dict[Run, int] = field(default_factory=dict)
    more: int = 0
    symbolic: dict[Run, int] = field(default_factory=dict)

    def add(self, run: Run, count: int = 1, symbolic: int = 0) -> bool:
        """Count calls; whether their way is kept."""
        if run not in self.runs and len(self.runs) >= MOST_RUNS:
            self.more += count + symbolic
            return False
        self.runs[run] = self.runs.get(run, 0) + count
        if symbolic:
            self.symbolic[run] = self.symbolic.get(run, 0) + symbolic
        return True


@dataclass(frozen=True)
class Layer:
    """A line of the flow: `field` is the receptive field of an output, `step` its total stride."""

    name: str
    place: Place
    operator: str
    run: Run
    field: Sizes
    step: Sizes


@dataclass(frozen=True)
class Missed:
    """Something that could not be recorded, and why."""

    what: str
    reason: str


@dataclass
class TracedFile:
    """The calls of one file, and the hash of its content as it ran."""

    sha256: str
    calls: dict[tuple[Place, str], Call] = field(default_factory=dict)

    def call(self, place: Place, operator: str) -> Call:
        """The entry of a call, new if need be."""
        return self.calls.setdefault((place, operator), Call(place, operator))


@dataclass
class Trace:
    """Everything that was seen, by path relative to the project."""

    files: dict[str, TracedFile] = field(default_factory=dict)
    flow: dict[Layer, None] = field(default_factory=dict)
    missed: dict[Missed, int] = field(default_factory=dict)

    def add(self, layer: Layer, sha256: str, *, symbolic: bool = False) -> None:
        """Count one call of a layer or function."""
        file = self.file(layer.place.file, sha256)
        counts = (0, 1) if symbolic else (1, 0)
        kept = file.call(layer.place, layer.operator).add(layer.run, *counts)
        if kept and len(self.flow) < MOST_LAYERS:
            self.flow.setdefault(layer)

    def file(self, name: str, sha256: str) -> TracedFile:
        """The entry of a file, new if need be."""
        return self.files.setdefault(name, TracedFile(sha256))

    def miss(self, what: str, reason: str, count: int = 1) -> None:
        """Count something that could not be recorded."""
        missed = Missed(what, reason)
        if missed not in self.missed and len(self.missed) >= MOST_RUNS:
            missed = Missed("others", "there were too many different reasons")
        self.missed[missed] = self.missed.get(missed, 0) + count


@dataclass(frozen=True)
class FileTrace:
    """What a trace knows of one file: its calls with their runs. Not changed any more, for the analysis."""

    sha256: str
    calls: tuple[Call, ...]


def digest(content: bytes) -> str:
    """The hash by which a trace knows a file's content."""
    from hashlib import sha256  # which few runs need

    return sha256(content).hexdigest()
