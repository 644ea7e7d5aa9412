"""PAD003: a promise about an input size that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sizes.promises import idle
from padlint.syntax.directives import Directive


class IdlePromise(Rule):
    """A comment that should promise an input size is malformed, or stands where it promises nothing.

    Why
        `# padlint: input-size=224x224` counts in the row of an `Input(...)`, of a `def` or of a `class`, and
        `# padlint: input-multiple=32` likewise. Elsewhere, or with a typing error, it would be passed over,
        and the sizes would stay unknown.

    Example
        from keras import Input, layers

        image = Input(shape=(None, None, 3))  # padlint: input-size=big
        x = layers.Conv2D(8, 3, padding="same")(image)

    Use instead
        from keras import Input, layers

        image = Input(shape=(None, None, 3))  # padlint: input-size=224x224
        x = layers.Conv2D(8, 3, padding="same")(image)

    Fix safety
        There is no fix: which size is meant, and of what, is open.

    References
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
    """

    code = "PAD003"
    name = "idle-promise"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report every promise that cannot be read or that concerns nothing."""
        for directive in context.directives:
            if directive.malformed:
                example = "32" if directive.key == "input-multiple" else "224 or 224x224"
                yield self._finding(context, directive, f"is malformed: expected {example} behind the =")
        for directive in idle(context.file, context.sites, context.directives):
            if not directive.malformed:
                where = "the row of an Input, of a def or of a class"
                yield self._finding(context, directive, f"promises nothing here: it counts in {where}")

    def _finding(self, context: FileContext, directive: Directive, problem: str) -> Finding:
        start, end = map(context.file.source.location, directive.span)
        message = f"the comment `padlint: {directive.key}` {problem}"
        numbers = {"op": "", "axes": [], "others": {}}
        reason = "which size is meant, and of what, is open"
        return Finding(self.code, self.name, self.severity, message, start, end, None, reason, numbers)
