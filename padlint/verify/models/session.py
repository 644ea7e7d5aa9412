"""The parent's handle on the child process of one side."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from padlint.verify.errors import remedy
from padlint.verify.models.request import Request, Side, encode
from padlint.verify.process import ENVIRONMENT, Child, Died, Late

_FRAME = re.compile(r'\s*File "(?P<file>[^"]+)", line (?P<row>\d+) in ')
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]")

_DOING = {
    "build": "when it was built",
    "run": "when it was run",
    "export": "when it was exported",
    "infer": "when its ONNX file was run",
}


@dataclass(frozen=True)
class Limits:
    """Seconds for each step of a side, and bytes that its process may allocate."""

    seconds: float = 300.0
    memory: int = 8 * 2**30


class Failed(Exception):
    """A side could not do what it was asked for. `is_over` says that its process has ended."""

    def __init__(
        self, side: str, doing: str, reason: str, where: str, cure: str = "", *, is_over: bool
    ) -> None:
        at = f" at {where}" if where else ""
        when = f", {doing}" if doing else ""
        super().__init__(f"the code {side} cannot be run: {reason}{at}{when}{cure}")
        self.side = side
        self.reason = f"{reason}{at}{cure}"
        self.is_over = is_over


class Session:
    """A side in a process of its own, in one precision: ask with `send`, get the answer with `receive`."""

    def __init__(
        self,
        side: Side,
        request: Request,
        dtype: str,
        folder: Path,
        limits: Limits,
        python: str = sys.executable,
    ) -> None:
        self.side = side
        self.dtype = dtype
        self._limits = limits
        self._doing = ""
        self._spec = folder / f"{dtype}-{os.urandom(8).hex()}.json"
        self._spec.write_text(
            json.dumps(encode(side, request, dtype, limits.memory), default=str), encoding="utf-8"
        )
        environment = ENVIRONMENT | {
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "JAX_ENABLE_X64": "1" if dtype == "float64" else "0",
            "JAX_PLATFORMS": "cpu",
            "PYTHONPATH": _python_path(),
        }
        self._child = Child("padlint.verify.models.child", [str(self._spec)], python, environment)

    @property
    def pid(self) -> int:
        """Process id."""
        return self._child.pid

    def send(self, do: str, **details: Any) -> None:
        """Ask for something."""
        self._doing = do
        try:
            self._child.send(json.dumps({"do": do, **details}))
        except Died as death:
            raise self._failure(str(death), self._place(), is_over=True) from None

    def receive(self) -> Mapping[str, Any]:
        """The answer to what was sent. `Failed` if there is none, or if the code raised."""
        try:
            answer = self._child.receive(self._limits.seconds)
        except Late:
            self._child.interrupt()
            place = self._place()
            self.close()
            reason = f"it was not done after {self._limits.seconds:g} seconds (--timeout)"
            raise self._failure(reason, place, is_over=True) from None
        except Died as death:
            raise self._failure(str(death), self._place(), is_over=True) from None
        if "error" in answer:
            cure = remedy(answer["missing"])
            raise self._failure(answer["error"], answer["where"], cure, is_over=False)
        return answer

    def ask(self, do: str, **details: Any) -> Mapping[str, Any]:
        """Ask, and wait for the answer."""
        self.send(do, **details)
        return self.receive()

    def close(self) -> None:
        """End the process."""
        self._child.close()
        self._spec.unlink(missing_ok=True)

    def _failure(self, reason: str, where: str, cure: str = "", *, is_over: bool) -> Failed:
        lowered = reason.lower()
        if "memory" in lowered or "bad_alloc" in lowered:
            reason += f" (--memory is {self._limits.memory / 2**30:g} GiB)"
        doing = _DOING.get(self._doing, "")
        return Failed(self.side.label, doing, reason, where, cure, is_over=is_over)

    def _place(self) -> str:
        """The user's line that a stack which a dying process left behind names first."""
        root = self.side.root
        lines = self._child.log()
        starts = [i for i, line in enumerate(lines) if line.startswith(("Current thread", "Stack (most"))]
        for line in lines[starts[-1] :] if starts else ():
            if (match := _FRAME.match(line)) and not _INSTALLED.search(match["file"]):
                file = Path(match["file"])
                if file.is_relative_to(root):
                    return f"{file.relative_to(root)}:{match['row']}"
        return ""


def _python_path() -> str:
    """What the user has set, made absolute, since the child runs elsewhere."""
    given = os.environ.get("PYTHONPATH", "")
    return os.pathsep.join(str(Path(part).absolute()) for part in given.split(os.pathsep) if part)
