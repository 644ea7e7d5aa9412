"""The fix that folds a symmetric zero pad of PyTorch into the operator behind it."""

from __future__ import annotations

from itertools import product

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Fix
from padlint.geometry import UNKNOWN, Form, Pad, Window
from padlint.rewrites import Refusal
from padlint.rewrites.fold import fold
from padlint.rewrites.pads import PaddedConv
from padlint.rewrites.sampled import behind_relu
from padlint.rules.proposal import TOUCHED, Claim, propose, touches_layers
from padlint.sites.reading import Axis, readings
from padlint.sites.site import Site

# A fold holds for every kernel, stride and dilation; these are compared where the call does not show its own.
_SAMPLES = tuple(Axis("", *numbers) for numbers in product((1, 2, 3, 5), (1, 2, 3), (1, 2)))


def fold_fix(found: PaddedConv) -> Fix | str:
    """The operator with the pad as its own padding, or why it cannot have it.

    For a max pool this is exact where its input is >= 0 only, which the caller has made sure of.
    """
    conv, own = found.conv, own_zeros(found)
    if isinstance(own, Refusal):
        return own.reason
    rewrite = fold(found, own)
    if conv.operator.family is Family.MAX_POOL:
        rewrite = behind_relu(rewrite, "torch.nn.functional.relu")
    return propose(conv, rewrite, f"Fold the pad into {conv.written}", _claim(found, own))


def own_zeros(found: PaddedConv) -> list[int] | Refusal:
    """The padding of the operator itself, per axis, where the pad can go and what pads are zeros for sure."""
    conv = found.conv
    if found.problem:
        return Refusal(found.problem)
    mode = conv.value("padding_mode") if "padding_mode" in conv.operator.roles else None
    if mode is not None and not (mode.known and mode.only == "zeros"):
        return Refusal("the convolution pads itself with something other than zeros")
    if conv.bound.star is not None or conv.bound.double_star is not None:
        return Refusal(f"*args or **kwargs may carry the {found.noun}'s own padding")
    return own_padding(found)


def own_padding(found: PaddedConv) -> list[int] | Refusal:
    """The padding of the operator itself, per axis."""
    own = found.conv.value("padding")
    if not own.known or isinstance(own.only, str):
        return Refusal(f"the {found.noun}'s own padding is a word or not known")
    entries = catalogue.spatial_entries(own.only, len(found.pads))
    if entries is None or not all(isinstance(p, int) and p >= 0 for p in entries):
        return Refusal(f"the {found.noun}'s own padding is not one number per axis")
    return list(entries)


def pool_takes(found: PaddedConv) -> bool:
    """Whether a pool computes the same with the pad as its own: PyTorch limits it to half of the window."""
    own, axes = own_padding(found), known_axes(found.conv)
    if isinstance(own, Refusal) or axes is None or not found.symmetric:
        return False
    totals = [before + mine for (before, _), mine in zip(found.pads, own, strict=True)]
    return all(2 * total <= (axis.kernel or 0) for total, axis in zip(totals, axes, strict=True))


def known_axes(site: Site) -> tuple[Axis, ...] | None:
    """The geometry of a call, where it cannot have another."""
    known = [r for r in readings(site) if r.sure and all(axis.kernel for axis in r.axes)]
    return known[0].axes if known else None


def doubts_of(found: PaddedConv) -> list[str]:
    """Why it may be noticed that the pad is gone."""
    doubts = [*found.doubts, *([TOUCHED] if touches_layers(found.conv) else [])]
    if not found.pad.sure:
        doubts.append(f"{found.pad.written} may also be something else")
    return doubts


def _claim(found: PaddedConv, own: list[int]) -> Claim:
    """The two forms, for the geometry of the call or, where it is not shown, for every one of the samples."""
    doubts = doubts_of(found)
    known = known_axes(found.conv)
    before: list[Form] = []
    after: list[Form] = []
    for i, ((front, back), mine) in enumerate(zip(found.pads, own, strict=True)):
        for axis in (known[i],) if known else _SAMPLES:
            before.append((Pad(front, back), _window(found.conv, axis, mine, mine)))
            after.append((_window(found.conv, axis, front + mine, back + mine),))
    sizes = [UNKNOWN] * len(before)
    if known is None:
        rank = len(own)
        return Claim(before, after, sizes, doubts, kernel=(3,) * rank, shapes=((16,) * rank,))
    return Claim(before, after, sizes, doubts, kernel=tuple(axis.kernel or 1 for axis in known))


def _window(site: Site, axis: Axis, before: int, after: int) -> Window:
    shape = (axis.kernel or 1, axis.stride, axis.dilation, before, after)
    if site.operator.family.is_convolution:
        return Window(*shape)
    ceil_mode = bool(site.value("ceil_mode").only)
    if site.operator.family is Family.AVERAGE_POOL:
        return Window(*shape, "average", "padded", ceil_mode)
    return Window(*shape, "max", ceil_mode=ceil_mode, nonnegative=True)
