"""Which pads of PyTorch stand directly before an operator that reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from padlint.catalogue.model import Family
from padlint.sites.site import Site

if TYPE_CHECKING:
    from padlint.rules.context import FileContext


def padded_reads(context: FileContext, reads: Callable[[Family], bool]) -> Iterator[tuple[Site, Site]]:
    """Every pad, each once, with the first operator of the families `reads` that it is made for."""
    seen: set[Site] = set()
    for reader in context.select(("torch",)):
        if not reads(reader.operator.family):
            continue
        for made in context.producers(reader.unit).inputs(reader):
            pad = made.site if made is not None else None
            if pad is not None and pad.operator.family is Family.PAD and pad not in seen:
                seen.add(pad)
                yield pad, reader
