"""What every tap reads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padlint.geometry import (
    Crop,
    Form,
    Pad,
    Refusal,
    Same,
    Taps,
    Transposed,
    Window,
    keras_transposed_crop,
    same_function,
    tap_map,
)

Z = "zero"
small = st.integers(1, 6)


def reads(form: Form, n: int) -> list[Any]:
    """The reads of every output of a form that ends in a window."""
    return [taps.reads for taps in tap_map(form, n)]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("pad", "n", "cells"),
    [
        (Pad(1, 2), 2, (Z, 0, 1, Z, Z)),
        (Pad(1, 0, fill="-inf"), 1, ("-inf", 0)),
        (Pad(0, 1, fill="0.5"), 1, (0, "0.5")),
        (Pad(2, 3, "reflect"), 4, (2, 1, 0, 1, 2, 3, 2, 1, 0)),
        (Pad(2, 2, "symmetric"), 3, (1, 0, 0, 1, 2, 2, 1)),
        (Pad(2, 1, "edge"), 2, (0, 0, 0, 1, 1)),
        (Pad(2, 1, "circular"), 3, (1, 2, 0, 1, 2, 0)),
        (Pad(3, 3, "reflect", repeated=True), 2, (1, 0, 1, 0, 1, 0, 1, 0)),
        (Pad(2, 2, "reflect", repeated=True), 1, (0, 0, 0, 0, 0)),
        (Pad(3, 0, "symmetric", repeated=True), 2, (1, 1, 0, 0, 1)),
        (Pad(3, 0, "circular", repeated=True), 2, (1, 0, 1, 0, 1)),
        (Pad(-1, 2), 3, (1, 2, Z, Z)),
        (Pad(-1, 1, "circular"), 3, (1, 2, 0)),
        (Crop(1, 1), 4, (1, 2)),
        (Pad(-2, -2), 3, ()),
        (Pad(-3, 1), 2, ()),
        (Pad(-3, 5), 2, (Z, Z, Z, Z)),
        (Pad(5, -3), 2, (Z, Z, Z, Z)),
    ],
)
def test_pads(pad: Pad | Crop, n: int, cells: tuple[Any, ...]) -> None:
    assert tap_map((pad,), n) == cells


@pytest.mark.parametrize(
    ("mode", "largest"), [("reflect", 3), ("symmetric", 4), ("circular", 4), ("edge", 50), ("constant", 50)]
)
def test_the_largest_pad_of_a_mode(mode: Any, largest: int) -> None:
    assert not isinstance(tap_map((Pad(0, largest, mode),), 4), Refusal)
    if largest < 50:
        assert isinstance(tap_map((Pad(0, largest + 1, mode), Window(2)), 4), Refusal)
        assert isinstance(tap_map((Pad(largest + 1, 0, mode),), 4), Refusal)


def test_convolutions() -> None:
    assert reads((Same(3, 2),), 7) == [(Z, 0, 1), (1, 2, 3), (3, 4, 5), (5, 6, Z)]
    assert reads((Same(3, 2),), 6) == [(0, 1, 2), (2, 3, 4), (4, 5, Z)]
    assert reads((Same(2, lower=True),), 2) == [(Z, 0), (0, 1)]
    assert reads((Window(3, 1, 2),), 6) == [(0, 2, 4), (1, 3, 5)]
    assert reads((Window(2, 3),), 6) == [(0, 1), (3, 4)]
    assert reads((Window(2, 1, 1, -1, 1),), 3) == [(1, 2), (2, Z)]
    assert tap_map((Window(3),), 2) == ()


def test_max_ignores_its_pads_and_repetition() -> None:
    assert reads((Same(3, 2, reduce="max"),), 5) == [(0, 1), (1, 2, 3), (3, 4)]
    assert reads((Pad(1, 1), Window(3, 2, reduce="max")), 3) == [(Z, 0, 1), (1, 2, Z)]
    assert reads((Pad(1, 1, "edge"), Window(3, 2, reduce="max")), 3) == [(0, 1), (1, 2)]
    assert reads((Window(2, 1, 2, 1, 1, reduce="max"),), 1) == [()]


def test_a_zero_adds_nothing_to_the_maximum_of_what_is_not_negative() -> None:
    window = Window(2, 1, 2, reduce="max", nonnegative=True)
    assert reads((Pad(1, 2), window), 1) == [(Z,), (0,)]
    assert reads((Pad(2, 2), window), 1) == [(0,), (Z,), (0,)]


def divisors(window: Window | Same, n: int) -> list[int]:
    return [taps.divisor for taps in tap_map((window,), n)]  # type: ignore[union-attr]


def test_divisors() -> None:
    assert divisors(Same(3, 2, reduce="average"), 6) == [3, 3, 2]
    assert divisors(Same(3, 2, reduce="average", divisor="kernel"), 6) == [3, 3, 3]
    assert divisors(Same(3, 2, reduce="average", divisor="padded"), 6) == [3, 3, 3]
    overhanging = Window(3, 2, 1, 1, 1, "average", "padded", ceil_mode=True)
    assert divisors(overhanging, 4) == [3, 3, 2]
    assert reads((overhanging,), 4) == [(0, 1), (1, 2, 3), (3,)]
    assert divisors(Window(2, 1, 2, 1, 1, "average"), 2) == [1, 1]


def test_transposed_is_a_scatter() -> None:
    assert reads((Transposed(3, 2),), 2) == [(0, Z, Z), (Z, 0, Z), (1, Z, 0), (Z, 1, Z), (Z, Z, 1)]
    assert reads((Transposed(3, 2, flipped=True),), 1) == [(Z, Z, 0), (Z, 0, Z), (0, Z, Z)]
    assert reads((Transposed(2, crop=(1, 0)),), 2) == [(1, 0), (Z, 1)]
    assert reads((Transposed(1, 1, crop=(0, -1)),), 1) == [(0,), (Z,)]
    assert tap_map((Transposed(2, crop=(2, 2)),), 2) == ()


@given(st.integers(1, 12), small, small, small, st.integers(0, 4), st.integers(-3, 4))
def test_transposed_matches_its_definition(n: int, k: int, s: int, d: int, before: int, after: int) -> None:
    """Input i adds tap t to output i * s + t * d."""
    full: list[list[Any]] = [[Z] * k for _ in range((n - 1) * s + (k - 1) * d + 1)]
    for i in range(n):
        for t in range(k):
            full[i * s + t * d][t] = i
    full += [[Z] * k for _ in range(-after)]
    expected = full[before : len(full) - max(after, 0)]
    assert reads((Transposed(k, s, d, (before, after)),), n) == [tuple(output) for output in expected]


@given(st.integers(1, 20), small, small, small, st.booleans())
def test_an_operator_s_own_pad_is_an_explicit_pad(n: int, k: int, s: int, d: int, lower: bool) -> None:
    """Zero for convolutions and divisors that count it, minus infinity for max pools."""
    before, after = Same(k, s, d, lower).at(n).before, Same(k, s, d, lower).at(n).after
    assert same_function((Same(k, s, d, lower),), (Pad(before, after), Window(k, s, d)), n)
    assert same_function(
        (Same(k, s, d, lower, "max"),), (Pad(before, after, fill="-inf"), Window(k, s, d, reduce="max")), n
    )
    assert same_function(
        (Same(k, s, d, lower, "average", "kernel"),),
        (Pad(before, after), Window(k, s, d, reduce="average")),
        n,
    )


@given(st.integers(1, 20), small, small)
def test_keras_same_is_keras_valid_and_a_crop(n: int, k: int, s: int) -> None:
    before, after = keras_transposed_crop(k, s)
    same = (Transposed(k, s, 1, (before, after)),)
    valid = Transposed(k, s, 1, keras_transposed_crop(k, s, 1, "valid"))
    assert same_function(same, (valid, Crop(before, max(after, 0))), n)


def test_steps_compose() -> None:
    inner = (Taps("conv", (0, 1)), Taps("conv", (1, 2)))
    assert reads((Window(2), Window(2)), 3) == [inner]
    assert reads((Window(2), Pad(1, 0), Window(2)), 2) == [(Z, Taps("conv", (0, 1)))]
    assert tap_map((Window(3), Pad(2, 2), Window(2)), 2) == ()


def test_a_pad_after_a_convolution_is_no_pad_before_it() -> None:
    assert not same_function((Pad(1, 1), Window(1)), (Window(1), Pad(1, 1)), 3)


def test_kinds_are_told_apart() -> None:
    assert not same_function((Window(2),), (Window(2, reduce="max"),), 3)
    assert not same_function((Pad(0, 1, fill="1"), Window(2)), (Pad(0, 1, fill="2"), Window(2)), 3)


def test_bad_steps() -> None:
    with pytest.raises(ValueError, match="kernel"):
        Window(0)
    with pytest.raises(ValueError, match="stride"):
        Same(3, 0)
    with pytest.raises(ValueError, match="dilation"):
        Transposed(3, 1, 0)
    with pytest.raises(ValueError, match="mode 'replicate'"):
        Pad(1, 1, "replicate")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reduction 'mean'"):
        Same(3, reduce="mean")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1"):
        tap_map((Window(1),), 0)
