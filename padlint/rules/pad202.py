"""PAD202: a pad of zeros before a max pool."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.catalogue.model import Family, Kind
from padlint.findings import Finding, Fix, Severity
from padlint.rewrites import Rewrite
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.cropped import same_by_crop
from padlint.rules.folding import fold_fix, pool_takes
from padlint.rules.int8 import no_infinity
from padlint.rules.nonnegative import reads_nonnegative
from padlint.rules.padded import ZeroPadded, zero_padded
from padlint.rules.proposal import propose
from padlint.syntax.edits import add_argument


class ZeroPadBeforeMaxPool(Rule):
    """A pad of zeros stands before a max pool, which itself would pad with -inf.

    Why
        At the border the zeros take part in the maximum: where all real values of a window are negative, the
        result is 0 instead of the largest of them. `MaxPool2d(padding=1)`, SAME and every exporter's pool
        pad with -inf, so none of them can stand in for this pad. Behind ReLU both are the same; behind a
        module of the file's own nothing is said. Where the zeros are cropped again, the pad imitates SAME.

    Example
        from torch.nn import functional as F

        def pool(x):
            return F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2, 2)

    Use instead
        from torch.nn import functional as F

        def pool(x):
            return F.max_pool2d(F.pad(x, (0, 1, 0, 1), value=float("-inf")), 2, 2)

    Fix safety
        Unsafe: -inf gives other numbers where windows are negative, which is the point of it, and weights
        that were trained with the zeros may need them. It is offered where F.pad was given no value. Folding
        a symmetric pad into the pool's own padding is safe, but only straight behind ReLU or the like.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html
    """

    code = "PAD202"
    name = "zero-pad-before-max-pool"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report zero pads before max pools, unless the zeros are harmless and nothing is gained."""
        foldable = {found.pad: found for found in context.padded_pools if not found.between}
        for found in zero_padded(context, frozenset({Family.MAX_POOL})):
            pad, pool = found.pad, found.reader
            numbers = wording.pad_numbers(pad, found.pads)
            what = f"{pad.written} pads {wording.pads_text(found.pads)} with zeros before {pool.written}"
            cropped = same_by_crop(found)
            if cropped is not None:
                if cropped:
                    message = f"{what}, and what reads them is cropped: {cropped}"
                    yield context.finding(type(self), pad, message, _NO_PAIR, numbers, severity=Severity.INFO)
                continue
            producers = context.producers(pad.unit)
            if producers.foreign(pad):
                continue  # what it ends in is not seen, an activation more often than not
            if not reads_nonnegative(context, pad, certain=False):
                message = f"{what}, which pads with -inf: the maximum of negative values is 0 at the border"
                yield context.finding(type(self), pad, message, _repair(context, found), numbers)
            if not reads_nonnegative(context, pad):
                continue
            folded = foldable.get(pad)
            if folded is None or not pool_takes(folded) or pool.bound.arguments.get("return_indices"):
                continue
            fix = fold_fix(folded)
            if isinstance(fix, Fix):
                message = f"{what}, which could pad itself, since nothing in the input is negative"
                yield context.finding(type(self), pad, message, fix, numbers, severity=Severity.INFO)


_NO_PAIR = "no amounts that are the same at every size compute that SAME"


def _repair(context: FileContext, found: ZeroPadded) -> Fix | str:
    """-inf as the value of F.pad, if none is written."""
    pad = found.pad
    if reason := no_infinity(context):
        return reason
    if pad.operator.framework != "torch" or pad.operator.kind is not Kind.FUNCTION:
        return "whether the zeros are meant is open, and trained weights may need them"
    if pad.argument("value") is not None:
        return "the zeros are written out, and trained weights may need them"
    if not found.only_reader:
        return "the padded tensor has other readers"
    edit = add_argument(pad.unit, pad.call, 'value=float("-inf")')
    return propose(pad, Rewrite((edit,)), 'Pad with value=float("-inf"), as the pool itself would', None)
