"""What the rules about SAME convolutions share: which calls they look at, and the explicit form of a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from padlint.catalogue import Family, Pads, PadText, pads_nothing
from padlint.geometry import (
    UNKNOWN,
    Form,
    Pad,
    Same,
    Size,
    Window,
    same_pads_of,
    static_same_padding,
)
from padlint.rewrites import Refusal, Rewrite, keras, pairs, tensorflow, torch
from padlint.rules import wording
from padlint.rules.context import FileContext
from padlint.rules.proposal import Claim
from padlint.sites.reading import TRACED, Reading, data_format, readings
from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Extent, Known, Lost
from padlint.sizes.neighbours import silent_neighbour

WITH_SAME = ("keras", "tf", "tf_layers", "slim", "flax", "jax", "haiku")
"""The frameworks whose SAME depends on the input size; PyTorch refuses it with a stride."""

CONVOLUTIONS = frozenset({Family.CONV, Family.DEPTHWISE, Family.SEPARABLE})


def same_convolutions(context: FileContext, frameworks: tuple[str, ...]) -> Iterator[tuple[Site, Reading]]:
    """Every SAME convolution with each way that it may be read, the certain one first."""
    for site in context.select(frameworks):
        if site.operator.family not in CONVOLUTIONS:
            continue
        for reading in readings(site):
            # tf.nn knows the upper-case word only and raises for others.
            if reading.same and (site.operator.framework != "tf" or reading.padding == "SAME"):
                yield site, reading


def pads_something(reading: Reading) -> bool:
    """Whether SAME can pad at all: a kernel of 1 never does. An unknown kernel may."""
    return any(axis.kernel is None or axis.kernel > 1 for axis in reading.axes)


def sizes_of(site: Site, reading: Reading, known: Known) -> tuple[Size, ...]:
    """What is known of the input size per axis."""
    rank, layout = len(reading.axes), data_format(site)
    if isinstance(known, Extent) and (layout is not None or known.traced):
        sizes = known.spatial(rank, layout == "channels_last")
        if sizes is not None:
            return sizes
    return (UNKNOWN,) * rank


@dataclass(frozen=True)
class Decided:
    """The pads of a SAME call per axis, and the sizes for which they are that; UNKNOWN stands for all."""

    pads: list[tuple[int, int]]
    sizes: list[Size]


def decide(site: Site, reading: Reading, known: Known) -> Decided | str:
    """What SAME pads wherever the call may run, or why that is not known."""
    problem = problem_of(site, reading, among=True)
    if problem:
        return problem
    decided = decide_one(site, reading, known)
    for other in others_of(site, reading):
        if isinstance(decided, str):
            break
        needed = decide_one(site, other, known) if other.same else "not SAME"
        if isinstance(needed, str) or needed.pads != decided.pads:
            return f"what is right for this is wrong in another case: {wording.case_text(other)}"
    return decided


def decide_one(site: Site, reading: Reading, known: Known) -> Decided | str:
    """What SAME pads in one reading, whatever the others are."""
    decided = Decided([], [])
    for axis, size in zip(reading.axes, sizes_of(site, reading, known), strict=True):
        kernel = axis.kernel or 1
        static = static_same_padding(kernel, axis.stride, axis.dilation)
        pair = static or same_pads_of(size, kernel, axis.stride, axis.dilation)
        if pair is None:
            return _unknown_size(site, known)
        decided.pads.append(pair)
        decided.sizes.append(UNKNOWN if static is not None else size)
    return decided


def others_of(site: Site, reading: Reading) -> list[Reading]:
    """The other ways in which a call may run."""
    if reading.sure or reading.scoped:
        return []
    key = (reading.axes, reading.padding)
    return [other for other in readings(site) if (other.axes, other.padding) != key]


def problem_of(site: Site, reading: Reading, *, among: bool = False) -> str:
    """Why no fix can rest on a reading of a call; empty if one can.

    `among` allows other readings, if they are all known.
    """
    problem = unlike_same(site, reading)
    if problem:
        return problem
    if any(axis.kernel is None for axis in reading.axes):
        return "the kernel size is in the shape of the weight, which the file does not show"
    if not reading.sure and not reading.scoped and not (among and reading.complete):
        return unsure_arguments(site, reading)
    return ""


def unlike_same(site: Site, reading: Reading) -> str:
    """Why a call does not compute what its reading says; empty if it does."""
    if site.operator.retired:
        return "the spelling is that of Keras 1, and nothing installable runs it"
    if "input_dilation" in site.operator.roles and not _reads_plain(site, reading):
        return "input_dilation puts zeros between the elements of the input"
    depthwise = site.operator.family is Family.DEPTHWISE and site.operator.framework == "tf"
    if depthwise and reading.strided and any(axis.dilation > 1 for axis in reading.axes):
        return "tf.nn.depthwise_conv2d computes something irregular for strides with dilations"
    return ""


def unsure_arguments(site: Site, reading: Reading) -> str:
    """Why the arguments of a call may have other values than those of a reading."""
    learned = wording.learned(reading)
    if not learned and (site.bound.star is not None or site.bound.double_star is not None):
        return "*args or **kwargs may carry other values"
    return f"its arguments may also have other values{learned}"


def _reads_plain(site: Site, reading: Reading) -> bool:
    """Whether nothing is put between the elements of the input: by the call, or by every traced run."""
    value = site.value("input_dilation")
    if not value.known and TRACED in reading.origins and site.seen is not None:
        seen = site.seen
        return not seen.left_out and all(_is_one(run.get("input_dilation")) for run, _ in seen.runs)
    return value.known and _is_one(value.only)


def _is_one(factor: object) -> bool:
    """Whether a factor is 1 (or absent) on every axis."""
    return all(one in (1, None) for one in (factor if isinstance(factor, tuple) else (factor,)))


def _unknown_size(site: Site, known: Known) -> str:
    if isinstance(known, Lost):
        return f"the pads depend on the input size, which is not known: {known.reason}"
    if data_format(site) is None:
        return "the pads depend on the input size, and data_format, which tells its axes, is computed"
    return f"the pads depend on the input size, and {known.story} does not decide them"


def rewrite_of(context: FileContext, site: Site, pads: Pads | PadText) -> Rewrite | Refusal:
    """The call with these pads written out."""
    if site.operator.framework == "keras":
        return keras.explicit_padding(context.file, site, pads, context.options.keras_pad)
    if site.operator.framework in ("tf", "tf_layers", "slim"):
        return tensorflow.explicit_padding(site, pads)
    if site.operator.framework in ("flax", "jax", "haiku"):
        return pairs.explicit_padding(site, pads)
    if isinstance(pads, PadText):
        return Refusal("PyTorch's own padding is known where it runs")
    return torch.explicit_padding(context.file, site, pads)


def claim_of(reading: Reading, decided: Decided) -> Claim:
    """What is claimed of a call with these pads in one reading."""
    before: list[Form] = []
    after: list[Form] = []
    for axis, (front, back) in zip(reading.axes, decided.pads, strict=True):
        kernel = axis.kernel or 1
        before.append((Same(kernel, axis.stride, axis.dilation),))
        after.append((Pad(front, back), Window(kernel, axis.stride, axis.dilation)))
    kernels = tuple(axis.kernel or 1 for axis in reading.axes)
    return Claim(before, after, decided.sizes, kernel=kernels, case=reading.case)


def rest_on_size(claim: Claim, known: Known) -> None:
    """Say what a claim about some sizes rests on, and doubt it where the file lets other sizes through."""
    if all(size == UNKNOWN for size in claim.sizes) or not isinstance(known, Extent):
        return
    claim.basis = f"exact for {known.story}"
    basis = known.effective_basis
    if basis is Basis.PROMISE:
        claim.basis += ", as you promised for every model input"
    elif basis is Basis.ASSUMED:
        claim.doubts.append(known.assumption)
    elif known.chain is not None:
        claim.chain = known.chain
        if doubt := silent_neighbour(known.chain):
            claim.doubts.append(doubt)


def message_of(site: Site, pads: Pads | PadText) -> str:
    """What a fix does."""
    if pads_nothing(pads):
        return "Write padding as valid, since nothing is padded"
    amounts = pads.text if isinstance(pads, PadText) else ", ".join(map(str, dict.fromkeys(pads)))
    if site.operator.framework == "torch":
        return f"Pad {amounts} with F.pad and convolve without padding"
    return f"Pad {amounts} explicitly and convolve without padding"
