"""The fix of a pad with computed amounts: those that a traced run showed, written out."""

from __future__ import annotations

from padlint.findings import Fix
from padlint.geometry import Exact, Pad
from padlint.rewrites import Rewrite
from padlint.rules.proposal import Claim, propose
from padlint.sites.site import Site
from padlint.sites.traced import named_sizes


def traced_amounts(site: Site) -> Fix | str:
    """The pad with its amounts as constants, or why not; empty if there is no trace."""
    seen, argument = site.seen, site.argument("padding")
    if seen is None or argument is None:
        return ""
    if seen.left_out:
        return f"it was {seen}, and not all of that was recorded"
    if not seen.complete_pads:
        return ""
    amounts = {run.get("padding") for run, _ in seen.runs}
    if len(amounts) != 1:
        texts = [
            f"{run.get('padding')} at {named_sizes([run.input]).partition(' ')[2]}" for run, _ in seen.runs
        ]
        return f"no constant amounts serve all that was seen in the traced run: {'; '.join(texts[:4])}"
    (flat,) = amounts
    pairs = list(zip(flat[-2::-2], flat[::-2], strict=True))
    sizes = [run.input[-len(pairs) :] for run, _ in seen.runs]
    if any(None in size for size in sizes):
        return ""
    forms = [(Pad(*pair),) for pair in pairs]
    first, *others = ([Exact(n) for n in size if n is not None] for size in sizes)
    claim = Claim(forms, forms, first, basis=f"exact for what was {seen}")
    claim.also = [(form, form, n) for size in others for form, n in zip(forms, size, strict=True)]
    claim.doubts.append("other runs may have other sizes or arguments")
    rewrite = Rewrite((site.unit.replace(argument.value, repr(flat)),))
    return propose(site, rewrite, f"Pad {flat} whatever the size", claim)
