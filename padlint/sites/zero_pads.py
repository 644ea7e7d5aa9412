"""Pads that write zeros, and the operators between whose input and output such a pad may move."""

from __future__ import annotations

import re

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.sites.reading import data_format, spatial_rank
from padlint.sites.site import Site

_LAYERS = re.compile(r"(Zero|Constant)Pad[123]d|ZeroPadding[123]D")


def is_zero_pad(site: Site) -> bool:
    """Whether a site pads with zeros, whatever the tensor is."""
    operator = site.operator
    if operator.family is not Family.PAD or operator.pads is None:
        return False
    if operator.kind is Kind.LAYER and not _LAYERS.fullmatch(operator.short):
        return False
    if "mode" in operator.roles:
        mode = site.value("mode")
        if not mode.known or not isinstance(mode.only, str) or mode.only.lower() != "constant":
            return False
    if "value" in operator.roles:
        value = site.value("value")
        return value.known and value.only in (None, 0, 0.0) and value.only is not False
    return True


def zero_pads(pad: Site, reader: Site) -> list[tuple[int, int]] | None:
    """(before, after) per spatial axis of the reader; None if they are unknown or lie on other axes."""
    rank = spatial_rank(reader)
    value = pad.value("padding")
    if rank is None or not value.known or (pad.operator.ndim or rank) != rank:
        return None
    style = pad.operator.pads or PadStyle.TORCH
    return catalogue.read_pads(style, value.only, rank, data_format(reader) != "channels_first")


def keeps_zero(site: Site) -> bool:
    """Whether zeros stay zeros in an operator without weights, so that a zero pad commutes with it."""
    operator, bound = site.operator, site.bound
    if operator.family is not Family.ELEMENTWISE or not operator.zero_preserving or not site.sure:
        return False
    if operator.kind is Kind.LAYER and site.use.escapes:
        return False
    open_call = bound.star is not None or bound.double_star is not None
    return not open_call and not operator.unless & bound.arguments.keys()
