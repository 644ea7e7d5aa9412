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
    first = sys.modules.get(f"{package}.src.engine.base_layer_v1")  # for graphs of TensorFlow 1
    for cls in (layer_class, getattr(first, "Layer", None)):
        if cls is not None:
            cls.__call__ = _called(keras, recorder, cls.__call__)


def _called(keras: Any, recorder: Recorder, call: Callable[..., Any]) -> Callable[..., Any]:
    package = keras.__name__

    @functools.wraps(call)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        operator = operator_of(self, package, f"{package}.layers")
        if operator is None:
            made = call(self, *args, **kwargs)
            with recorder.guarded(type(self).__name__):
                _follow_layer(recorder, self, package, (args, kwargs), made)
            return made
        with recorder.inside() as outermost:
            made = call(self, *args, **kwargs)
        if outermost and not _is_guessing(keras):
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


def _is_guessing(keras: Any) -> bool:
    """Whether Keras finds out shapes with made-up sizes in place of open ones."""
    common = sys.modules.get(f"{keras.__name__}.src.backend.common.symbolic_scope")
    return common is not None and keras.backend.backend() != "tensorflow" and bool(common.in_symbolic_scope())
