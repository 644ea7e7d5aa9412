"""The geometry of a call whose stride the file leaves open."""

from __future__ import annotations

import libcst as cst

from padlint import catalogue
from padlint.catalogue.pads import GREATEST
from padlint.sites.arg_scope import ByScope
from padlint.sites.reading import (
    AXIS_NAMES,
    Axis,
    Reading,
    data_format,
    readings,
    spatial_rank,
)
from padlint.sites.site import Site
from padlint.sites.weights import weight_shape
from padlint.syntax.values import constant


def open_reading(site: Site) -> Reading | None:
    """The reading of a call as if its stride were 2; None if that is known, or the padding is not.

    Other numbers that are not known are left out: the kernel is None then, the dilation 1.
    """
    rank, stride, padding = spatial_rank(site), site.value("stride"), site.value("padding")
    by_scope = any(isinstance(option.origin, ByScope) for option in stride.options)
    if rank is None or not site.has("stride") or stride.complete or by_scope or not padding.known:
        return None
    if any(reading.complete for reading in readings(site)):
        return None
    kernel, dilation = _numbers(site, "kernel", rank), _numbers(site, "dilation", rank)
    if dilation is not None and _excludes_strides(site):
        return None
    kernels = (kernel if site.has("kernel") else weight_shape(site)) or (None,) * rank
    numbers = zip(AXIS_NAMES[rank], kernels, (2,) * rank, dilation or (1,) * rank, strict=True)
    return Reading(tuple(Axis(*axis) for axis in numbers), padding.only, sure=False)


def _numbers(site: Site, role: str, rank: int) -> tuple[int, ...] | None:
    """The numbers of a role per spatial axis, None where they are not known."""
    if not site.has(role):
        return (1,) * rank
    value = site.value(role)
    raw = value.only if value.known else None
    layout = data_format(site)
    found = catalogue.spatial_entries(raw, rank, None if layout is None else layout == "channels_last")
    believed = found is not None and all(isinstance(n, int) and n <= GREATEST for n in found)
    return found if believed else None


def _excludes_strides(site: Site) -> bool:
    """Whether the call stands in a branch where its stride cannot be above 1."""
    argument = site.argument("stride")
    name = argument.value.value if argument is not None and isinstance(argument.value, cst.Name) else ""
    owner = site.scope.lookup(name)
    return owner is not None and not readings(site, {(owner[0], name): constant(2)})
