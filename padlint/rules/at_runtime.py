"""The fix for a SAME call whose pads no size decides: a pad that is computed at every call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from padlint.findings import Fix
from padlint.geometry import (
    NEGATIVE_INFINITY,
    UNKNOWN,
    ZERO,
    Divisor,
    Form,
    Reduce,
    Same,
    SamePad,
    Window,
)
from padlint.rewrites import Refusal
from padlint.rewrites.runtime import computed_padding
from padlint.rewrites.sampled import behind_relu
from padlint.rules.context import FileContext
from padlint.rules.proposal import Claim, propose, rest_on_arguments
from padlint.sites.reading import Reading
from padlint.sites.site import Site

MINUS_INFINITY = 'float("-inf")'
NO_INFINITY = "integers have no -inf, and it ruins the scale of int8"

Shape = tuple[int, int, int]
# Stands for all values of expressions: no stride, strides below and above the kernel, odd and even totals.
_GRID: tuple[Shape, ...] = tuple(product(range(1, 6), range(1, 5), range(1, 3)))


@dataclass(frozen=True)
class Reduction:
    """What an operator makes of a window. `relu` is the path of ReLU where nothing negative arrives."""

    kind: Reduce = "conv"
    divisor: Divisor = "real"
    relu: str = ""

    @property
    def fill(self) -> str:
        """What may be written around the input: zeros, unless a maximum could see them."""
        return NEGATIVE_INFINITY if self.kind == "max" and not self.relu else ZERO

    def claim(self, shapes: Sequence[Shape]) -> Claim:
        """The operator with SAME, and behind a pad that is as large as that, for each shape of its window."""
        kind, divisor, positive = self.kind, self.divisor, bool(self.relu)
        before: list[Form] = []
        after: list[Form] = []
        for shape in shapes:
            window = Window(*shape, reduce=kind, divisor=divisor, nonnegative=positive)
            before.append((Same(*shape, reduce=kind, divisor=divisor, nonnegative=positive),))
            after.append((SamePad(*shape, self.fill), window))
        return Claim(before, after, [UNKNOWN] * len(shapes))


CONVOLUTION = Reduction()


def computes(context: FileContext) -> bool:
    """Whether the user asks for such fixes."""
    return context.options.unknown_size == "runtime"


def computed_fix(
    context: FileContext, site: Site, reading: Reading, reduction: Reduction = CONVOLUTION
) -> Fix | str:
    """The fix, or why there is none. In PyTorch there is no proof, since the old code raises."""
    if not _surely_same(site, reading):
        return _other_padding(site)
    infinite = reduction.fill == NEGATIVE_INFINITY
    computed = computed_padding(context.file, site, reading, MINUS_INFINITY if infinite else "")
    if isinstance(computed, Refusal):
        return computed.reason
    relu = reduction.relu
    rewrite = behind_relu(computed.rewrite, relu) if relu else computed.rewrite
    message = (
        f"Pad by {computed.name} and {'convolve' if reduction.kind == 'conv' else 'pool'} without padding"
    )
    if site.operator.framework == "torch":
        return propose(site, rewrite, f"{message}, TensorFlow's SAME at every size", None)
    shapes = [computed.geometry.sampled(axis) for axis in reading.axes]
    claim = reduction.claim(shapes)
    claim.case = reading.case
    if not computed.geometry.literal:
        every = reduction.claim(_GRID)
        claim.also = list(zip(every.before, every.after, every.sizes, strict=True))
    claim.kernel = tuple(kernel for kernel, _, _ in shapes)
    rest_on_arguments(claim, reading)
    claim.doubts += [NO_INFINITY] if infinite else []
    return propose(site, rewrite, message, claim)


def _surely_same(site: Site, reading: Reading) -> bool:
    """Whether the padding cannot be anything but SAME, unless by the arg_scope of a caller."""
    if reading.sure or reading.scoped:
        return reading.same
    padding = site.value("padding")
    return padding.known and isinstance(padding.only, str) and padding.only.lower() == "same"


def _other_padding(site: Site) -> str:
    argument = site.argument("padding")
    if argument is not None:
        return f"its padding, {site.unit.text(argument.value)}, may be another than SAME"
    carriers = ", ".join(site.unit.text_of_argument(splat) for splat in site.bound.splats)
    return f"{carriers or 'something else than the call'} may carry another padding than SAME"


def either_fix(traced: object, computed: Fix | str) -> Fix | str:
    """A computed pad, or why there is neither that nor what a traced run showed."""
    if isinstance(computed, Fix) or not isinstance(traced, str) or not traced:
        return computed
    return f"{traced}; nor are they computed at every call: {computed}"
