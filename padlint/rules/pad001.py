"""PAD001: a file that cannot be parsed."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.syntax.units import Unparsable


class SyntaxErrorRule(Rule):
    """The file is no valid Python, so nothing in it was checked.

    Why
        padlint reads a file with the running Python's own parser and, where that fails, with LibCST, which
        also knows newer grammar. A file that neither can read would otherwise count as clean. Only files that
        mention a convolution, pooling or pad operator are parsed at all.

    Example
        import torch.nn as nn

        conv = nn.Conv2d(3, 8, 3, padding="same"

    Use instead
        import torch.nn as nn

        conv = nn.Conv2d(3, 8, 3, padding=1)

    Fix safety
        There is no fix. The file is left as it is, and the rest of the run goes on.

    References
        https://docs.python.org/3/reference/grammar.html
    """

    code = "PAD001"
    name = "syntax-error"
    severity = Severity.ERROR
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """A file that has a context was parsed; `report` speaks for those that were not."""
        return iter(())

    @classmethod
    def report(cls, problem: Unparsable) -> Finding:
        """The finding for a file that cannot be parsed."""
        return Finding(
            cls.code,
            cls.name,
            cls.severity,
            f"The file cannot be parsed: {problem.message}",
            problem.location,
            problem.location,
            no_fix_reason="the file has to be valid Python first",
            numbers={"op": None, "axes": [], "others": {}},
        )
