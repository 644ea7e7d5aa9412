"""Amounts of padding and cropping."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padlint.geometry import (
    Congruent,
    Same,
    Window,
    causal_padding,
    effective_kernel,
    flax_wrap_padding,
    keras_transposed_crop,
    keras_transposed_length,
    prove,
    residue_table,
    same_padding,
    same_totals,
    size_class,
    symmetric_residues,
    tf_transposed_crop,
    torch_same_padding,
    torch_transposed_crop,
)

small = st.integers(1, 12)


@given(st.integers(1, 400), small, small, small, st.booleans())
def test_same_padding_is_the_textbook_formula(n: int, k: int, s: int, d: int, lower: bool) -> None:
    outputs = -(-n // s)
    total = max((outputs - 1) * s + (k - 1) * d + 1 - n, 0)
    before, after = same_padding(n, k, s, d, lower=lower)
    assert before + after == total
    assert (before - after if lower else after - before) in (0, 1)


@given(st.integers(1, 400), small, small, small)
def test_same_padding_depends_on_the_residue_only(n: int, k: int, s: int, d: int) -> None:
    assert same_padding(n, k, s, d) == same_padding(n + s, k, s, d) == residue_table(k, s, d)[n % s]


@pytest.mark.parametrize(
    ("n", "kernel", "stride", "dilation", "pads"),
    [
        (224, 3, 2, 1, (0, 1)),
        (225, 3, 2, 1, (1, 1)),
        (224, 7, 2, 1, (2, 3)),
        (5, 2, 1, 1, (0, 1)),
        (10, 3, 1, 2, (2, 2)),
        (1, 1, 3, 1, (0, 0)),
    ],
)
def test_same_padding_examples(
    n: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int]
) -> None:
    assert same_padding(n, kernel, stride, dilation) == pads
    assert same_padding(n, kernel, stride, dilation, lower=True) == pads[::-1]


def test_rules_that_do_not_look_at_the_size() -> None:
    assert effective_kernel(3, 2) == 5
    assert causal_padding(3, 2) == (4, 0)
    assert torch_same_padding(4) == (1, 2)
    assert torch_same_padding(3, 2) == (2, 2)
    assert flax_wrap_padding(4) == (1, 2)
    assert flax_wrap_padding(3, 2) == (2, 2)
    assert torch_transposed_crop(1, 1) == (1, 0)


@given(small, small, small)
def test_one_symmetric_amount_computes_same_only_where_it_says(k: int, s: int, d: int) -> None:
    """By trying every amount at every residue."""
    for residue, amount in symmetric_residues(k, s, d).items():
        size = size_class(residue, s)
        working = [
            p
            for p in range(effective_kernel(k, d) + 1)
            if prove((Same(k, s, d),), (Window(k, s, d, p, p),), size) is None
        ]
        assert working == ([] if amount is None else [amount])


@given(small, small, small)
def test_totals_are_those_of_some_size(k: int, s: int, d: int) -> None:
    found = {before + after for before, after in residue_table(k, s, d).values()}
    assert set(same_totals(k, s, d)) == found


def test_symmetric_residues_of_a_strided_three() -> None:
    assert symmetric_residues(3, 2) == {0: None, 1: 1}
    assert symmetric_residues(4, 2) == {0: 1, 1: None}
    assert symmetric_residues(7, 3) == {0: 2, 1: 3, 2: None}
    assert prove((Same(3, 2),), (Window(3, 2, 1, 1, 1),), Congruent(1, 2)) is None


@given(st.integers(1, 30), small, small, small, st.sampled_from(["same", "valid"]))
def test_keras_transposed_size(n: int, k: int, s: int, d: int, padding: str) -> None:
    reach = effective_kernel(k, d)
    before, after = keras_transposed_crop(k, s, d, padding)  # type: ignore[arg-type]
    out = (n - 1) * s + reach - before - after
    assert out == (n * s if padding == "same" else n * s + max(reach - s, 0))
    assert before == (max(reach - s, 0) // 2 if padding == "same" else 0)
    assert out == (n - 1) * s + keras_transposed_length(k, s, d, padding)  # type: ignore[arg-type]


@given(st.integers(1, 30), small, small)
def test_tensorflow_returns_every_size_that_same_maps_back(n: int, k: int, s: int) -> None:
    for output in range(1, (n + 2) * s):
        if -(-output // s) == n:
            before, after = tf_transposed_crop(n, output, k, s)
            assert (n - 1) * s + k - before - after == output
            assert before == max((n - 1) * s + k - output, 0) // 2
        else:
            with pytest.raises(ValueError, match="maps"):
                tf_transposed_crop(n, output, k, s)


def test_tensorflow_with_keras_sizes_is_keras() -> None:
    for n, k, s in product(range(1, 6), range(1, 6), range(1, 4)):
        assert tf_transposed_crop(n, n * s, k, s) == keras_transposed_crop(k, s)


@pytest.mark.parametrize("bad", [0, -1])
def test_numbers_below_one_are_named(bad: int) -> None:
    with pytest.raises(ValueError, match="kernel must be at least 1"):
        effective_kernel(bad)
    with pytest.raises(ValueError, match="stride must be at least 1"):
        same_padding(5, 3, bad)
    with pytest.raises(ValueError, match="n must be at least 1"):
        same_padding(bad, 3)
    with pytest.raises(ValueError, match="dilation must be at least 1"):
        causal_padding(3, bad)
    with pytest.raises(ValueError, match="'same' or 'valid'"):
        keras_transposed_crop(3, padding="SAME")  # type: ignore[arg-type]
