"""How much of an operator's output the code slices off at once: `pool(x)[:, :, 1:, 1:]`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.sites.site import Site
from padlint.syntax.units import Unit
from padlint.syntax.uses import block_of, reads_after
from padlint.syntax.values import Evaluator

_Cut = tuple[int, int]


def sliced_off(site: Site, rank: int) -> list[_Cut] | None:
    """(before, after) per spatial axis of a PyTorch operator, if every use of its output cuts just that."""
    found = [_cut(site, node, rank) for call in site.applications for node in _uses(site.unit, call)]
    first = found[0] if found else None
    return first if all(cut == first for cut in found) else None


def _uses(unit: Unit, call: cst.Call) -> Iterator[cst.CSTNode]:
    """What stands around the output: the parent of the call, or of each read of the name that it gets."""
    parents = unit.index.parents
    statement = parents[call]
    target = statement.targets[0].target if isinstance(statement, cst.Assign) else None
    if not isinstance(target, cst.Name) or block_of(unit, statement) is None:
        yield statement
        return
    reads = reads_after(unit, target)
    yield from (parents[read] for read in reads) if reads else (statement,)


def _cut(site: Site, node: cst.CSTNode, rank: int) -> list[_Cut] | None:
    if not isinstance(node, cst.Subscript):
        return None
    items = [element.slice for element in node.slice]
    leading, spatial = items[:-rank], items[-rank:]
    if not all(isinstance(item, cst.Slice) for item in spatial):
        return None
    whole = len(leading) == 2 and all(_ends(site, item) == (0, 0) for item in leading)
    if not whole and not (len(leading) == 1 and _is_ellipsis(leading[0])):
        return None
    cuts = [_ends(site, item) for item in spatial]
    known = [cut for cut in cuts if cut is not None]
    return known if len(known) == len(cuts) else None


def _is_ellipsis(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Index) and isinstance(item.value, cst.Ellipsis)


def _ends(site: Site, item: cst.BaseSlice) -> _Cut | None:
    """`1:` is (1, 0), `:-2` is (0, 2)."""
    if not isinstance(item, cst.Slice) or item.step is not None:
        return None
    evaluator = Evaluator(site.unit)
    lower = evaluator.value(item.lower, site.scope) if item.lower is not None else None
    upper = evaluator.value(item.upper, site.scope) if item.upper is not None else None
    if (lower is not None and not lower.known) or (upper is not None and not upper.known):
        return None
    start = lower.only if lower is not None else 0
    stop = upper.only if upper is not None else 0
    if not isinstance(start, int) or not isinstance(stop, int):
        return None
    return (start, -stop) if start >= 0 and (upper is None or stop < 0) else None
