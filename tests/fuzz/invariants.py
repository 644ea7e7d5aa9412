"""What has to hold for every source, however broken: the ways in which fixing it would be wrong."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

from padlint.files import Mode, Outcome, Task, process
from padlint.findings import Applicability
from padlint.options import Options

_COMMENTED = frozenset({"PAD002", "PAD004"})
_LINE_END = re.compile(r"\r\n|\n|\r")


def complaints(content: bytes, options: Options) -> Iterator[str]:
    """What went wrong when the source was fixed with all fixes, and where some are unsafe with the others."""
    found = process(Task("m.py", None, options), content=content).findings
    classes = {finding.fix.applicability for finding in found if finding.fix is not None}
    for unsafe in (True, False) if len(classes) > 1 else (True,):
        for complaint in _complaints(content, options, unsafe):
            yield f"{'all' if unsafe else 'safe'} fixes: {complaint}"


def _complaints(content: bytes, options: Options, unsafe: bool) -> Iterator[str]:
    outcome = _fixed(content, options, unsafe)
    if outcome.problem is not None:
        if "internal error" in outcome.problem.message:
            yield outcome.problem.details
        if outcome.applied or outcome.after not in (b"", content):
            yield f"changed in spite of: {outcome.problem.message}"
        return
    if not outcome.applied:
        if outcome.after != content:
            yield "changed although nothing was applied"
        return
    yield from _unfit(outcome, unsafe)
    yield from _damaged(content, outcome)
    again = _fixed(outcome.after, options, unsafe)
    if again.problem is not None:
        yield f"cannot be read again: {again.problem.message}"
    elif again.applied:
        yield f"no fixpoint: {[(f.code, f.message) for f in again.applied]}"


def _fixed(content: bytes, options: Options, unsafe: bool) -> Outcome:
    return process(Task("m.py", None, options, Mode.PREVIEW, unsafe), content=content)


def _unfit(outcome: Outcome, unsafe: bool) -> Iterator[str]:
    """Fixes that should not have been applied."""
    for finding in outcome.applied:
        fix = finding.fix
        if fix is None:
            yield f"{finding.code} was applied without a fix"
        elif fix.applicability is not Applicability.SAFE and not unsafe:
            yield f"{finding.code} is {fix.applicability.value}"
        elif fix.applicability is Applicability.SAFE and fix.proof is None and finding.code not in _COMMENTED:
            yield f"{finding.code} is called safe without a proof"
        elif fix.proof is not None and fix.proof.taps != "equal":
            yield f"{finding.code}: taps {fix.proof.taps}"
    for finding in outcome.findings:
        if (finding.fix is None) != bool(finding.no_fix_reason):
            yield f"{finding.code} has neither a fix nor a reason, or both"


def _damaged(content: bytes, outcome: Outcome) -> Iterator[str]:
    """What was lost or broken outside the edits."""
    before, after = _parsed(content), _parsed(outcome.after)
    if before is not None and after is None:
        yield "the result does not parse"
    ends = (set(_LINE_END.findall(text.decode("latin-1"))) for text in (content, outcome.after))
    first, second = ends
    if first and not second <= first:
        yield f"new line ends: {second - first}"
    if any(finding.code in _COMMENTED for finding in outcome.applied):
        return
    comments = _comments(content), _comments(outcome.after)
    if None not in comments and comments[0] != comments[1]:
        yield f"comments changed: {comments}"
    if before is not None and after is not None:
        lost = _defined(before) - _defined(after)
        if lost:
            yield f"definitions are lost: {lost}"


def _parsed(content: bytes) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _defined(module: ast.Module) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(module) if isinstance(node, kinds)}


def _comments(content: bytes) -> list[str] | None:
    lines = io.BytesIO(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))  # `tokenize` knows no \r alone
    try:
        tokens = list(tokenize.tokenize(lines.readline))
    except (SyntaxError, tokenize.TokenError, ValueError):
        return None
    return sorted(token.string.strip() for token in tokens if token.type == tokenize.COMMENT)
