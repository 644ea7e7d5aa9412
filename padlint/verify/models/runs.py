"""Two sessions side by side: both run the same case at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from padlint.verify.models.difference import Parts
from padlint.verify.models.inputs import Array
from padlint.verify.models.request import Case
from padlint.verify.models.session import Failed, Session

_PARTS = ("outputs", "gradients", "state", "layers", "given")


class Runner:
    """Runs cases, with files in `folder` for what comes of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    def both(
        self, before: Session, after: Session, case: Case, trace: Mapping[str, Any] | None = None
    ) -> tuple[Parts, Parts]:
        """What both sides make of a case. `Failed` of the side before takes precedence."""
        files = [self.start(session, case, trace) for session in (before, after)]
        try:
            first = self.finish(before, files[0])
        except Failed as failure:
            if not failure.is_over:
                with suppress(Failed):  # its answer must not be taken for that to the next question
                    self.finish(after, files[1])
            raise
        return first, self.finish(after, files[1])

    def one(self, session: Session, case: Case, trace: Mapping[str, Any] | None = None) -> Parts:
        """What one side makes of a case."""
        return self.finish(session, self.start(session, case, trace))

    def start(self, session: Session, case: Case, trace: Mapping[str, Any] | None = None) -> Path:
        """Send a case."""
        path = self.path(".npz")
        session.send("run", case=asdict(case), path=str(path), trace=trace)
        return path

    def finish(self, session: Session, path: Path) -> Parts:
        """Get what came of it."""
        return read(path, session.receive())

    def path(self, suffix: str) -> Path:
        """A new file name."""
        return self._folder / f"{next(self._numbers)}{suffix}"


def read(path: Path, answer: Mapping[str, Any]) -> Parts:
    """The arrays that a session wrote, by part and name; the file goes."""
    with np.load(path) as file:
        arrays = iter([file[key] for key in file.files])
    path.unlink()
    return {part: {name: next(arrays) for name in answer.get(part, ())} for part in _PARTS} | {
        "kinds": answer.get("kinds", {}),
        "calls": answer.get("calls", {}),
    }


def write(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays, which are read in order. Types that NumPy itself lacks, like bfloat16, become single."""
    known = (array.astype(np.float32) if array.dtype.kind == "V" else array for array in arrays.values())
    with path.open("wb") as file:
        named: dict[str, Any] = {f"a{index}": array for index, array in enumerate(known)}
        np.savez(file, **named)
