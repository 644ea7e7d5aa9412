"""Which cases are run, in which order: the cheap and telling ones first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from padlint.verify.models.inputs import KINDS
from padlint.verify.models.request import Case, Request

RESIDUES = 32
"""Number of sizes of a free axis: what five layers of stride 2 can tell apart."""


def plan(request: Request, modes: Sequence[bool], dtype: str, residues: int) -> list[Case]:
    """The cases of one precision. Float32 repeats what computes most."""
    cases = [Case(KINDS[0], training, gradients=True) for training in modes]
    if dtype == "float64":
        cases += [Case(kind) for kind in KINDS[1:] if any(given.is_float for given in request.inputs)]
        cases += [Case(KINDS[0], sizes=size) for size in sizes(request, residues)]
    return cases


def sizes(request: Request, residues: int) -> list[dict[str, int]]:
    """Other sizes of the free axes: every residue on each, in different pairs."""
    free: dict[str, int] = {}
    for given in request.inputs:
        for axis in given.axes:
            if axis.free:
                free.setdefault(axis.free, axis.size)
    if not free:
        return []
    steps = [step for step in (1, 3, 5, 7, 11, 13) if residues % step] or [1]
    return [
        {
            name: size + by * steps[number % len(steps)] % residues
            for number, (name, size) in enumerate(free.items())
        }
        for by in range(1, residues)
    ]


def shapes(request: Request, cases: Iterable[Case]) -> list[tuple[tuple[int, ...], ...]]:
    """The shapes of the inputs of the cases, each once."""
    return list(dict.fromkeys(tuple(given.shape(case.sizes) for given in request.inputs) for case in cases))
