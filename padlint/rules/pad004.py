"""PAD004: a suppression comment that does not say what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from padlint.findings import Applicability, Edit, Finding, Fix, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.syntax.positions import Span
from padlint.syntax.source import Source
from padlint.syntax.suppressions import Suppression, Suppressions, comments_in

_WORTH_A_LOOK = re.compile(r"#\s*(padlint:|noqa\b[^\r\n]*PAD)", re.I)
_DIRECTIVE = re.compile(r"#\s*padlint:\s*(?P<word>[A-Za-z]+(?:[-_][A-Za-z]+)*)", re.I)
_KNOWN = frozenset({"ignore", "skip-file", "input-size", "input-multiple"})
_CODES = re.compile(r"[=:\[(\s]*(?P<codes>PAD[0-9]+\b(?:[\s,]+PAD[0-9]+\b)*)(?:\s*[\])])?", re.I)
_OURS = re.compile(r"PAD[0-9]+")
_MEANT = {
    **dict.fromkeys(("disable", "disable-line", "noqa", "nolint", "silence", "suppress"), "ignore"),
    **dict.fromkeys(("skip", "skipfile", "ignore-file", "disable-file", "skip-module"), "skip-file"),
    **dict.fromkeys(("inputsize", "size"), "input-size"),
    **dict.fromkeys(("inputmultiple", "multiple"), "input-multiple"),
    **dict.fromkeys(("off", "on", "enable", "ignore-next-line", "disable-next-line"), ""),
}
_WORDS = frozenset({"enable", "multiple", "off", "on", "silence", "size", "skip", "suppress"})
"""Those that prose may start with, too."""
_OPEN = "which rule is meant is open"


class InvalidSuppression(Rule):
    """A comment for padlint is misspelt, or names a rule that there is none of.

    Why
        Such a comment does not do what it says: `# padlint: disable=PAD101` and `# noqa: PAD999` silence
        nothing. `# padlint: ignore PAD101` and `# noqa PAD101` silence no more than what they name here, but
        without its colon `noqa` silences everything for other tools. Comments and codes of other tools are
        never reported, nor are words behind `# padlint:` that look like no directive. What is wrong with the
        value of a promise about a size is PAD003.

    Example
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, stride=2, padding="same")  # padlint: ignore PAD401

    Use instead
        from torch import nn

        conv = nn.Conv2d(3, 8, 3, stride=2, padding="same")  # padlint: ignore[PAD401]

    Fix safety
        Safe where brackets are added: the comment silences the same before and after. Unsafe where the
        comment silences more or less than it did: a colon for `noqa`, a directive in its right spelling, the
        code of a rule that is named by words. There is no fix for a code that no rule has.

    References
        https://docs.astral.sh/ruff/rules/invalid-rule-code/
    """

    code = "PAD004"
    name = "invalid-suppression"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report every comment that is meant for padlint and does not say what it could mean."""
        source = context.file.source
        if not source.holds(_WORTH_A_LOOK):
            return
        for suppression in Suppressions(source).certain():
            if suppression.bare:
                yield self._bare(source, suppression)
            yield from self._unknown(source, suppression)
        for row, column, comment in comments_in(source) or ():
            yield from self._misspelt(source, source.line_start(row) + column, comment)

    def _bare(self, source: Source, suppression: Suppression) -> Finding:
        start = suppression.listing[0]
        codes = _joined(code.name for code in suppression.codes or ())
        if "noqa" in source.text[suppression.directive[0] : start].lower():
            edit = source.edit(start, start, ":")
            message = f"`noqa` lacks a colon: for other tools it silences everything, not only {codes}"
            fix = Fix(Applicability.UNSAFE, "Add the colon (unsafe: other tools get louder)", (edit,))
        else:
            edit = source.edit(start, suppression.directive[1], f"[{codes}]")
            message = f"the codes of `padlint: ignore` belong in brackets; read as ignore[{codes}]"
            fix = Fix(Applicability.SAFE, f"Write ignore[{codes}], which silences the same", (edit,))
        return self._finding(source, suppression.directive, message, fix)

    def _unknown(self, source: Source, suppression: Suppression) -> Iterator[Finding]:
        """Items of a list that no rule answers to; in a list for several tools, only codes like ours."""
        if suppression.codes is None:
            return
        start, end = suppression.listing
        shared = "noqa" in source.text[suppression.directive[0] : start].lower()
        items = [*re.finditer(r"[^\s,:=(\[]+", source.text[start:end])]
        if not items:
            yield self._finding(source, suppression.directive, "an empty list silences nothing", None)
        for item in items:
            name, span = item[0], (start + item.start(), start + item.end())
            if name.upper() in _codes() or (shared and not _is_wrong_for_all(name.upper())):
                continue
            code = _codes_by_name().get(name.lower())
            if code is None:
                yield self._finding(
                    source, span, f"{name} is the code of no rule, and silences nothing", None
                )
                continue
            reason = "unsafe: what it names was not silenced"
            fix = Fix(Applicability.UNSAFE, f"Write {code} ({reason})", (source.edit(*span, code),))
            message = f"{name} is named by its code in comments, {code}, and silences nothing"
            yield self._finding(source, span, message, fix)

    def _misspelt(self, source: Source, offset: int, comment: str) -> Iterator[Finding]:
        """Directives that padlint does not have, but what looks like prose."""
        for match in _DIRECTIVE.finditer(comment):
            word, rest = match["word"].lower().replace("_", "-"), comment[match.end() :]
            if match["word"].lower() in _KNOWN or not _is_directive(word, rest):
                continue
            span = offset + match.start("word"), offset + match.end("word")
            meant = word if word in _KNOWN else _MEANT.get(word, "")
            edit = _respelt(source, span, meant, rest)
            message = f"padlint has no directive `{match['word']}`, so that this comment does nothing"
            fix = None
            if edit is not None:
                text = f"Write {edit.content} (unsafe: it did nothing so far)"
                fix = Fix(Applicability.UNSAFE, text, (edit,))
            elif meant == "ignore":
                message += "; ignore[CODE] silences one"
            yield self._finding(source, span, message, fix, "what is meant is open")

    def _finding(
        self, source: Source, span: Span, message: str, fix: Fix | None, reason: str = _OPEN
    ) -> Finding:
        start, end = map(source.location, span)
        numbers: dict[str, object] = {"op": None, "axes": [], "others": {}}
        why = None if fix is not None else reason
        return Finding(self.code, self.name, self.severity, message, start, end, fix, why, numbers)


def _is_wrong_for_all(code: str) -> bool:
    """Whether a code in a list for several tools is meant for padlint, and not even a prefix for flake8."""
    return bool(_OURS.fullmatch(code)) and not any(known.startswith(code) for known in _codes())


def _is_directive(word: str, rest: str) -> bool:
    """Whether a word behind `padlint:`, with what follows it, looks like more than prose."""
    if rest.startswith(("=", "[")):
        return True
    if word in _WORDS:
        following = rest.lstrip()
        return not following or following.startswith("#") or _CODES.match(rest) is not None
    return word in _MEANT or word in _KNOWN


def _respelt(source: Source, span: Span, meant: str, rest: str) -> Edit | None:
    """The edit that writes the directive that is meant, if that is clear."""
    if meant == "ignore":
        codes = _CODES.match(rest)
        if codes is None:
            return None
        listed = _joined(_OURS.findall(codes["codes"].upper()))
        return source.edit(span[0], span[1] + codes.end(), f"ignore[{listed}]")
    if not meant or (meant == "skip-file" and rest.lstrip()[:1] in ("=", "[")):
        return None
    return source.edit(*span, meant)


def _joined(codes: Iterator[str] | list[str]) -> str:
    return ", ".join(codes)


@cache
def _codes() -> frozenset[str]:
    from padlint.rules import ALL  # which lists this rule, too

    return frozenset(rule.code for rule in ALL)


@cache
def _codes_by_name() -> dict[str, str]:
    from padlint.rules import ALL

    return {rule.name: rule.code for rule in ALL}
