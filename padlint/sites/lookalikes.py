"""Calls that are named like an operator and are none, as far as the file shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from padlint import catalogue
from padlint.sites.collecting import interesting_names
from padlint.sites.site import Site
from padlint.syntax.scopes import resolve
from padlint.syntax.units import File, Unit


def lookalikes(file: File, sites: Sequence[Site]) -> Iterator[tuple[Unit, cst.Call, str]]:
    """Every call with the name of an operator that is no site, and why it is none."""
    known = {id(site.call) for site in sites}
    for unit in file.units:
        for call in unit.index.calls:
            func = call.func
            if id(call) in known or not isinstance(func, (cst.Name, cst.Attribute)):
                continue
            if (func.value if isinstance(func, cst.Name) else func.attr.value) in interesting_names():
                yield unit, call, _reason(unit, call, func)


def _reason(unit: Unit, call: cst.Call, func: cst.Name | cst.Attribute) -> str:
    candidates = resolve(unit.index.scope_of(call), func, catalogue.star_exports)
    name = unit.text(func)
    if not candidates.paths:
        return f"{name} is passed over: the file does not show what it is"
    if len(candidates.paths) > 1:
        return f"{name} is passed over: it may be any of {', '.join(sorted(candidates.paths))}"
    return f"{name} is passed over: {candidates.paths[0]} is no operator that padlint knows"
