"""Whether two forms compute the same function at every input size that can occur: a finite, exact check.

Pads depend on the size modulo the stride only, and one more stride of input adds one output. Once the input
is so long that no window overhangs both its ends, each output is fixed by its distance from the nearer end.
So equality over one full period of sizes is equality at every larger size; `proof_bound` is the end of that
period.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import lcm

from padlint.geometry.padding import effective_kernel
from padlint.geometry.sizes import UNKNOWN, Congruent, Exact, Size, Unknown, size_class
from padlint.geometry.taps import (
    Cell,
    Crop,
    Form,
    Pad,
    Refusal,
    Row,
    Same,
    SamePad,
    Transposed,
    Window,
    tap_map,
)

_MOST_CELLS = 10**7  # of one tap map, about a hundred megabytes
_MOST_RESIDUES = 64
_MOST_WORK = 10**9  # over all sizes, a few seconds: cells, and the outputs that hold them
_OUTPUT_WORK = 1000  # an output takes as long as so many cells
_MOST_SHOWN = 100  # characters of what an output reads


@dataclass(frozen=True)
class Disproof:
    """The first input size `n` and output `index` where two forms differ, and what each computes there.

    A side is None where it has no such output. `index` is None where there is nothing to compare: at no size
    in question (`n` is the first of them, or 0 if there is none) does the form before yield an output.
    """

    n: int
    index: int | None
    before: Cell | None = None
    after: Cell | None = None

    def __str__(self) -> str:
        if self.index is None:
            return f"the code before yields no output at size {self.n}"
        before, after = (_shortened(str(side)) for side in (self.before, self.after))
        return f"at size {self.n} output {self.index} reads {before}, then {after}"


@dataclass(frozen=True)
class TooLarge:
    """Two forms whose tap maps are too large to be compared; the widest input that would have to be."""

    n: int

    def __str__(self) -> str:
        return f"kernel, stride or dilation are too large for a proof, which would go up to size {self.n}"


def same_function(before: Form, after: Form, n: int) -> bool:
    """Whether both forms have equal outputs at size `n`; raising and an empty output count as equal."""
    return outputs(before, n) == outputs(after, n)


def outputs(form: Form, n: int) -> Row:
    """The tap map, empty where the form raises."""
    taps = tap_map(form, n)
    return () if isinstance(taps, Refusal) else taps


def prove(before: Form, after: Form, sizes: Size | Iterable[int] = UNKNOWN) -> Disproof | TooLarge | None:
    """None if both forms compute the same function at every size in question, else where they differ.

    A size at which `before` raises or is empty is no reference and is skipped; at any other size `after` must
    have the same number of outputs. If no size is left to compare, that is a Disproof too. Forms that are too
    large for this machine are not compared.
    """
    candidates = sizes_to_prove(before, after, sizes)
    if candidates and not _feasible(before, after, candidates):
        return TooLarge(candidates[-1])
    compared = False
    for n in candidates:
        expected = outputs(before, n)
        if not expected:
            continue
        actual = outputs(after, n)
        if expected != actual:
            return _first_difference(n, expected, actual)
        compared = True
    return None if compared else Disproof(candidates[0] if candidates else 0, None)


def equal_residues(before: Form, after: Form, stride: int) -> set[int] | None:
    """The sizes modulo the stride at which both forms compute the same function.

    None where the stride is so large that nobody asks, and that comparing them all would take long.
    """
    if stride > _MOST_RESIDUES:
        return None
    return {r for r in range(stride) if prove(before, after, size_class(r, stride)) is None}


def sizes_to_prove(before: Form, after: Form, sizes: Size | Iterable[int] = UNKNOWN) -> Sequence[int]:
    """The input sizes whose comparison decides all of `sizes`, in ascending order unless they are given."""
    if isinstance(sizes, Exact):
        return (sizes.n,)
    if isinstance(sizes, Unknown):
        return range(1, proof_bound(before, after) + 1)
    if isinstance(sizes, Congruent):
        cycle = lcm(sizes.modulus, _period(before), _period(after))
        stop = proof_bound(before, after) + cycle
        return range(sizes.remainder or sizes.modulus, stop + 1, sizes.modulus)
    return tuple(sizes)


def proof_bound(before: Form, after: Form) -> int:
    """The size up to which two forms must agree in order to agree at every size.

    For one window this is k_eff + stride - 1, and more by what crops and negative pads remove and by twice
    what a pad repeats; for a transposed convolution it is ceil(k_eff / stride) + 2.
    """
    return max(_settled(before), _settled(after)) + lcm(_period(before), _period(after)) - 1


def _period(form: Form) -> int:
    """Each residue of the size modulo this may have pads of its own."""
    period = 1
    for step in form:
        if isinstance(step, Window | Same | SamePad):
            period *= step.stride
    return period


def _settled(form: Form) -> int:
    """The size from which it is clear to which end of the input each output of `form` is tied.

    That is how many input elements an output reads at most, and those that crops remove and that pads repeat.
    """
    jump, per = 1, 1  # the current row has one element for every jump / per elements of the input
    settled = 1
    for step in form:
        if isinstance(step, Transposed):
            span = -(-effective_kernel(step.kernel, step.dilation) // step.stride)
            settled += _inputs(span - 1, jump, per) + 2
            per *= step.stride
            settled += _inputs(_removed(-step.crop[0], -step.crop[1]), jump, per)
        elif isinstance(step, Crop):
            settled += _inputs(_removed(-step.before, -step.after), jump, per)
        elif isinstance(step, Pad):
            settled += _inputs(_removed(step.before, step.after) + _repeated(step), jump, per)
        elif not isinstance(step, SamePad):  # which removes and repeats nothing
            removed = _removed(step.before, step.after) if isinstance(step, Window) else 0
            settled += _inputs(removed + effective_kernel(step.kernel, step.dilation) - 1, jump, per)
            jump *= step.stride
    return settled


def _shortened(text: str) -> str:
    """The text without its middle where it is long."""
    half = _MOST_SHOWN // 2
    return text if len(text) <= _MOST_SHOWN else f"{text[:half]} ... {text[-half:]}"


def _feasible(before: Form, after: Form, sizes: Sequence[int]) -> bool:
    """Whether there is memory for the tap maps at the last of the sizes, and time for those at all."""
    estimates = [_cells(form, sizes[-1]) for form in (before, after)]
    cells = max(cells for cells, _ in estimates)
    work = max(cells + outputs * _OUTPUT_WORK for cells, outputs in estimates)
    return cells <= _MOST_CELLS and work * len(sizes) <= _MOST_WORK


def _cells(form: Form, n: int) -> tuple[int, int]:
    """About how many cells the tap map of `form` reads at size `n`, and the most outputs of a step."""
    row = most = n
    outputs = 0
    for step in form:
        if isinstance(step, Transposed):
            row = row * step.stride + effective_kernel(step.kernel, step.dilation)
            most, outputs = max(most, row * step.kernel), max(outputs, row)
        elif isinstance(step, Pad):
            row = max(row + step.before + step.after, 0)
        elif isinstance(step, SamePad):
            row += effective_kernel(step.kernel, step.dilation)
        elif isinstance(step, Window | Same):
            padded = row + (
                step.before + step.after if isinstance(step, Window) else step.kernel * step.dilation
            )
            row = padded // step.stride + 1
            most, outputs = max(most, padded, row * step.kernel), max(outputs, row)
        most = max(most, row)
    return most, outputs


def _inputs(elements: int, jump: int, per: int) -> int:
    """Input elements that so many elements of a row stand for, rounded up."""
    return -(-elements * jump // per)


def _repeated(pad: Pad) -> int:
    """Elements that a pad may repeat, from both ends.

    In an input of less, the ends meet: at size 2, to reflect one element and to wrap around are the same.
    """
    widest = max(pad.before, pad.after, 0)
    if pad.mode == "constant":
        return 0
    return 2 * (min(widest, 1) if pad.mode == "edge" else widest)


def _removed(before: int, after: int) -> int:
    """What negative pads cut off."""
    return max(-before, 0) + max(-after, 0)


def _first_difference(n: int, expected: Row, actual: Row) -> Disproof:
    pairs = enumerate(zip_longest(expected, actual))
    return next(Disproof(n, index, before, after) for index, (before, after) in pairs if before != after)
