"""The feature maps of a traced run, layer by layer: sizes, resolved paddings, receptive fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from padlint.catalogue import Family, Operator, PadStyle, geometry, lookup, read_pads
from padlint.geometry import same_padding
from padlint.traces.model import Layer, Run, Sizes, Trace

Pads = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Row:
    """One layer. `pads` per axis and side and `fewer` are None where they are not known.

    `fewer` is the share of input positions that enter fewer outputs than they would away from the border;
    `first_odd` marks the first layer that makes an even size odd: from there on frameworks differ.
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
        became_odd = any(
            n is not None and m is not None and n % 2 == 0 and m % 2 for n, m in _pairs(run.input, run.output)
        )
        pads = _pads(operator, run) if operator is not None else None
        fewer = _fewer(operator, run, pads) if operator is not None and pads is not None else None
        yield Row(layer, pads, fewer, became_odd and not seen)
        seen = seen or became_odd


def _pairs(first: Sizes, second: Sizes) -> Iterator[tuple[int | None, int | None]]:
    return zip(first, second, strict=False)


def operator_named(name: str) -> Operator | None:
    """The operator of a canonical name."""
    package, _, rest = name.partition(".")
    return lookup(name) or lookup(f"{'tensorflow' if package == 'tf' else package}.{rest}")


def _pads(operator: Operator, run: Run) -> Pads | None:
    """What is padded on each side."""
    padding, rank = run.get("padding"), len(run.input)
    if operator.family is Family.PAD:
        difference = [None if None in (n, m) else m - n for n, m in _pairs(run.input, run.output)]  # type: ignore[operator]
        return _amounts(operator.pads, padding, rank, run.layout, difference)
    numbers = geometry(operator, run.get, rank, run.layout)
    if operator.family is Family.TRANSPOSED or numbers is None:
        return None
    if isinstance(padding, str):
        word = padding.lower()
        if word == "valid":
            return ((0, 0),) * rank
        if word != "same" or None in run.input:
            return None
        sizes = [n for n in run.input if n is not None]
        return tuple(same_padding(*axis) for axis in zip(sizes, *numbers, strict=True))
    if isinstance(padding, int):
        return ((padding, padding),) * rank
    if isinstance(padding, tuple) and len(padding) == rank and all(isinstance(n, int) for n in padding):
        return tuple((n, n) for n in padding)
    return _amounts(operator.pads, padding, rank, run.layout, None)


def _amounts(
    style: PadStyle | None, padding: object, rank: int, layout: str, difference: list[int | None] | None
) -> Pads | None:
    try:
        if isinstance(padding, int):
            return ((padding, padding),) * rank
        if isinstance(padding, tuple) and style is PadStyle.KERAS and not isinstance(padding[0], tuple):
            return tuple((n, n) for n in padding) if len(padding) == rank else None
        read = read_pads(style, padding, rank, layout == "channels_last") if style is not None else None
    except (TypeError, ValueError, IndexError):
        return None
    pads = tuple((int(a), int(b)) for a, b in read) if read is not None else None
    return pads if pads is None or difference is None or [a + b for a, b in pads] == difference else None


def _fewer(operator: Operator, run: Run, pads: Pads) -> float | None:
    """The share of input positions that enter fewer outputs than in the middle of a large input."""
    numbers = geometry(operator, run.get, len(run.input), run.layout)
    if operator.family is Family.PAD or numbers is None or None in run.input or None in run.output:
        return None
    shares = []
    for n, m, k, s, d, (before, _) in zip(run.input, run.output, *numbers, pads, strict=True):
        assert n is not None
        assert m is not None
        uses = [0] * n
        for at in (o * s + t * d - before for o in range(m) for t in range(k)):
            if 0 <= at < n:
                uses[at] += 1
        inside = [sum((i + before - t * d) % s == 0 for t in range(k)) for i in range(s)]
        shares.append(sum(count < inside[i % s] for i, count in enumerate(uses)) / n)
    return 1.0 - float(prod(1 - share for share in shares))
