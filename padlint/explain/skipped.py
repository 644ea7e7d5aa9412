"""What was looked at and not judged, and why: for `padlint check --verbose`."""

from __future__ import annotations

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Location
from padlint.options import Options
from padlint.rules.context import FileContext
from padlint.sites.collecting import interesting_names
from padlint.sites.lookalikes import lookalikes
from padlint.sites.reading import readings
from padlint.sites.site import Site
from padlint.syntax.possible import UNKNOWN
from padlint.syntax.units import Unparsable, open_file

_ROLES = ("padding", "stride", "dilation")


def skipped(text: str, options: Options) -> list[tuple[Location, str]]:
    """The calls that rules about padding pass over, in the order of the file, each with the reason."""
    try:
        file = open_file(text, interesting_names() | options.wrappers)
    except Unparsable:
        return []
    context = FileContext(file, options)
    found = [
        (context.place(site.unit, site.call)[0], reason)
        for site in context.sites
        if (reason := _unread(site))
    ]
    for unit, call, reason in lookalikes(file, context.sites):
        found.append((context.place(unit, call)[0], reason))
    return sorted(found)


def _unread(site: Site) -> str:
    """Why it is not known how a convolution or pool runs; empty if it is known."""
    family = site.operator.family
    if family not in catalogue.PADDED or family is Family.PAD or readings(site):
        return ""
    unknown = [role for role in _ROLES if site.has(role) and site.value(role) == UNKNOWN]
    what = f"its {' and its '.join(unknown)} cannot" if unknown else "how it runs cannot"
    return f"{site.written} is passed over: {what} be read from the file"
