"""From what the user's callable is, or returns, to a `Model`. Runs in the child process."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from padlint.verify.models.model import Model
from padlint.verify.models.project import UserError
from padlint.verify.models.request import Request

_ARRAYS = ("torch", "tensorflow", "jax", "numpy")


def wrap(found: Any, module: ModuleType, request: Request, dtype: str) -> Any:
    """The model of what was named: a model, a class or function that makes one, or a function of arrays."""
    if not _is_model(found):
        if not callable(found):
            raise UserError(f"{request_name(found)} is neither a model nor a function")
        if inspect.isclass(found) or not _takes_arrays(found, request.kwargs):
            made = found(**request.kwargs)
            if not _is_model(made) and not (callable(made) and not inspect.isclass(made)):
                raise UserError(f"it returns {request_name(made)}, which is neither a model nor a function")
            found = made
        elif request.kwargs:
            return _function(found, module, {**request.kwargs, **request.call_kwargs}, dtype, request.seed)
    return _model(found, module, request, dtype)


def request_name(value: object) -> str:
    """What a value is, for a message."""
    return "None" if value is None else f"an object of class {type(value).__qualname__}"


def _model(found: Any, module: ModuleType, request: Request, dtype: str) -> Model:
    keywords, seed = request.call_kwargs, request.seed
    for name in ("keras", "tf_keras"):
        keras = sys.modules.get(name)
        if keras is not None and isinstance(found, keras.layers.Layer):
            from padlint.verify.models.keras_backend import KerasModel

            return KerasModel(found, keras, keywords, dtype, seed)
    if _is_a(found, "flax.linen", "Module"):
        from padlint.verify.models.flax_backend import LinenModel

        return LinenModel(found, keywords, dtype, seed)
    if _is_a(found, "flax.nnx", "Module"):
        from padlint.verify.models.flax_backend import NnxModel

        return NnxModel(found, keywords, dtype, seed)
    if _is_a(found, "torch.nn", "Module"):
        from padlint.verify.models.torch_backend import TorchModel

        return TorchModel(found, keywords, dtype, seed)
    return _function(found, module, keywords, dtype, seed)


def _function(
    function: Callable[..., Any], module: ModuleType, keywords: Mapping[str, Any], dtype: str, seed: int
) -> Model:
    framework = _framework(function, module)
    if framework == "torch":
        from padlint.verify.models.torch_backend import TorchModel

        return TorchModel(function, keywords, dtype, seed)
    from padlint.verify.models.function_backend import FunctionModel

    return FunctionModel(function, framework, keywords, dtype, seed)


def _framework(function: Callable[..., Any], module: ModuleType) -> str:
    """Whose arrays a function takes: those of the framework that its module uses."""
    names = getattr(inspect.unwrap(function), "__globals__", vars(module))
    used = set()
    for value in names.values():
        origin = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        root = str(origin).partition(".")[0]
        used.add("tensorflow" if root in ("keras", "tf_keras") else "jax" if root == "flax" else root)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and not tensorflow.executing_eagerly():
        used.discard("tensorflow")  # a function that runs a graph of TF 1 feeds it arrays of NumPy
    return next((name for name in _ARRAYS if name in used), "numpy")


def _takes_arrays(function: Callable[..., Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a function must be given something besides `kwargs`: then that is the arrays."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return any(
        parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and name not in kwargs
        for name, parameter in parameters.items()
    )


def _is_model(value: object) -> bool:
    keras = (("keras", "Layer"), ("tf_keras.layers", "Layer"))
    kinds = (("torch.nn", "Module"), ("flax.linen", "Module"), ("flax.nnx", "Module"), *keras)
    return any(_is_a(value, module, name) for module, name in kinds)


def _is_a(value: object, module: str, name: str) -> bool:
    """Whether a value is an instance of a class, where the module was imported at all."""
    cls = getattr(sys.modules.get(module), name, None)
    return inspect.isclass(cls) and isinstance(value, cls)
