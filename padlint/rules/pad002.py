"""PAD002: a code in a suppression comment that silences nothing."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Applicability, Finding, Fix, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.syntax.source import Source
from padlint.syntax.suppressions import Code, Suppression


class UnusedSuppression(Rule):
    """A suppression comment lists a code of padlint that silences nothing.

    Why
        `# noqa: PAD101` outlives the finding that it was written for, and then hides the next one. Only codes
        whose rule ran count; a bare `# noqa` and the codes of other tools are never reported. A comment in a
        row of its own silences nothing: it has to stand in a row of the call. With PAD002 in the same list, a
        code may stay that is not needed here.

    Example
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, padding=1)  # noqa: E501, PAD101

    Use instead
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, padding=1)  # noqa: E501

    Fix safety
        Safe: only the code goes, with the comment if nothing else is left in it. Other codes, other
        directives and the reason in words stay.

    References
        https://docs.astral.sh/ruff/rules/unused-noqa/
    """

    code = "PAD002"
    name = "unused-suppression"
    severity = Severity.WARNING
    fix = "safe"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """What is unused is known when all rules have run; `report` says it."""
        return iter(())

    @classmethod
    def report(cls, source: Source, suppression: Suppression, code: Code) -> Finding:
        """The finding for one code of one comment."""
        message = f"{code.name} in this comment silences nothing"
        if suppression.alone:
            message += ", since the comment stands in a row of its own; it counts in a row of the call"
        start, end = code.span
        edit = suppression.without(source, code)
        return Finding(
            cls.code,
            cls.name,
            cls.severity,
            message,
            source.location(start),
            source.location(end),
            Fix(Applicability.SAFE, f"Remove {code.name} from the comment", (edit,)),
            numbers={"op": None, "axes": [], "others": {"code": code.name}},
        )
