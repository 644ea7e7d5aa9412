"""The traced program: `python .../record/child.py SPEC [ARGUMENT]...` runs it with hooks in its frameworks.

It has the user's arguments, folder, streams and exit status, as if it were run without.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

_ROOT = str(Path(__file__).resolve().parents[2])
if sys.path and Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
    del sys.path[0]  # Python puts the folder of a script there
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
        runpy.run_module(spec["target"], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(spec["target"]).resolve().parent))
        sys.argv[:] = [spec["target"], *arguments]
        runpy.run_path(spec["target"], run_name="__main__")


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
    while trace is not None and (
        trace.tb_frame.f_code.co_filename.startswith(here) or "runpy" in trace.tb_frame.f_code.co_filename
    ):
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    main()
