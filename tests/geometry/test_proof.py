"""Proofs over all sizes, and the bound that makes them finite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from padlint.geometry import (
    UNKNOWN,
    Congruent,
    Crop,
    Disproof,
    Exact,
    Form,
    Pad,
    Same,
    Taps,
    TooLarge,
    Transposed,
    Window,
    effective_kernel,
    equal_residues,
    keras_transposed_crop,
    multiple_of,
    outputs,
    proof_bound,
    prove,
    same_function,
    sizes_to_prove,
    torch_transposed_crop,
)

OPERATORS = [(1, 1, 1), (3, 1, 1), (2, 2, 1), (3, 2, 1), (3, 4, 1), (3, 2, 2)]


def windows(k: int, s: int, d: int) -> Iterator[Form]:
    """Forms of one convolution or pool: SAME, explicit and separate pads, crops, and rounding up."""
    yield from ((Same(k, s, d, lower),) for lower in (False, True))
    yield from ((Same(k, s, d, reduce="max"),), (Same(k, s, d, reduce="average"),))
    for before, after in product(range(4), range(4)):
        yield (Window(k, s, d, before, after),)
        yield Pad(before, after), Window(k, s, d)
        for ceil_mode in (False, True):
            yield (Window(k, s, d, before, after, "max", ceil_mode=ceil_mode),)
            for divisor in ("real", "padded", "kernel"):
                yield (Window(k, s, d, before, after, "average", divisor, ceil_mode),)
    for before, after in product(range(-3, 3), range(-3, 3)):
        yield Pad(before, after, fill="-inf"), Window(k, s, d, reduce="max")
        yield (Window(k, s, d, before, after, "max"),)
        yield Pad(before, after), Crop(0, 1), Window(k, s, d)


def mirrors(k: int, s: int, d: int) -> Iterator[Form]:
    """Pads that read the input."""
    for mode in ("reflect", "symmetric", "circular", "edge"):
        for before, after in product((0, 1, 3), (0, 1, 3)):
            yield Pad(before, after, mode), Window(k, s, d)
            yield Pad(before, after, mode, repeated=True), Window(k, s, d)
            yield Pad(before, after, mode), Pad(1, 0), Window(k, s, d)
            yield Pad(before, after, mode), Crop(1, 1), Window(k, s, d)
            yield Pad(before, after, mode), Window(k, s, d, reduce="max")


def transposed(k: int, s: int, d: int) -> Iterator[Form]:
    """Transposed convolutions that crop themselves, are cropped, or read a pad."""
    reach = effective_kernel(k, d)
    for before, after in product(range(reach), range(-s, reach)):
        yield (Transposed(k, s, d, (before, after)),)
        yield Transposed(k, s, d), Pad(-before, -after)
        yield Pad(1, 0), Transposed(k, s, d, (before, after))
        yield Pad(1, 1), Transposed(k, s, d), Crop(before, max(after, 0))


def chains(k: int, s: int, d: int) -> Iterator[Form]:
    """Two operators in a row."""
    for before, after in product(range(3), range(4)):
        yield Same(k, s, d), Window(2, 2, 1, before, after)
        yield Window(k, s, d, before, after), Same(2, 2)
        yield Window(k, s, d, 1, 2), Pad(before, after), Window(2, 2)
        yield Window(k, s, d, before, after), Transposed(k, s, d)
        yield Transposed(k, s, d, (before, after)), Window(2, 2)
        yield Transposed(k, s, d, (before, after)), Same(2, 2)
        yield Same(k, s, d), Crop(before, after), Same(3, 1)


def rows(forms: Sequence[Form], stop: int) -> list[tuple[int, ...]]:
    """For every form, a number for each size from 1 that stands for its tap map; 0 for no outputs."""
    names: dict[object, int] = {(): 0}
    return [tuple(names.setdefault(outputs(form, n), len(names)) for n in range(1, stop)) for form in forms]


def first_difference(before: tuple[int, ...], after: tuple[int, ...]) -> int | None:
    """The first size at which the map before is not empty and the map after is another."""
    pairs = enumerate(zip(before, after, strict=True), 1)
    return next((n for n, (one, other) in pairs if one and one != other), None)


@pytest.mark.parametrize("kernel_stride_dilation", OPERATORS, ids=str)
@pytest.mark.parametrize("family", [windows, mirrors, transposed, chains])
def test_forms_that_differ_do_so_up_to_the_bound(
    family: Callable[[int, int, int], Iterator[Form]], kernel_stride_dilation: tuple[int, int, int]
) -> None:
    """Every pair of forms, compared far beyond the bound."""
    forms = list(family(*kernel_stride_dilation))
    seen = set()
    for (before, one), (after, other) in product(zip(forms, rows(forms, 50), strict=True), repeat=2):
        first = first_difference(one, other) or 0
        if first > 1:
            seen.add(first)
            bound = proof_bound(before, after)
            assert first <= bound < 48, f"{before} and {after} differ first at {first}, beyond {bound}"
    assert seen or family is transposed


def test_bound_of_one_window_is_attained() -> None:
    """Two pools that agree up to one less than the bound and differ at it."""
    k, s = 3, 4
    forms = [form for form in windows(k, s, 1) if proof_bound(form, form) == k + s - 1]
    differences = {first_difference(one, other) for one, other in product(rows(forms, 20), repeat=2)}
    assert max(n for n in differences if n) == k + s - 1


@pytest.mark.parametrize(
    ("form", "bound"),
    [
        ((Same(3, 2),), 4),
        ((Window(3, 2, 2, 9, 9),), 6),
        ((Pad(0, 1), Window(3, 2)), 4),
        ((Pad(-2, -1), Window(3, 2)), 7),
        ((Pad(4, 1, "reflect"), Window(3, 2)), 12),
        ((Pad(1, 1, "circular"), Window(3, 2)), 6),
        ((Pad(4, 4, "edge"), Window(3, 2)), 6),
        ((Transposed(4, 2),), 4),
        ((Transposed(4, 2), Crop(1, 1)), 5),
        ((Same(3, 2), Same(3, 2)), 10),
    ],
)
def test_bounds(form: Form, bound: int) -> None:
    assert proof_bound(form, form) == bound


# Proofs


def test_a_static_pair_is_same_at_every_size() -> None:
    assert prove((Same(4, 2),), (Pad(1, 2), Window(4, 2))) is None
    assert prove((Same(3, 1),), (Window(3, 1, 1, 1, 1),)) is None


def test_a_disproof_names_the_first_difference() -> None:
    disproof = prove((Same(3, 2),), (Pad(0, 1), Window(3, 2)))
    assert disproof == Disproof(1, 0, Taps("conv", ("zero", 0, "zero")), None)
    disproof = prove((Same(3, 2),), (Window(3, 2, 1, 1, 1),), multiple_of(2))
    assert disproof == Disproof(2, 0, Taps("conv", (0, 1, "zero")), Taps("conv", ("zero", 0, 1)))
    assert "at size 2 output 0" in str(disproof)


def test_a_promise_about_the_size_is_used() -> None:
    before, after = (Same(3, 2),), (Pad(0, 1), Window(3, 2))
    assert prove(before, after, multiple_of(32)) is None
    assert prove(before, after, Exact(224)) is None
    assert prove(before, after, [224, 32]) is None
    assert prove(before, after, range(2, 30, 2)) is None
    assert prove(before, after, Exact(225)) is not None
    assert prove(before, after, [224, 225]) is not None
    assert prove(before, after, Congruent(0, 3)) is not None
    assert prove(before, after, UNKNOWN) is not None


def test_a_residue_class_covers_every_residue_that_can_occur() -> None:
    """Modulo 3 says nothing modulo 2, so both parities are tried beyond the bound."""
    before, after = (Same(3, 2),), (Pad(0, 1), Window(3, 2))
    sizes = list(sizes_to_prove(before, after, Congruent(2, 3)))
    assert {n % 2 for n in sizes if n >= proof_bound(before, after)} == {0, 1}
    assert all(n % 3 == 2 for n in sizes)


def test_sizes_to_prove_reach_every_class_beyond_the_bound() -> None:
    for k, s, m in product(range(1, 5), range(1, 5), range(2, 9)):
        form = (Same(k, s),)
        for r in range(m):
            sizes = list(sizes_to_prove(form, form, Congruent(r, m)))
            far = range(r or m, 1000, m)
            assert {n % s for n in far} == {n % s for n in sizes if n >= k}
            assert sizes == [n for n in far if n <= sizes[-1]]


def test_without_a_reference_nothing_is_proved() -> None:
    same = (Window(5),)
    assert prove(same, same, Exact(4)) == Disproof(4, None)
    assert prove(same, same, [3, 4]) == Disproof(3, None)
    assert prove(same, same, []) == Disproof(0, None)
    assert prove((Pad(9, 9, "reflect"), Window(1)), (Window(1),), Exact(5)) == Disproof(5, None)
    assert "no output" in str(Disproof(4, None))


def test_a_disproof_of_a_wide_kernel_is_one_short_line() -> None:
    assert len(str(prove((Same(4096, 4096),), (Pad(2047, 2048), Window(4096, 4096))))) < 300


def test_sizes_that_had_no_output_are_free() -> None:
    """A form may accept more than its reference, but not less."""
    valid, wider = (Pad(0, 1, "reflect"), Window(2)), (Pad(0, 1, "reflect", repeated=True), Window(2))
    assert prove(valid, wider) is None
    assert prove(wider, valid) == Disproof(1, 0, Taps("conv", (0, 0)), None)


def test_an_empty_result_and_a_refusal_are_one_state() -> None:
    assert same_function((Pad(9, 9, "reflect"),), (Window(9),), 3)
    assert not same_function((Pad(9, 9, "reflect"),), (Window(1),), 3)


# Correspondences between frameworks that hold for one setting at every size


@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "ceil_mode"),
    [(3, 1, 1, False), (5, 1, 2, False), (2, 2, 0, True), (2, 3, 0, True), (4, 2, 1, True), (1, 3, 0, False)],
)
@pytest.mark.parametrize("reduce", ["max", "average"])
def test_torch_pools_that_are_same(
    kernel: int, stride: int, padding: int, ceil_mode: bool, reduce: str
) -> None:
    torch = (Window(kernel, stride, 1, padding, padding, reduce, "real", ceil_mode),)  # type: ignore[arg-type]
    assert prove((Same(kernel, stride, reduce=reduce),), torch) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(("kernel", "stride"), [(2, 1), (4, 1), (3, 2), (5, 2), (3, 3), (4, 3), (5, 3)])
def test_no_torch_pool_is_same(kernel: int, stride: int) -> None:
    for padding, ceil_mode in product(range(kernel // 2 + 1), (False, True)):
        torch = (Window(kernel, stride, 1, padding, padding, "max", ceil_mode=ceil_mode),)
        assert prove((Same(kernel, stride, reduce="max"),), torch) is not None


def test_a_zero_pad_is_no_pool_padding() -> None:
    same = (Same(3, 1, reduce="max"),)
    assert prove(same, (Pad(1, 1), Window(3, reduce="max"))) is not None
    assert prove(same, (Pad(1, 1, fill="-inf"), Window(3, reduce="max"))) is None
    average = (Same(3, 1, reduce="average"),)
    assert prove(average, (Pad(1, 1), Window(3, reduce="average"))) is not None
    assert (
        prove((Window(3, 1, 1, 1, 1, "average", "padded"),), (Pad(1, 1), Window(3, reduce="average"))) is None
    )


def test_a_zero_pad_is_pool_padding_of_what_is_not_negative() -> None:
    same = (Same(3, 1, reduce="max", nonnegative=True),)
    assert prove(same, (Pad(1, 1), Window(3, reduce="max", nonnegative=True))) is None
    own = (Window(2, 1, 2, 1, 1, "max", nonnegative=True),)
    explicit = (Pad(1, 1), Window(2, 1, 2, reduce="max", nonnegative=True))
    assert prove(explicit, own) == Disproof(1, 0, Taps("max", ("zero",)), Taps("max", ()))


@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "output_padding"),
    [(4, 2, 1, 0), (3, 1, 1, 0), (5, 3, 1, 0), (2, 2, 0, 0), (1, 2, 0, 1), (2, 3, 0, 1)],
)
def test_torch_twins_of_keras_transposed_same(
    kernel: int, stride: int, padding: int, output_padding: int
) -> None:
    keras = (Transposed(kernel, stride, 1, keras_transposed_crop(kernel, stride)),)
    torch = (Transposed(kernel, stride, 1, torch_transposed_crop(padding, output_padding)),)
    assert prove(keras, torch) is None


@pytest.mark.parametrize(("kernel", "stride"), [(3, 2), (5, 2), (4, 3), (2, 1)])
def test_keras_transposed_same_without_torch_twin(kernel: int, stride: int) -> None:
    keras = (Transposed(kernel, stride, 1, keras_transposed_crop(kernel, stride)),)
    for padding, output_padding in product(range(kernel), range(stride)):
        crop = torch_transposed_crop(padding, output_padding)
        assert prove(keras, (Transposed(kernel, stride, 1, crop),)) is not None
    before, after = keras_transposed_crop(kernel, stride)
    assert prove(keras, (Transposed(kernel, stride), Crop(before, after))) is None


def test_flax_flips_the_taps_of_a_transposed_convolution() -> None:
    assert prove((Transposed(3, 2),), (Transposed(3, 2, flipped=True),)) is not None
    assert prove((Transposed(1, 2),), (Transposed(1, 2, flipped=True),)) is None


def test_forms_that_are_too_large_are_not_compared() -> None:
    wide, strided = (Same(10**6, 1, 10**5),), (Same(10**9, 10**9),)
    assert isinstance(prove(wide, wide), TooLarge)
    assert isinstance(prove(strided, strided), TooLarge)
    assert isinstance(prove((Same(3),), (Same(3),), Exact(10**9)), TooLarge)
    assert isinstance(prove((Pad(10**6, 10**6), Window(3)), (Window(3, 1, 1, 10**6, 10**6),)), TooLarge)
    assert prove((Same(3),), (Same(3),), Exact(4096)) is None
    assert prove((Same(129),), (Window(129, 1, 1, 64, 64),)) is None


def test_residues_at_which_forms_are_equal() -> None:
    same = (Same(3, 2),)
    assert equal_residues(same, (Pad(1, 1), Window(3, 2)), 2) == {1}
    assert equal_residues(same, (Pad(0, 1), Window(3, 2)), 2) == {0}
    assert equal_residues((Same(3, 500),), (Pad(1, 1), Window(3, 500)), 500) is None
