"""The fixes of a SAME pool: its own amounts, VALID, or a pad in front of a max pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from padlint.catalogue import Kind, Pads, PadText, pads_nothing
from padlint.findings import Applicability, Fix
from padlint.geometry import NEGATIVE_INFINITY, ZERO, Form, Pad, Same, Window
from padlint.rewrites import Refusal, Rewrite, keras, pairs, tensorflow
from padlint.rewrites.sampled import behind_relu
from padlint.rules import wording
from padlint.rules.at_runtime import (
    MINUS_INFINITY,
    NO_INFINITY,
    Reduction,
    computed_fix,
    computes,
    either_fix,
)
from padlint.rules.context import FileContext
from padlint.rules.int8 import no_infinity
from padlint.rules.nonnegative import reads_nonnegative
from padlint.rules.pools import divisor, forms, reduction
from padlint.rules.proposal import Claim, propose, rest_on_arguments
from padlint.rules.same import (
    Decided,
    decide,
    rest_on_size,
    sizes_of,
    unlike_same,
)
from padlint.rules.traced_runs import Run, Settled, traced_pads
from padlint.sites.reading import Axis, Reading, data_format, spatial_rank
from padlint.sites.site import Site
from padlint.sizes.extent import Extent, Known

_IN_ARGUMENTS = ("flax", "jax", "haiku")


def pool_fix(context: FileContext, site: Site, reading: Reading, known: Known) -> Fix | str:
    """The pool with its pads written out, or why they cannot be."""
    if spatial_rank(site) is None:
        return "every axis needs its pads, and how many the input has is not known"
    decided = decide(site, reading, known)
    if isinstance(decided, str):
        settled = traced_pads(context, site, reading)
        found: Fix | str = decided
        if isinstance(settled, Settled):
            found = _Fixes(context, site, settled.runs, known, settled).choose()
        elif settled:
            found = settled
        if isinstance(found, Fix) or not computes(context) or unlike_same(site, reading):
            return found
        return either_fix(settled, _computed(context, site, reading))
    fix = _Fixes(context, site, [Run(reading, decided)], known).choose()
    sizes = sizes_of(site, reading, known)
    if wording.known_pads(reading.axes, sizes) != [(0, 0)] * len(sizes):
        return fix
    by_run = isinstance(known, Extent) and known.traced
    if by_run and isinstance(fix, Fix) and fix.applicability is Applicability.SAFE:
        return fix  # no run makes a safe one
    nothing = Decided([(0, 0)] * len(sizes), list(sizes))
    return _Fixes(context, site, [Run(reading, nothing)], known).choose()


def _computed(context: FileContext, site: Site, reading: Reading) -> Fix | str:
    """The pool behind a pad that is computed at every call."""
    kind = reduction(site)
    problem = _unpaddable(site) if kind != "average" or divisor(site) != "kernel" else ""
    if problem or kind is None:
        return problem
    if kind == "average":
        return computed_fix(context, site, reading, Reduction(kind, "kernel"))
    positive = reads_nonnegative(context, site)
    if not positive and (problem := no_infinity(context)):
        return problem
    return computed_fix(context, site, reading, Reduction("max", relu=_relu(site) if positive else ""))


def _unpaddable(site: Site) -> str:
    """Why no pad in front of a pool can stand in for its own; empty if one can."""
    if reduction(site) == "average":
        return "its mean leaves the pad out, which no pad in front of a VALID pool does"
    if reduction(site) is None:
        return "what it makes of a window is not known"
    if "argmax" in site.operator.short:
        return "it returns positions, which a pad in front would shift"
    return ""


def _relu(site: Site) -> str:
    """The path of ReLU in the framework of a site."""
    paths = {"keras": "keras.activations.relu", "flax": "flax.linen.relu", "haiku": "jax.nn.relu"}
    return paths.get(site.operator.framework, "tensorflow.nn.relu")


@dataclass(frozen=True)
class _Fixes:
    """The ways to write one pool."""

    context: FileContext
    site: Site
    runs: Sequence[Run]
    known: Known
    settled: Settled | None = None

    @property
    def pads(self) -> Pads | PadText:
        """What is written."""
        return self.settled.pads if self.settled is not None else self.runs[0].decided.pads

    def choose(self) -> Fix | str:
        """The best way there is."""
        site = self.site
        if pads_nothing(self.pads):
            return self._own_pads("Write padding as valid, since nothing is padded")
        if site.operator.framework in _IN_ARGUMENTS:
            return self._own_pads(f"Pad {self.amounts} in the arguments of the pool itself")
        if problem := _unpaddable(site):
            return problem
        if reads_nonnegative(self.context, site):
            return self._zeros()
        if "tflite" in self.context.options.targets:
            return "int8 has no -inf to pad with, and TFLite refuses amounts as padding of a max pool"
        takes = site.operator.framework == "tf" and site.operator.pads is not None
        if takes and data_format(site) == "channels_last":  # TensorFlow refuses others on a CPU
            doubt = "the TFLite converter and XLA refuse amounts as padding of a max pool"
            return self._own_pads(f"Pad {self.amounts} in the arguments of the pool itself", doubt)
        return no_infinity(self.context) or self._infinite()

    @property
    def amounts(self) -> str:
        """The pads in words."""
        pads = self.pads
        return pads.text if isinstance(pads, PadText) else ", ".join(map(str, dict.fromkeys(pads)))

    def _own_pads(self, message: str, *doubts: str) -> Fix | str:
        """The pads in the arguments of the pool itself, or VALID if there are none."""
        if self.site.operator.framework in _IN_ARGUMENTS:
            rewrite = pairs.explicit_padding(self.site, self.pads)
        else:
            rewrite = self._explicit(None)
        claim = self._claim(lambda axis, pads: forms(self.site, axis, *pads))
        return self._propose(rewrite, message, claim, *doubts)

    def _zeros(self) -> Fix | str:
        """A pad of zeros in front of a max pool of what is never negative."""
        rewrite = self._explicit("")
        if isinstance(rewrite, Rewrite):
            rewrite = behind_relu(rewrite, _relu(self.site))
        message = f"Pad {self.amounts} with zeros, since nothing in the input is negative"
        return self._propose(rewrite, message, self._padded(ZERO))

    def _explicit(self, fill: str | None) -> Rewrite | Refusal:
        if self.site.operator.framework == "keras":
            keras_pad = self.context.options.keras_pad
            return keras.explicit_padding(self.context.file, self.site, self.pads, keras_pad)
        return tensorflow.explicit_padding(self.site, self.pads, fill)

    def _infinite(self) -> Fix | str:
        """A pad of -inf in front of a max pool."""
        site = self.site
        if site.operator.framework != "keras":
            rewrite = tensorflow.explicit_padding(site, self.pads, MINUS_INFINITY)
        elif site.operator.kind is Kind.LAYER and not site.applications:
            rewrite = Refusal("no layer pads with -inf, and zeros may exceed what the window holds")
        else:
            rewrite = keras.padded_by_ops(self.context.file, site, self.pads, MINUS_INFINITY)
        return self._propose(
            rewrite, f"Pad {self.amounts} with -inf", self._padded(NEGATIVE_INFINITY), NO_INFINITY
        )

    def _padded(self, fill: str) -> Claim:
        """A SAME max pool, and one without padding behind a pad."""
        nonnegative = fill == ZERO

        def both(axis: Axis, pads: tuple[int, int]) -> tuple[Form, Form]:
            shape = (axis.kernel or 1, axis.stride, axis.dilation)
            pool = Window(*shape, reduce="max", nonnegative=nonnegative)
            return (Same(*shape, reduce="max", nonnegative=nonnegative),), (Pad(*pads, fill=fill), pool)

        return self._claim(both)

    def _claim(self, both: Callable[[Axis, tuple[int, int]], tuple[Form, Form]]) -> Claim:
        """The forms before and after, on every axis of every run."""
        rows = [
            (*both(axis, pads), size)
            for run in self.runs
            for axis, pads, size in zip(run.reading.axes, run.decided.pads, run.decided.sizes, strict=True)
        ]
        rank = len(self.runs[0].reading.axes)
        before, after, sizes = zip(*rows[:rank], strict=True)
        return Claim(before, after, sizes, also=rows[rank:])

    def _propose(self, rewrite: Rewrite | Refusal, message: str, claim: Claim, *doubts: str) -> Fix | str:
        claim.doubts += doubts
        if self.settled is not None:
            self.settled.rest(claim)
            rewrite = self.settled.completed(rewrite)
        else:
            rest_on_arguments(claim, self.runs[0].reading)
            rest_on_size(claim, self.known)
        return propose(self.site, rewrite, message, claim)
