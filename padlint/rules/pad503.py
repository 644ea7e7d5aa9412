"""PAD503: a SAME padding written by hand, with the larger half on the wrong side."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from padlint.catalogue.model import Family
from padlint.findings import Finding, Fix, Severity
from padlint.rewrites.model import Rewrite
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.handwritten import Sides, computes, halves_same, larger, parts_of, sides_of, smaller, total
from padlint.rules.proposal import propose
from padlint.sites.site import Site
from padlint.syntax.formulas import Formulas

# ONNX has both conventions; code that knows that chooses between them.
_DELIBERATE = re.compile(r"same_?lower", re.I)


class SameExtraFirst(Rule):
    """A SAME padding written by hand puts the larger half in front.

    Why
        Where the total is odd, TensorFlow, Keras, JAX and PyTorch's `padding="same"` put the extra element
        after the input: at 224 with kernel 3 and stride 2 they pad (0, 1). `total - total // 2` in front pads
        (1, 0): the same shape, with every output one element off. Only ONNX's SAME_LOWER does that.

    Example
        import math

        from torch.nn import functional as F

        def pad(x, kernel, stride):
            n = x.shape[-1]
            total = max((math.ceil(n / stride) - 1) * stride + kernel - n, 0)
            return F.pad(x, (total - total // 2, total // 2))

    Use instead
        import math

        from torch.nn import functional as F

        def pad(x, kernel, stride):
            n = x.shape[-1]
            total = max((math.ceil(n / stride) - 1) * stride + kernel - n, 0)
            return F.pad(x, (total // 2, total - total // 2))

    Fix safety
        Unsafe: it changes what is computed, and weights may have been trained with the pads as they are. No
        fix where the halves have names of their own.

    References
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
        https://onnx.ai/onnx/operators/onnx__Conv.html
    """

    code = "PAD503"
    name = "same-extra-first"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report pads that hold the larger half of a SAME total in front, on any axis."""
        for site in context.sites:
            if site.operator.family is not Family.PAD or _is_deliberate(site):
                continue
            formulas = Formulas(site.unit)
            wrong = {
                sides: where for sides in sides_of(formulas, site) if (where := _larger(formulas, sides))
            }
            if wrong:
                where = next(iter(wrong.values()))
                pads = "(1, 0)" if where == "in front" else "(1, 1)"
                message = (
                    f"{site.written} gets the larger half of a SAME total {where}: {pads} at 224 with kernel "
                    "3 and stride 2, where TensorFlow, Keras and JAX pad (0, 1)"
                )
                yield context.finding(type(self), site, message, _fix(site, wrong))


def _is_deliberate(site: Site) -> bool:
    """Whether the definition around a pad mentions SAME_LOWER."""
    piece = site.unit.piece_of(site.call)
    return _DELIBERATE.search(site.unit.source.text, piece.start, piece.end) is not None


def _larger(formulas: Formulas, sides: Sides) -> str:
    """Where the larger half of a SAME total stands, if not behind the input only; empty for anything else."""
    front, back = (formulas.of(side) for side in sides)
    if front is None or back is None:
        return ""
    parts = parts_of(front.plus(back), total)
    if parts is not None:
        return "in front" if computes(front, larger, parts) else ""
    parts = parts_of(front, larger)
    if parts is not None:
        return "on both sides" if computes(back, larger, parts) else ""
    if not halves_same(front, larger):
        return ""
    return "in front" if halves_same(back, smaller) else "on both sides" if halves_same(back, larger) else ""


def _fix(site: Site, wrong: dict[Sides, str]) -> Fix | str:
    unit = site.unit
    if "on both sides" in wrong.values():
        return "the weights may have been trained with one element more"
    if any(isinstance(side, cst.Name) or side not in unit.index.parents for pair in wrong for side in pair):
        return "the halves have names: what these are assigned has to change"
    edits = [unit.replace(side, unit.text(other)) for sides in wrong for side, other in (sides, sides[::-1])]
    return propose(
        site, Rewrite(tuple(edits)), "Pad the larger half behind, which changes what is computed", None
    )
