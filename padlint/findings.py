"""What a rule reports and what a fix consists of: frozen, picklable data without any syntax-tree node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from padlint.levels import Applicability, Severity

__all__ = [
    "Applicability",
    "Edit",
    "Finding",
    "Fix",
    "LayerPair",
    "LayerProof",
    "Location",
    "Program",
    "Proof",
    "Severity",
]


@dataclass(frozen=True, order=True)
class Location:
    """A place in a source text: row and column start at 1, columns count characters."""

    row: int
    column: int


@dataclass(frozen=True)
class Edit:
    """Replace the characters `start:end` of the decoded source (BOM excluded) by `content`.

    In a notebook the offsets are those of all code together, the locations those in the `cell`.
    """

    start: int
    end: int
    content: str
    location: Location
    end_location: Location
    cell: int | None = None


@dataclass(frozen=True)
class Program:
    """One side of a layer proof, in the words of the file itself.

    `setup` holds assignments that build layers (`self.conv = nn.Conv2d(3, 8, 3)`), bind names to known values
    (`K = 3`) or compute an intermediate tensor (`x = self.pad(x)`), in order; also the definition of a
    convolution class that pads its own input. `output` is the expression that computes the result from
    `input`, which is the text of the expression that the padded operator reads (`x`, or `self.bn(h)`: it is
    never run, the verifier puts a sample tensor in its place).
    """

    setup: tuple[str, ...]
    output: str
    input: str


@dataclass(frozen=True)
class LayerPair:
    """What the layer proof runs: the text that is replaced and the text that will be written.

    `names` maps each name that the texts use to the dotted path of what the file imports under it
    (`{"nn": "torch.nn"}`). `sizes` lists the spatial shapes to run (one tuple per shape, in the operator's
    axis order, e.g. `((224, 224), (32, 48))`), all of them large enough that no output is empty. `kernel` is
    the spatial shape of the weight that a function (`F.conv2d(x, w)`) gets as a tensor.
    """

    framework: str
    before: Program
    after: Program
    names: Mapping[str, str]
    sizes: tuple[tuple[int, ...], ...]
    kernel: tuple[int, ...] | None = None


@dataclass(frozen=True)
class LayerProof:
    """Result of running a `LayerPair` in the real framework: `equal`, `differs` or `no reference`."""

    framework: str
    result: str
    max_abs: float | None
    dtype: str
    sizes: tuple[tuple[int, ...], ...]
    detail: str = ""


@dataclass(frozen=True)
class Proof:
    """The tap maps of both sides are equal, for every input size (`all`) or for the listed ones."""

    taps: str
    sizes: str | tuple[tuple[int, ...], ...]
    layer: LayerProof | None = None


@dataclass(frozen=True)
class Fix:
    """Text edits that belong together, with what is claimed about them and how to check it.

    `partners` are the starts of the calls, its own among them, whose fixes are safe only together.
    """

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]
    proof: Proof | None = None
    layer: LayerPair | None = None
    partners: frozenset[Location] = frozenset()


@dataclass(frozen=True)
class Finding:
    """One problem in one file.

    `numbers` is plain JSON data: `{"op", "axes": [...], "others": {...}}`. Exactly one of `fix` and
    `no_fix_reason` is set.
    """

    code: str
    name: str
    severity: Severity
    message: str
    location: Location
    end_location: Location
    fix: Fix | None = None
    no_fix_reason: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    filename: str = ""
    cell: int | None = None

    @property
    def sort_key(self) -> tuple[str, int, Location, str]:
        """File, cell, place, code: the order in which every output lists findings."""
        return self.filename, self.cell or 0, self.location, self.code
