"""What an analysis of one file depends on besides its text: built by the configuration, read by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from padlint.traces.model import FileTrace


@dataclass(frozen=True)
class Options:
    """Immutable and picklable, so that worker processes and caches can use it as it is.

    `codes` holds the full codes of the rules that run, `unfixable` those whose fixes are switched off.
    `input_size` is the user's promise about every model input: spatial sizes in axis order, or a single
    number for all axes; `promised_by` says where it stands, if not on the command line. `input_multiple`
    promises that every spatial size of every model input is a multiple of that number. `keras_pad` is `layer`
    or `ops`. `unknown_size` is `report`, or `runtime` where a fix may compute pads when the model runs.
    `trace` is what a run showed of the file.
    `operators` pairs the dotted path of a wrapper of the user's own with the operator that it behaves like.
    """

    codes: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    input_size: tuple[int, ...] | None = None
    input_multiple: int | None = None
    keras_pad: str = "layer"
    unknown_size: str = "report"
    operators: tuple[tuple[str, str], ...] = ()
    unfixable: frozenset[str] = frozenset()
    promised_by: str = ""
    trace: FileTrace | None = None

    @property
    def promises(self) -> bool:
        """Whether the user promises anything about model inputs."""
        return self.input_size is not None or self.input_multiple is not None

    @property
    def wrappers(self) -> frozenset[str]:
        """The names by which files call the user's own wrappers."""
        return frozenset(path.rpartition(".")[2] for path, _ in self.operators)
