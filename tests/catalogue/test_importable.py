"""Every path in the installed frameworks that the catalogue knows leads to the object that it means."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue.model import Operator

from .frameworks import canonical, module, resolve, unwrap

OPERATORS = [operator for operator in catalogue.operators() if not operator.retired]


QUANTIZED = (
    *("quantized", "quantized.functional", "quantized.dynamic", "quantized.reference", "qat"),
    *("intrinsic.qat", "intrinsic.quantized"),
)


@cache
def loaded() -> tuple[types.ModuleType, ...]:
    """Every loaded module of the frameworks, after loading the ones that users import from."""
    for package in PACKAGES:
        module(package)
    for name in PUBLIC:
        importlib.import_module(name)
    return tuple(
        value
        for name, value in sorted(sys.modules.items())
        if name.partition(".")[0] in PACKAGES and isinstance(value, types.ModuleType)
    )


PACKAGES = ("torch", "keras", "tf_keras", "tensorflow", "tf_slim", "jax", "flax", "haiku")
PUBLIC = (
    *("flax.linen", "flax.nnx", "jax.image", "keras.ops", "tf_slim.layers.layers"),
    *(f"tensorflow.python.layers.{name}" for name in ("layers", "convolutional", "pooling", "core")),
    *(f"torch.ao.nn.{name}" for name in QUANTIZED),
    *(f"torch.nn.{name}" for name in QUANTIZED if "reference" not in name),
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
            if operator is not None and not isinstance(value, types.ModuleType):
                yield dotted, value, operator


def expected(dotted: str, operator: Operator) -> Any:
    """The object that an operator stands for in the package of the dotted path."""
    if operator.framework != "keras":
        return canonical(operator)
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
    assert count > 2500


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
    *("flax.linen.recurrent", "flax.nnx.nn.recurrent", "flax.nnx.helpers", "haiku._src", "jax._src"),
    *("tensorflow.compiler", "torch.ao.nn.intrinsic.modules"),
    *("keras.src.applications", "keras.src.distillation", "keras.src.models", "keras.src.quantizers"),
    *("keras.src.wrappers", "tensorflow._api", "tensorflow.python.ops", "torch._C"),
    *("torch.distributions", "torch.nn.utils", "torch._", "torch.utils", "torch.export"),
    *("torch.fx", "torch.jit", "torch.onnx", "torch.quantization", "torch.testing", "torch.distributed"),
    *("keras.src.export", "keras.src.utils", "keras.src.trainers", "keras.src.saving", "keras.src.callbacks"),
    *("keras.src.legacy", "keras.src.backend", "torch.func", "torch.nested", "torch.special"),
    *("torch.nn.attention", "torch.nn.parallel", "tf_keras.src.legacy_tf_layers"),
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
