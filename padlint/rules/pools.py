"""What the rules about pools share: which calls they look at, what is reduced, and how a pool is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from padlint.catalogue.model import Family
from padlint.geometry import Form, Reduce, Same, Window, prove, same_totals
from padlint.geometry.taps import Divisor
from padlint.rules.context import FileContext
from padlint.rules.same import WITH_SAME
from padlint.sites.reading import Axis, Reading, readings, spatial_rank
from padlint.sites.site import Site
from padlint.syntax.values import constant

POOLS = frozenset({Family.MAX_POOL, Family.AVERAGE_POOL, Family.WINDOW})


def same_pools(context: FileContext) -> Iterator[tuple[Site, Reading]]:
    """Every SAME pool with each way that it may be read, the certain one first."""
    for site in context.select(WITH_SAME):
        if site.operator.family not in POOLS:
            continue
        for reading in readings(site) or _each_axis(site):
            # tf.nn knows the upper-case word only and raises for others.
            if reading.same and (site.operator.framework != "tf" or reading.padding == "SAME"):
                yield site, reading


def _each_axis(site: Site) -> list[Reading]:
    """The geometry of a pool with ints for every axis, however many there are; only to be reported."""
    window, stride, dilation, padding = (site.value(r) for r in ("kernel", "stride", "dilation", "padding"))
    one = constant(1)
    values = (window, stride if site.has("stride") else one, dilation if site.has("dilation") else one)
    if spatial_rank(site) is not None or not padding.known or not all(value.known for value in values):
        return []
    numbers = [value.only for value in values]
    if numbers[1] is None:
        numbers[1] = numbers[0] if site.operator.stride_is_kernel else 1
    numbers[2] = numbers[2] or 1
    if not all(isinstance(number, int) and number > 0 for number in numbers):
        return []
    return [Reading((Axis("each axis", *numbers),), padding.only, sure=False)]


def reduction(site: Site) -> Reduce | None:
    """What a pool makes of a window; None if it is anything else or not known."""
    if site.operator.family is Family.MAX_POOL:
        return "max"
    if site.operator.family is not Family.AVERAGE_POOL:
        return None
    if not site.has("pooling_type"):
        return "average"
    kind = site.value("pooling_type")
    word = str(kind.only).upper() if kind.known else ""
    return "max" if word == "MAX" else "average" if word == "AVG" else None


def divisor(site: Site) -> Divisor | None:
    """What an average with SAME padding divides by: TensorFlow leaves the pads out, Flax counts them."""
    if not site.has("count_include_pad"):
        return "real"
    counts = site.value("count_include_pad")
    if not counts.known:
        return None
    return "kernel" if counts.only else "real"


def forms(site: Site, axis: Axis, before: int, after: int) -> tuple[Form, Form]:
    """A SAME pool on one axis, and the same pool with these pads as its own.

    What reduces a window in an unknown way is compared by all that the window holds, pads included.
    """
    shape = (axis.kernel or 1, axis.stride, axis.dilation)
    kind, counted = reduction(site), divisor(site)
    if kind is None or (kind == "average" and counted is None):
        return (Same(*shape),), (Window(*shape, before, after),)
    counted = counted or "real"
    return (Same(*shape, reduce=kind, divisor=counted),), (Window(*shape, before, after, kind, counted),)


def torch_twin(site: Site, axes: Sequence[Axis]) -> str:
    """The arguments with which PyTorch's pool equals a SAME pool at every size; empty if there are none."""
    kind, counted = reduction(site), divisor(site)
    if kind is None or counted is None or (kind == "average" and any(axis.dilation > 1 for axis in axes)):
        return ""
    for ceil_mode in (False, True):
        found = [_padding(axis, kind, counted, ceil_mode) for axis in axes]
        paddings = [p for p in found if p is not None]
        if len(paddings) == len(found):
            padding = paddings[0] if len(set(paddings)) == 1 else tuple(paddings)
            words = [f"padding={padding}", "ceil_mode=True" if ceil_mode else ""]
            words.append("count_include_pad=False" if kind == "average" and counted == "real" else "")
            return ", ".join(filter(None, words))
    return ""


def _padding(axis: Axis, kind: Reduce, counted: Divisor, ceil_mode: bool) -> int | None:
    kernel = axis.kernel or 1
    shape = (kernel, axis.stride, axis.dilation)
    same = (Same(*shape, reduce=kind, divisor=counted),)
    theirs: Divisor = "padded" if counted == "kernel" else counted
    totals = same_totals(*shape)
    p = totals[0] // 2
    # The windows of both must start at the same place. PyTorch refuses more than half a kernel.
    fits = totals[-1] // 2 == p <= kernel // 2
    theirs_too = (Window(*shape, p, p, kind, theirs, ceil_mode),)
    return p if fits and prove(same, theirs_too) is None else None
