"""What is hooked into Keras. Runs in the child process."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from padlint.record.functions import wrap_functions
from padlint.record.recorder import Recorder, operator_of
from padlint.record.tensors import tensors

_POINTWISE = frozenset(
    (
        *("Activation", "ActivityRegularization", "AlphaDropout", "BatchNormalization", "Dropout", "ELU"),
        *("GaussianDropout", "GaussianNoise", "GroupNormalization", "Identity", "LeakyReLU", "PReLU"),
        *("ReLU", "Rescaling", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "Add"),
        *("Average", "Maximum", "Minimum", "Multiply", "Subtract"),
    )
)


def hook_keras(keras: Any, recorder: Recorder) -> None:
    """Hook into the layers, and into the operations that pad."""
    package = keras.__name__
    if hasattr(keras, "ops"):
        wrap_functions(recorder, keras.ops, f"{package}.ops")
    layer_class = keras.layers.Layer
    new = layer_class.__new__

    @functools.wraps(new)
    def made_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        layer = new(cls, *args, **kwargs)
        recorder.created(layer)
        return layer

    # Keras reads the parameters of __init__, those of a class of the user's without an own one too.
    layer_class.__new__ = staticmethod(made_new)
    layer_class.__call__ = _called(package, recorder, layer_class.__call__, f"{package}.layers")


def hook_layers_of_graphs(module: Any, recorder: Recorder) -> None:
    """Hook into the class that layers have instead in graphs of TensorFlow 1."""
    package = module.__name__.partition(".")[0]
    module.Layer.__call__ = _called(package, recorder, module.Layer.__call__, f"{package}.layers")


def hook_layers_1(layers: Any, recorder: Recorder) -> None:
    """Hook into tf.compat.v1.layers: its functions, and its layers, which are layers of Keras underneath."""
    path = "tensorflow.compat.v1.layers"
    wrap_functions(recorder, layers, path)
    layers.Layer.__call__ = _called("tf_keras", recorder, layers.Layer.__call__, path)


def _called(package: str, recorder: Recorder, call: Callable[..., Any], path: str) -> Callable[..., Any]:
    @functools.wraps(call)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        operator = operator_of(self, package, path)
        if operator is None:
            made = call(self, *args, **kwargs)
            with recorder.guarded(type(self).__name__):
                _follow_layer(recorder, self, package, (args, kwargs), made)
            return made
        with recorder.inside() as outermost:
            made = call(self, *args, **kwargs)
        if outermost and not _is_guessing(package):
            recorder.layer(self, operator, (args, kwargs), made, self.name)
        return made

    return called


def _follow_layer(recorder: Recorder, layer: Any, package: str, given: Any, made: Any) -> None:
    """Say how a layer that pads nothing made tensors of others."""
    cls = type(layer)
    name = cls.__name__ if cls.__module__.partition(".")[0] == package else ""
    reach, parts, results = recorder.reach, list(tensors(given)), list(tensors(made))
    if name in _POINTWISE:
        reach.pointwise(parts, results)
    elif name == "Concatenate" and layer.axis in (
        -1,
        len(results[0].shape) - 1,
    ):
        reach.concatenated(parts, results)
    else:
        reach.unknown(parts, results, is_whole=True)


def _is_guessing(package: str) -> bool:
    """Whether Keras finds out shapes with made-up sizes in place of open ones."""
    common = sys.modules.get(f"{package}.src.backend.common.symbolic_scope")
    if common is None or sys.modules[package].backend.backend() == "tensorflow":
        return False
    return bool(common.in_symbolic_scope())
