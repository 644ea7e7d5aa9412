"""Pads that are computed from the kernel and the stride, where every size has the same remainder."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from padlint.catalogue import PadText
from padlint.rewrites.geometry import Geometry, geometry_of
from padlint.rewrites.helpers import SAME_PADS
from padlint.rewrites.insertion import Inserted, insert
from padlint.rewrites.model import Refusal, Rewrite, unique
from padlint.sites.reading import Reading
from padlint.sites.site import Site
from padlint.syntax.units import File
from padlint.syntax.uses import UseKind


@dataclass(frozen=True)
class Formula:
    """A call of a helper, with the texts of a site's kernel, stride and dilation, that gives its pads."""

    pads: PadText
    geometry: Geometry
    inserted: Inserted

    def completed(self, rewrite: Rewrite | Refusal, reading: Reading) -> Rewrite | Refusal:
        """A rewrite that writes these pads, with the helper; its layer proof runs what a reading has."""
        if isinstance(rewrite, Refusal):
            return rewrite
        before, after = rewrite.before, rewrite.after
        alike = len({replace(axis, name="") for axis in reading.axes}) == 1
        numbers = {role: getattr(reading.axes[0], role) for role in self.geometry.written}
        samples = (*self.geometry.samples(numbers), *_padding(self.geometry.site, reading))
        if before is None or after is None or not alike:  # names are worth one number for all axes there
            before = after = None
        else:
            before = replace(before, setup=(*samples, *before.setup))
            after = replace(after, setup=(self.inserted.text, *samples, *after.setup))
        edits, added = unique((*self.inserted.edits, *rewrite.edits)), (*rewrite.added, *self.inserted.added)
        return replace(rewrite, edits=edits, before=before, after=after, added=tuple(dict.fromkeys(added)))


def formula_of(file: File, site: Site, reading: Reading, over: tuple[int, ...]) -> Formula | Refusal:
    """The pads of SAME at sizes that are `over` more than a multiple of the stride, one number per axis."""
    geometry = geometry_of(site, replace(reading, sure=False, scoped=False))
    if isinstance(geometry, Refusal):
        return geometry
    if geometry.literal:
        return Refusal("its kernel and stride are numbers")
    if site.use.kind is UseKind.LOCAL and (problem := geometry.changes()):
        return Refusal(problem)
    inserted = insert(file, site, SAME_PADS)
    if isinstance(inserted, Refusal):
        return inserted
    rank = len(reading.axes)
    arguments = [str(rank), geometry.kernel.text, geometry.stride_text]
    if geometry.dilation.text != "1":
        arguments.append(f"dilation={geometry.dilation.text}")
    if any(over):
        arguments.append(f"over={over[0] if len(set(over)) == 1 else over}")
    return Formula(PadText(f"{inserted.name}({', '.join(arguments)})", rank), geometry, inserted)


def _padding(site: Site, reading: Reading) -> tuple[str, ...]:
    """An assignment of the padding, where the call gets it by a name."""
    argument = site.argument("padding")
    if argument is None or not isinstance(argument.value, (cst.Name, cst.Attribute)):
        return ()
    return (f"{site.unit.text(argument.value)} = {reading.padding!r}",)
