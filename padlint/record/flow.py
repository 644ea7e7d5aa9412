"""The feature maps of a traced run, layer by layer: sizes, resolved paddings, receptive fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from padlint.catalogue import Family, Operator, geometry, lookup
from padlint.record.pads import Pads, is_transposed, pads_of
from padlint.traces.model import Layer, Run, Sizes, Trace


@dataclass(frozen=True)
class Row:
    """One layer. `pads` per axis and side and `fewer` are None where they are not known.

    `fewer` is the share of input positions that enter fewer outputs than they would away from the border;
    `first_odd` marks the first layer that takes or makes an odd size: from there on frameworks differ.
    """

    layer: Layer
    pads: Pads | None
    fewer: float | None
    first_odd: bool


def rows(trace: Trace) -> Iterator[Row]:
    """The flow of a trace."""
    seen = False
    for layer in trace.flow:
        run, operator = layer.run, operator_named(layer.operator)
        is_odd = any(n is not None and n % 2 for n in (*_spatial(run, run.input), *_spatial(run, run.output)))
        pads = pads_of(operator, run) if operator is not None else None
        fewer = _fewer(operator, run, pads) if operator is not None and pads is not None else None
        yield Row(layer, pads, fewer, is_odd and not seen)
        seen = seen or is_odd


def _spatial(run: Run, sizes: Sizes) -> Sizes:
    return sizes if run.layout != "all" else sizes[1:-1]  # whichever axis has the channels


def operator_named(name: str) -> Operator | None:
    """The operator of a canonical name."""
    package, _, rest = name.partition(".")
    return lookup(name) or lookup(f"{'tensorflow' if package == 'tf' else package}.{rest}")


def _fewer(operator: Operator, run: Run, pads: Pads) -> float | None:
    """The share of input positions that enter fewer outputs than in the middle of a large input."""
    numbers = geometry(operator, run.get, len(run.input), run.layout)
    if operator.family is Family.PAD or numbers is None or is_transposed(run):
        return None
    if None in run.input or None in run.output or not len(run.input) == len(run.output) == len(pads):
        return None
    shares = []
    for n, m, k, s, d, (before, _) in zip(run.input, run.output, *numbers, pads, strict=True):
        assert n is not None
        assert m is not None
        far = max(m - 2 * ((k * d + before) // s + 2), 0)  # outputs that are as those before and behind them
        shares.append(_short(n - far * s, m - far, k, s, d, before) / n if n else 0.0)
    return 1.0 - float(prod(1 - share for share in shares))


def _short(n: int, m: int, k: int, s: int, d: int, before: int) -> int:
    """How many of n positions enter fewer outputs than others with the same remainder by the stride."""
    uses = [0] * n
    for at in (o * s + t * d - before for o in range(m) for t in range(k)):
        if 0 <= at < n:
            uses[at] += 1
    inside = [sum((i + before - t * d) % s == 0 for t in range(k)) for i in range(s)]
    return sum(count < inside[i % s] for i, count in enumerate(uses))
