"""Turns a rewrite into a fix: the tap maps are compared here, and nothing is offered that they refute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import libcst as cst

from padlint import catalogue
from padlint.findings import Applicability, Fix, LayerPair, Location, Proof
from padlint.geometry import UNKNOWN, Exact, Form, Size, TooLarge, proof_bound, prove, residue_class
from padlint.rewrites.model import Refusal, Rewrite
from padlint.sites.arg_scope import joined
from padlint.sites.reading import Reading, traced_layout
from padlint.sites.site import Site
from padlint.sizes.extent import Chain
from padlint.sizes.neighbours import partners
from padlint.syntax.bindings import Case
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator

_NAME = re.compile(r"\b[^\W\d]\w*\b")
_FRAMEWORKS = frozenset({"torch", "keras", "tensorflow", "tf_keras"})
_WORDS = frozenset({"True", "False", "None"})
_FEWEST, _MOST = 3, 8  # shapes that the layer proof runs where the tap maps cover all

# Code that changes a layer after it was built, or asks for its padding.
_TOUCHES = re.compile(r"\.(?:padding|dilation|kernel_size|padding_mode)\b")
TOUCHED = "the file reads or changes the geometry of layers that were built before"


def touches_layers(site: Site) -> bool:
    """Whether the file reads or assigns `.padding`, `.dilation`, `.kernel_size` or `.padding_mode`."""
    return site.unit.source.holds(_TOUCHES)


@dataclass
class Claim:
    """What a fix claims: per spatial axis the two forms, and the sizes for which they are equal.

    `doubts` are reasons why the fix is not safe; `basis` says in words what the sizes rest on. `kernel` is
    the spatial shape of the weight. `shapes` are the input shapes for the layer proof; found from the forms
    if there is one pair of forms per spatial axis. `chain` is the Sequential model whose end pins the sizes.
    `also` are the forms and sizes of other cases in which the
    call runs, and `case` is the one that the layer proof runs.
    """

    before: Sequence[Form]
    after: Sequence[Form]
    sizes: Sequence[Size]
    doubts: list[str] = field(default_factory=list)
    basis: str = ""
    kernel: tuple[int, ...] | None = None
    shapes: tuple[tuple[int, ...], ...] = ()
    chain: Chain | None = None
    also: Sequence[tuple[Form, Form, Size]] = ()
    case: Case | None = None


def propose(site: Site, rewrite: Rewrite | Refusal, message: str, claim: Claim | None) -> Fix | str:
    """The fix, or the reason why there is none. Without a claim the old code raises and nothing is proved."""
    if isinstance(rewrite, Refusal):
        return rewrite.reason
    if site.gathered:
        return f"some of its arguments stand in {site.gathered}"
    if _loses_comment(site, rewrite):
        return "a comment stands in the text that would be replaced"
    doubts = list(rewrite.caveats)
    if not site.sure:
        doubts.append(f"{site.written} may also be something else")
    if traced_layout(site):
        doubts.append("other runs may have another data_format than the traced one")
    if claim is None:
        return Fix(Applicability.UNSAFE, message, rewrite.edits, None, _layer_pair(site, rewrite, ()))
    for before, after, size in (*zip(claim.before, claim.after, claim.sizes, strict=True), *claim.also):
        difference = prove(before, after, size)
        if isinstance(difference, TooLarge):
            return str(difference)
        if difference is not None:
            return f"the rewrite does not compute the same ({difference})"
    doubts += claim.doubts
    proof = Proof("equal", _claimed(claim))
    text = message + (f", {claim.basis}" if claim.basis else "")
    if doubts:
        text += f" (unsafe: {'; '.join(dict.fromkeys(doubts))})"
    applicability = Applicability.UNSAFE if doubts else Applicability.SAFE
    layer = _layer_pair(site, rewrite, _shapes(claim), claim.kernel, claim.case)
    together = _starts(partners(site, claim.chain)) if claim.chain is not None else frozenset()
    return Fix(applicability, text, rewrite.edits, proof, layer, together)


@lru_cache(maxsize=2)  # the layers of a model share their partners
def _starts(sites: tuple[Site, ...]) -> frozenset[Location]:
    return frozenset(site.unit.source.location(site.unit.span(site.call)[0]) for site in sites)


def rest_on_arguments(claim: Claim, reading: Reading) -> None:
    """Doubt a claim where a caller may give the call other arguments."""
    if reading.scoped:
        claim.doubts.append(f"it rests on {joined(reading.origins)}")


def _loses_comment(site: Site, rewrite: Rewrite) -> bool:
    text = site.unit.source.text
    return any(text.count("#", edit.start, edit.end) > edit.content.count("#") for edit in rewrite.edits)


def _claimed(claim: Claim) -> str | tuple[tuple[int, ...], ...]:
    """`all`, or the shapes at which the tap maps were compared."""
    if all(size == UNKNOWN for size in claim.sizes):
        return "all"
    return tuple(_combinations(claim))


def _shapes(claim: Claim) -> Sequence[tuple[int, ...]]:
    return claim.shapes or _combinations(claim)


def _combinations(claim: Claim) -> list[tuple[int, ...]]:
    """A few shapes that the claim covers: one per residue of the stride, and different per axis."""
    strides = [getattr(step, "stride", 1) for form in claim.before for step in form]
    count = min(max(_FEWEST, *strides), _MOST)
    columns: list[list[int]] = []
    for axis, (before, after, size) in enumerate(zip(claim.before, claim.after, claim.sizes, strict=True)):
        if isinstance(size, Exact):
            columns.append([size.n] * count)
            continue
        remainder, modulus = residue_class(size)
        bound = proof_bound(before, after)  # here windows overhang on both ends and stand inside
        first = bound + (remainder - bound) % modulus
        columns.append([first + modulus * ((i + axis) % count) for i in range(count)])
    return list(dict.fromkeys(zip(*columns, strict=True)))


def _layer_pair(
    site: Site,
    rewrite: Rewrite,
    sizes: Sequence[tuple[int, ...]],
    kernel: tuple[int, ...] | None = None,
    case: Case | None = None,
) -> LayerPair | None:
    if rewrite.before is None or rewrite.after is None:
        return None
    texts = (*rewrite.before.setup, rewrite.before.output, *rewrite.after.setup, rewrite.after.output)
    names = dict(rewrite.added)
    constants: list[str] = []
    for name in dict.fromkeys(match.group() for text in texts for match in _NAME.finditer(text)):
        found = resolve(site.scope, cst.Name(name), catalogue.star_exports)
        paths = [path for path in found.paths if path.partition(".")[0] in _FRAMEWORKS] or found.paths
        if paths:
            names.setdefault(name, paths[0])
            continue
        value = Evaluator(site.unit, case).value(cst.Name(name), site.scope)
        if value.known and name not in _WORDS:
            constants.append(f"{name} = {value.only!r}")
    before = replace(rewrite.before, setup=(*constants, *rewrite.before.setup))
    after = replace(rewrite.after, setup=(*constants, *rewrite.after.setup))
    return LayerPair(site.operator.framework, before, after, names, tuple(sizes), kernel)
