"""The tensors and gradients of the three backends of Keras."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from padlint.verify.models.inputs import Array
from padlint.verify.models.model import cotangent

Call = Callable[[Mapping[str, Any]], Sequence[tuple[str, Any]]]
"""A model as a function of its input tensors, giving its outputs with their paths."""


class Engine(Protocol):
    """One backend."""

    def tensor(self, array: Array) -> Any:
        """A constant."""

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""

    def array(self, value: Any) -> Array:
        """The values of a tensor or variable."""

    def differentiate(self, call: Call, tensors: Mapping[str, Any], variables: Sequence[Any]) -> list[Array]:
        """Gradients of the sum of all outputs times their cotangents, for floating inputs and variables."""


def engine(keras: Any) -> Engine:
    """The engine of an imported Keras; tf_keras has one only."""
    name = keras.backend.backend() if hasattr(keras.backend, "backend") else "tensorflow"
    if name == "torch":
        return _Torch()
    return Jax() if name == "jax" else TensorFlow()


class TensorFlow:
    """TensorFlow."""

    def __init__(self) -> None:
        self._tf = import_module("tensorflow")

    def tensor(self, array: Array) -> Any:
        """A constant."""
        return self._tf.constant(array)

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""
        return bool(self._tf.is_tensor(value))

    def array(self, value: Any) -> Array:
        """The values of a tensor or variable."""
        inner = value if self.is_tensor(value) else getattr(value, "value", value)
        return np.asarray(inner() if callable(inner) else inner)

    def differentiate(self, call: Call, tensors: Mapping[str, Any], variables: Sequence[Any]) -> list[Array]:
        """Gradients by a tape."""
        tf = self._tf
        inputs = [tensor for tensor in tensors.values() if tensor.dtype.is_floating]
        sources = [*inputs, *(getattr(variable, "value", variable) for variable in variables)]
        sources = [source() if callable(source) else source for source in sources]
        with tf.GradientTape() as tape:
            for tensor in inputs:
                tape.watch(tensor)
            outputs = [(p, t) for p, t in call(tensors) if tf.is_tensor(t) and t.dtype.is_floating]
        found = tape.gradient(
            [tensor for _, tensor in outputs],
            sources,
            [tf.constant(cotangent(path, tuple(t.shape)), t.dtype) for path, t in outputs],
            unconnected_gradients=tf.UnconnectedGradients.ZERO,
        )
        # A tape that recorded nothing gives None for unconnected sources in spite of what is asked for.
        pairs = zip(found, sources, strict=True)
        return [np.zeros(s.shape) if g is None else np.asarray(tf.convert_to_tensor(g)) for g, s in pairs]


class _Torch:
    """PyTorch."""

    def __init__(self) -> None:
        self._torch = import_module("torch")

    def tensor(self, array: Array) -> Any:
        """A constant."""
        return self._torch.as_tensor(array)

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""
        return bool(self._torch.is_tensor(value))

    def array(self, value: Any) -> Array:
        array: Array = getattr(value, "value", value).detach().cpu().numpy()
        return array

    def differentiate(self, call: Call, tensors: Mapping[str, Any], variables: Sequence[Any]) -> list[Array]:
        torch = self._torch
        inputs = {
            name: tensor.clone().requires_grad_(tensor.is_floating_point())
            for name, tensor in tensors.items()
        }
        outputs = [(p, t) for p, t in call(inputs) if torch.is_tensor(t) and t.requires_grad]
        sources = [t for t in inputs.values() if t.requires_grad] + [v.value for v in variables]
        found = torch.autograd.grad(
            [tensor for _, tensor in outputs],
            sources,
            [torch.as_tensor(cotangent(path, tuple(t.shape))).to(t.dtype) for path, t in outputs],
            allow_unused=True,
        )
        pairs = zip(found, sources, strict=True)
        return [(torch.zeros_like(s) if g is None else g).detach().numpy() for g, s in pairs]


class Jax:
    """JAX. Keras hands it the variables through a scope."""

    def __init__(self) -> None:
        self._jax = import_module("jax")

    def tensor(self, array: Array) -> Any:
        """A constant."""
        return self._jax.numpy.asarray(array)

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""
        return isinstance(value, self._jax.Array)

    def array(self, value: Any) -> Array:
        """The values of a tensor or variable."""
        return np.asarray(getattr(value, "value", value))

    def differentiate(self, call: Call, tensors: Mapping[str, Any], variables: Sequence[Any]) -> list[Array]:
        """Gradients by a transformation."""
        jax, numpy = self._jax, self._jax.numpy
        floating = {n: t for n, t in tensors.items() if numpy.issubdtype(t.dtype, numpy.floating)}
        if not floating and not variables:
            call(tensors)
            return []

        def total(inputs: Mapping[str, Any], values: Sequence[Any]) -> Any:
            with self._scope(variables, values):
                outputs = call({**tensors, **inputs})
            products = [
                (t * numpy.asarray(cotangent(path, tuple(t.shape)), t.dtype)).sum()
                for path, t in outputs
                if self.is_tensor(t) and numpy.issubdtype(t.dtype, numpy.floating)
            ]
            return sum(products)

        values = [variable.value for variable in variables]
        by_input, by_variable = jax.grad(total, argnums=(0, 1))(floating, values)
        call(tensors)  # once more, for the outputs and the state that the tracers do not leave behind
        return [np.asarray(gradient) for gradient in (*by_input.values(), *by_variable)]

    def _scope(self, variables: Sequence[Any], values: Sequence[Any]) -> AbstractContextManager[Any]:
        if not variables:
            return nullcontext()
        scope: AbstractContextManager[Any] = import_module("keras").StatelessScope(
            state_mapping=list(zip(variables, values, strict=True))
        )
        return scope


class NumPy:
    """NumPy, which knows no gradients."""

    def tensor(self, array: Array) -> Any:
        """The array itself; a copy, since a function may write into it."""
        return array.copy()

    def is_tensor(self, value: object) -> bool:
        """True for arrays."""
        return isinstance(value, np.ndarray)

    def array(self, value: Any) -> Array:
        """The values of a tensor."""
        return np.asarray(value)

    def differentiate(self, call: Call, tensors: Mapping[str, Any], variables: Sequence[Any]) -> list[Array]:
        """No gradients."""
        call(tensors)
        return []
