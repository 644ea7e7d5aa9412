"""The streams: what was asked for on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from padlint.config import Settings
from padlint.files import Problem
from padlint.formats.printable import printable

_MOST_NOTES = 30  # at a time


def write_stdout(content: str | bytes) -> None:
    """Write what was asked for; bytes go out as they are."""
    if isinstance(content, str):
        sys.stdout.write(content)
        sys.stdout.flush()
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


def wants_color(choice: str, stream: TextIO | None) -> bool:
    """Whether to colour: as told; else as NO_COLOR and FORCE_COLOR say; else if it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or stream is None:
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def shows_links(choice: str, stream: TextIO | None) -> bool:
    """Whether codes may be links (OSC 8): on a terminal with colours; the console of Linux knows no links."""
    return (
        stream is not None
        and stream.isatty()
        and wants_color(choice, stream)
        and os.environ.get("TERM") not in ("dumb", "linux")
    )


def encoding(stream: TextIO | None) -> str:
    """What the stream, or a file, can hold."""
    return getattr(stream, "encoding", None) or "utf-8"


class Messages:
    """What goes to stderr."""

    def __init__(self, settings: Settings) -> None:
        self._quiet = settings.quiet
        self._verbose = settings.verbose
        self._color = wants_color(settings.color, sys.stderr)

    def text(self, text: str) -> None:
        """Something that is printed as it is."""
        sys.stderr.write(text)

    def error(self, problem: Problem) -> None:
        """What could not be done."""
        where = f"{printable(problem.where)}: " if problem.where else ""
        self._say(f"{click.style('error', fg='red', bold=True)}: {where}{printable(problem.message)}")
        if problem.details and self._verbose:
            self._say(problem.details.rstrip())

    def warning(self, text: str) -> None:
        """What is odd; not said if quiet."""
        if not self._quiet:
            self._say(f"{click.style('warning', fg='yellow', bold=True)}: {printable(text)}")

    def summary(self, text: str) -> None:
        """How it went; not said if quiet."""
        if not self._quiet:
            self._say(text)

    def note(self, text: str) -> None:
        """What only -v shows."""
        if self._verbose:
            self._say(f"note: {printable(text)}")

    def notes(self, texts: Sequence[str]) -> None:
        """Several of them; of very many only the first."""
        for text in texts[:_MOST_NOTES]:
            self.note(text)
        if len(texts) > _MOST_NOTES:
            self.note(f"... and {len(texts) - _MOST_NOTES} more like these")

    def _say(self, text: str) -> None:
        print(text if self._color else click.unstyle(text), file=sys.stderr)
