"""Functions of the arrays of TensorFlow, JAX or NumPy. Imported in child processes only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from padlint.verify.models.inputs import Array
from padlint.verify.models.keras_engines import Engine, Jax, NumPy, TensorFlow
from padlint.verify.models.model import Run, Tracer, Weight, arguments, changed, leaves, plain, real
from padlint.verify.models.request import Case

_ENGINES: Mapping[str, Callable[[], Engine]] = {"tensorflow": TensorFlow, "jax": Jax, "numpy": NumPy}


class FunctionModel:
    """A function without weights. Implements `Model`."""

    first_axis = 1
    modes: tuple[bool, ...] = (False,)

    def __init__(
        self, function: Callable[..., Any], framework: str, keywords: Mapping[str, Any], dtype: str, seed: int
    ) -> None:
        self.framework = framework
        self._function = function
        self._keywords = keywords
        self._dtype = dtype
        self._seed = seed
        self._engine = _ENGINES[framework]()

    def prepare(self, inputs: Mapping[str, Array]) -> None:
        """Nothing to do."""

    def free(self, inputs: int) -> list[list[int]]:
        """Nothing says so."""
        return [[] for _ in range(inputs)]

    def weights(self) -> Sequence[Weight]:
        """None."""
        return []

    def state(self) -> dict[str, Array]:
        """Nothing."""
        return {}

    def load(self, state: Mapping[str, Array]) -> None:
        """Nothing to do."""

    def run(self, inputs: Mapping[str, Array], case: Case, tracer: Tracer | None = None) -> Run:
        """Outputs and gradients."""
        if self.framework == "tensorflow":
            import_module("tensorflow").random.set_seed(self._seed)
        found: list[tuple[str, Any]] = []

        def call(tensors: Mapping[str, Any]) -> list[tuple[str, Any]]:
            positional, named = arguments(tensors, self._keywords)
            found[:] = leaves(self._function(*positional, **named), self._engine.is_tensor)
            return found

        tensors = {
            name: self._engine.tensor(array.astype(self._dtype) if array.dtype == "float64" else array)
            for name, array in inputs.items()
        }
        gradients = self._engine.differentiate(call, tensors, []) if case.gradients else []
        if not case.gradients:
            call(tensors)
        labels = [f"input {name}" for name in tensors if inputs[name].dtype.kind == "f"]
        outputs = {
            path: real(self._engine.array(leaf)) if self._engine.is_tensor(leaf) else plain(leaf)
            for path, leaf in found
        }
        now = {name: array for name, array in tensors.items() if isinstance(array, np.ndarray)}
        return Run(outputs, dict(zip(labels, gradients, strict=False)), changed(inputs, now))
