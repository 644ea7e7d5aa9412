"""Starts the program that is to be traced, and takes what it left."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from padlint.traces.file import dumps, merged
from padlint.traces.model import Trace
from padlint.traces.reading import BadTrace, project_path, read
from padlint.verify.models import Request, repository, working
from padlint.verify.models.places import project_of
from padlint.verify.models.request import encode

_CHILD = Path(__file__).with_name("child.py")
_GRACE = 5.0  # seconds from asking a program to end to ending it


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


@dataclass(frozen=True)
class Result:
    """What was seen, the exit status (negative for a signal), and whether the time was over."""

    trace: Trace
    status: int
    is_late: bool = False


def run(program: Program, timeout: float | None = None) -> Result:
    """Run it. Raises PlaceError."""
    root = program.root
    with tempfile.TemporaryDirectory(prefix="padlint-", ignore_cleanup_errors=True) as folder:
        output, spec = Path(folder) / "trace.json", Path(folder) / "spec.json"
        text = json.dumps(program.spec() | {"root": str(root), "output": str(output)}, default=str)
        spec.write_text(text, encoding="utf-8")
        status, is_late = _wait([sys.executable, str(_CHILD), str(spec), *program.arguments], timeout)
        trace = Trace()
        for part in sorted(Path(folder).glob("trace*.json")):  # of forked processes too
            trace = merged(trace, read(part)[0]).trace
        return Result(trace, status, is_late)


def _wait(command: list[str], timeout: float | None) -> tuple[int, bool]:
    """Run a command to its end; its status, and whether it was ended since the time was over.

    Signals are the command's business: what a terminal sends to both it has got, others are passed on.
    """
    process: subprocess.Popen[bytes] | None = None
    waiting: list[int] = []

    def pass_on(number: int, frame: object) -> None:
        from_terminal = number == signal.SIGINT and sys.stdin is not None and sys.stdin.isatty()
        if process is None:
            waiting.append(number)
        elif not from_terminal:
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        process = subprocess.Popen(command)
        for number in waiting:
            process.send_signal(number)
        try:
            return process.wait(timeout), False
        except subprocess.TimeoutExpired:
            process.terminate()
        try:
            return process.wait(_GRACE), True
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait(), True
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def check(path: Path, root: Path) -> None:
    """Whether a trace can be added to a file. Raises BadTrace, OSError."""
    _existing(path, project_path(path, root))
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def save(trace: Trace, path: Path, root: Path) -> list[str]:
    """Write a trace, together with what the file holds already; the files that have changed since then.

    Raises BadTrace where the file holds something else, OSError where it cannot be written.
    """
    project = project_path(path, root)
    with _alone(path.absolute().parent):
        both = merged(_existing(path, project), trace)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.absolute().parent, prefix=f"{path.name}.", delete=False
        ) as part:
            part.write(dumps(both.trace, project))
        try:
            Path(part.name).chmod(0o666 & ~_umask())
            Path(part.name).replace(path.resolve())
        except OSError:
            Path(part.name).unlink()
            raise
    return both.stale


def _existing(path: Path, project: str) -> Trace:
    if not path.exists():
        return Trace()
    old, of = read(path)
    if of != project:
        raise BadTrace(f"it is of another project, {of}")
    return old


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While one process adds to a trace, others that add to one in the folder wait, if the system can."""
    try:
        import fcntl

        opened = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
