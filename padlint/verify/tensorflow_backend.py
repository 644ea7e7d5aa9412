"""Keras and TensorFlow for the proof. Imported in the TensorFlow worker only."""

from __future__ import annotations

import operator as operators
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from padlint.catalogue.model import Operator
from padlint.verify.backend import Array, Forward, Function, Run, free_name
from padlint.verify.values import Unsupported

_EAGER = "eager"
_COMPILED = "compiled"


class TensorflowBackend:
    """Implements `Backend`.

    TensorFlow's CPU kernels lack some of what its compiler can do (channels first, gradients of grouped and
    dilated convolutions), so that compiling is the second mode.
    """

    frameworks = frozenset({"keras", "tf"})
    channels_first = False
    modes: tuple[str, ...] = (_EAGER, _COMPILED)

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        keras.config.set_image_data_format("channels_last")
        self._dtype = "float64"

    def start(self, dtype: str) -> None:
        """Build and run in `dtype` from now on."""
        self._dtype = dtype
        keras.config.set_floatx(dtype)
        keras.config.set_dtype_policy(dtype)

    def find(self, path: str) -> Any:
        """The object of a public dotted path."""
        root, _, rest = path.partition(".")
        return operators.attrgetter(rest)(keras if root == "keras" else tf)

    def resolve(self, operator: Operator) -> Callable[..., Any]:
        """The framework's object of that name."""
        found: Callable[..., Any] = self.find(operator.name)
        return found

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""
        return bool(tf.is_tensor(value))

    def is_layer(self, value: object) -> bool:
        """True for layers."""
        return isinstance(value, keras.Layer)

    def tensor(self, array: Array) -> Any:
        """A constant."""
        return tf.constant(array, dtype=self._dtype)

    def weight(self, array: Array) -> Any:
        """A variable; never part of a graph that is being traced."""
        with tf.init_scope():
            return tf.Variable(array, dtype=self._dtype)

    def sequential(self, operator: Operator, layers: list[Any] | dict[str, Any]) -> Any:
        """A container that calls `layers` in turn."""
        if isinstance(layers, dict):
            raise Unsupported("keras.Sequential takes a list")
        return keras.Sequential(layers)

    def subclass(self, operator: Operator, forward: Forward) -> Callable[..., Any]:
        """Only PyTorch needs this."""
        raise Unsupported("a class derived from a Keras layer cannot be run here")

    def padded(self, module: Any, tensor: Any) -> Any:
        """Only PyTorch needs this."""
        raise NotImplementedError

    def parameters(self, layer: Any) -> Mapping[str, Any]:
        """Weights of a layer in the order of `get_weights`, called by the classes and names on their path."""
        found: dict[str, Any] = {}
        if isinstance(layer, keras.Sequential):
            for inner in layer.layers:
                for name, weight in self.parameters(inner).items():
                    found[free_name(f"{type(inner).__name__}.{name}", found)] = weight
        else:
            for weight in layer.weights:
                found[free_name(weight.name, found)] = weight.value
        return found

    def shape(self, weight: Any) -> tuple[int, ...]:
        """Shape of a weight."""
        return tuple(weight.shape)

    def assign(self, weight: Any, array: Array) -> None:
        """Set a weight."""
        weight.assign(tf.constant(array, dtype=weight.dtype))

    def build(self, function: Function, array: Array) -> Mapping[str, Any]:
        """Trace the program, which creates the weights without running a kernel."""
        weights: dict[str, Any] = {}

        def traced(tensor: Any) -> Any:
            evaluation = function(tensor)
            weights.update(evaluation.weights)
            return evaluation.output

        tf.function(traced, autograph=False).get_concrete_function(tf.TensorSpec(array.shape, self._dtype))
        return weights

    def run(
        self, function: Function, array: Array, cotangent: Callable[[tuple[int, ...]], Array], mode: str
    ) -> Run:
        """Output and gradients."""
        names: list[str] = []

        def differentiated(tensor: Any) -> tuple[Any, list[Any]]:
            with tf.GradientTape() as tape:
                tape.watch(tensor)
                evaluation = function(tensor)
            names[:] = ["input", *(name for name, weight in evaluation.weights.items() if weight.trainable)]
            weights = [tensor, *(evaluation.weights[name] for name in names[1:])]
            direction = self.tensor(cotangent(tuple(evaluation.output.shape)))
            zero = tf.UnconnectedGradients.ZERO
            return evaluation.output, tape.gradient(
                evaluation.output, weights, output_gradients=direction, unconnected_gradients=zero
            )

        compiled = mode == _COMPILED
        run = tf.function(differentiated, autograph=False, jit_compile=True) if compiled else differentiated
        output, gradients = run(self.tensor(array))
        return Run(np.asarray(output), {n: np.asarray(g) for n, g in zip(names, gradients, strict=True)})
