"""Layer proofs during a run: one prover for all files, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO

import click

from padlint.files import FileError, Outcome, Task, process
from padlint.findings import LayerPair, LayerProof


def run_verified(tasks: Sequence[Task], content: bytes | None = None) -> list[Outcome]:
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

    screen = sys.stderr if sys.stderr.isatty() else StringIO()
    outcomes = []
    with (
        click.progressbar(length=len(tasks), label="Proving fixes", item_show_func=str, file=screen) as bar,
        LayerProver(on_progress=lambda done, total: bar.update(0, f"{done} of {total}")) as prover,
    ):
        for task in tasks:
            outcomes.append(process(task, prove, content))
            bar.update(1, task.filename)
    return outcomes
