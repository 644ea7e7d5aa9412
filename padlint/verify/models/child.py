"""The child process of one side: `python -m padlint.verify.models.child SPEC` runs the user's model.

It answers every line of stdin with one object: what was asked for, or `{"error": ..., "where": ...}`.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from padlint.verify.child import ignore_interrupts, limit_memory, lines, protocol
from padlint.verify.errors import describe
from padlint.verify.models.project import UserError, is_own
from padlint.verify.models.request import Side, decode


def main(spec: str) -> None:
    """Answer line after line."""
    ignore_interrupts()
    data = json.loads(Path(spec).read_text(encoding="utf-8"))
    side, request = decode(data)
    with protocol() as say:
        asked = lines()
        _prepare(side, data["memory"])
        seat: Any = None
        for line in asked:
            try:
                if seat is None:
                    from padlint.verify.models.seat import Seat  # needs NumPy, which may be missing

                    seat = Seat(side, request, data["dtype"])
                answer = seat.answer(json.loads(line))
            except BaseException as error:  # the user's code raises whatever it likes, SystemExit too
                say(**failure(error, side.root))
            else:
                say(**answer)


def _prepare(side: Side, memory: int) -> None:
    limit_memory(memory)
    faulthandler.enable()
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1)
    leave = os._exit

    def tell_and_leave(status: int) -> None:
        """Say from where, as nothing else would."""
        faulthandler.dump_traceback(all_threads=False)
        leave(status)

    os._exit = tell_and_leave  # type: ignore[assignment]
    os.chdir(side.folder if side.folder.is_dir() else side.root)


def failure(error: BaseException, root: Path) -> Mapping[str, Any]:
    """What was raised, and the innermost line of the user's code that did."""
    if isinstance(error, SystemExit):
        status = "" if error.code in (None, "") else repr(error.code)
        text = f"it called sys.exit({status})"
    else:
        text = str(error) if isinstance(error, UserError) else describe(error)
    places = [
        (frame.filename, frame.lineno)
        for part in reversed(_chain(error))
        for frame in traceback.extract_tb(part.__traceback__)
        if is_own(frame.filename, root)
    ]
    if isinstance(error, SyntaxError) and error.filename and is_own(error.filename, root):
        places.append((error.filename, error.lineno))
    where = f"{os.path.relpath(places[-1][0], root)}:{places[-1][1]}" if places else ""
    missing = error.name if isinstance(error, ImportError) and not is_own(error.path or "", root) else None
    return {"error": text, "where": where, "missing": missing}


def _chain(error: BaseException) -> list[BaseException]:
    """The exception, and those that it was raised from."""
    found = [error]
    while (cause := found[-1].__cause__) is not None and cause not in found:
        found.append(cause)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
