"""What a rule can ask about a file, and how it reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import libcst as cst

from padlint.catalogue import PADDED
from padlint.catalogue.model import Family
from padlint.findings import Finding, Fix, Location, Severity
from padlint.options import Options
from padlint.rewrites.pads import PaddedConv, Pads
from padlint.rules.base import Rule
from padlint.rules.rounding import Arithmetic
from padlint.sites.collecting import Collector
from padlint.sites.producers import Producers
from padlint.sites.reading import Reading
from padlint.sites.site import Site
from padlint.sizes.entrances import sizes_enter
from padlint.sizes.extent import Known, Lost
from padlint.sizes.flow import Flow
from padlint.sizes.operands import Mismatch
from padlint.sizes.traced import known_of
from padlint.syntax.directives import Directive, directives
from padlint.syntax.expected import provoked
from padlint.syntax.units import File, Unit


class FileContext:
    """One parsed file with everything that is learned of it once and used by several rules."""

    def __init__(self, file: File, options: Options) -> None:
        self.file = file
        self.options = options
        self._collector = Collector(file, dict(options.operators), options.trace)
        self._producers: dict[Unit, Producers] = {}

    @cached_property
    def sites(self) -> list[Site]:
        """Every operator call in the parsed parts of the file."""
        return self._collector.sites()

    @cached_property
    def padded_convs(self) -> list[PaddedConv]:
        """Convolutions of PyTorch behind a zero pad, with nothing but what keeps zeros in between."""
        return self._padded(frozenset({Family.CONV}))

    @cached_property
    def padded_pools(self) -> list[PaddedConv]:
        """Likewise its max and average pools."""
        return self._padded(frozenset({Family.MAX_POOL, Family.AVERAGE_POOL}))

    @cached_property
    def padded_transposed(self) -> list[PaddedConv]:
        """Likewise its transposed convolutions."""
        return self._padded(frozenset({Family.TRANSPOSED}))

    def _padded(self, families: frozenset[Family]) -> list[PaddedConv]:
        found: list[PaddedConv] = []
        for unit in self.file.units:
            found += Pads(self.file, unit, self.sites_of(unit)).find(families)
        return found

    @cached_property
    def arithmetic(self) -> Arithmetic:
        """Pads of PyTorch with computed amounts, and what exports change about these."""
        return Arithmetic(self)

    def producers(self, unit: Unit) -> Producers:
        """What made the tensors of a unit."""
        producers = self._producers.get(unit)
        if producers is None:
            producers = self._producers[unit] = Producers(unit, self.sites_of(unit))
        return producers

    def sites_of(self, unit: Unit) -> list[Site]:
        """The sites in one part of the file."""
        return self._by_unit.get(unit, [])

    @cached_property
    def _by_unit(self) -> dict[Unit, list[Site]]:
        found: dict[Unit, list[Site]] = {}
        for site in self.sites:
            found.setdefault(site.unit, []).append(site)
        return found

    def input_of(self, site: Site, reading: Reading | None = None) -> Known:
        """What is known of the spatial sizes that reach a site; with a reading, where it runs like that."""
        if site.operator.framework == "keras" and site.unit.source.holds("set_image_data_format"):
            return Lost("the file changes the global data_format, which tells the spatial axes")
        return known_of(site, self.flow.input_of(site), reading)

    @cached_property
    def sizes_enter(self) -> bool:
        """Whether any size may be known in this file, and reach an operator that pads."""
        pads = any(site.operator.family in PADDED for site in self.sites)
        return pads and sizes_enter(self.file, self.options)

    @property
    def mismatches(self) -> list[Mismatch]:
        """Operations on tensors whose sizes do not fit each other."""
        if not self.sizes_enter or "set_image_data_format" in self.file.source.text:
            return []
        return self.flow.mismatches()

    @cached_property
    def directives(self) -> list[Directive]:
        """The comments that promise an input size."""
        return directives(self.file.source)

    @cached_property
    def flow(self) -> Flow:
        """What flows through the file."""
        return Flow(self.file, self.sites, self.options, self._collector.sites_in)

    def finding(
        self,
        rule: type[Rule],
        site: Site,
        message: str,
        fix: Fix | str,
        numbers: Mapping[str, Any] | None = None,
        *,
        at: cst.CSTNode | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding at a site's call, or at another node of its unit.

        `fix` is the fix, or the reason why there is none. `severity` differs from the rule's own where a
        target makes it worse.
        """
        numbers = numbers or {"op": site.operator.name, "axes": [], "others": {}}
        node = site.call if at is None else at
        return self.report(rule, site.unit, node, message, fix, numbers, severity=severity)

    def report(
        self,
        rule: type[Rule],
        unit: Unit,
        node: cst.CSTNode,
        message: str,
        fix: Fix | str,
        numbers: Mapping[str, Any],
        *,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding at any node of a unit."""
        start, end = self.place(unit, node)
        return Finding(
            code=rule.code,
            name=rule.name,
            severity=rule.severity if severity is None else severity,
            message=message,
            location=start,
            end_location=end,
            fix=fix if isinstance(fix, Fix) else None,
            no_fix_reason=fix if isinstance(fix, str) else None,
            numbers=numbers,
        )

    @cached_property
    def _provoked(self) -> list[tuple[Location, Location]]:
        locate = self.file.source.location
        spans = (span for unit in self.file.units for span in provoked(unit))
        return [(locate(start), locate(end)) for start, end in spans]

    def is_provoked(self, location: Location) -> bool:
        """Whether a test expects the code at a place to raise."""
        return any(start <= location <= end for start, end in self._provoked)

    def place(self, unit: Unit, node: cst.CSTNode) -> tuple[Location, Location]:
        """Where a node starts and ends."""
        start, end = unit.span(node)
        return self.file.source.location(start), self.file.source.location(end)

    def select(self, frameworks: Sequence[str]) -> list[Site]:
        """The sites of these frameworks; quantised layers, which are built from others, left out."""
        operators = ((site, site.operator) for site in self.sites)
        return [site for site, op in operators if op.framework in frameworks and not op.quantized]
