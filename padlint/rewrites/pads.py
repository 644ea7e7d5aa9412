"""PyTorch: zero pads before a convolution or pool, with nothing but what keeps zeros in between."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.findings import Edit
from padlint.rewrites import doubts
from padlint.rewrites.calls import applications, own_row
from padlint.rewrites.model import Refusal, unique
from padlint.rewrites.names import sibling
from padlint.sites.producers import in_sequential
from padlint.sites.site import Site
from padlint.sites.zero_pads import is_zero_pad, keeps_zero, zero_pads
from padlint.syntax.reaching import assignment_of
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import UseKind, block_of, reads_after

_RANDOM = re.compile(r"dropout|rrelu", re.I)


@dataclass(frozen=True)
class Example:
    """One application of the padded operator, and the call that pads its input.

    `named` are the assignments that give names to what stands in between, the pad's first.
    """

    call: cst.Call
    padding: cst.Call
    named: tuple[cst.Assign, ...] = ()


@dataclass
class PaddedConv:
    """A convolution or pool, and the zero pads that its inputs come from.

    `pads` are (before, after) per spatial axis. `between` are the operators that the padded tensor passes
    through, the pad's first. `removals` are the edits that take the pads away, unless `problem` says why they
    cannot be; `doubts` are reasons why that may be noticed. There is no `example` in a Sequential.
    """

    conv: Site
    pad: Site
    pads: list[tuple[int, int]]
    between: list[Site] = field(default_factory=list)
    removals: list[Edit] = field(default_factory=list)
    added: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    doubts: list[str] = field(default_factory=list)
    example: Example | None = None

    @property
    def symmetric(self) -> bool:
        """Whether both sides of every axis are padded alike, by more than nothing."""
        return any(map(any, self.pads)) and all(before == after >= 0 for before, after in self.pads)

    @property
    def noun(self) -> str:
        """`convolution` or `pool`."""
        return "convolution" if self.conv.operator.family.is_convolution else "pool"

    def refuse(self, problem: str) -> None:
        """Note why the pad cannot be taken away; the first reason counts."""
        self.problem = self.problem or problem

    def passes(self, site: Site) -> None:
        """Note an operator between the pad and what was found so far."""
        self.between.append(site)
        inplace = site.bound.value("inplace")
        if inplace is not None and not (isinstance(inplace, cst.Name) and inplace.value == "False"):
            self.refuse(f"{site.written} works in place, and without the pad it would change another tensor")
        if _RANDOM.search(site.operator.short):
            self.doubts.append(f"{site.written} draws as many random numbers as its input has elements")


class Pads:
    """Finds the padded operators of one unit."""

    def __init__(self, file: File, unit: Unit, sites: list[Site]) -> None:
        self.file, self.unit = file, unit
        self.sites = [s for s in sites if s.operator.framework == "torch" and not s.operator.quantized]
        self._by_call: Mapping[cst.Call, Site] = {site.call: site for site in self.sites}

    @cached_property
    def _pads(self) -> Mapping[cst.Call, Site]:
        """The calls that pad a tensor with zeros."""
        return {call: site for site in self.sites if is_zero_pad(site) for call in site.applications}

    @cached_property
    def _keepers(self) -> Mapping[cst.Call, Site]:
        """The calls of operators that a zero pad commutes with."""
        return {call: site for site in self.sites if keeps_zero(site) for call in site.applications}

    def find(self, families: Collection[Family]) -> Iterator[PaddedConv]:
        """Every operator of these families whose input is a zero pad, with that pad."""
        if not any(is_zero_pad(site) for site in self.sites):
            return
        for site in self.sites:
            if site.operator.family not in families:
                continue
            if site.use.kind is UseKind.ELEMENT and site.operator.kind is Kind.LAYER:
                found = self._element(site)
            else:
                found = self._applied(site)
            if found is not None:
                yield found

    # -- in a Sequential -------------------------------------------------------------------------------------

    def _element(self, conv: Site) -> PaddedConv | None:
        if not in_sequential(conv):
            return None
        layers = [self._layer(element) for element in conv.use.siblings[: conv.use.position]]
        position = len(layers) - 1
        while position >= 0 and (layer := layers[position]) is not None and keeps_zero(layer):
            position -= 1
        pad = layers[position] if position >= 0 else None
        amounts = zero_pads(pad, conv) if pad is not None and is_zero_pad(pad) else None
        if pad is None or amounts is None:
            return None
        found = PaddedConv(conv, pad, amounts)
        for layer in layers[position + 1 :]:
            if layer is not None:  # each of them keeps zeros
                found.passes(layer)
        self._identity(found)
        name = doubts.holder(self.unit, conv)
        if doubts.reached_one_by_one(self.unit, name):
            found.problem = f"elements of {name} are also reached one by one"
        if doubts.handed_on(self.unit, conv):
            found.doubts.append(doubts.HANDED_ON)
        if position == 0 and doubts.changes_its_argument(self.unit):
            found.doubts.append(doubts.CHANGED)
        return found

    def _layer(self, element: cst.BaseExpression) -> Site | None:
        site = self._by_call.get(element) if isinstance(element, cst.Call) else None
        return site if site is not None and site.operator.kind is Kind.LAYER else None

    def _identity(self, found: PaddedConv) -> None:
        """nn.Identity() in the place of a pad layer keeps indices and names."""
        spelled = sibling(self.file, found.pad, "Identity")
        if isinstance(spelled, Refusal):
            found.problem = spelled.reason
            return
        if doubts.asked_for(self.file, found.pad.operator.short):
            found.doubts.append(f"the file also asks for the class {found.pad.operator.short}")
        if doubts.walks_over_modules(self.unit):
            found.doubts.append(doubts.WALKED)
        found.removals.append(self.unit.replace(found.pad.call, f"{spelled.text}()"))
        found.removals += spelled.edits
        found.added = spelled.added

    # -- in a forward pass -----------------------------------------------------------------------------------

    def _applied(self, conv: Site) -> PaddedConv | None:
        if conv.operator.kind is Kind.LAYER and conv.use.kind not in (UseKind.ATTRIBUTE, UseKind.LOCAL):
            return None
        padded = [(call, self._padded(conv, call, conv.input_of(call))) for call in conv.applications]
        calls = [call for call, one in padded if one is not None]
        found = [one for _, one in padded if one is not None]
        if not found:
            return None
        first, last = found[0], found[-1]  # the last application contains no other
        if last.example is not None:
            first.example = replace(last.example, call=calls[-1])
        first.removals = list(unique(edit for one in found for edit in one.removals))
        first.doubts = [doubt for one in found for doubt in one.doubts]
        first.problem = next((one.problem for one in found if one.problem), "")
        escapes = applications(conv)
        if isinstance(escapes, Refusal):
            first.refuse(escapes.reason)
        if len(found) < len(padded):
            first.refuse(f"the {first.noun} also runs without the pad")
        if any(one.pads != first.pads for one in found):
            first.refuse(f"the {first.noun} runs behind different pads")
        return first

    def _padded(self, conv: Site, reader: cst.Call, source: cst.BaseExpression | None) -> PaddedConv | None:
        """What is padded in front of a call that reads `source`."""
        if isinstance(source, cst.Call):
            return self._made(conv, source, None)
        assignment = assignment_of(self.unit, source) if isinstance(source, cst.Name) else None
        if assignment is None or not isinstance(assignment.value, cst.Call):
            return None
        found = self._made(conv, assignment.value, assignment)
        if found is None or found.example is None:
            return None
        found.example = replace(found.example, named=(*found.example.named, assignment))
        target = assignment.targets[0].target
        reads = reads_after(self.unit, target) if isinstance(target, cst.Name) else None
        if reads is None or any(read is not source for read in reads):
            found.refuse("the padded tensor has other readers")
        if not doubts.follows(self.unit, assignment, reader):
            found.doubts.append(doubts.BETWEEN)
        return found

    def _made(self, conv: Site, call: cst.Call, assignment: cst.Assign | None) -> PaddedConv | None:
        """What is padded where `call` makes the tensor: it is the pad, or an operator that keeps zeros."""
        if call in self._pads:
            return self._pad_call(conv, call, assignment)
        keeper = self._keepers.get(call)
        if keeper is None:
            return None
        found = self._padded(conv, call, keeper.input_of(call))
        if found is not None:
            found.passes(keeper)
        return found

    def _pad_call(self, conv: Site, padding: cst.Call, assignment: cst.Assign | None) -> PaddedConv | None:
        pad = self._pads[padding]
        amounts = zero_pads(pad, conv)
        if amounts is None:
            return None
        found = PaddedConv(conv, pad, amounts, example=Example(padding, padding))
        source = pad.input_of(padding)
        if isinstance(source, cst.Name) and doubts.changed_later(self.unit, source):
            found.doubts.append(doubts.CHANGED)
        if doubts.traces_graphs(self.unit):
            found.doubts.append(doubts.TRACED)
        if pad.operator.kind is Kind.LAYER:
            self._layer_readers(found)
            self._identity(found)
        else:
            self._drop_function(found, assignment)
        return found

    def _layer_readers(self, found: PaddedConv) -> None:
        pad, conv = found.pad, found.conv
        escapes = applications(pad)
        if isinstance(escapes, Refusal):
            found.refuse(escapes.reason)
            return
        inputs = [conv.input_of(call) for call in conv.applications]
        sources = {self._origin(source) for source in inputs if source is not None}
        if any(call not in sources for call, _ in escapes):
            found.refuse("the pad layer also runs before something else")

    def _origin(self, source: cst.BaseExpression | None) -> cst.BaseExpression | None:
        """The expression that a tensor comes from, through names and operators that keep zeros."""
        while source is not None:
            if isinstance(source, cst.Name) and (assignment := assignment_of(self.unit, source)) is not None:
                source = assignment.value
            elif isinstance(source, cst.Call) and (keeper := self._keepers.get(source)) is not None:
                source = keeper.input_of(source)
            else:
                break
        return source

    def _drop_function(self, found: PaddedConv, named: cst.Assign | None) -> None:
        source = found.pad.input_of(found.pad.call)
        if source is None:
            found.refuse("its input is not written as an argument")
            return
        text = self.unit.text(source)
        if named is not None and self.unit.text(named.targets[0].target) == text:
            removal = _delete_row(self.unit, named)
            if removal is not None:
                found.removals.append(removal)
                return
        if named is not None and ("\n" in text or "\r" in text):
            text = f"({text})"
        found.removals.append(self.unit.replace(found.pad.call, text))


def _delete_row(unit: Unit, statement: cst.Assign) -> Edit | None:
    """Delete a statement with its row, if it has one for itself and is not the only one in its block."""
    place = block_of(unit, statement)
    if place is None or not own_row(unit, statement) or len(getattr(place[0], "body", ())) < 2:
        return None
    start, end = unit.span(statement)
    source = unit.source
    first, last = source.line_start(source.row(start)), source.line_start(source.row(max(end - 1, start)) + 1)
    if source.text[first:start].strip() or source.text[end:last].strip():
        return None  # a comment or a semicolon shares the row
    return source.edit(first, last, "")
