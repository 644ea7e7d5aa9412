"""The traced program: `python .../record/child.py SPEC [ARGUMENT]...` runs it with hooks in its frameworks.

It has the user's arguments, folder, streams and exit status, as if it were run without.
"""

from __future__ import annotations

import atexit
import builtins
import io
import json
import os
import runpy
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

_ROOT = str(Path(__file__).resolve().parents[2])
if sys.path and Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    del sys.path[0]  # Python puts the folder of a script there
if _ROOT not in sys.path:
    sys.path.append(_ROOT)  # behind everything of the user's; an installed padlint is found before

from padlint.record.call import run_callable  # noqa: E402 - the path comes first
from padlint.record.hooks import install  # noqa: E402
from padlint.record.recorder import Recorder  # noqa: E402
from padlint.verify.child import limit_memory  # noqa: E402


def main() -> None:
    """Run what the file says that is named first."""
    spec = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    arguments = sys.argv[2:]
    if spec["memory"]:
        limit_memory(spec["memory"])
    recorder = Recorder(Path(spec["output"]), Path(spec["root"]))
    _write_at_the_end(recorder)
    install(recorder)
    sys.excepthook = _without_own_frames
    if spec["kind"] == "callable":
        run_callable(spec)
    elif spec["kind"] == "module":
        sys.path.insert(0, str(Path.cwd()))
        sys.argv[:] = [spec["target"], *arguments]  # runpy puts the file in its place
        _new_main()
        runpy._run_module_as_main(spec["target"])  # type: ignore[attr-defined]  # what python -m calls
    else:
        sys.path.insert(0, str(Path(spec["target"]).resolve().parent))
        sys.argv[:] = [spec["target"], *arguments]
        _run_script(str(Path(spec["target"]).absolute()))


def _new_main() -> ModuleType:
    """The module that the program runs in. It stays until the end: threads and exit handlers look into it."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    return main


def _run_script(file: str) -> None:
    """Run a script as `python FILE` does, whose `__file__` is absolute and whose argv is as it was given."""
    main = _new_main()
    main.__dict__.update(__file__=file, __cached__=None, __loader__=SourceFileLoader("__main__", file))
    with io.open_code(file) as stream:
        code = compile(stream.read(), file, "exec", dont_inherit=True)
    exec(code, main.__dict__)


def _write_at_the_end(recorder: Recorder) -> None:
    atexit.register(recorder.write)
    leave = os._exit

    def write_and_leave(status: int) -> None:
        recorder.write()
        leave(status)

    os._exit = write_and_leave  # type: ignore[assignment]


def _without_own_frames(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> Any:
    """Show an exception as Python does where the program runs without padlint."""
    here = str(Path(__file__).parent)
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(here):
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    main()
