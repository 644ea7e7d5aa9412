"""One notebook to findings, and back to bytes where it is to be fixed, as with a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from padlint import engine, interrupts
from padlint.engine import Accept, Prover
from padlint.files.problems import FileError, Problem
from padlint.files.source import Source
from padlint.files.work import Mode, Outcome, Task, is_refuted
from padlint.files.writing import write
from padlint.findings import Finding
from padlint.notebooks import BadNotebook, Document, Following, LostCell, Program
from padlint.options import Options
from padlint.rules.pad001 import SyntaxErrorRule
from padlint.scope import Scope
from padlint.syntax.silencing import silence_all
from padlint.syntax.source import Source as Text
from padlint.syntax.units import Unparsable, parses

_BROKEN = "another cell does not parse, and what it does with the same names is not known"
_TRACED = "a notebook is not checked with a trace, so the trace was not used for it"


def process_cells(source: Source, task: Task, prover: Prover | None, accept: Accept | None) -> Outcome:
    """Do the task on a notebook. What fails becomes a problem."""
    if task.options.trace is not None:
        outcome = process_cells(source, task._replace(options=_untraced(task.options)), prover, accept)
        return outcome._replace(problem=outcome.problem or Problem(task.filename, _TRACED))
    try:
        program = Program(Document(source.text), parses)
    except BadNotebook as error:
        return Outcome(task.filename, _unreadable(error, task), source.text)
    notebook = _Notebook(source, task, program)
    try:
        if task.mode is Mode.SILENCE:
            return notebook.silence()
        if task.mode is Mode.CHECK or program.broken:
            return notebook.check(prover)
        return notebook.fix(prover, accept)
    except LostCell as error:
        failed = f"not changed: {error}"
    except FileError as error:
        failed = str(error)
    return notebook.check(None)._replace(problem=Problem(task.filename, failed))


class _Found(NamedTuple):
    """Findings as the engine sees them, those of cells that do not parse, and what the baseline knew."""

    findings: list[Finding]
    broken: list[Finding]
    met: Mapping[str, int]


class _Notebook(NamedTuple):
    source: Source
    task: Task
    program: Program

    def check(self, prover: Prover | None) -> Outcome:
        """What is found; nothing is changed."""
        with interrupts.allowed():
            findings, broken, met = self._found()
            if self.program.broken:
                findings = list(map(_without_fix, findings))
            elif prover is not None:
                findings = engine.prove(findings, prover)
        placed = _sorted((*map(self.program.places.place, findings), *broken))
        outcome = self._outcome(placed, self.program.texts(), refuted=tuple(filter(is_refuted, placed)))
        return self._with_bytes(outcome._replace(met=dict(met)), self.source.data, self.program.texts())

    def fix(self, prover: Prover | None, accept: Accept | None) -> Outcome:
        """Fix it. Raises FileError or LostCell where the result could not be written back."""
        following = Following(self.program)
        with interrupts.allowed():
            fixed = engine.fix(
                self.program.text,
                self.task.options,
                unsafe=self.task.unsafe,
                prover=prover,
                filename=self.task.filename,
                scope=self._scope(),
                accept=accept and (lambda _, finding: accept(*following.shown(finding))),
                follow=following.apply,
            )
        texts, after = self._written(following, fixed.text)
        if self.task.mode is Mode.FIX and self.task.path is not None and after != self.source.data:
            write(self.task.path, self.source.data, after)
        left = _sorted(map(following.places.place, fixed.remaining))
        refuted = tuple(map(self.program.places.place, fixed.refuted))
        outcome = self._outcome(left, texts, refuted=refuted)
        return self._with_bytes(outcome._replace(applied=tuple(following.applied)), after, texts)

    def silence(self) -> Outcome:
        """Write comments that silence what is found. Raises FileError or LostCell."""
        with interrupts.allowed():
            found, broken, _ = self._found()
        done = silence_all(Text(self.program.text), found, self.task.reason)
        following = Following(self.program)
        following.edit(done.edits)
        texts, after = self._written(following, done.text)
        if done.silenced and self.task.path is not None:
            write(self.task.path, self.source.data, after)
        left: Iterable[Finding] = done.refused
        if self.task.scope is None:
            left = engine.check(done.text, self.task.options, self.task.filename)
        outcome = self._outcome(_sorted((*map(following.places.place, left), *broken)), texts)
        return outcome._replace(silenced=tuple(map(self.program.places.place, done.silenced)))

    def _found(self) -> _Found:
        scope = self._scope()
        findings = engine.check(self.program.text, self.task.options, self.task.filename)
        if scope is None:
            return _Found(findings, [f for found in self._broken().values() for f in found], {})
        kept = scope.split(self.program.text, findings)
        met, broken = Counter(kept.met), list[Finding]()
        for number, found in self._broken().items():
            left = self._scope_of(number, met).split(self.program.document.cells[number - 1].text, found)
            met.update(left.met)
            broken += left.findings
        return _Found(engine.settled(kept.findings), broken, met)

    def _scope(self) -> Scope | None:
        """The scope with the changed lines as lines of the program."""
        scope = self.task.scope
        if scope is None or scope.changed is None:
            return scope
        return scope._replace(changed=self.program.changed_rows(scope.changed))

    def _scope_of(self, number: int, met: Mapping[str, int]) -> Scope:
        """The scope with the changed lines as those of one cell, and without what was met already."""
        changed, known = self.task.scope or Scope()
        if changed is not None:
            halves = self.program.changed_in(self.program.document.cells[number - 1], changed)
            changed = tuple((half, half) for half in sorted(halves))
        return Scope(changed, {kind: count - met.get(kind, 0) for kind, count in known.items()})

    def _broken(self) -> dict[int, list[Finding]]:
        """The findings of the cells that do not parse."""
        if not self.program.broken or engine.skips(self.program.text):
            return {}
        return {
            cell.number: [
                replace(finding, cell=cell.number, message=finding.message.replace("The file", "The cell", 1))
                for finding in engine.check(python, self.task.options, self.task.filename)
            ]
            for cell, python in self.program.broken
        }

    def _written(self, following: Following, text: str) -> tuple[dict[int, str], bytes]:
        """The sources of the cells and the notebook's bytes, read again and compared with what was meant."""
        texts = following.sources(text)
        old = self.program.document
        if not texts:
            return self.program.texts(), self.source.data
        changed = old.changed(texts)
        document = Document(changed)
        wanted = [texts.get(cell.number, cell.text) for cell in old.cells]
        if [cell.text for cell in document.cells] != wanted or document.rest != old.rest:
            raise FileError("not changed: the notebook would not read back as it was meant")
        return self.program.texts() | texts, self.source.encode(changed)

    def _outcome(
        self, findings: tuple[Finding, ...], cells: dict[int, str], *, refuted: tuple[Finding, ...] = ()
    ) -> Outcome:
        return Outcome(self.task.filename, findings, refuted=refuted, cells=cells if findings else {})

    def _with_bytes(self, outcome: Outcome, after: bytes, cells: dict[int, str]) -> Outcome:
        """The outcome with the bytes of what is not written."""
        if self.task.mode is Mode.CHECK or (self.task.mode is Mode.FIX and self.task.path is not None):
            return outcome
        before = self.program.texts()
        return outcome._replace(before=self.source.data, after=after, cells=cells, cells_before=before)


def _untraced(options: Options) -> Options:
    return replace(options, trace=None)


def _unreadable(problem: BadNotebook, task: Task) -> tuple[Finding, ...]:
    if SyntaxErrorRule.code not in task.options.codes:
        return ()
    finding = SyntaxErrorRule.report(Unparsable(problem.message, problem.location))
    reason = "the file has to be a valid notebook first"
    return (replace(finding, filename=task.filename, no_fix_reason=reason),)


def _without_fix(finding: Finding) -> Finding:
    return finding if finding.fix is None else replace(finding, fix=None, no_fix_reason=_BROKEN)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.sort_key))
