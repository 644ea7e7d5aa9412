"""The fixtures that build models, before and after fixing, as whole models with the same weights."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from padlint.engine import fix
from tests.fixture import FOLDER, Fixture


def load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def sides(tmp_path: Path) -> Callable[..., tuple[ModuleType, ModuleType]]:
    """The module of a fixture as it is, and after all of its fixes (or the safe ones alone)."""

    def both(name: str, *, unsafe: bool = True) -> tuple[ModuleType, ModuleType]:
        fixture = Fixture(FOLDER / f"{name}.py")
        fixed = tmp_path / f"{name}_fixed.py"
        text = fix(fixture.text, fixture.options, unsafe=unsafe).text
        assert text != fixture.text
        fixed.write_text(text, encoding="utf-8")
        return load(fixture.path, f"{name}_before"), load(fixed, f"{name}_after")

    return both


Sides = Callable[..., tuple[ModuleType, ModuleType]]


@pytest.fixture
def float64() -> Iterator[None]:
    """Keras in double precision, whatever other tests have set up before."""
    import keras

    policy = keras.config.dtype_policy()
    keras.config.set_floatx("float64")
    keras.config.set_dtype_policy("float64")
    yield
    keras.config.set_floatx("float32")
    keras.config.set_dtype_policy(policy)


@pytest.mark.usefixtures("float64")
@pytest.mark.parametrize(
    ("name", "maker", "size", "unsafe"),
    [
        ("keras_resnet_stem", "build", (224, 224, 3), False),
        ("keras_cifar10_sequential", "build", (32, 32, 3), False),
        ("keras_cifar10_add", "build", (32, 32, 3), False),
        ("keras_cifar10_add", "encoder", (64, 64, 1), True),
        ("keras_subclassed", "build", (96, 96, 3), True),
        # Only what is exact at every size is safe in a class that may be part of something larger.
        ("keras_subclassed", "build", (97, 95, 3), False),
        ("keras_unseen", "Encoder", (20, 22, 3), False),
        ("keras_unseen", "Encoder", (21, 17, 3), False),
        ("keras_promised_size", "build", (224, 224, 3), False),
        ("keras_promised_multiple", "build", (96, 64, 3), False),
        ("keras_pad_function", "build", (96, 64, 3), False),
        ("nested_calls", "build", (40, 40, 3), False),
    ],
)
def test_keras_models_compute_the_same_and_load_the_same_weights(
    sides: Sides, tmp_path: Path, name: str, maker: str, size: tuple[int, ...], unsafe: bool
) -> None:
    before, after = (getattr(side, maker)() for side in sides(name, unsafe=unsafe))
    image = np.random.default_rng(0).normal(size=(2, *size))
    _randomise(before, image)
    _ = after(image)  # builds the weights of a subclassed model
    before.save_weights(tmp_path / "old.weights.h5")
    after.load_weights(tmp_path / "old.weights.h5")
    _assert_same(np.asarray(before(image)), np.asarray(after(image)))
    after.set_weights([weight * 0 for weight in after.get_weights()])
    after.set_weights(before.get_weights())
    _assert_same(np.asarray(before(image)), np.asarray(after(image)))


@pytest.mark.usefixtures("float64")
def test_what_is_said_of_a_sequential_is_true(sides: Sides) -> None:
    """Size 33 passes the Dense of a model for 32, and there the explicit pads give other numbers."""
    before, after = (side.classifier for side in sides("keras_sequential_open"))
    _randomise(before, np.ones((1, 32, 32, 3)))
    after.set_weights(before.get_weights())
    random = np.random.default_rng(0)
    for size, equal in ((32, True), (33, False)):
        image = random.normal(size=(1, size, size, 3))
        assert (np.abs(np.asarray(before(image)) - np.asarray(after(image))).max() == 0) == equal


def _randomise(model: Any, image: np.ndarray) -> None:
    """Weights without zeros, so that a lost bias shows."""
    _ = model(image)
    random = np.random.default_rng(1)
    model.set_weights([random.uniform(0.1, 1.0, weight.shape) for weight in model.get_weights()])


def _assert_same(expected: np.ndarray, actual: np.ndarray) -> None:
    assert expected.dtype == np.float64
    assert expected.shape == actual.shape
    assert np.abs(expected).max() > 0
    assert np.abs(expected - actual).max() == 0


def test_torch_modules_keep_outputs_gradients_and_parameter_names(sides: Sides) -> None:
    import torch

    before, after = (side.build().double().eval() for side in sides("torch_zero_pads"))
    after.load_state_dict(before.state_dict(), strict=True)
    assert list(before.state_dict()) == list(after.state_dict())
    for size in ((40, 47), (33, 32)):
        _assert_same_run(before, after, torch.randn(2, 3, *size, dtype=torch.float64))


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths")
def test_torch_words_become_numbers_of_the_same_model(sides: Sides) -> None:
    import torch

    before, after = (side.build().double() for side in sides("torch_same"))
    after.load_state_dict(before.state_dict(), strict=True)
    for size in ((9, 12), (7, 7)):
        _assert_same_run(before, after, torch.randn(1, 3, *size, dtype=torch.float64))


def _assert_same_run(before: Any, after: Any, image: Any) -> None:
    import torch

    results = []
    for model in (before, after):
        model.zero_grad()
        x = image.clone().requires_grad_()
        output = model(x)
        first = output[0] if isinstance(output, tuple) else output
        first.square().sum().backward()
        results.append([first.detach(), x.grad, *(p.grad for p in model.parameters())])
    for expected, actual in zip(*results, strict=True):
        largest = expected.abs().max()
        assert largest > 0
        assert torch.allclose(expected, actual, rtol=0, atol=float(largest) * 1e-12)


def test_tensorflow_functions_compute_the_same(sides: Sides) -> None:
    import tensorflow as tf

    before, after = sides("tf_nn")
    for weight in ("KERNEL", "DEPTHWISE", "POINTWISE"):  # drawn anew by each import
        setattr(after, weight, getattr(before, weight))
    random = np.random.default_rng(0)
    image = tf.constant(random.normal(size=(1, 64, 65, 3)), tf.float32)
    for argument, function in (
        (image, "net"),
        (tf.constant(random.normal(size=(2, 17, 3)), tf.float32), "sequence"),
        (tf.constant(random.normal(size=(1, 5, 6, 7, 1)), tf.float32), "volume"),
    ):
        expected = np.asarray(getattr(before, function)(argument))
        actual = np.asarray(getattr(after, function)(argument))
        assert expected.shape == actual.shape
        assert np.abs(expected - actual).max() <= 1e-5 * np.abs(expected).max()
