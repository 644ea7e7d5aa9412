"""Sizes that are known exactly, as a residue class, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padlint.geometry import (
    UNKNOWN,
    Congruent,
    Exact,
    Same,
    Size,
    Unknown,
    Window,
    effective_kernel,
    join,
    multiple_of,
    pad_output,
    prove,
    residue_class,
    same_output,
    same_padding,
    same_pads_of,
    size_class,
    static_same_padding,
    tap_map,
    transposed_output,
    upsample_output,
    window_count,
    window_output,
)

small = st.integers(1, 8)
sizes = st.one_of(
    st.builds(Exact, st.integers(1, 60)),
    st.integers(2, 24).flatmap(lambda m: st.builds(Congruent, st.integers(0, m - 1), st.just(m))),
    st.just(UNKNOWN),
)


def members(size: Size, stop: int = 200) -> range:
    """The sizes below `stop` that `size` may be."""
    remainder, modulus = residue_class(size)
    return range(remainder, remainder + 1) if modulus == 0 else range(remainder or modulus, stop, modulus)


def classes(largest: int) -> Iterator[Size]:
    """Every residue class up to a modulus, the unknown size included."""
    for modulus in range(1, largest + 1):
        yield from (size_class(remainder, modulus) for remainder in range(modulus))


def observed(size: Size, function: Callable[[int], int]) -> Size:
    """All that can be said of the function's results: the finest class that holds every one of them."""
    results = [function(n) for n in members(size)]
    found: list[Size] = [Exact(result) for result in results if result >= 1]
    return reduce(join, found)


# The theorem about pads that do not depend on what is unknown of the size


def test_static_pads_are_the_only_ones_that_work() -> None:
    """Every pair of pads is tried, for 132 operators."""
    found = 0
    for k, s, d in product(range(1, 12), range(1, 5), range(1, 4)):
        reach = effective_kernel(k, d)
        pads = product(range(reach + 1), range(reach + s + 1))
        working = [pair for pair in pads if prove((Same(k, s, d),), (Window(k, s, d, *pair),)) is None]
        static = static_same_padding(k, s, d)
        assert working == ([] if static is None else [static])
        assert (static is not None) == ((reach - 1) // 2 == max(reach - s, 0) // 2)
        assert static in (None, ((reach - 1) // 2, reach - 1 - (reach - 1) // 2))
        found += static is not None
    assert found == 54


@pytest.mark.parametrize(
    ("kernel", "stride", "dilation", "pads"),
    [(4, 2, 1, (1, 2)), (6, 2, 1, (2, 3)), (2, 3, 1, (0, 1)), (1, 3, 1, (0, 0)), (3, 1, 2, (2, 2))],
)
def test_static_pads(kernel: int, stride: int, dilation: int, pads: tuple[int, int]) -> None:
    assert static_same_padding(kernel, stride, dilation) == pads


@pytest.mark.parametrize(("kernel", "stride", "dilation"), [(3, 2, 1), (7, 2, 1), (4, 4, 1), (2, 2, 2)])
def test_no_static_pads(kernel: int, stride: int, dilation: int) -> None:
    assert static_same_padding(kernel, stride, dilation) is None


def test_pads_of_a_residue_class_are_the_only_ones_that_work() -> None:
    for k, s, d, size in product(range(1, 6), range(1, 5), range(1, 3), classes(8)):
        reach = effective_kernel(k, d)
        pads = product(range(reach), range(reach))
        working = [pair for pair in pads if prove((Same(k, s, d),), (Window(k, s, d, *pair),), size) is None]
        known = same_pads_of(size, k, s, d)
        assert known in working if working else known is None


def test_pads_of_a_residue_class_are_those_of_the_framework_where_these_are_determined() -> None:
    """Iff the stride divides the modulus or SAME at the known part of the stride needs no pad."""
    for k, s, d, size in product(range(1, 12), range(1, 7), range(1, 4), classes(12)):
        remainder, modulus = residue_class(size)
        step = max(g for g in range(1, s + 1) if s % g == 0 and modulus % g == 0)
        pads = {same_padding(n, k, s, d) for n in members(size, 150)}
        determined = modulus % s == 0 or effective_kernel(k, d) <= step - -remainder % step
        assert (len(pads) == 1) == determined
        if determined:
            assert same_pads_of(size, k, s, d) == pads.pop()


@given(st.integers(1, 300), small, small, small, st.booleans())
def test_pads_of_an_exact_size(n: int, k: int, s: int, d: int, lower: bool) -> None:
    assert same_pads_of(Exact(n), k, s, d, lower=lower) == same_padding(n, k, s, d, lower=lower)


@given(sizes, small, small, small)
def test_lower_pads_compute_same_lower(size: Size, k: int, s: int, d: int) -> None:
    pads = same_pads_of(size, k, s, d, lower=True)
    if pads is not None:
        assert prove((Same(k, s, d, lower=True),), (Window(k, s, d, *pads),), size) is None


def test_one_fact_at_the_input_fixes_the_pads_of_a_network() -> None:
    size = multiple_of(32)
    for modulus in (16, 8, 4, 2):
        assert same_pads_of(size, 3, 2) == (0, 1)
        size = same_output(size, 2)
        assert size == Congruent(0, modulus)
    assert same_pads_of(size, 3, 2) == (0, 1)
    assert same_output(size, 2) is UNKNOWN
    assert same_pads_of(UNKNOWN, 3, 2) is None


# Output sizes


def test_output_of_same_is_as_fine_as_it_can_be() -> None:
    for s, size in product(range(1, 7), classes(12)):
        assert same_output(size, s) == observed(size, partial(_ceil_divided, s))


def _ceil_divided(s: int, n: int) -> int:
    return -(-n // s)


def test_output_of_windows_is_as_fine_as_it_can_be() -> None:
    for k, s, size, ceil_mode in product((1, 3, 4), range(1, 7), classes(8), (False, True)):
        for pads in ((0, 0), (1, 1), (0, 2)):
            count = partial(_count, k, s, pads, ceil_mode)
            assert window_output(size, k, s, 1, *pads, ceil_mode) == observed(size, count)


def _count(k: int, s: int, pads: tuple[int, int], ceil_mode: bool, n: int) -> int:
    return window_count(n, k, s, 1, *pads, ceil_mode)


@given(st.integers(1, 40), small, small, small, st.integers(-2, 6), st.integers(-2, 6), st.booleans())
def test_window_count_is_the_number_of_outputs(
    n: int, k: int, s: int, d: int, before: int, after: int, ceil_mode: bool
) -> None:
    count = window_count(n, k, s, d, before, after, ceil_mode)
    row = tap_map((Window(k, s, d, before, after, ceil_mode=ceil_mode),), n)
    assert isinstance(row, tuple)
    assert len(row) == max(count, 0)
    assert window_output(Exact(n), k, s, d, before, after, ceil_mode) == size_class(count, 0)


@pytest.mark.parametrize(
    ("n", "ceil_mode", "count"),
    [(5, False, 2), (6, True, 3), (6, False, 2), (2, True, 1), (2, False, 0), (1, True, 0)],
)
def test_ceil_mode(n: int, ceil_mode: bool, count: int) -> None:
    assert window_count(n, 3, 2, ceil_mode=ceil_mode) == count


def test_ceil_mode_drops_a_window_that_starts_in_the_pad() -> None:
    assert window_count(3, 2, 3, 1, 1, 1, ceil_mode=True) == 2
    assert window_count(2, 2, 3, 1, 1, 1, ceil_mode=True) == 1


@given(sizes, st.integers(-3, 5), st.integers(-3, 5))
def test_output_of_pads(size: Size, before: int, after: int) -> None:
    if max(n + before + after for n in members(size)) >= 1:
        assert pad_output(size, before, after) == observed(size, lambda n: n + before + after)


@given(sizes, small, small, small, st.sampled_from(["same", "valid"]))
def test_output_of_transposed_keras(size: Size, k: int, s: int, d: int, padding: str) -> None:
    reach = effective_kernel(k, d)
    more = 0 if padding == "same" else max(reach - s, 0)
    out = transposed_output(size, k, s, d, padding)  # type: ignore[arg-type]
    assert out == observed(size, lambda n: n * s + more)


def test_output_of_transposed_torch_and_with_output_padding() -> None:
    assert transposed_output(Exact(7), 3, 2, 1, (1, 1), 1) == Exact(14)
    assert transposed_output(UNKNOWN, 4, 2, 1, (1, 1)) == Congruent(0, 2)
    assert transposed_output(Exact(7), 3, 2, 1, "same", 0) == Exact(13)
    assert transposed_output(Exact(7), 3, 2, 1, "valid", 1) == Exact(16)
    assert transposed_output(Exact(1), 2, 1, 1, "same", 0) is UNKNOWN


@given(sizes, small)
def test_output_of_upsampling(size: Size, factor: int) -> None:
    assert upsample_output(size, factor) == observed(size, lambda n: n * factor)


def test_upsampling_undoes_a_stride() -> None:
    assert upsample_output(same_output(multiple_of(32), 2), 2) == multiple_of(32)


def test_nothing_is_known_where_no_output_is_left() -> None:
    assert window_output(Exact(2), 3) is UNKNOWN
    assert pad_output(Exact(2), -1, -1) is UNKNOWN


# What two sizes have in common


@given(sizes, sizes)
def test_join_holds_both(a: Size, b: Size) -> None:
    remainder, modulus = residue_class(join(a, b))
    for n in (*members(a), *members(b)):
        assert n == remainder if modulus == 0 else (n - remainder) % modulus == 0


@given(sizes, sizes, sizes)
def test_join_is_a_semilattice(a: Size, b: Size, c: Size) -> None:
    assert join(a, a) == a
    assert join(a, b) == join(b, a)
    assert join(join(a, b), c) == join(a, join(b, c))
    assert join(a, UNKNOWN) is UNKNOWN


def test_join_examples() -> None:
    assert join(Exact(224), Exact(256)) == multiple_of(32)
    assert join(Exact(224), Exact(225)) is UNKNOWN
    assert join(multiple_of(32), Exact(48)) == multiple_of(16)
    assert join(Congruent(1, 4), Congruent(3, 4)) == Congruent(1, 2)


@pytest.mark.parametrize(("remainder", "modulus"), [(0, 1), (0, 0), (4, 4), (-1, 4)])
def test_no_residue_class(remainder: int, modulus: int) -> None:
    with pytest.raises(ValueError, match="no residue class"):
        Congruent(remainder, modulus)


def test_construction() -> None:
    with pytest.raises(ValueError, match="n must be at least 1"):
        Exact(0)
    assert Unknown() == UNKNOWN
    assert [str(size) for size in (Exact(7), multiple_of(32), Congruent(1, 2), UNKNOWN)] == [
        "7",
        "a multiple of 32",
        "1 modulo 2",
        "unknown",
    ]


@given(sizes)
def test_residue_class_is_the_inverse_of_size_class(size: Size) -> None:
    assert size_class(*residue_class(size)) == size
