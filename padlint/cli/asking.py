"""`--interactive`: each fix is shown, and applied if that is wanted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from padlint.cli.output import Messages, wants_color
from padlint.config import Settings

if TYPE_CHECKING:
    from padlint.findings import Finding

_ANSWERS = {"y": "yes", "n": "no", "a": "all", "q": "quit"}
_QUESTION = "Apply this fix? [y]es, [n]o, [a]ll from here on, [q]uit: "


class Asking:
    """Asks on the terminal until all or none of the rest is wanted."""

    def __init__(self, settings: Settings) -> None:
        self._messages = Messages(settings)
        self._color = wants_color(settings.color, sys.stderr)
        self._rest: bool | None = None

    def accept(self, text: str, finding: Finding) -> bool:
        """Whether the fix of a finding in a text is wanted."""
        if self._rest is not None:
            return self._rest
        self._messages.text(self._shown(text, finding))
        answer = self._answer()
        if answer in ("a", "q"):
            self._rest = answer == "a"
        return answer in ("y", "a")

    def _answer(self) -> str:
        while True:
            self._messages.text(_QUESTION)
            sys.stderr.flush()
            line = sys.stdin.readline()
            if not line:  # the end of the input
                self._messages.text("\n")
                return "q"
            answer = line.strip().lower()
            if answer in _ANSWERS or answer in _ANSWERS.values():
                return answer[0]

    def _shown(self, text: str, finding: Finding) -> str:
        from padlint.formats import diff, lines
        from padlint.formats.places import advice, message
        from padlint.formats.printable import printable
        from padlint.formats.proofs import described
        from padlint.syntax.source import apply_edits

        assert finding.fix is not None, "only fixes are asked about"
        place = f"{printable(finding.filename)}:{lines.place(finding)}"
        code = click.style(finding.code, fg="red", bold=True)
        before, after = text.encode(), apply_edits(text, dict.fromkeys(finding.fix.edits)).encode()
        change = diff.render(before, after, finding.filename, color=self._color).decode("utf-8", "replace")
        head = f"\n{place}: {code if self._color else finding.code} {message(finding)}\n"
        return f"{head}{change}help: {advice(finding)}\nproof: {described(finding.fix.proof)}\n"
