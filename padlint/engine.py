"""From source text to findings, and from fixable findings to the fixed text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from padlint.findings import Applicability, Edit, Finding, Fix, LayerPair, LayerProof, Location, Severity
from padlint.options import Options
from padlint.rules import ALL, Rule
from padlint.rules.context import FileContext
from padlint.rules.pad001 import SyntaxErrorRule
from padlint.rules.pad002 import UnusedSuppression
from padlint.scope import Marks, Scope
from padlint.sites.collecting import interesting_names
from padlint.sites.traced import moved
from padlint.sites.traced_callee import callee_names
from padlint.syntax.source import Source, Taken, apply_edits
from padlint.syntax.suppressions import Suppressions
from padlint.syntax.units import File, Unparsable, open_file, parses

Prover = Callable[[Sequence[LayerPair]], Sequence[LayerProof]]
"""Runs layer proofs in real frameworks; one result per pair, in order."""
Accept = Callable[[str, Finding], bool]
"""Whether the fix of a finding in a text is to be applied."""

Follow = Callable[[Sequence[Finding]], None]
"""Is told of findings whose fixes have been applied to the text together."""

_ROUNDS = 50  # every round applies at least one fix; nested calls need one round per level


@dataclass(frozen=True)
class Fixed:
    """Outcome of fixing one file: the new text, what was applied, what is left, what a proof refuted."""

    text: str
    applied: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    refuted: tuple[Finding, ...]


def check(text: str, options: Options, filename: str = "<stdin>") -> list[Finding]:
    """Findings of one source text, sorted, without suppressed ones. Never raises for what the text holds."""
    try:
        file = open_file(text, _interesting(text, options))
    except Unparsable as problem:
        found = [SyntaxErrorRule.report(problem)] if SyntaxErrorRule.code in options.codes else []
        return [replace(finding, filename=filename) for finding in found]
    suppressions = Suppressions(file.source)
    if suppressions.whole_file:
        return []
    found = _found(file, options)
    if UnusedSuppression.code in options.codes:
        unused = suppressions.unused(found, options.codes)
        found += [UnusedSuppression.report(file.source, comment, code) for comment, code in unused]
    findings = [replace(f, filename=filename) for f in found if not suppressions.cover(f)]
    findings = settled([_without_fix(f) if f.code in options.unfixable else f for f in findings])
    return sorted(findings, key=lambda finding: finding.sort_key)


def suppressed(text: str, options: Options) -> list[Finding]:
    """The findings that comments in the text silence, sorted."""
    try:
        file = open_file(text, _interesting(text, options))
    except Unparsable:
        return []
    suppressions = Suppressions(file.source)
    silenced = (f for f in _found(file, options) if suppressions.whole_file or suppressions.cover(f))
    return sorted(silenced, key=lambda finding: finding.sort_key)


def _found(file: File, options: Options) -> list[Finding]:
    context = FileContext(file, options)
    return [finding for rule in ALL if rule.code in options.codes for finding in _findings(rule, context)]


def skips(text: str) -> bool:
    """Whether a comment asks for the whole text to be skipped."""
    return Suppressions(Source(text)).whole_file


def _interesting(text: str, options: Options) -> frozenset[str]:
    """Names whose mention makes a definition worth parsing."""
    traced = callee_names(options.trace, text) if options.trace is not None else frozenset()
    return interesting_names() | options.wrappers | traced


def _without_fix(finding: Finding) -> Finding:
    if finding.fix is None:
        return finding
    return replace(finding, fix=None, no_fix_reason=f"fixes of {finding.code} are switched off")


def settled(findings: list[Finding]) -> list[Finding]:
    """The findings, with no fix called safe that needs another one which a safe run does not apply."""
    while True:
        safe = [(i, f.fix) for i, f in enumerate(findings) if f.fix is not None and _is_safe(f)]
        applied = {findings[i].location for i, _ in safe}
        missing = {partners: partners - applied for partners in {fix.partners for _, fix in safe}}
        if not any(missing.values()):
            return findings
        for i, fix in safe:
            if missing[fix.partners]:
                findings[i] = replace(findings[i], fix=_doubted(fix, missing[fix.partners]))


def _doubted(fix: Fix, missing: Collection[Location]) -> Fix:
    rows = ", ".join(map(str, sorted({partner.row for partner in missing})))
    reason = f"needs the fix of line {rows} too, or other input sizes pass unnoticed"
    return replace(fix, applicability=Applicability.UNSAFE, message=f"{fix.message} (unsafe: {reason})")


def _findings(rule: type[Rule], context: FileContext) -> Iterator[Finding]:
    """What a rule finds. Code that raises is no problem where a test expects it to."""
    for finding in rule().check(context):
        if rule.severity is not Severity.ERROR or not context.is_provoked(finding.location):
            yield finding


def prove(findings: Sequence[Finding], prover: Prover) -> list[Finding]:
    """The findings with the layer proof of each fix filled in."""
    pairs = [f.fix.layer for f in findings if f.fix is not None and f.fix.layer is not None]
    results = iter(prover(pairs) if pairs else ())
    return [
        _with_proof(finding, next(results))
        if finding.fix is not None and finding.fix.layer is not None
        else finding
        for finding in findings
    ]


def _with_proof(finding: Finding, result: LayerProof) -> Finding:
    fix = finding.fix
    if fix is None or fix.proof is None:  # the old code raises: there is nothing to compare with
        return finding
    return replace(finding, fix=replace(fix, proof=replace(fix.proof, layer=result)))


def fix(
    text: str,
    options: Options,
    *,
    unsafe: bool = False,
    prover: Prover | None = None,
    filename: str = "<stdin>",
    scope: Scope | None = None,
    accept: Accept | None = None,
    follow: Follow | None = None,
) -> Fixed:
    """Apply fixes until none is left. A fix that `prover` refutes is listed in `refuted` and not applied.

    Findings outside of the scope are neither fixed nor listed. A fix that is not accepted is left.
    `follow` is told of the findings that each round fixes, all at once.
    """
    applied: list[Finding] = []
    refuted: dict[tuple[str, str], Finding] = {}
    hidden, declined = Marks(), Marks()
    if scope is not None:
        hidden.add(text, scope.split(text, check(text, options, filename)).others)
    for _ in range(_ROUNDS):
        findings = settled(hidden.without(text, check(text, options, filename)))
        open_ = settled(declined.without(text, findings))
        wanted = [f for f in open_ if _wanted(f, unsafe) and _identity(text, f) not in refuted]
        if not wanted:
            remaining = findings
            break
        chosen = _without_overlaps(wanted)
        if prover is not None:
            chosen = prove(chosen, prover)
            refuted.update({_identity(text, finding): finding for finding in chosen if _is_refuted(finding)})
            chosen = [finding for finding in chosen if not _is_refuted(finding)]
        if accept is not None:
            chosen = _accepted(text, chosen, accept, declined)
        before, text, edits = text, _apply(text, chosen), _edits(chosen)
        options = _moved(options, before, text, chosen)
        hidden.move(edits)
        declined.move(edits)
        applied += chosen
        if follow is not None:
            follow(chosen)
    else:
        remaining = settled(hidden.without(text, check(text, options, filename)))
    return Fixed(text, tuple(applied), tuple(remaining), tuple(refuted.values()))


def _accepted(text: str, findings: list[Finding], accept: Accept, declined: Marks) -> list[Finding]:
    """Those whose fix is accepted, but none that was called safe together with one that is not."""
    accepted = [finding for finding in findings if accept(text, finding)]
    declined.add(text, [finding for finding in findings if finding not in accepted])
    pairs = zip(accepted, settled([*accepted]), strict=True)
    return [finding for finding, after in pairs if finding is after]


def _wanted(finding: Finding, unsafe: bool) -> bool:
    return finding.fix is not None and (unsafe or _is_safe(finding))


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


def _is_refuted(finding: Finding) -> bool:
    proof = finding.fix.proof if finding.fix is not None else None
    return proof is not None and proof.layer is not None and proof.layer.result == "differs"


def _identity(text: str, finding: Finding) -> tuple[str, str]:
    """Recognises a finding in the next round, when other edits may have moved it."""
    source = Source(text)
    start = source.line_start(finding.location.row)
    end = source.line_start(finding.end_location.row + 1)
    return finding.code, source.text[start:end]


def _without_overlaps(findings: Sequence[Finding]) -> list[Finding]:
    """As many fixes as do not touch each other, in order.

    Equal edits (the import that two fixes need) are shared.
    """
    chosen: list[Finding] = []
    taken = Taken()
    for finding in findings:
        edits = finding.fix.edits if finding.fix is not None else ()
        if taken.takes(edits):
            chosen.append(finding)
    return chosen


def _edits(findings: Sequence[Finding]) -> list[Edit]:
    return [*dict.fromkeys(edit for f in findings if f.fix is not None for edit in f.fix.edits)]


def _moved(options: Options, before: str, after: str, applied: Sequence[Finding]) -> Options:
    """The options for the changed text: what was traced stands elsewhere in it."""
    if options.trace is None:
        return options
    return replace(options, trace=moved(options.trace, Source(before), Source(after), applied))


def _apply(text: str, findings: Sequence[Finding]) -> str:
    """The text after all fixes. A result that does not parse is never returned."""
    changed = apply_edits(text, _edits(findings))
    if not parses(changed):
        raise AssertionError("a fix made the file unparsable")
    return changed
