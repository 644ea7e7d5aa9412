"""What a comparison of two models comes to, in the words of the proof of a fix."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from padlint.findings import LayerProof
from padlint.verify.protocol import DIFFERS, EQUAL

INCOMPARABLE = "incomparable"
"""A result besides `equal` and `differs`: nothing was shown."""

STATUS = {EQUAL: 0, DIFFERS: 1, INCOMPARABLE: 2}
"""Exit status by result."""


@dataclass(frozen=True)
class Difference:
    """The first thing that differs.

    `what` is `weights`, `structure`, `output`, `gradient`, `state`, `file` or `onnx`; `name` says which.
    """

    what: str
    name: str
    message: str
    max_abs: float | None = None
    index: tuple[int, ...] | None = None
    before: float | None = None
    after: float | None = None
    dtype: str | None = None
    training: bool = False
    kind: str | None = None
    shapes: tuple[tuple[int, ...], ...] = ()
    layer: str | None = None
    cause: str | None = None


@dataclass(frozen=True)
class Exported:
    """An ONNX file of one side: its nodes, and how it differs from the model it was made of."""

    exporter: str
    pads: int = 0
    shape_nodes: int = 0
    nodes: int = 0
    failure: str | None = None
    difference: str | None = None
    sizes: tuple[tuple[tuple[int, ...], ...], ...] = ()


@dataclass
class Comparison:
    """The whole result. `checks` says what was compared and found equal, `notes` what should be known."""

    before: str
    after: str
    result: str = INCOMPARABLE
    reason: str | None = None
    framework: str | None = None
    max_abs: float | None = None
    dtypes: list[str] = field(default_factory=list)
    shapes: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    difference: Difference | None = None
    onnx: list[dict[str, Exported]] = field(default_factory=list)

    @property
    def status(self) -> int:
        """Exit status."""
        return STATUS[self.result]

    @property
    def proof(self) -> LayerProof:
        """The result as the proof of a layer has it; here, the sizes are the shapes of the inputs."""
        detail = self.difference.message if self.difference else self.reason or ""
        dtype = self.dtypes[0] if self.dtypes else ""
        sizes = tuple(dict.fromkeys(shape for shapes in self.shapes for shape in shapes))
        return LayerProof(self.framework or "", self.result, self.max_abs, dtype, sizes, detail)

    def data(self) -> dict[str, Any]:
        """Everything as plain data."""
        return asdict(self)
