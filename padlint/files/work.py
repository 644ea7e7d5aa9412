"""One file from bytes to findings, and back to bytes where it is to be fixed. Runs in any process."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from padlint import interrupts
from padlint.files.notebook import decode_notebook, is_notebook
from padlint.files.problems import FileError, Problem, reason
from padlint.files.source import Source, decode

if TYPE_CHECKING:
    from padlint.engine import Accept, Prover
    from padlint.findings import Finding
    from padlint.options import Options
    from padlint.scope import Scope

_STALE = "it has changed since it was traced, so the trace was not used for it; run `padlint trace` again"


class Mode(enum.Enum):
    """What is done about findings that have a fix."""

    CHECK = "report them"
    PREVIEW = "fix the text, write nothing"
    FIX = "fix the file"
    SILENCE = "write comments that silence them"


class Task(NamedTuple):
    """What to do with one file. `filename` is how it is called in the output; without `path` it is stdin.

    `reason` is what comments that silence findings say; `scope` tells which findings count (None: all).
    """

    filename: str
    path: Path | None
    options: Options
    mode: Mode = Mode.CHECK
    unsafe: bool = False
    size: int = 0
    verbose: bool = False
    reason: str = ""
    scope: Scope | None = None


class Outcome(NamedTuple):
    """What came of it: the findings that are left, in which text, what was applied, and what went wrong.

    `before` and `after` are the content where the task was to fix it and not to write it. `silenced` are the
    findings that got a comment, `met` counts by kind those that were known before. `cells` are the sources of
    a notebook's cells by number. `digest` tells the content that was looked into.
    """

    filename: str
    findings: tuple[Finding, ...] = ()
    text: str = ""
    applied: tuple[Finding, ...] = ()
    refuted: tuple[Finding, ...] = ()
    before: bytes = b""
    after: bytes = b""
    problem: Problem | None = None
    notes: tuple[str, ...] = ()
    silenced: tuple[Finding, ...] = ()
    met: Mapping[str, int] | None = None
    cells: Mapping[int, str] = {}
    cells_before: Mapping[int, str] = {}
    digest: bytes = b""

    def diffs(self) -> Iterator[tuple[str, bytes, bytes]]:
        """What changed: the name, the old and the new content of the file, or of each cell of a notebook."""
        if not self.cells:
            yield self.filename, self.before, self.after
        for number, text in self.cells.items():
            before = self.cells_before.get(number, "")
            if before != text and self.before != self.after:
                name = f"{self.filename}:cell {number}"
                yield name, _content(before), _content(text)


def _content(cell: str) -> bytes:
    return (cell + "\n" * (not cell.endswith("\n"))).encode("utf-8", "surrogatepass")


def digest_of(content: bytes) -> bytes:
    """What tells one content of a file from every other."""
    from hashlib import blake2b  # which a run without candidates does not need

    return blake2b(content, digest_size=32).digest()


def read(path: Path) -> bytes:
    """The content of a file. Raises FileError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read: {reason(error)}") from None


def process(
    task: Task, prover: Prover | None = None, content: bytes | None = None, accept: Accept | None = None
) -> Outcome:
    """Do the task, on `content` where that is known. What fails becomes a problem.

    Only an interrupt is raised: before the file is written, or else (if interrupts are held) after the task.
    """
    try:
        if content is None:
            content = read(task.path or Path(task.filename))
        if is_notebook(task.filename):
            from padlint.files.cells import process_cells

            return process_cells(decode_notebook(content), task, prover, accept)
        return _process(decode(content), task, prover, accept)._replace(digest=digest_of(content))
    except FileError as error:
        return Outcome(task.filename, problem=Problem(task.filename, str(error)))
    except Exception as error:
        import traceback

        message = f"internal error: {type(error).__name__}: {error}; please report it (-v shows where)"
        return Outcome(task.filename, problem=Problem(task.filename, message, traceback.format_exc()))


def _process(source: Source, task: Task, prover: Prover | None, accept: Accept | None) -> Outcome:
    trace = task.options.trace
    if trace is None:
        return _processed(source, task, prover, accept)
    from padlint.traces.model import digest  # which few runs need

    if trace.sha256 == digest(source.data):
        return _processed(source, task, prover, accept)
    from dataclasses import replace

    outcome = _processed(source, task._replace(options=replace(task.options, trace=None)), prover, accept)
    return outcome._replace(problem=outcome.problem or Problem(task.filename, _STALE))


def _processed(source: Source, task: Task, prover: Prover | None, accept: Accept | None) -> Outcome:
    if task.mode is Mode.CHECK and prover is None:
        return _check(source, task)
    try:
        if task.mode is Mode.SILENCE:
            return _silence(source, task)
        return _check(source, task, prover) if task.mode is Mode.CHECK else _fix(source, task, prover, accept)
    except FileError as error:
        return _check(source, task)._replace(problem=Problem(task.filename, str(error)))


def _check(source: Source, task: Task, prover: Prover | None = None) -> Outcome:
    from padlint import engine

    with interrupts.allowed():
        findings = engine.check(source.text, task.options, task.filename)
        met: Mapping[str, int] = {}
        if task.scope is not None:
            kept = task.scope.split(source.text, findings)
            findings, met = engine.settled(kept.findings), kept.met
        if prover is not None:
            findings = engine.prove(findings, prover)
    refuted = tuple(filter(is_refuted, findings))
    return _outcome(task, source.text, findings, refuted=refuted)._replace(met=dict(met))


def _fix(source: Source, task: Task, prover: Prover | None, accept: Accept | None) -> Outcome:
    from padlint import engine

    with interrupts.allowed():
        fixed = engine.fix(
            source.text,
            task.options,
            unsafe=task.unsafe,
            prover=prover,
            filename=task.filename,
            scope=task.scope,
            accept=accept,
        )
    after = source.encode(fixed.text) if fixed.text != source.text else source.data
    path = task.path if task.mode is Mode.FIX else None
    if path is not None and after != source.data:
        from padlint.files.writing import write  # with what a run that only checks does not need

        write(path, source.data, after)
    outcome = _outcome(task, fixed.text, fixed.remaining, refuted=fixed.refuted, applied=fixed.applied)
    return outcome._replace(before=source.data, after=after) if path is None else outcome


def _silence(source: Source, task: Task) -> Outcome:
    from padlint import engine
    from padlint.syntax.silencing import silence_all
    from padlint.syntax.source import Source as Text

    checked = _check(source, task)
    done = silence_all(Text(source.text), checked.findings, task.reason)
    if done.silenced and task.path is not None:
        from padlint.files.writing import write

        write(task.path, source.data, source.encode(done.text))
    left = done.refused if task.scope is not None else engine.check(done.text, task.options, task.filename)
    return _outcome(task, done.text, left, refuted=())._replace(silenced=done.silenced)


def _outcome(
    task: Task,
    text: str,
    findings: Iterable[Finding],
    *,
    refuted: tuple[Finding, ...],
    applied: tuple[Finding, ...] = (),
) -> Outcome:
    findings = tuple(findings)
    notes = _notes(text, task.options, findings) if task.verbose else ()
    return Outcome(task.filename, findings, text if findings else "", applied, refuted, notes=notes)


def _notes(text: str, options: Options, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    from padlint.files.notes import notes

    return notes(text, options, findings)


def is_refuted(finding: Finding) -> bool:
    """Whether the layers that the fix swaps were run, and differ."""
    proof = finding.fix and finding.fix.proof
    return bool(proof and proof.layer and proof.layer.result == "differs")
