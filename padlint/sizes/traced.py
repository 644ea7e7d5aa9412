"""The sizes that a traced run showed: one more place where a size is learned, and the last to be asked."""

from __future__ import annotations

from functools import reduce

from padlint.geometry import UNKNOWN, Exact, Size
from padlint.geometry import join as either_size
from padlint.sites.reading import Reading, traced_readings
from padlint.sites.site import Site
from padlint.sites.traced import named_sizes
from padlint.sizes.extent import Basis, Extent, Known, Lost
from padlint.sizes.steps import Step, Steps

_ASSUMPTION = "other runs have no other sizes than the traced one"


def extents_of(site: Site) -> list[Extent]:
    """What reached a call in each traced run."""
    assert site.seen is not None
    return [_extent(site, [run.input], run.layout) for run, _ in site.seen.runs]


def known_of(site: Site, known: Known, reading: Reading | None = None) -> Known:
    """What is known of the input of a call: what the traced runs showed, where the code does not tell.

    With a reading, of the runs that were like that.
    """
    seen = site.seen
    if not isinstance(known, Lost) or seen is None or not seen.complete:
        return known
    runs = [run for run, _ in seen.runs]
    if reading is not None:
        way = reading.axes, reading.padding
        ways = [(ran.axes, ran.padding) for ran in traced_readings(site)]
        runs = [run for run, ran in zip(runs, ways, strict=True) if ran == way]
    shapes = {(len(run.input), run.layout) for run in runs}
    if len(shapes) != 1:
        return known
    return _extent(site, [run.input for run in runs], shapes.pop()[1])


def _extent(site: Site, sizes: list[tuple[int | None, ...]], layout: str) -> Extent:
    assert site.seen is not None
    each = tuple(reduce(either_size, map(_size, axis)) for axis in zip(*sizes, strict=True))
    step = Step(named_sizes(sizes).partition(" ")[2], str(site.seen).partition(",")[0])
    last = {"channels_last": True, "channels_first": False}.get(layout)
    return Extent(each, Basis.ASSUMED, Steps([step]), _ASSUMPTION, channels_last=last, traced=True)


def _size(n: int | None) -> Size:
    return Exact(n) if n else UNKNOWN
