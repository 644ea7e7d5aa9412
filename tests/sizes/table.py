"""What is known of the size that reaches one call of a short source."""

from __future__ import annotations

from textwrap import dedent

from padlint.catalogue.model import Family
from padlint.options import Options
from padlint.rules.context import FileContext
from padlint.sites import interesting_names
from padlint.sizes.extent import Extent, Known, describe
from padlint.syntax.units import open_file

HERE = "# here"


def known(text: str, options: Options | None = None) -> Known:
    """What reaches the operator whose call stands in the row that ends in `# here`."""
    text = dedent(text)
    file = open_file(text, interesting_names())
    context = FileContext(file, options or Options(frozenset()))
    (row,) = [row for row, line in enumerate(text.split("\n"), start=1) if line.endswith(HERE)]
    (site,) = [s for s in context.sites if s.operator.family is Family.CONV and s.unit.row(s.call) == row]
    return context.input_of(site)


def told(found: Known, rank: int = 2, *, channels_last: bool = True) -> str:
    """`224 LITERAL`, `112x? ASSUMED`, or `lost: the reason`."""
    if not isinstance(found, Extent):
        return f"lost: {found.reason}"
    sizes = found.spatial(rank, channels_last)
    if sizes is None:
        return "lost: another rank"
    return f"{describe(sizes)} {found.effective_basis.name}"
