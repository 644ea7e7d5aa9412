"""One run of `padlint check`: from settings and paths to the exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from padlint import interrupts
from padlint.cli.demands import NOTHING, Demands
from padlint.cli.output import Messages
from padlint.cli.results import Results, counted
from padlint.cli.scoping import Scoping
from padlint.config import Configuration, Settings, absolute
from padlint.files import (
    Discovery,
    Found,
    Mode,
    Outcome,
    Problem,
    Sifting,
    Task,
    is_candidate,
    process,
    searchable,
)
from padlint.interrupts import Interrupted


class Run:
    """`settings` are those of the run; those of each file come from the configuration."""

    def __init__(self, configuration: Configuration, settings: Settings, demands: Demands = NOTHING) -> None:
        if demands.noqa is not None:
            settings = settings._replace(fix=False, diff=False, verify=False)
        self._demands = demands
        self._scoping = Scoping(settings, demands)
        self.interrupted: Interrupted | None = None
        self._incomplete: Problem | None = None
        self._configuration = configuration
        self._settings = settings
        self._messages = Messages(settings)
        self._results = Results(settings, self._messages)
        self._mode = Mode.PREVIEW if settings.diff else Mode.FIX if settings.fix else Mode.CHECK
        if demands.noqa is not None:
            self._mode = Mode.SILENCE

    @property
    def problems(self) -> list[Problem]:
        """What could not be done before the files were looked into."""
        return self._results.problems

    def files(self, paths: Sequence[Path]) -> int:
        """Check files and folders."""
        found, outcomes = self.reported(paths)
        self._results.add(outcomes)
        if self._mode is Mode.PREVIEW:
            self._results.print_diffs()
        else:
            self._results.print_report(len(found))
        if self._mode is Mode.SILENCE:
            self._results.print_silenced()
        elif self._mode is Mode.CHECK and self.interrupted is None:
            self._say_stale(found, outcomes)
        status = self._results.finish()
        return status if self.interrupted is None else self.interrupted.status

    def reported(self, paths: Sequence[Path]) -> tuple[Sequence[Found], Sequence[Outcome]]:
        """The same as `outcomes`, once the report on it is written: an interrupt waits for that."""
        if self._demands.report is None:
            return self.outcomes(paths)
        from padlint.cli import migration

        found: Sequence[Found] = ()
        outcomes: Sequence[Outcome] = ()
        with interrupts.held():
            try:
                with interrupts.allowed():
                    found, outcomes = self.outcomes(paths)
            except KeyboardInterrupt as error:
                self._interrupt(error, "interrupted while files were looked for: none was done")
            failed = [*self.problems, *(outcome.problem for outcome in outcomes if outcome.problem)]
            problem = migration.write(
                self._demands.report,
                len(found),
                outcomes,
                [problem for problem in failed if problem is not self._incomplete],
                incomplete=self._incomplete.message if self._incomplete else "",
                preview=self._mode is Mode.PREVIEW,
            )
        if problem is not None:
            self._results.problems.append(problem)
        return found, outcomes

    def outcomes(self, paths: Sequence[Path]) -> tuple[Sequence[Found], Sequence[Outcome]]:
        """The files that the paths lead to, and what came of those that may hold a finding."""
        problems = self._results.problems
        discovery = Discovery(self._configuration)
        found = discovery.collect(paths)
        problems += discovery.problems
        self._messages.notes(discovery.notes)
        if not found and not problems:
            self._messages.warning(f"no Python files found in {', '.join(map(str, paths))}")
        sifting = self._sifting()
        held = sifting.candidates(found)
        problems += sifting.problems
        if self._settings.verbose:
            self._say_passed_over(found, held)
        tasks = [self._task(str(file.path), file.path, file.settings, file.size) for file in held]
        outcomes = self._run(tasks)
        sifting.learn(() if self._scoping.narrows else outcomes)
        return found, [*sifting.known, *outcomes]

    def _sifting(self) -> Sifting:
        """Without the cache where each file is to be told about; else with what it knows of this run."""
        settings = self._settings
        if settings.no_cache or settings.verbose:
            return Sifting()
        whole = self._mode is Mode.CHECK and not settings.verify and not self._scoping.narrows
        project = settings.source.parent if settings.source is not None else Path.cwd()
        return Sifting(project, clean_only=not whole)

    def _run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Do the tasks, or as many as an interrupt lets."""
        outcomes: dict[str, Outcome] = {}
        try:
            with interrupts.held():
                for outcome in self._process(tasks):
                    outcomes[outcome.filename] = outcome
        except KeyboardInterrupt as error:
            done = f"{len(outcomes)} of {len(tasks)} files were done"
            self._interrupt(error, f"interrupted: {done}, the others are as they were")
        return [outcomes[task.filename] for task in tasks if task.filename in outcomes]

    def _interrupt(self, error: KeyboardInterrupt, text: str) -> None:
        self._incomplete = Problem("", text)
        self._results.problems.append(self._incomplete)
        self.interrupted = error if isinstance(error, Interrupted) else Interrupted()

    def _say_stale(self, found: Sequence[Found], outcomes: Sequence[Outcome]) -> None:
        if stale := self._scoping.stale(found, outcomes):
            self._messages.summary(
                f"{counted(stale, 'finding')} of the baseline {'is' if stale == 1 else 'are'} gone: "
                "`padlint baseline` writes a new one"
            )

    def _say_passed_over(self, found: Sequence[Found], held: Sequence[Found]) -> None:
        considered = {file.path for file in held} | {Path(p.filename) for p in self._results.problems}
        others = [file.path for file in found if file.path not in considered]
        self._messages.notes([f"{path}: names no operator" for path in others])
        self._messages.note(f"{len(held)} of {len(found)} files may hold a finding")

    def stdin(self, name: Path) -> int:
        """Check the source on stdin; fixed, it goes to stdout and the findings to stderr."""
        content = sys.stdin.buffer.read()
        skipped = self._settings.force_exclude and self._settings.excludes(absolute(name))
        outcome = Outcome(str(name))
        if not skipped and is_candidate(searchable(str(name), content), self._settings.operators):
            (outcome,) = self._process([self._task(str(name), None, self._settings)], content)
        self._results.add([outcome])
        if self._mode is Mode.PREVIEW:
            self._results.print_diffs()
        elif self._mode is Mode.FIX:
            self._results.print_source(outcome.after or content)
        else:
            self._results.print_report(1)
        return self._results.finish()

    def _task(self, name: str, path: Path | None, settings: Settings, size: int = 0) -> Task:
        options = settings.options(absolute(path or Path(name)))
        return Task(
            name,
            path,
            options,
            self._mode,
            self._settings.unsafe_fixes,
            size,
            self._settings.verbose,
            self._demands.noqa or "",
            self._scoping.of(path or Path(name)),
        )

    def _process(self, tasks: Sequence[Task], content: bytes | None = None) -> Iterator[Outcome]:
        accept, quiet = None, self._settings.quiet
        if self._demands.interactive:
            from padlint.cli.asking import Asking

            accept, quiet = Asking(self._settings).accept, True
        if self._settings.verify and tasks:
            from padlint.cli.verification import run_verified

            yield from run_verified(tasks, content, accept, quiet=quiet)
        elif content is not None or accept is not None or len(tasks) < 2:
            yield from (process(task, content=content, accept=accept) for task in tasks)
        else:
            from padlint.cli.progress import Progress
            from padlint.files.pool import run

            with Progress(len(tasks), "Checking", quiet=quiet) as progress:
                for outcome in run(tasks, self._settings.jobs):
                    progress.advance()
                    yield outcome
