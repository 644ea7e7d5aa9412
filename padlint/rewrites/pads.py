"""PyTorch: zero pads that stand directly before a convolution."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, PadStyle
from padlint.findings import Edit
from padlint.rewrites import doubts
from padlint.rewrites.calls import applications, own_row
from padlint.rewrites.model import Refusal, unique
from padlint.rewrites.names import sibling
from padlint.rewrites.torch import is_sequential
from padlint.sites.reading import spatial_rank
from padlint.sites.site import Site
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import UseKind, block_of, is_store, reads_after

_ZERO_PADS = re.compile(r"(Zero|Constant)Pad[123]d")


@dataclass
class PaddedConv:
    """A convolution, and the zero pads that its inputs come from.

    `pads` are (before, after) per spatial axis. `removals` are the edits that take the pads away, unless
    `problem` says why they cannot be; `doubts` are reasons why that may be noticed. `example` is one
    application of the convolution with the call that pads its input, None in a Sequential.
    """

    conv: Site
    pad: Site
    pads: list[tuple[int, int]]
    removals: list[Edit] = field(default_factory=list)
    added: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    doubts: list[str] = field(default_factory=list)
    example: tuple[cst.Call, cst.Call] | None = None

    @property
    def symmetric(self) -> bool:
        """Whether both sides of every axis are padded alike, by more than nothing."""
        return any(map(any, self.pads)) and all(before == after >= 0 for before, after in self.pads)


class Pads:
    """Finds the padded convolutions of one unit."""

    def __init__(self, file: File, unit: Unit, sites: list[Site]) -> None:
        self.file, self.unit = file, unit
        self.sites = sites
        self._functions = {s.call: s for s in sites if _is_zero_pad(s) and s.operator.kind is Kind.FUNCTION}
        self._layers: dict[cst.Call, Site] = {
            call: site
            for site in sites
            if _is_zero_pad(site) and site.operator.kind is Kind.LAYER
            for call in site.applications
        }
        self._by_call: Mapping[cst.Call, Site] = {site.call: site for site in sites}

    def find(self) -> Iterator[PaddedConv]:
        """Every convolution whose input is a zero pad, with that pad."""
        for site in self.sites:
            if site.operator.framework != "torch" or site.operator.family is not Family.CONV:
                continue
            if site.use.kind is UseKind.ELEMENT and site.operator.kind is Kind.LAYER:
                found = self._element(site)
            else:
                found = self._applied(site)
            if found is not None:
                yield found

    # -- in a Sequential -------------------------------------------------------------------------------------

    def _element(self, conv: Site) -> PaddedConv | None:
        use = conv.use
        if not is_sequential(conv) or use.position < 1:
            return None
        before = use.siblings[use.position - 1]
        pad = self._by_call.get(before) if isinstance(before, cst.Call) else None
        if pad is None or not _is_zero_pad(pad) or pad.operator.kind is not Kind.LAYER:
            return None
        amounts = _amounts(pad, conv)
        if amounts is None:
            return None
        found = PaddedConv(conv, pad, amounts)
        self._identity(found)
        name = doubts.holder(self.unit, conv)
        if doubts.reached_one_by_one(self.unit, name):
            found.problem = f"elements of {name} are also reached one by one"
        if use.position == 1 and doubts.changes_its_argument(self.unit):
            found.doubts.append(doubts.CHANGED)
        return found

    def _identity(self, found: PaddedConv) -> None:
        """nn.Identity() in the place of a pad layer keeps indices and names."""
        spelled = sibling(self.file, found.pad, "Identity")
        if isinstance(spelled, Refusal):
            found.problem = spelled.reason
            return
        if doubts.asked_for(self.file, found.pad.operator.short):
            found.doubts.append(f"the file also asks for the class {found.pad.operator.short}")
        found.removals.append(self.unit.replace(found.pad.call, f"{spelled.text}()"))
        found.removals += spelled.edits
        found.added = spelled.added

    # -- in a forward pass -----------------------------------------------------------------------------------

    def _applied(self, conv: Site) -> PaddedConv | None:
        if conv.operator.kind is Kind.LAYER and conv.use.kind not in (UseKind.ATTRIBUTE, UseKind.LOCAL):
            return None
        found: list[PaddedConv] = []
        bare = False
        for call in conv.applications:
            source = conv.input_of(call)
            padded = self._padded(conv, call, source) if source is not None else None
            if padded is None:
                bare = True
            else:
                found.append(padded)
        if not found:
            return None
        first = found[0]
        first.removals = list(unique(edit for padded in found for edit in padded.removals))
        first.doubts = [doubt for padded in found for doubt in padded.doubts]
        first.example = found[-1].example  # the last one contains no other
        problems = [padded.problem for padded in found if padded.problem]
        escapes = applications(conv)
        if isinstance(escapes, Refusal):
            problems.append(escapes.reason)
        if bare:
            problems.append("the convolution also runs without the pad")
        if any(padded.pads != first.pads for padded in found):
            problems.append("the convolution runs behind different pads")
        first.problem = problems[0] if problems else ""
        return first

    def _padded(self, conv: Site, call: cst.Call, source: cst.BaseExpression) -> PaddedConv | None:
        found: PaddedConv | None = None
        if isinstance(source, cst.Call):
            found = self._pad_call(conv, call, source, None)
        elif isinstance(source, cst.Name):
            assignment = self._assignment(source)
            if assignment is not None and isinstance(assignment.value, cst.Call):
                found = self._pad_call(conv, call, assignment.value, (assignment, source))
                if found is not None and not doubts.follows(self.unit, assignment, call):
                    found.doubts.append(doubts.BETWEEN)
        return found

    def _pad_call(
        self, conv: Site, call: cst.Call, padding: cst.Call, named: tuple[cst.Assign, cst.Name] | None
    ) -> PaddedConv | None:
        pad = self._functions.get(padding) or self._layers.get(padding)
        amounts = _amounts(pad, conv) if pad is not None else None
        if pad is None or amounts is None:
            return None
        found = PaddedConv(conv, pad, amounts, example=(call, padding))
        if named is not None:
            target = named[0].targets[0].target
            reads = reads_after(self.unit, target) if isinstance(target, cst.Name) else None
            if reads is None or any(read is not named[1] for read in reads):
                found.problem = "the padded tensor has other readers"
        source = pad.input_of(padding)
        if isinstance(source, cst.Name) and doubts.changed_later(self.unit, source):
            found.doubts.append(doubts.CHANGED)
        if pad.operator.kind is Kind.LAYER:
            self._layer_readers(found)
            self._identity(found)
        else:
            self._drop_function(found, named)
        return found

    def _layer_readers(self, found: PaddedConv) -> None:
        pad, conv = found.pad, found.conv
        escapes = applications(pad)
        if isinstance(escapes, Refusal):
            found.problem = found.problem or escapes.reason
            return
        inputs = [conv.input_of(call) for call in conv.applications]
        sources = {self._origin(source) for source in inputs if source is not None}
        if any(call not in sources for call, _ in escapes):
            found.problem = found.problem or "the pad layer also runs before something else"

    def _origin(self, source: cst.BaseExpression) -> cst.BaseExpression:
        """The expression that a name was assigned from, if that is certain."""
        if isinstance(source, cst.Name):
            assignment = self._assignment(source)
            if assignment is not None:
                return assignment.value
        return source

    def _drop_function(self, found: PaddedConv, named: tuple[cst.Assign, cst.Name] | None) -> None:
        source = found.pad.input_of(found.pad.call)
        if source is None:
            found.problem = found.problem or "its input is not written as an argument"
            return
        text = self.unit.text(source)
        if named is not None and self.unit.text(named[0].targets[0].target) == text:
            removal = _delete_row(self.unit, named[0])
            if removal is not None:
                found.removals.append(removal)
                return
        if named is not None and ("\n" in text or "\r" in text):
            text = f"({text})"
        found.removals.append(self.unit.replace(found.pad.call, text))

    def _assignment(self, name: cst.Name) -> cst.Assign | None:
        """The assignment whose value a name holds here: the nearest one above, in straight-line code."""
        scope = self.unit.index.scope_of(name)
        best: cst.Assign | None = None
        for other in self.unit.index.names.get(name.value, ()):  # in source order
            if other is name:
                break
            if self.unit.index.scope_of(other) is not scope or not is_store(self.unit, other):
                continue
            statement = self.unit.index.parents[self.unit.index.parents[other]]
            if all(ancestor is not statement for ancestor in self.unit.ancestors(name)):
                best = (
                    statement if isinstance(statement, cst.Assign) and len(statement.targets) == 1 else None
                )
        if best is None:
            return None
        target = best.targets[0].target
        reads = reads_after(self.unit, target) if isinstance(target, cst.Name) else None
        return best if reads is not None and name in reads else None


def _is_zero_pad(site: Site) -> bool:
    operator = site.operator
    if operator.framework != "torch" or operator.family is not Family.PAD or operator.pads is None:
        return False
    if operator.kind is Kind.LAYER and not _ZERO_PADS.fullmatch(operator.short):
        return False
    if "mode" in operator.roles:
        mode = site.value("mode")
        if not mode.known or mode.only != "constant":
            return False
    if "value" in operator.roles:
        value = site.value("value")
        return value.known and value.only in (None, 0, 0.0) and value.only is not False
    return True


def _amounts(pad: Site, conv: Site) -> list[tuple[int, int]] | None:
    rank = spatial_rank(conv)
    value = pad.value("padding")
    if rank is None or not value.known or (pad.operator.ndim or rank) != rank:
        return None
    return catalogue.read_pads(PadStyle.TORCH, value.only, rank, False)


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
