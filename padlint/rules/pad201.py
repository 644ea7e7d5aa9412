"""PAD201: a torch convolution or pool with padding per side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from padlint.catalogue.model import Family
from padlint.findings import Finding, Fix, Severity
from padlint.rewrites import torch
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.proposal import propose
from padlint.sites.reading import AXIS_NAMES
from padlint.sites.site import Site


class AsymmetricPaddingArgument(Rule):
    """A PyTorch convolution or pool gets amounts per side, which it does not take.

    Why
        `padding` takes one number per axis. `padding=((1, 1), (2, 2))` and `padding=(0, 1, 0, 1)` are
        accepted when the layer is built and raise when it is called for the first time. The pairs of Keras
        and JAX and the flat tuples of F.pad are what people carry over.

    Example
        from torch import nn
        from torch.nn import functional as F

        class Text(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 32, 4, padding=((1, 2), (1, 2)))

            def forward(self, x):
                return self.conv(x)

    Use instead
        from torch import nn
        from torch.nn import functional as F

        class Text(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 32, 4, padding=0)

            def forward(self, x):
                return self.conv(F.pad(x, (1, 2, 1, 2)))

    Fix safety
        Unsafe: code that raises has no result to compare with. Offered for nested tuples, whose only sensible
        meaning is (before, after) per axis, and for a pair in a 1-D convolution: as one number per axis where
        both sides agree, else with F.pad. The order of a longer flat tuple is open, so both readings are
        named instead.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.functional.pad.html
    """

    code = "PAD201"
    name = "asymmetric-padding-argument"
    severity = Severity.ERROR
    fix = "unsafe"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report convolutions and pools of PyTorch whose padding cannot be one number per axis."""
        for site in context.select(("torch",)):
            family, rank = site.operator.family, site.operator.ndim
            if not (family.is_convolution or family.is_pooling) or rank is None:
                continue
            value = site.value("padding")
            wrong = [option.value for option in value.options if _per_side(option.value, rank)]
            if not value.complete or len(wrong) != len(value.options) or not wrong:
                continue
            numbers = {"op": site.operator.name, "axes": [], "others": {"padding": wrong[0]}}
            message = _message(site, wrong[0], rank)
            yield context.finding(type(self), site, message, _fix(context, site, wrong[0], rank), numbers)


def _per_side(padding: Any, rank: int) -> bool:
    if not isinstance(padding, tuple):
        return False
    if any(isinstance(item, tuple) for item in padding):
        return True
    return len(padding) == 2 * rank and all(isinstance(item, int) for item in padding)


def _pairs(padding: Any, rank: int) -> list[tuple[int, int]] | None:
    """(before, after) per axis where the tuple can only mean that."""
    if rank == 1 and len(padding) == 2 and all(isinstance(item, int) for item in padding):
        return [(padding[0], padding[1])]
    pairs: list[tuple[int, int]] = []
    for item in padding:
        pair = (item, item) if isinstance(item, int) else item
        if len(pair) != 2 or not all(isinstance(number, int) and number >= 0 for number in pair):
            return None
        pairs.append((pair[0], pair[1]))
    return pairs if len(pairs) == rank else None


def _message(site: Site, padding: Any, rank: int) -> str:
    text = f"{site.written} raises when it is called: padding={padding} is not one number per axis"
    pairs = _pairs(padding, rank)
    if pairs is not None:
        meaning = "; ".join(f"{name} {pair}" for name, pair in zip(AXIS_NAMES[rank], pairs, strict=True))
        return f"{text} (as pairs: {meaning})"
    if rank == 2 and len(padding) == 4 and all(isinstance(item, int) for item in padding):
        a, b, c, d = padding
        return (
            f"{text}; as (left, right, top, bottom) it means height ({c}, {d}), width ({a}, {b}), "
            f"as (top, bottom, left, right) height ({a}, {b}), width ({c}, {d})"
        )
    return text


def _fix(context: FileContext, site: Site, padding: Any, rank: int) -> Fix | str:
    if site.operator.family.is_pooling:
        return "a pool pads with -inf or leaves pads out of the mean, so F.pad is not its equal"
    if site.operator.family is Family.TRANSPOSED:
        return "the padding of a transposed convolution crops its output, so F.pad is not its equal"
    pairs = _pairs(padding, rank)
    if pairs is None and any(isinstance(item, tuple) for item in padding):
        return "what these pairs mean is open"
    if pairs is None:
        return "the order of a flat tuple is open: (left, right, top, bottom) or (top, bottom, left, right)"
    if all(before == after for before, after in pairs):
        amounts = [before for before, _ in pairs]
        message = f"Write padding={torch.numbers(amounts)}"
        return propose(site, torch.symmetric_padding(site, amounts), message, None)
    rewrite = torch.explicit_padding(context.file, site, pairs)
    return propose(site, rewrite, "Pad with F.pad and convolve without padding", None)
