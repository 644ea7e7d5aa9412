"""Wraps the functions of a framework. Runs in the child process."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.record.recorder import FAMILIES, Recorder
from padlint.record.tensors import tensors

_POINTWISE = (
    *(
        "relu",
        "relu6",
        "leaky_relu",
        "elu",
        "selu",
        "celu",
        "gelu",
        "silu",
        "swish",
        "sigmoid",
        "tanh",
        "softplus",
    ),
    *("hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "log_sigmoid", "soft_sign", "mish", "bias_add"),
)
"""Functions that make each element of what stands at its position."""


def _wrapped(recorder: Recorder, function: Callable[..., Any], operator: Operator) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with recorder.inside() as outermost:
            made = function(*args, **kwargs)
        if outermost:
            recorder.function(operator, args, _scoped(recorder, function, operator) | kwargs, made)
        return made

    return wrapped


def _scoped(recorder: Recorder, function: Callable[..., Any], operator: Operator) -> dict[str, Any]:
    """What slim's arg_scope gives a function besides."""
    scopes = sys.modules.get("tf_slim.ops.arg_scope") if operator.framework == "slim" else None
    if scopes is None:
        return {}
    with recorder.guarded(operator.name):
        return dict(scopes.current_arg_scope().get(scopes.arg_scope_func_key(function), {}))
    return {}


def wrap_functions(recorder: Recorder, module: Any, path: str) -> None:
    """Wrap the functions of a module that the catalogue knows as operators that pad."""
    for name in dir(module):
        operator = catalogue.lookup(f"{path}.{name}")
        if operator is None or operator.kind is not Kind.FUNCTION or operator.family not in FAMILIES:
            continue
        function = getattr(module, name, None)
        if callable(function) and not inspect.isclass(function):
            setattr(module, name, _wrapped(recorder, function, operator))


def follow_functions(recorder: Recorder, module: Any) -> None:
    """Wrap functions that make a tensor of another; one with two names stays one."""
    wrapped: dict[int, Any] = {}
    for name in _POINTWISE:
        function = getattr(module, name, None)
        if callable(function) and not inspect.isclass(function):
            setattr(module, name, wrapped.setdefault(id(function), _following(recorder, function)))


def _following(recorder: Recorder, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        made = function(*args, **kwargs)
        with recorder.guarded(function.__name__):
            recorder.reach.pointwise(tensors((args, kwargs)), tensors(made))
        return made

    return wrapped
