"""Starts the program that is to be traced, and takes what it left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from padlint.traces.file import BadTrace, dumps, loads, merged
from padlint.traces.model import Trace
from padlint.verify.models import Request, repository, working
from padlint.verify.models.places import project_of
from padlint.verify.models.request import encode

_CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True)
class Program:
    """What to run: a `callable`, a `script` or a `module`, with arguments for the latter two."""

    kind: str
    target: str
    callable: str = ""
    request: Request = field(default_factory=lambda: Request(()))
    arguments: tuple[str, ...] = ()
    memory: int = 0

    @property
    def root(self) -> Path:
        """The folder of the project. Raises PlaceError where there is no such file."""
        if self.kind == "module":
            main = Path.cwd() / "__main__.py"  # so to say
            return repository(main) or project_of(main)
        return working(Path(self.target), self.callable, "traced").root

    def spec(self) -> dict[str, Any]:
        """What the child must know."""
        data: dict[str, Any] = {"kind": self.kind, "target": self.target, "memory": self.memory}
        if self.kind == "callable":
            side = working(Path(self.target), self.callable, "traced")
            data |= encode(side, self.request, "float32", self.memory)
        return data


def run(program: Program, timeout: float | None = None) -> tuple[Trace, int]:
    """Run it; what was seen, and its exit status. Raises PlaceError, subprocess.TimeoutExpired."""
    root = program.root
    with tempfile.TemporaryDirectory(prefix="padlint-") as folder:
        output, spec = Path(folder) / "trace.json", Path(folder) / "spec.json"
        text = json.dumps(program.spec() | {"root": str(root), "output": str(output)}, default=str)
        spec.write_text(text, encoding="utf-8")
        command = [sys.executable, str(_CHILD), str(spec), *program.arguments]
        status = subprocess.run(command, check=False, timeout=timeout).returncode
        if not output.exists():
            return Trace(), status
        trace, _ = loads(output.read_text(encoding="utf-8"))
        return trace, status


def save(trace: Trace, path: Path, root: Path) -> list[str]:
    """Write a trace, together with what the file holds already; the files that have changed since then.

    Raises BadTrace where the file holds something else, OSError where it cannot be written.
    """
    project = Path(os.path.relpath(root, path.absolute().parent)).as_posix()
    stale: list[str] = []
    if path.exists():
        try:
            old, of = loads(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise BadTrace("it is no trace of padlint") from None
        if of != project:
            raise BadTrace(f"it is of another project, {of}")
        trace, stale = merged(old, trace)
    part = path.with_name(f"{path.name}.part")
    part.write_text(dumps(trace, project), encoding="utf-8")
    part.replace(path)
    return stale
