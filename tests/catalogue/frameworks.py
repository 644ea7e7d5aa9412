"""The installed frameworks' own objects and signatures, to compare the catalogue with."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
from functools import cache
from typing import Any

import pytest

from padlint.catalogue.model import REQUIRED, Operator, Parameter

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

# The versions that the tables were made from; with another one, parameters added at the end are no failure.
VERSIONS = {
    "torch": "2.13",
    "keras": "3.15",
    "tensorflow": "2.21",
    "tf_keras": "2.21",
    "jax": "0.10",
    "flax": "0.12",
    "haiku": "0.0",
}
# The package that has a framework's operators.
DISTRIBUTION = {
    "torch": "torch",
    "keras": "keras",
    "tf": "tensorflow",
    "tf_layers": "tensorflow",
    "slim": "tf_slim",
    "jax": "jax",
    "flax": "flax",
    "haiku": "haiku",
}
TF_LAYERS = ("convolutional", "pooling", "core", "normalization")


def module(name: str) -> Any:
    """The module, or a skipped test if its framework is not installed."""
    return pytest.importorskip(name)


@cache
def exact(distribution: str) -> bool:
    """Whether the installed version is the one that the tables were made from."""
    found = getattr(module(distribution), "__version__", "")
    return str(found).startswith(VERSIONS.get(distribution, "") + ".") or distribution == "tf_slim"


def resolve(dotted: str) -> Any:
    """The object of a dotted path; AttributeError or ImportError if there is none."""
    parts = dotted.split(".")
    for split in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            found = getattr(found, part)
        return found
    raise ImportError(dotted)


def unwrap(found: Any) -> Any:
    """What a TensorFlow symbol is without its decorators."""
    place = getattr(found, "__module__", "") or ""
    if place.startswith(("tensorflow", "keras", "tf_keras", "tf_slim")) and not inspect.isclass(found):
        from tensorflow.python.util import tf_decorator

        return tf_decorator.unwrap(found)[1]
    return found


def canonical(operator: Operator, *, tf_keras: bool = False) -> Any:
    """The installed object that the operator describes."""
    if operator.framework == "tf_layers":
        return tf_layer(operator.short, "tf_keras.src" if tf_keras else "tensorflow.python.keras")
    if tf_keras:
        return resolve("tf_" + operator.name)
    prefix, _, rest = operator.name.partition(".")
    return resolve({"tf": "tensorflow"}.get(prefix, prefix) + "." + rest)


def tf_layer(name: str, root: str) -> Any:
    """One of `tf.layers`, as a Keras 2 has it; TensorFlow's own copy lacks batch normalisation."""
    for place in TF_LAYERS:
        try:
            return getattr(importlib.import_module(f"{root}.legacy_tf_layers.{place}"), name)
        except (ModuleNotFoundError, AttributeError):
            continue
    return tf_layer(name, "tf_keras.src")


def signature(found: Any) -> tuple[list[Parameter], bool, bool]:
    """The parameters of an installed operator, and whether it takes `*args` and `**kwargs`."""
    found = unwrap(found)
    parameters: list[Parameter] = []
    variadic = set()
    for p in inspect.signature(_described(found)).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            variadic.add(p.kind)
        else:
            default = REQUIRED if p.default is p.empty else p.default
            parameters.append(Parameter(p.name, default, p.kind is p.KEYWORD_ONLY))
    if inspect.isclass(found) and not found.__module__.startswith("torch"):
        parameters = parameters[1:]  # self
    kinds = inspect.Parameter
    return parameters, kinds.VAR_POSITIONAL in variadic, kinds.VAR_KEYWORD in variadic


def _described(found: Any) -> Any:
    """Something that `inspect.signature` can read: for torch's builtins their documentation."""
    if inspect.isclass(found) and not found.__module__.startswith("torch"):
        return found.__init__
    if inspect.isbuiltin(found) or type(found).__name__ == "builtin_function_or_method":
        return _documented(found)
    for cell in getattr(found, "__closure__", None) or ():
        # Two functions behind one name, chosen by `return_indices`.
        if getattr(cell.cell_contents, "__name__", "").endswith("_with_indices"):
            return cell.cell_contents
    return found


def _documented(found: Any) -> Any:
    line = next(line for line in found.__doc__.splitlines() if line.strip())
    text = line.partition("(")[2].rpartition(")")[0].replace("1./8", "0.125").replace("1./3", repr(1 / 3))
    scope: dict[str, Any] = {}
    ast.parse(f"def function({text}): ...")
    exec(f"def function({text}): ...", {}, scope)
    return scope["function"]
