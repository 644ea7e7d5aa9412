"""What a traced call padded. Runs in the child process as well."""

from __future__ import annotations

from padlint.catalogue import Family, Operator, PadStyle, geometry, read_pads
from padlint.geometry import same_padding
from padlint.traces.model import Run

Pads = tuple[tuple[int, int], ...]


def pads_of(operator: Operator, run: Run) -> Pads | None:
    """What a call padded on each side of each axis, None where that is not known."""
    padding, rank = run.get("padding"), len(run.input)
    if operator.family is Family.PAD:
        difference = [
            None if n is None or m is None else m - n for n, m in zip(run.input, run.output, strict=False)
        ]
        return _amounts(operator.pads, padding, rank, run.layout, difference)
    numbers = geometry(operator, run.get, rank, run.layout)
    if operator.family is Family.TRANSPOSED or numbers is None or is_transposed(run):
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


def is_transposed(run: Run) -> bool:
    """Whether zeros are put between the elements of the input."""
    dilation = run.get("input_dilation")
    return any(n != 1 for n in (dilation if isinstance(dilation, tuple) else (dilation or 1,)))
