"""Inputs as the command line has them, and the numbers that are made for them."""

from __future__ import annotations

import numpy as np
import pytest

from padlint.verify.models.inputs import KINDS, perturbed, sample, shifted
from padlint.verify.models.plan import plan, sizes
from padlint.verify.models.request import Axis, Case, Input, Request


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1x3x8x9", Input((Axis(1), Axis(3), Axis(8), Axis(9)))),
        ("7", Input((Axis(7),))),
        ("float32:1x3", Input((Axis(1), Axis(3)), "float32", fixed=True)),
        ("float16:1x3", Input((Axis(1), Axis(3)), "float16", fixed=True)),
        ("int64:1x16:1000", Input((Axis(1), Axis(16)), "int64", fixed=True, high=1000)),
        ("mask=bool:1x16", Input((Axis(1), Axis(16)), "bool", fixed=True, name="mask")),
        ("x=1x2", Input((Axis(1), Axis(2)), name="x")),
        ("1x3xHxW40", Input((Axis(1), Axis(3), Axis(64, "H"), Axis(40, "W")))),
    ],
)
def test_inputs(text: str, expected: Input) -> None:
    assert Input.parse(text) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "1x", "1xx2", "1x-3", "1,3", "complex64:1x3", "1x3:", "1 x 3", "ax3", "1.5x3"]
)
def test_what_is_no_input(text: str) -> None:
    with pytest.raises(ValueError, match="is no input such as"):
        Input.parse(text)


@pytest.mark.parametrize("kind", KINDS)
def test_samples_are_the_same_each_time(kind: str) -> None:
    given = Input.parse("2x3x8x8")
    first, second = (sample(given, 0, Case(kind), 0, 2) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, sample(given, 0, Case(kind), 1, 2)) or kind == "constant"


def test_kinds() -> None:
    given = Input.parse("1x3x8x8")
    assert (sample(given, 0, Case("negative"), 0, 2) < 0).all()
    assert np.ptp(sample(given, 0, Case("constant"), 0, 2)) == 0
    border = sample(given, 0, Case("border"), 0, 2)
    assert not border[:, :, 1:-1, 1:-1].any()
    assert border[:, :, 0].all()
    channels_last = sample(Input.parse("1x8x8x3"), 0, Case("border"), 0, 1)
    assert not channels_last[:, 1:-1, 1:-1].any()
    assert channels_last[:, 0].all()


def test_integers_stay_below_their_bound() -> None:
    values = sample(Input.parse("int32:50x50:7"), 0, Case("negative"), 0, 2)
    assert values.dtype == np.int32
    assert set(np.unique(values)) == set(range(7))


def test_shifts() -> None:
    values = np.arange(1.0, 13).reshape(1, 1, 3, 4)
    right = shifted(values, (0, 1), (2, 3))[0, 0]
    assert right.tolist() == [[0, 1, 2, 3], [0, 5, 6, 7], [0, 9, 10, 11]]
    up = shifted(values, (-1, 0), (2, 3))[0, 0]
    assert up.tolist() == [[5, 6, 7, 8], [9, 10, 11, 12], [0, 0, 0, 0]]


def test_weights_are_moved_but_tables_are_not() -> None:
    state = {
        "kernel": np.random.default_rng(0).standard_normal((3, 4)),
        "gamma": np.zeros(50),
        "variance": np.ones(500),
        "table": np.arange(5.0),
        "mask": np.array([0.0, -np.inf]),
        "count": np.array(3),
    }
    moved = perturbed(state, frozenset({"kernel", "gamma"}), 0)
    assert all((moved[name] != state[name]).all() for name in ("kernel", "gamma", "variance"))
    assert (moved["variance"] > 0).all()
    assert all(moved[name] is state[name] for name in ("table", "mask", "count"))


def test_every_residue_of_every_free_axis_comes_up() -> None:
    found = sizes(Request((Input.parse("1x3xH64xW64"), Input.parse("1x1xH64xT32"))), 32)
    for name in "HWT":
        assert len({size[name] % 32 for size in found}) == 31
    assert sum(size["H"] == size["W"] for size in found) < 4
    assert sizes(Request((Input.parse("1x3x8x8"),)), 32) == []


def test_plans_start_with_what_tells_most() -> None:
    request = Request((Input.parse("1x3x8x8"),))
    cases = plan(request, (False, True), "float64", 32)
    assert [case.gradients for case in cases[:3]] == [True, True, False]
    assert [case.kind for case in cases if not case.training] == list(KINDS)
    assert plan(Request((Input.parse("int64:1x3"),)), (False,), "float64", 32) == cases[:1]
