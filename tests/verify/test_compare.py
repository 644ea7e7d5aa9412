"""Comparison of numbers, names and arguments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from padlint.verify.backend import Array, Run
from padlint.verify.compare import arguments_differ, max_abs, runs_differ, weights_differ
from padlint.verify.samples import batch, noise, weight


def _run(output: Array, **gradients: Array) -> Run:
    return Run(output, gradients)


ONES = np.ones((3, 2, 4))


def test_equal_runs() -> None:
    run = _run(ONES, input=ONES)
    assert runs_differ(run, run, (4,), "float64") is None
    assert max_abs(run, run) == 0.0


def test_tolerance_is_relative_to_each_item_of_the_batch() -> None:
    before = ONES * np.array([1e6, 1.0, 1e-6])[:, None, None]
    after = before.copy()
    after[0, 0, 0] += 1e-7
    assert runs_differ(_run(before), _run(after), (4,), "float64") is None
    after[2, 1, 3] += 1e-17
    assert "output [2, 1, 3]" in str(runs_differ(_run(before), _run(after), (4,), "float64"))


def test_precision_decides_the_tolerance() -> None:
    after = ONES + 1e-7
    assert runs_differ(_run(ONES), _run(after), (4,), "float32") is None
    assert runs_differ(_run(ONES), _run(after), (4,), "float64") is not None


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(value: float) -> None:
    special = ONES.copy()
    special[0, 0, 0] = value
    assert runs_differ(_run(special), _run(special.copy()), (4,), "float64") is None
    assert runs_differ(_run(special), _run(ONES), (4,), "float64") is not None
    assert runs_differ(_run(ONES), _run(special), (4,), "float64") is not None
    assert max_abs(_run(ONES), _run(special)) == np.inf


def test_shape_comes_before_values() -> None:
    detail = runs_differ(_run(ONES), _run(np.ones((3, 2, 5))), (9, 12), "float64")
    assert detail == "output shape (3, 2, 4) became (3, 2, 5) at size 9x12"


def test_gradients_are_compared() -> None:
    before, after = _run(ONES, input=ONES, w=ONES), _run(ONES, input=ONES, w=ONES * 2)
    assert runs_differ(before, after, (4,), "float64") == "the gradient of w differs by 1 at size 4 (float64)"


def test_all_zero_outputs_are_equal_only_to_zeros() -> None:
    zeros = np.zeros((3, 2, 4))
    assert runs_differ(_run(zeros), _run(zeros), (4,), "float64") is None
    assert runs_differ(_run(zeros), _run(zeros + 1e-300), (4,), "float64") is not None


def test_weights() -> None:
    old = {"a.weight": (2, 3), "a.bias": (2,)}
    assert weights_differ(old, dict(old)) is None
    assert weights_differ(old, {"a.bias": (2,), "a.weight": (2, 3)}) == "the parameters come in another order"
    assert weights_differ(old, {"a.weight": (2, 3)}) == "parameter 'a.bias' was lost"
    assert weights_differ({}, old) == "parameter 'a.weight' was added"
    assert (
        weights_differ(old, {"b.weight": (2, 3), "a.bias": (2,)}) == "parameter 'a.weight' became 'b.weight'"
    )
    assert "(2, 3)" in str(weights_differ(old, {**old, "a.weight": (3, 2)}))


def test_arguments() -> None:
    name = Counter([("Conv2D", "name", "'a'")])
    assert arguments_differ(name, name.copy()) is None
    assert arguments_differ(name, Counter()) == "argument name='a' of Conv2D was lost"
    assert arguments_differ(Counter(), name) == "argument name='a' of Conv2D was added"
    other = Counter([("Conv2D", "name", "n")])
    assert arguments_differ(name, other) == "argument name='a' of Conv2D became n"
    assert arguments_differ(name + name, name) == "argument name='a' of Conv2D was lost"


def test_noise_depends_on_the_text_only() -> None:
    assert np.array_equal(noise("a", (2, 3)), noise("a", (2, 3)))
    assert not np.array_equal(noise("a", (2, 3)), noise("b", (2, 3)))


def test_weights_have_no_zeros_and_variances_are_positive() -> None:
    assert np.all(weight("c.bias", (64,)) != 0)
    assert np.all(weight("bn.running_var", (64,)) > 0)
    assert np.all(weight("bn.moving_variance", (64,)) > 0)
    assert weight("scalar", ()).shape == ()


def test_batch() -> None:
    values = batch("x", (5, 6), 2, True)
    assert values.shape == (3, 2, 5, 6)
    assert np.all(values[1] < 0)
    assert np.all(values[2, :, 1:-1, 1:-1] == 0)
    assert np.all(values[2, :, [0, -1]] != 0)
    assert batch("x", (5, 6), 2, False).shape == (3, 5, 6, 2)
