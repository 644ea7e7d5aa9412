"""The fix of a SAME convolution: the same call with explicit pads, by what the file or a traced run shows."""

from __future__ import annotations

from collections.abc import Sequence

from padlint.findings import Fix
from padlint.geometry import join as either_size
from padlint.rules import wording
from padlint.rules.at_runtime import computed_fix, computes
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
from padlint.sites.reading import Reading, traced_readings
from padlint.sites.site import Site
from padlint.sites.traced import named_sizes
from padlint.sizes.extent import Known, Lost
from padlint.sizes.traced import extents_of

_MOST_RUNS = 4  # that a message names


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
        fix = _traced_fix(context, site, reading) or decided
        if isinstance(fix, Fix) or not computes(context) or unlike_same(site, reading):
            return fix
        return computed_fix(context, site, reading)
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


def _traced_fix(context: FileContext, site: Site, reading: Reading) -> Fix | str:
    """The call with the pads of all that a traced run showed, or why not; empty if there is no trace."""
    seen = site.seen
    if seen is None or reading.sure or reading.scoped:
        return ""
    if not seen.complete:
        return f"it was {seen}, and not all of that was recorded"
    runs = list(zip(traced_readings(site), extents_of(site), strict=True))
    problem = next((problem for run, _ in runs if (problem := problem_of(site, run))), "")
    decided = [decide_one(site, run, known) if run.same else "not SAME" for run, known in runs]
    first = decided[0]
    if problem or isinstance(first, str) or any(d != first and _pads(d) != first.pads for d in decided):
        return problem or _several(site, [run for run, _ in runs], decided)
    claim = claim_of(runs[0][0], first)
    for (run, _), other in zip(runs[1:], decided[1:], strict=True):
        assert isinstance(other, Decided)
        also = claim_of(run, other)
        claim.also = [*claim.also, *zip(also.before, also.after, also.sizes, strict=True)]
    claim.basis = f"exact for what was {seen}"
    claim.doubts.append("other runs may have other sizes or arguments")
    return propose(site, rewrite_of(context, site, first.pads), message_of(site, first.pads), claim)


def _pads(decided: Decided | str) -> list[tuple[int, int]] | None:
    return decided.pads if isinstance(decided, Decided) else None


def _several(site: Site, runs: Sequence[Reading], decided: Sequence[Decided | str]) -> str:
    """The pads that were seen, which no constant ones replace."""
    assert site.seen is not None
    groups: dict[str, list[tuple[int | None, ...]]] = {}
    for run, found, (ran, _) in zip(runs, decided, site.seen.runs, strict=True):
        pads = wording.pads_text(found.pads) if isinstance(found, Decided) else str(found)
        axes = f"kernel {wording.kernel_text(run.axes)}, stride {wording.stride_text(run.axes)}"
        groups.setdefault(f"{pads} with {axes}", []).append(ran.input)
    texts = [f"{text} at {named_sizes(sizes).partition(' ')[2]}" for text, sizes in groups.items()]
    texts[_MOST_RUNS:] = [f"{len(texts) - _MOST_RUNS} more"] if len(texts) > _MOST_RUNS else []
    return f"no pads serve all that was {str(site.seen).partition(',')[0]}: {'; '.join(texts)}"
