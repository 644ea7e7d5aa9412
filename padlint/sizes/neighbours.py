"""Whether a Sequential whose size a Dense pins takes another size too, at which explicit pads are wrong.

Keras checks no spatial size of a Sequential. A Dense behind a Flatten checks the number of its inputs, which
several sizes can share: a stride of 2 gives 31 and 32 as many outputs.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

import libcst as cst

from padlint.catalogue.model import Family
from padlint.geometry import (
    Exact,
    Pad,
    Same,
    Size,
    Window,
    proof_bound,
    same_function,
    same_pads_of,
    static_same_padding,
    window_output,
)
from padlint.sites.reading import Axis, readings
from padlint.sites.site import Site
from padlint.sizes.extent import Chain
from padlint.sizes.operators import after
from padlint.syntax.uses import UseKind

_CONVOLUTIONS = frozenset({Family.CONV, Family.DEPTHWISE, Family.SEPARABLE})
_POOLS = frozenset({Family.MAX_POOL, Family.AVERAGE_POOL})
_CHOICES = (_CONVOLUTIONS, _POOLS, _CONVOLUTIONS | _POOLS)  # of what may have been fixed
_FARTHEST = 64  # sizes are searched within the product of all strides, but no farther than this


@lru_cache(maxsize=1)  # every layer of a model asks
def silent_neighbour(chain: Chain) -> str:
    """What another input size may do unnoticed once SAME layers have explicit pads; empty for nothing."""
    if len({_block(site) for site, _ in chain.layers}) > 1:
        return "the Sequential model is built under conditions"
    return next((doubt for explicit in _CHOICES if (doubt := _neighbour(chain, explicit))), "")


def partners(site: Site, chain: Chain) -> tuple[Site, ...]:
    """The SAME layers of the model whose pads must become explicit together, that of a site among them.

    `silent_neighbour` takes all of a kind for explicit; with one of them left as it is, a size may pass that
    would not have passed.
    """
    return _partners(chain, next(kind for kind in _CHOICES if site.operator.family in kind))


@lru_cache(maxsize=2)
def _partners(chain: Chain, kind: frozenset[Family]) -> tuple[Site, ...]:
    layers = dict.fromkeys(layer for layer, _ in chain.layers if layer.operator.family in kind)
    return tuple(layer for layer in layers if _pads_by_size(layer))


def _pads_by_size(site: Site) -> bool:
    found = readings(site)
    return bool(found) and found[0].same and any(map(_varies, found[0].axes))


def _varies(axis: Axis) -> bool:
    return axis.kernel is None or static_same_padding(axis.kernel, axis.stride, axis.dilation) is None


def _neighbour(chain: Chain, explicit: frozenset[Family]) -> str:
    for axis, size in enumerate(chain.layers[0][1] if chain.layers else ()):
        if not isinstance(size, Exact):
            continue
        layers = [_Layer(site, sizes, axis, explicit) for site, sizes in chain.layers]
        reach = min(prod(layer.stride for layer in layers), _FARTHEST)
        sizes = range(max(size.n - reach, 1), size.n + reach + 1)
        outputs = {n: count for n in sizes if (count := _unnoticed(layers, n)) is not None}
        if outputs:
            # Two axes can make up for each other, so that any number of outputs is a reason to doubt.
            expected = _unnoticed(layers, size.n, always=True)
            n = next((n for n, count in outputs.items() if count == expected), None)
            which = "other sizes" if n is None else f"size {n}"
            return f"the Sequential model takes {which} too, where the pads differ"
    return ""


def _block(site: Site) -> cst.CSTNode | None:
    """What holds a layer: the container it is written in, or the block with its `model.add`."""
    outer = site.use.outer
    if site.use.kind is not UseKind.ADDED or outer is None:
        return outer
    blocks = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.Module)
    return next((node for node in site.unit.ancestors(outer) if isinstance(node, blocks)), None)


def _unnoticed(layers: list[_Layer], n: int, *, always: bool = False) -> int | None:
    """The number of outputs for size `n` if it stays the same although the pads differ (or `always`)."""
    old: int | None = n
    new: int | None = n
    for layer in layers:
        if old is None or new is None:  # a window does not fit: that raises
            return None
        always = always or layer.differs(old)
        old, new = layer.before(old), layer.after(new)
    return old if always and old == new else None


class _Layer:
    """One axis of a layer, as it is and as it will be."""

    def __init__(self, site: Site, sizes: tuple[Size, ...], axis: int, explicit: frozenset[Family]) -> None:
        self._site, self._sizes, self._axis = site, sizes, axis
        found = readings(site) if "stride" in site.operator.roles else []
        geometry = found[0].axes[axis] if found else None
        self.stride = geometry.stride if geometry is not None else 1
        self._window = Window(1)
        self._pads: tuple[int, int] | None = None  # of a SAME layer, once they are explicit
        if geometry is not None and geometry.kernel is not None and site.operator.family in explicit:
            self._window = Window(geometry.kernel, geometry.stride, geometry.dilation)
            if found[0].same:
                self._pads = same_pads_of(sizes[axis], *self._shape)

    @property
    def _shape(self) -> tuple[int, int, int]:
        return self._window.kernel, self._window.stride, self._window.dilation

    def before(self, n: int) -> int | None:
        """The size behind the layer as it is."""
        sizes = [*self._sizes[: self._axis], Exact(n), *self._sizes[self._axis + 1 :]]
        result = after(self._site, tuple(sizes))
        return _number(result[self._axis] if result is not None else None)

    def after(self, n: int) -> int | None:
        """The size behind the layer with explicit pads."""
        if self._pads is None:
            return self.before(n)
        return _number(window_output(Exact(n), *self._shape, *self._pads))

    def differs(self, n: int) -> bool:
        """Whether the explicit pads give other numbers at size `n`."""
        if self._pads is None:
            return False
        before, after = (Same(*self._shape),), (Pad(*self._pads), self._window)
        bound = proof_bound(before, after)  # from there on the sizes of one residue are alike
        return not same_function(before, after, min(n, bound + (n - bound) % self._window.stride))


def _number(size: Size | None) -> int | None:
    return size.n if isinstance(size, Exact) else None
