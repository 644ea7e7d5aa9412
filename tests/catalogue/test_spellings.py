"""Every way to spell an operator leads to it, and nothing else does."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue.model import Family, Operator

from .frameworks import canonical, module, resolve, unwrap

OPERATORS = catalogue.operators()
BY_NAME = {operator.name: operator for operator in OPERATORS}

LOOK_ALIKES = (
    *("detectron2.layers.Conv2d", "mxnet.gluon.nn.Conv2D", "paddle.nn.Conv2D", "my.nn.Conv2d", "nn.Conv2d"),
    *("mmcv.cnn.Conv2d", "torchvision.ops.Conv2d", "torchx.nn.Conv2d", "flax.linen.Conv", "jax.lax.conv"),
    *("torch.nn.Foo", "torch.nn.conv2d", "torch.nn.functional.Conv2d", "torch.Conv2d", "torch.pad", "torch"),
    *("torch.max_pool4d", "torch.nn.Conv4d", "torch.nn.quantized.Conv2d", "torch.ao.nn.quantized.Conv2d"),
    *("torch.nn.intrinsic.ConvReLU2d", "torch.jit.nn.Conv2d", "torch.nn", "torch.nn.functional", "Conv2d"),
    *(
        "keras.Conv2D",
        "keras.layers.conv2d",
        "keras.models.Conv2D",
        "keras.layers",
        "keras.layers.ConvLSTM2D",
    ),
    *("keras_cv.layers.Conv2D", "keras.src.backend.Conv2D", "keras.losses.Conv2D", "mykeras.layers.Conv2D"),
    *("keras.layers.Conv4D", "keras.utils.Sequential", "keras.Sequential.Model", "keras.activations.Conv2D"),
    *(
        "keras.layers.DepthwiseConv3D",
        "tensorflow.layers.Conv2D",
        "tensorflow.conv2d",
        "tensorflow.nn.Conv2D",
    ),
    *("tensorflow.compat.nn.conv2d", "tensorflow.nn.pad", "tensorflow.contrib.slim.conv2d", "slim.conv2d"),
    *("tensorflow.contrib.layers.conv2d", "tensorflow.compat.v1.layers.conv2d", "tensorflow.linalg.sigmoid"),
    *("tf.nn.conv2d", "tensorflow.nn.conv2d.conv2d", "Conv2D", "self.conv2d", ""),
    *("torch.nnx.Conv2d", "torch.nn.modulesx.Conv2d", "keras.layersx.Conv2D", "xkeras.layers.Conv2D"),
    *("keras.layers.X.Conv2D", "tensorflow.nnx.conv2d", "tensorflow.compat.v3.nn.conv2d", "torch.nn..Conv2d"),
)


@pytest.mark.parametrize("dotted", LOOK_ALIKES)
def test_look_alikes_are_not_known(dotted: str) -> None:
    assert catalogue.lookup(dotted) is None


@pytest.mark.parametrize(
    ("dotted", "name"),
    [
        ("torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.conv.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.Conv2d", "torch.nn.Conv2d"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
        ("keras.layers.Convolution2D", "keras.layers.Conv2D"),
        ("keras.layers.AvgPool2D", "keras.layers.AveragePooling2D"),
        ("keras.layers.convolutional.Conv2D", "keras.layers.Conv2D"),
        ("keras.src.layers.convolutional.conv2d.Conv2D", "keras.layers.Conv2D"),
        ("keras.api.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras.api._v2.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras._tf_keras.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.compat.v1.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.python.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.python.keras.layers.convolutional.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.contrib.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tf_keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras.layers.Input", "keras.Input"),
        ("keras.Input", "keras.Input"),
        ("keras.engine.topology.Input", "keras.Input"),
        ("keras.models.Sequential", "keras.Sequential"),
        ("tensorflow.keras.Sequential", "keras.Sequential"),
        ("tensorflow.keras.activations.relu", "keras.activations.relu"),
        ("tensorflow.nn.conv2d", "tf.nn.conv2d"),
        ("tensorflow.compat.v2.nn.conv2d", "tf.nn.conv2d"),
        ("tensorflow.compat.v1.nn.conv2d", "tf.compat.v1.nn.conv2d"),
        ("tensorflow.compat.v1.nn.max_pool2d", "tf.nn.max_pool2d"),
        ("tensorflow.compat.v1.nn.relu", "tf.nn.relu"),
        ("tensorflow.sigmoid", "tf.nn.sigmoid"),
        ("tensorflow.pad", "tf.pad"),
        ("tensorflow.compat.v1.pad", "tf.compat.v1.pad"),
    ],
)
def test_lookup(dotted: str, name: str) -> None:
    found = catalogue.lookup(dotted)
    assert found is not None
    assert found.name == name


def test_keras_2_packages_give_its_signatures() -> None:
    for dotted in ("tf_keras.layers.Conv3DTranspose", "tensorflow.python.keras.layers.Conv3DTranspose"):
        found = catalogue.lookup(dotted)
        assert found is not None
        assert found == catalogue.older(BY_NAME["keras.layers.Conv3DTranspose"])
        assert found != catalogue.lookup("keras.layers.Conv3DTranspose")


def test_older_functions_are_those_of_tf_1() -> None:
    old = catalogue.older(BY_NAME["tf.nn.conv2d"])
    assert old is catalogue.lookup("tensorflow.compat.v1.nn.conv2d")
    assert old is not None
    assert old.roles["weight"] == "filter"
    assert old.aliases == {"filters": "filter"}
    assert catalogue.older(BY_NAME["tf.pad"]) is catalogue.lookup("tensorflow.compat.v1.pad")
    assert catalogue.older(old) is None
    assert catalogue.older(BY_NAME["tf.nn.relu"]) is None
    assert catalogue.older(BY_NAME["torch.nn.Conv2d"]) is None


@cache
def loaded() -> tuple[types.ModuleType, ...]:
    """Every loaded module of the frameworks, after loading the ones that users import from."""
    module("torch")
    module("tensorflow")
    for name in PUBLIC:
        importlib.import_module(name)
    packages = ("torch", "keras", "tf_keras", "tensorflow")
    return tuple(
        value
        for name, value in sorted(sys.modules.items())
        if name.partition(".")[0] in packages and isinstance(value, types.ModuleType)
    )


PUBLIC = (
    "torch.nn.functional",
    "keras.layers",
    "keras._tf_keras.keras.layers",
    "tensorflow.keras.layers",
    "tensorflow.keras.activations",
    "tensorflow.python.keras.layers",
    "tensorflow.python.keras.models",
    "tf_keras.layers",
    "tf_keras.layers.experimental.preprocessing",
)
# `tf.keras` keeps an AlphaDropout of its own for old models; Keras 2 has a second Model and
# BatchNormalization for TF 1 and a swish that is no silu.
OWN = ("AlphaDropout", "Model", "BatchNormalization", "swish")


def spelled() -> Iterator[tuple[str, Any, Operator]]:
    """Every importable dotted path that the catalogue knows, with the object there."""
    for place in loaded():
        for name, value in vars(place).items():
            dotted = f"{place.__name__}.{name}"
            operator = catalogue.lookup(dotted)
            if operator is not None:
                yield dotted, value, operator


def expected(dotted: str, operator: Operator) -> Any:
    """The object that an operator stands for in the package of the dotted path."""
    inner = operator.name.removeprefix("keras.")
    if dotted.startswith("tf_keras."):
        return resolve(f"tf_keras.src.{inner}")
    if dotted.startswith("tensorflow.python.keras."):
        return resolve(f"tensorflow.python.keras.{'layers.Input' if inner == 'Input' else inner}")
    return canonical(operator)


def test_every_importable_spelling_is_the_same_object() -> None:
    wrong, count = [], 0
    for dotted, value, operator in spelled():
        count += 1
        if dotted.rpartition(".")[2] in OWN and not dotted.startswith(("torch", "keras.src", "keras.layers")):
            continue
        if unwrap(value) is not unwrap(expected(dotted, operator)):
            wrong.append(dotted)
    assert not wrong
    assert count > 1000


@pytest.mark.parametrize(
    "prefix",
    [
        "tensorflow.keras",
        "tensorflow.compat.v1.keras",
        "tensorflow.compat.v2.keras",
        "keras._tf_keras.keras",
        "keras.src",
    ],
)
def test_other_packages_have_the_same_layers(prefix: str) -> None:
    module("tensorflow")
    for operator in OPERATORS:
        if operator.name.startswith("keras.layers.") and operator.short not in OWN:
            assert catalogue.lookup(f"{prefix}.layers.{operator.short}") is operator
            assert resolve(f"{prefix}.layers.{operator.short}") is canonical(operator)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_compat_modules(version: str) -> None:
    tensorflow = module("tensorflow")
    for place in ("nn", "math", ""):
        found = getattr(tensorflow.compat, version)
        found = getattr(found, place) if place else found
        for name in dir(found):
            operator = catalogue.lookup(".".join(filter(None, ("tensorflow.compat", version, place, name))))
            if operator is not None:
                assert unwrap(getattr(found, name)) is unwrap(canonical(operator)), (place, name)


# Modules below the frameworks that use operators without being a place to import them from.
INTERNAL = (
    *("keras.src.applications", "keras.src.distillation", "keras.src.models", "keras.src.quantizers"),
    *("keras.src.wrappers", "tensorflow._api", "tensorflow.python.ops", "torch._C", "torch.ao"),
    *(
        "torch.distributions",
        "torch.nn.quantized",
        "torch.nn.utils",
        "torch._",
        "torch.utils",
        "torch.export",
    ),
    *("torch.fx", "torch.jit", "torch.onnx", "torch.quantization", "torch.testing", "torch.distributed"),
    *("keras.src.export", "keras.src.utils", "keras.src.trainers", "keras.src.saving", "keras.src.callbacks"),
    *("keras.src.legacy", "keras.src.backend", "torch.func", "torch.nested", "torch.special", "torch.nn.qat"),
    *("torch.nn.intrinsic", "torch.nn.attention", "torch.nn.parallel"),
)


def test_no_public_module_spells_an_operator_unseen() -> None:
    known = {id(canonical(operator)): operator.name for operator in OPERATORS}
    missed = [
        f"{place.__name__}.{name}"
        for place in loaded()
        if not place.__name__.startswith(INTERNAL)
        for name, value in vars(place).items()
        if id(value) in known and name[0] != "_" and catalogue.lookup(f"{place.__name__}.{name}") is None
    ]
    assert not missed


STARS = (
    *(
        "torch",
        "torch.nn",
        "torch.nn.modules",
        "torch.nn.functional",
        "keras",
        "keras.layers",
        "keras.models",
    ),
    *("keras.activations", "keras.ops", "tensorflow", "tensorflow.keras", "tensorflow.keras.layers"),
    *("tensorflow.keras.models", "tensorflow.keras.activations", "tensorflow.nn", "tensorflow.math"),
    *("tensorflow.compat.v1", "tensorflow.compat.v1.nn", "tensorflow.compat.v1.math"),
    *(
        "tensorflow.python.keras.layers",
        "tf_keras",
        "tf_keras.layers",
        "tf_keras.models",
        "tf_keras.activations",
    ),
)


@pytest.mark.parametrize("name", STARS)
def test_star_exports(name: str) -> None:
    module("tensorflow")
    module("torch")
    found = resolve(name) if "." in name else importlib.import_module(name)
    exported = set(getattr(found, "__all__", [n for n in dir(found) if not n.startswith("_")]))
    known = {n for n in exported if catalogue.lookup(f"{name}.{n}")}
    claimed = catalogue.star_exports(name)
    assert known <= claimed
    assert {n for n in claimed if catalogue.lookup(f"{name}.{n}") is None} == set()
    if name.startswith(("torch", "keras", "tensorflow.nn")):
        assert claimed == known


def test_star_exports_of_unknown_modules_are_empty() -> None:
    for name in ("mxnet.gluon.nn", "detectron2.layers", "os", "torch.optim", "keras.losses", "tensorflow.io"):
        assert catalogue.star_exports(name) == frozenset()


def test_is_module() -> None:
    for name in (
        *STARS,
        "torch.nn.modules.conv",
        "keras.layers.convolutional",
        "tensorflow.python.keras.layers",
    ):
        assert catalogue.is_module(name), name
    for name in ("torch.nn.Conv2d", "torch.optim", "keras.layers.Conv2D", "numpy", "keras.losses", ""):
        assert not catalogue.is_module(name), name


def test_operator_names() -> None:
    names = catalogue.operator_names()
    assert {"Conv2d", "Convolution2D", "conv2d", "ZeroPad2d", "pad", "relu", "Sequential"} <= names
    padded = catalogue.operator_names(catalogue.PADDED)
    assert {"Conv2d", "Convolution2D", "AvgPool2D", "avg_pool2d", "pad", "Unfold"} <= padded
    assert not padded & {"ReLU", "Sequential", "Flatten", "Input", "Dense", "Cropping2D"}
    assert catalogue.operator_names({Family.UNFOLD}) == {"Unfold", "unfold"}


def test_prefilter_literals_are_in_every_name() -> None:
    literals = catalogue.prefilter_literals()
    assert len(literals) <= 6
    for name in catalogue.operator_names(catalogue.PADDED):
        assert any(literal in name.encode() for literal in literals), name
    assert not any(literal in b"import torch; relu(Linear(x)).softmax(load: bool)" for literal in literals)
