"""PAD404: more padding than the operator takes, or less than none."""

from __future__ import annotations

from collections.abc import Iterator

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.geometry import Exact
from padlint.rewrites import torch
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.folding import known_axes
from padlint.rules.modes import amounts_of_conv, amounts_of_pad, mode_of
from padlint.sites.reading import AXIS_NAMES, data_format, spatial_rank
from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Extent

# By how much less than the input a pad of this mode has to be.
_LESS = {"reflect": 1, "symmetric": 0, "circular": 0}


class PadTooLarge(Rule):
    """A padding is larger than the operator takes, or negative.

    Why
        A pool of PyTorch takes at most half of its kernel as padding, whatever its dilation, since a window
        of padding alone has no maximum. No convolution or pool takes a negative one. A reflected pad has to
        be smaller than the input, a circular or symmetric one no larger. All of these raise, but only when
        the layer is called; with a reflected pad only for small inputs.

    Example
        from torch import nn

        pool = nn.MaxPool2d(kernel_size=2, stride=2, padding=2)

    Use instead
        from torch import nn

        pool = nn.MaxPool2d(kernel_size=2, stride=2, padding=1)

    Fix safety
        There is no fix: code that raises does not tell which amount it means.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.MaxPool2d.html
        https://pytorch.org/docs/stable/generated/torch.nn.ReflectionPad2d.html
    """

    code = "PAD404"
    name = "pad-too-large"
    severity = Severity.ERROR
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report paddings that raise for every input, or for one of the size that is known to arrive."""
        for site in context.select(("torch", "tf", "keras")):
            problem = _negative(site) or _more_than_half(site) or _more_than_the_input(context, site)
            if problem is not None:
                message = f"{site.written} raises when it is called: {problem}"
                numbers = {"op": site.operator.name, "axes": [], "others": {}}
                yield context.finding(type(self), site, message, "which amount is meant is open", numbers)


def _own_padding(site: Site) -> list[int] | None:
    """The int padding per axis of a convolution, pool or unfold of PyTorch, where nothing but ints can be."""
    operator, rank = site.operator, spatial_rank(site)
    has_window = operator.family.is_convolution or operator.family.is_pooling
    if operator.framework != "torch" or rank is None or not (has_window or operator.family is Family.UNFOLD):
        return None
    value = site.value("padding")
    entries = catalogue.spatial_entries(value.only, rank) if value.known else None
    return [*entries] if entries is not None and all(type(n) is int for n in entries) else None


def _negative(site: Site) -> str | None:
    amounts = _own_padding(site)
    if amounts is None or min(amounts) >= 0:
        return None
    if "padding_mode" in site.operator.roles:
        mode = site.value("padding_mode")
        if not mode.known or mode.only != "zeros":
            return None  # other modes crop
    return f"padding {torch.numbers(amounts)} is negative"


def _more_than_half(site: Site) -> str | None:
    """What is wrong with the padding of a pool."""
    amounts = _own_padding(site) if site.operator.family.is_pooling else None
    axes = known_axes(site) if amounts is not None else None
    if amounts is None or axes is None:
        return None
    if all(2 * amount <= (axis.kernel or 0) for amount, axis in zip(amounts, axes, strict=True)):
        return None
    return f"padding {torch.numbers(amounts)} is more than half of kernel {wording.kernel_text(axes)}"


def _more_than_the_input(context: FileContext, site: Site) -> str | None:
    """What is wrong with a pad that repeats its input, at the size that is known to arrive."""
    mode = mode_of(site)
    if mode not in _LESS:
        return None
    if site.operator.family is Family.PAD:
        pads = amounts_of_pad(site)
    else:
        axes = known_axes(site)
        pads = amounts_of_conv(site, axes) if axes is not None else None
    known = context.input_of(site) if pads is not None else None
    if pads is None or not isinstance(known, Extent):
        return None
    sizes = known.spatial(len(pads), data_format(site) != "channels_first")
    for name, pair, size in zip(AXIS_NAMES[len(pads)], pads, sizes or (), strict=False):
        if isinstance(size, Exact) and max(pair) > size.n - _LESS[mode]:
            limit = "smaller" if _LESS[mode] else "no larger"
            assumed = f"; {known.assumption}" if known.effective_basis is Basis.ASSUMED else ""
            return (
                f"a pad of {pair} in mode {mode} has to be {limit} than the {name}, which is {size.n} "
                f"({known.story}{assumed})"
            )
    return None
