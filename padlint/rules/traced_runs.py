"""The explicit pads of a SAME call, by the ways in which a traced run showed it to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padlint.catalogue import Pads, PadText
from padlint.geometry import Exact, Size, same_total
from padlint.rewrites import Refusal, Rewrite
from padlint.rewrites.formula import Formula, formula_of
from padlint.rules import wording
from padlint.rules.context import FileContext
from padlint.rules.proposal import Claim
from padlint.rules.same import Decided, decide_one, problem_of, sizes_of
from padlint.sites.reading import Axis, Reading, traced_readings
from padlint.sites.site import Site
from padlint.sites.traced import named_sizes
from padlint.sizes.traced import extents_of

_MOST_RUNS = 4  # that a message names


@dataclass(frozen=True)
class Run:
    """One way in which a call ran: its geometry, and what SAME padded at its size."""

    reading: Reading
    decided: Decided


@dataclass(frozen=True)
class Settled:
    """The pads to be written, and the runs that they are right for. A formula has pads of its own in each."""

    site: Site
    runs: Sequence[Run]
    formula: Formula | None = None

    @property
    def pads(self) -> Pads | PadText:
        """What is written."""
        return self.formula.pads if self.formula is not None else self.runs[0].decided.pads

    def completed(self, rewrite: Rewrite | Refusal) -> Rewrite | Refusal:
        """A rewrite that writes these pads, with what they need."""
        return rewrite if self.formula is None else self.formula.completed(rewrite, self.runs[0].reading)

    def rest(self, claim: Claim) -> None:
        """Say what a claim rests on. Whatever a run showed, the next one may be another."""
        claim.basis = f"exact for what was {self.site.seen}"
        claim.doubts.append("other runs may have other sizes or arguments")


def traced_pads(context: FileContext, site: Site, reading: Reading) -> Settled | str:
    """The pads for all that a traced run showed, or why there are none; empty if the trace is not asked."""
    seen = site.seen
    if seen is None or reading.sure or reading.scoped:
        return ""
    if not seen.complete:
        return f"it was {seen}, and not all of that was recorded"
    ways, extents = traced_readings(site), extents_of(site)
    problem = next((problem for way in ways if (problem := problem_of(site, way))), "")
    if problem:
        return problem
    came = [sizes_of(site, way, known) for way, known in zip(ways, extents, strict=True)]
    found = [
        decide_one(site, way, known) if way.same else "not SAME"
        for way, known in zip(ways, extents, strict=True)
    ]
    runs = [Run(way, one) for way, one in zip(ways, found, strict=True) if isinstance(one, Decided)]
    if len(runs) < len(ways):
        return _several(site, ways, found)
    if all(run.decided.pads == runs[0].decided.pads for run in runs):
        return Settled(site, runs)
    settled = _by_formula(context, site, ways, came)
    return settled if isinstance(settled, Settled) else f"{_several(site, ways, found)}; {settled}"


def _by_formula(
    context: FileContext, site: Site, ways: Sequence[Reading], sizes: Sequence[tuple[Size, ...]]
) -> Settled | str:
    """The pads as a formula of kernel and stride, which those are where all sizes have one remainder."""
    rows = [zip(way.axes, size, strict=True) for way, size in zip(ways, sizes, strict=True)]
    over = [_remainder(column) for column in zip(*rows, strict=True)]
    rest = tuple(one for one in over if one is not None)
    if len(rest) < len(over):
        return "nor does one formula of kernel and stride, since the sizes differ modulo the stride"
    runs = [_at(way, size, rest) for way, size in zip(ways, sizes, strict=True)]
    runs.sort(key=lambda run: not run.reading.strided)  # the first is the one that the layer proof runs
    formula = formula_of(context.file, site, runs[0].reading, rest)
    if isinstance(formula, Refusal):
        return f"nor can they be computed from kernel and stride: {formula.reason}"
    return Settled(site, runs, formula)


def _remainder(column: Sequence[tuple[Axis, Size]]) -> int | None:
    """The smallest number such that a multiple of the stride and that many more is padded like each size."""
    for over in range(max(axis.stride for axis, _ in column)):
        if all(_padded_alike(axis, size, over) for axis, size in column):
            return over
    return None


def _padded_alike(axis: Axis, size: Size, over: int) -> bool:
    if isinstance(size, Exact):
        return _total(axis, size.n) == _total(axis, over)
    return axis.stride == 1


def _total(axis: Axis, n: int) -> int:
    return same_total(n, axis.kernel or 1, axis.stride, axis.dilation)


def _at(reading: Reading, sizes: tuple[Size, ...], over: Sequence[int]) -> Run:
    """A run with the pads that the formula gives it."""
    totals = [_total(axis, rest) for axis, rest in zip(reading.axes, over, strict=True)]
    return Run(reading, Decided([(total // 2, total - total // 2) for total in totals], list(sizes)))


def _several(site: Site, ways: Sequence[Reading], found: Sequence[Decided | str]) -> str:
    """The pads that were seen, which no constant ones replace."""
    assert site.seen is not None
    groups: dict[str, list[tuple[int | None, ...]]] = {}
    for way, decided, (ran, _) in zip(ways, found, site.seen.runs, strict=True):
        pads = wording.pads_text(decided.pads) if isinstance(decided, Decided) else decided
        axes = f"kernel {wording.kernel_text(way.axes)}, stride {wording.stride_text(way.axes)}"
        groups.setdefault(f"{pads} with {axes}", []).append(ran.input)
    texts = [f"{text} at {named_sizes(sizes).partition(' ')[2]}" for text, sizes in groups.items()]
    texts[_MOST_RUNS:] = [f"{len(texts) - _MOST_RUNS} more"] if len(texts) > _MOST_RUNS else []
    return f"no pads serve all that was {str(site.seen).partition(',')[0]}: {'; '.join(texts)}"
