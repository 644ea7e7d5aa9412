"""What a run came to: the findings, diffs or fixed source that were asked for, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from padlint.cli.output import Messages, encoding, shows_links, wants_color, write_stdout
from padlint.config import Settings
from padlint.files import FileError, Outcome, Problem
from padlint.formats import COUNTING, Failure, Report, render

if TYPE_CHECKING:
    from padlint.findings import Finding


class Results:
    """Collects outcomes and problems, and prints them once all are there."""

    def __init__(self, settings: Settings, messages: Messages) -> None:
        self.problems: list[Problem] = []
        self._settings = settings
        self._messages = messages
        self._outcomes: list[Outcome] = []

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Take the outcomes of the files in."""
        for outcome in outcomes:
            self._outcomes.append(outcome)
            if outcome.problem:
                self.problems.append(outcome.problem)
            self._messages.notes([f"{outcome.filename}:{note}" for note in outcome.notes])
            self.problems += map(_refutation, outcome.refuted)
            if outcome.applied:
                self._messages.note(f"{outcome.filename}: {_codes(outcome.applied)} fixed")

    def print_report(self, files: int) -> None:
        """The findings, in the format that was asked for."""
        file = self._settings.output_file
        self._write(self._render(files, sys.stdout if file is None else None))

    def print_source(self, source: bytes) -> None:
        """The fixed source of stdin; what is left of its findings goes to stderr."""
        write_stdout(source)
        if self._settings.output_file is None:
            self._messages.text(self._render(1, sys.stderr))
        else:
            self._write(self._render(1, None))

    def print_diffs(self) -> None:
        """What would change."""
        from padlint.formats import diff

        color = self._settings.output_file is None and wants_color(self._settings.color, sys.stdout)
        outcomes = sorted(self._outcomes, key=lambda outcome: outcome.filename)
        self._write(
            b"".join(
                diff.render(before, after, name, color=color)
                for outcome in outcomes
                for name, before, after in outcome.diffs()
            )
        )
        fixed = sum(len(outcome.applied) for outcome in outcomes)
        left = sum(len(outcome.findings) for outcome in outcomes)
        if fixed or left:
            self._messages.summary(f"{fixed} would be fixed, {left} would remain (shown without --diff)")

    def print_silenced(self) -> None:
        """How many comments were written, and where none can stand."""
        for finding in self._findings():
            where = f"{finding.filename}:{finding.location.row}:{finding.location.column}"
            self._messages.warning(
                f"{where}: {finding.code} was not silenced: no row of it can hold a comment that counts"
            )
        added = [len(outcome.silenced) for outcome in self._outcomes if outcome.silenced]
        findings, files = counted(sum(added), "finding"), counted(len(added), "file")
        self._messages.summary(f"Silenced {findings} in {files}")

    def finish(self) -> int:
        """Say what could not be done, and return the exit status."""
        for problem in self.problems:
            self._messages.error(problem)
        return self._status()

    def _status(self) -> int:
        if self.problems:
            return 2
        settings = self._settings
        left = any(finding.severity >= settings.fail_on for finding in self._findings())
        changed = settings.diff and any(outcome.before != outcome.after for outcome in self._outcomes)
        return int((left or changed) and not settings.exit_zero)

    def _render(self, files: int, stream: TextIO | None) -> str:
        report = Report(
            tuple(self._findings()),
            {outcome.filename: outcome.text for outcome in self._outcomes},
            fixed=sum(len(outcome.applied) for outcome in self._outcomes),
            files=files,
            failures=tuple(Failure(p.filename, p.message, p.location) for p in self.problems),
            fix=self._settings.fix,
            unsafe_fixes=self._settings.unsafe_fixes,
            statistics=self._settings.statistics,
            quiet=self._settings.quiet,
            color=wants_color(self._settings.color, stream),
            encoding=encoding(stream),
            documentation_url=self._settings.documentation_url,
            hyperlinks=shows_links(self._settings.color, stream),
            status=self._status(),
            cells={(o.filename, cell): text for o in self._outcomes for cell, text in o.cells.items()},
        )
        return render(self._format(), report)

    def _format(self) -> str:
        """The format that was asked for; for counts, which most cannot hold, a configured one steps back."""
        chosen = self._settings.output_format
        return "text" if self._settings.statistics and chosen not in COUNTING else chosen

    def _findings(self) -> list[Finding]:
        """What is left, sorted."""
        left = (finding for outcome in self._outcomes for finding in outcome.findings)
        return sorted(left, key=lambda finding: finding.sort_key)

    def _write(self, content: str | bytes) -> None:
        """To the output file, or else to stdout."""
        file = self._settings.output_file
        if file is None:
            write_stdout(content)
            return
        from padlint.files.publishing import publish

        try:
            publish(
                file, content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
            )
        except FileError as error:
            self.problems.append(Problem(str(file), str(error)))


def _refutation(finding: Finding) -> Problem:
    layer = finding.fix and finding.fix.proof and finding.fix.proof.layer
    shown = f" in {layer.framework}: {layer.result} {layer.detail}".rstrip() if layer else ""
    message = f"the fix of {finding.code} was refuted{shown}; it was not applied"
    return Problem(finding.filename, message, location=finding.location)


def counted(number: int, noun: str) -> str:
    """The number with its noun."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _codes(findings: Iterable[Finding]) -> str:
    return ", ".join(sorted({finding.code for finding in findings}))
