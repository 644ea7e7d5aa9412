"""Layer proofs during a run: one prover for all files, with a progress bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from padlint.cli.progress import Progress
from padlint.files import FileError, Outcome, Task, process
from padlint.findings import LayerPair, LayerProof

if TYPE_CHECKING:
    from padlint.engine import Accept


def run_verified(
    tasks: Sequence[Task], content: bytes | None = None, accept: Accept | None = None, *, quiet: bool
) -> Iterator[Outcome]:
    """Do the tasks one by one, proving each fix in its framework."""
    from padlint.verify import LayerProver, MissingFramework

    missing: set[str] = set()

    def prove(pairs: Sequence[LayerPair]) -> Sequence[LayerProof]:
        try:
            return prover(pairs)
        except MissingFramework as error:
            known = error.framework in missing
            missing.add(error.framework)
            raise FileError(f"not proved: {error.framework} is missing" if known else str(error)) from None

    with (
        Progress(len(tasks), "Proving fixes", quiet=quiet) as progress,
        LayerProver(on_progress=lambda done, total: progress.detail(f"{done} of {total}")) as prover,
    ):
        for task in tasks:
            yield process(task, prove, content, accept)
            progress.advance()
