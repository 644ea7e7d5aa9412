"""Which call of the user's project is running. Runs in the child process."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

from padlint.traces.model import Place
from padlint.verify.models.project import is_own

_HERE = str(Path(__file__).resolve().parents[1])
_Position = tuple[int | None, int | None, int | None, int | None]

# Between a user's call and the hook that sees it, for functions that are called directly.
_BETWEEN = tuple(
    path.replace("/", os.sep)
    for path in (
        *("torch/overrides.py", "torch/nn/functional.py", "torch/_jit_internal.py", "torch/utils/_device.py"),
        *("tensorflow/python/autograph/", "tensorflow/python/util/", "tf_slim/ops/arg_scope.py"),
        *("jax/_src/traceback_util.py", "jax/_src/api.py", "jax/_src/pjit.py"),
    )
)


class Frames:
    """Finds the calls of one project. `generated` maps rows of code that TensorFlow made to the user's."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names: dict[str, str] = {}
        self._positions: dict[int, tuple[CodeType, list[_Position]]] = {}
        self.generated: dict[tuple[str, int], tuple[str, int]] = {}

    def name(self, filename: str) -> str:
        """The path of a file relative to the project, empty if it does not belong to it."""
        known = self._names.get(filename)
        if known is None:
            path = os.path.realpath(filename)
            own = is_own(path, self._root) and not path.startswith(_HERE + os.sep)
            known = Path(path).relative_to(self._root).as_posix() if own and Path(path).is_file() else ""
            self._names[filename] = known
        return known

    def innermost(self) -> Place | None:
        """The innermost call that stands in the project."""
        return self._find(lambda filename: True)

    def direct(self) -> Place | None:
        """The call of the function that runs, if that stands in the project and not in a library."""
        return self._find(lambda filename: filename.startswith(_HERE) or any(p in filename for p in _BETWEEN))

    def _find(self, passes: Callable[[str], bool]) -> Place | None:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            filename = frame.f_code.co_filename
            origin = self.generated.get((filename, frame.f_lineno))
            if origin is not None and (name := self.name(origin[0])):
                return Place(name, origin[1])
            if name := self.name(filename):
                return self._place(name, frame)
            if not passes(filename):
                return None
            frame = frame.f_back
        return None

    def _place(self, name: str, frame: FrameType) -> Place:
        row, end_row, column, end_column = self._position(frame)
        if row is None or end_row is None or column is None or end_column is None:
            return Place(name, frame.f_lineno)
        file = frame.f_code.co_filename
        ends = _character(file, row, column), _character(file, end_row, end_column)
        return Place(name, row, ends[0], end_row, ends[1])

    def _position(self, frame: FrameType) -> _Position:
        code = frame.f_code
        if not hasattr(code, "co_positions"):  # before Python 3.11
            return None, None, None, None
        if id(code) not in self._positions:
            self._positions[id(code)] = code, list(code.co_positions())
        return self._positions[id(code)][1][frame.f_lasti // 2]


def _character(file: str, row: int, column: int) -> int:
    """The column from 1 in characters, of one from 0 in bytes."""
    line = linecache.getline(file, row)
    return column + 1 if line.isascii() else len(line.encode()[:column].decode(errors="replace")) + 1
