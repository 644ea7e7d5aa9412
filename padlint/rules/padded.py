"""Zero pads that stand directly before another operator, in every framework."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from padlint.catalogue.model import Family
from padlint.rules.context import FileContext
from padlint.sites.producers import Made
from padlint.sites.site import Site
from padlint.sites.zero_pads import is_zero_pad, zero_pads
from padlint.syntax.uses import reads_after


@dataclass(frozen=True)
class ZeroPadded:
    """A zero pad, its amounts (before, after) per spatial axis, and an operator that reads what it pads."""

    pad: Site
    pads: list[tuple[int, int]]
    reader: Site
    made: Made

    @property
    def only_reader(self) -> bool:
        """Whether nothing else reads the padded tensor, as far as the function shows."""
        if self.made.assignment is None:
            return True
        target = self.made.assignment.targets[0].target
        reads = reads_after(self.pad.unit, target) if isinstance(target, cst.Name) else None
        return reads is not None and len(reads) == 1


def zero_padded(context: FileContext, families: frozenset[Family]) -> Iterator[ZeroPadded]:
    """Every zero pad whose result one of these operators reads, once each."""
    seen: set[Site] = set()
    pads = [site for site in context.sites if is_zero_pad(site)]
    units = {site.unit for site in pads}
    for reader in context.sites:
        if reader.operator.family not in families or reader.unit not in units:
            continue
        for made in context.producers(reader.unit).inputs(reader):
            if made is None or made.site in seen or not is_zero_pad(made.site):
                continue
            amounts = zero_pads(made.site, reader)
            if amounts is not None and any(amount > 0 for pair in amounts for amount in pair):
                seen.add(made.site)
                yield ZeroPadded(made.site, amounts, reader, made)
