"""The fix of a SAME convolution: the same call with explicit pads, by what the file or a traced run shows."""

from __future__ import annotations

from padlint.findings import Fix
from padlint.geometry import join as either_size
from padlint.rules import wording
from padlint.rules.at_runtime import computed_fix, computes, either_fix
from padlint.rules.context import FileContext
from padlint.rules.proposal import propose, rest_on_arguments
from padlint.rules.same import (
    Decided,
    claim_of,
    decide,
    decide_one,
    message_of,
    others_of,
    problem_of,
    rest_on_size,
    rewrite_of,
    unlike_same,
)
from padlint.rules.traced_runs import Settled, traced_pads
from padlint.sites.reading import Reading
from padlint.sites.site import Site
from padlint.sizes.extent import Known, Lost


def explicit_fix(context: FileContext, site: Site, reading: Reading, known: Known) -> Fix | str:
    """The same call with explicit pads, or why that cannot be written."""
    followed = _followed_runs(context, site, reading, known)
    if followed:
        decided = _decide_runs(site, reading, followed)
        others = [other for other, _ in followed[1:]]
    else:
        decided = decide(site, reading, known)
        others = others_of(site, reading)
    if isinstance(decided, str):
        traced = traced_pads(context, site, reading)
        fix = _traced_fix(context, traced) if isinstance(traced, Settled) else traced or decided
        if isinstance(fix, Fix) or not computes(context) or unlike_same(site, reading):
            return fix
        return either_fix(traced, computed_fix(context, site, reading))
    rewrite = rewrite_of(context, site, decided.pads)
    claim = claim_of(reading, decided)
    for other in others:
        also = claim_of(other, decided)
        claim.also = [*claim.also, *zip(also.before, also.after, also.sizes, strict=True)]
    if not followed:
        rest_on_arguments(claim, reading)
    elif caller := next((run.outside for run in context.flow.contexts(site) if run.outside), ""):
        claim.doubts.append(f"assumes that {caller}() is called in this file only")
    rest_on_size(claim, known)
    return propose(site, rewrite, message_of(site, decided.pads), claim)


Run = tuple[Reading, Known]


def _followed_runs(context: FileContext, site: Site, reading: Reading, known: Known) -> list[Run]:
    """What a call gets in each run that the file leads to, where it does not tell that itself.

    Empty if one of them is not known. The run that the reading is of comes first.
    """
    if reading.sure or reading.scoped or isinstance(known, Lost):
        return []
    runs: list[Run] = []
    for run in context.flow.contexts(site):
        if not run.outside:
            found = run.readings
            if len(found) != 1 or not found[0].sure:
                return []
            runs.append((found[0], run.extent))
    own = [run for run in runs if (run[0].axes, run[0].padding) == (reading.axes, reading.padding)]
    return own + [run for run in runs if run not in own] if own else []


def _decide_runs(site: Site, reading: Reading, runs: list[Run]) -> Decided | str:
    problem = problem_of(site, runs[0][0])
    if problem:
        return problem
    decided = decide_one(site, reading, runs[0][1])
    for other, known in runs[1:]:
        if isinstance(decided, str):
            break
        needed = decide_one(site, other, known) if other.same else "not SAME"
        if isinstance(needed, str) or needed.pads != decided.pads:
            return f"what is right for this is wrong in another case: {wording.case_text(other)}"
        sizes = tuple(map(either_size, decided.sizes, needed.sizes))
        decided = Decided(decided.pads, list(sizes))
    return decided


def _traced_fix(context: FileContext, settled: Settled) -> Fix | str:
    """The call with the pads of all that a traced run showed."""
    first, *others = settled.runs
    claim = claim_of(first.reading, first.decided)
    for run in others:
        also = claim_of(run.reading, run.decided)
        claim.also = [*claim.also, *zip(also.before, also.after, also.sizes, strict=True)]
    settled.rest(claim)
    rewrite = settled.completed(rewrite_of(context, settled.site, settled.pads))
    return propose(settled.site, rewrite, message_of(settled.site, settled.pads), claim)
