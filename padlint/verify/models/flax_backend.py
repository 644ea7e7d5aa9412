"""Flax modules, of linen and of nnx. Imported in child processes only."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from flax import nnx, traverse_util

from padlint.verify.models.inputs import Array
from padlint.verify.models.model import Run, Tracer, Weight, arguments, cotangent, leaves, plain, real
from padlint.verify.models.request import Case

_TRAIN_FLAGS = {"train": True, "training": True, "is_training": True, "deterministic": False}
"""Arguments by which a module is told that it trains, and what says so."""

Values = dict[str, Any]
Pure = Callable[[Values, Mapping[str, Any]], tuple[Any, Values]]
"""A module as a function of its state and its inputs, giving the output and the new state."""


class _FlaxModel:
    """What both kinds of modules share: they are functions of a state that is a flat dictionary."""

    framework = "flax"
    first_axis = 1
    modes: tuple[bool, ...] = (False, True)

    def __init__(self, keywords: Mapping[str, Any], dtype: str, seed: int, call: Callable[..., Any]) -> None:
        self._keywords = keywords
        self._dtype = dtype
        self._seed = seed
        self._flags = [name for name in inspect.signature(call).parameters if name in _TRAIN_FLAGS]
        self._state: Values = {}

    def free(self, inputs: int) -> list[list[int]]:
        """Nothing says so."""
        return [[] for _ in range(inputs)]

    def weights(self) -> Sequence[Weight]:
        """All leaves of the tree."""
        return [
            Weight(k, k, tuple(v.shape), self._is_trained(k), self._owner(k)) for k, v in self._state.items()
        ]

    def state(self) -> dict[str, Array]:
        """Their values."""
        return {name: np.asarray(value) for name, value in self._state.items()}

    def load(self, state: Mapping[str, Array]) -> None:
        """Set all leaves."""
        self._state = {name: jnp.asarray(state[name], value.dtype) for name, value in self._state.items()}

    def run(self, inputs: Mapping[str, Array], case: Case, tracer: Tracer | None = None) -> Run:
        """Outputs and gradients."""
        function = self._pure(case.training, tracer)
        tensors = self._tensors(inputs)
        output, state = function(self._state, tensors)
        found = list(leaves(output, _is_tensor))
        outputs = {p: real(np.asarray(t)) if _is_tensor(t) else plain(t) for p, t in found}
        gradients = self._gradients(function, tensors) if case.gradients else {}
        after = {name: np.asarray(value) for name, value in state.items()}
        return Run(outputs, gradients, after)

    def _gradients(self, function: Pure, tensors: Mapping[str, Any]) -> dict[str, Array]:
        trained = {name: value for name, value in self._state.items() if self._is_trained(name)}
        floating = {
            name: tensor for name, tensor in tensors.items() if jnp.issubdtype(tensor.dtype, jnp.floating)
        }

        def total(values: Values, moving: Values) -> Any:
            output, _ = function(self._state | values, {**tensors, **moving})
            return sum(
                (t * jnp.asarray(cotangent(path, tuple(t.shape)), t.dtype)).sum()
                for path, t in leaves(output, _is_tensor)
                if _is_tensor(t) and jnp.issubdtype(t.dtype, jnp.floating)
            )

        by_weight, by_input = jax.grad(total, argnums=(0, 1))(trained, floating)
        named = {f"input {name}": value for name, value in by_input.items()} | by_weight
        return {name: np.asarray(value) for name, value in named.items()}

    def _tensors(self, inputs: Mapping[str, Array]) -> Values:
        return {
            name: jnp.asarray(array, self._dtype if array.dtype == "float64" else None)
            for name, array in inputs.items()
        }

    def _arguments(self, tensors: Mapping[str, Any], training: bool) -> tuple[tuple[Any, ...], Values]:
        flags = {name: _TRAIN_FLAGS[name] is training for name in self._flags}
        return arguments(tensors, flags | dict(self._keywords))

    def _cast(self, state: Mapping[str, Any]) -> Values:
        return {
            name: jnp.asarray(value, self._dtype) if jnp.issubdtype(value.dtype, jnp.floating) else value
            for name, value in state.items()
        }

    def _is_trained(self, name: str) -> bool:
        raise NotImplementedError

    def _owner(self, name: str) -> tuple[str, str]:
        layer, _, leaf = name.rpartition("/")
        return layer, leaf

    def _pure(self, training: bool, tracer: Tracer | None) -> Pure:
        raise NotImplementedError


class LinenModel(_FlaxModel):
    """A module of `flax.linen`. Implements `Model`."""

    def __init__(self, module: Any, keywords: Mapping[str, Any], dtype: str, seed: int) -> None:
        super().__init__(keywords, dtype, seed, type(module).__call__)
        self._module = module
        self._keys = {name: jax.random.PRNGKey(seed) for name in ("params", "dropout")}

    def prepare(self, inputs: Mapping[str, Array]) -> None:
        """Create the variables."""
        positional, named = self._arguments(self._tensors(inputs), training=False)
        variables = self._module.init(self._keys, *positional, **named)
        self._state = self._cast(traverse_util.flatten_dict(variables, sep="/"))

    def _is_trained(self, name: str) -> bool:
        return name.startswith("params/")

    def _owner(self, name: str) -> tuple[str, str]:
        return super()._owner(name.partition("/")[2])

    def _pure(self, training: bool, tracer: Tracer | None) -> Pure:
        def function(state: Values, tensors: Mapping[str, Any]) -> tuple[Any, Values]:
            variables = traverse_util.unflatten_dict(state, sep="/")
            positional, named = self._arguments(tensors, training)
            mutable = [name for name in variables if name != "params"] if training else False
            with nn.intercept_methods(_linen_viewer(tracer)) if tracer else nullcontext():
                found = self._module.apply(
                    variables, *positional, **named, rngs={"dropout": self._keys["dropout"]}, mutable=mutable
                )
            output, changed = found if training else (found, {})
            return output, state | traverse_util.flatten_dict(changed, sep="/")

        return function


def _linen_viewer(tracer: Tracer) -> Callable[..., Any]:
    def intercept(function: Any, given: tuple[Any, ...], named: Values, context: Any) -> Any:
        if context.method_name != "__call__":
            return function(*given, **named)
        return _viewed(tracer, "/".join(context.module.path), context.module, function, given, named)

    return intercept


def _viewed(
    tracer: Tracer, name: str, layer: Any, function: Any, given: tuple[Any, ...], named: Values
) -> Any:
    """Call a layer under the eyes of a tracer."""
    array = np.asarray(given[0]) if given and _is_tensor(given[0]) else None
    if (moved := tracer.enter(name, layer, array)) is not None:
        given = (jnp.asarray(moved), *given[1:])
    output = function(*given, **named)
    if _is_tensor(output):
        tracer.see(name, type(layer).__name__, np.asarray(output))
    return output


class NnxModel(_FlaxModel):
    """A module of `flax.nnx`. Implements `Model`."""

    def __init__(self, module: Any, keywords: Mapping[str, Any], dtype: str, seed: int) -> None:
        super().__init__(keywords, dtype, seed, type(module).__call__)
        self._graph, everything = nnx.split(module)
        self._variables = {
            "/".join(map(str, path)): variable for path, variable in nnx.to_flat_state(everything)
        }
        self._paths = [path for path, _ in nnx.to_flat_state(everything)]
        numbers = {
            n: jnp.asarray(v.get_value())
            for n, v in self._variables.items()
            if not isinstance(v, nnx.RngState)
        }
        self._state = self._cast(numbers)

    def prepare(self, inputs: Mapping[str, Array]) -> None:
        """The variables are there already."""

    def _is_trained(self, name: str) -> bool:
        return isinstance(self._variables[name], nnx.Param)

    def _pure(self, training: bool, tracer: Tracer | None) -> Pure:
        def function(state: Values, tensors: Mapping[str, Any]) -> tuple[Any, Values]:
            filled = [
                (
                    path,
                    v.replace(state[name] if name in state else v.get_value()),
                )  # copies, since a run changes them
                for path, (name, v) in zip(self._paths, self._variables.items(), strict=True)
            ]
            module = nnx.merge(self._graph, nnx.from_flat_state(filled))
            if training:
                module.train()
            else:
                module.eval()
            positional, named = self._arguments(tensors, training)
            with _nnx_traced(module, tracer):
                output = module(*positional, **named)
            after = {"/".join(map(str, p)): v for p, v in nnx.to_flat_state(nnx.state(module))}
            return output, {name: after[name].get_value() for name in state}

        return function


@contextmanager
def _nnx_traced(module: Any, tracer: Tracer | None) -> Iterator[None]:
    """Every layer's call is seen: its class calls it through the tracer."""
    layers = (
        {id(layer): "/".join(map(str, path)) for path, layer in nnx.iter_modules(module)} if tracer else {}
    )
    classes = {type(layer) for _, layer in nnx.iter_modules(module)} if tracer else set()
    originals = {cls: cls.__call__ for cls in classes if "__call__" in vars(cls)}

    def seen(original: Any) -> Callable[..., Any]:
        def call(layer: Any, *given: Any, **named: Any) -> Any:
            function = partial(original, layer)
            if tracer is None or id(layer) not in layers:
                return function(*given, **named)
            return _viewed(tracer, layers[id(layer)], layer, function, given, named)

        return call

    for cls, original in originals.items():
        cls.__call__ = seen(original)
    try:
        yield
    finally:
        for cls, original in originals.items():
            cls.__call__ = original


def _is_tensor(value: object) -> bool:
    return isinstance(value, jax.Array)
