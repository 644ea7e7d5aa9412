"""Builds the same models from two sources and compares them: `python -m tests.rewrites.in_keras OLD NEW`.

A process of its own, since Keras has one backend per process. `--tf-keras` runs Keras 2 instead.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

if "--tf-keras" in sys.argv:
    import tf_keras as keras
else:
    import keras  # type: ignore[no-redef]

LINES = ((3, 2, 1), (5, 2, 1), (4, 2, 1), (2, 4, 1), (3, 5, 1), (1, 2, 1), (7, 3, 1), (4, 1, 2))
"""Kernel, stride and dilation of the models on lines, which run at every size from 1 to 12 or 40."""
IMAGES = ((3, 2, 1), (2, 3, 1), (4, 1, 1))
SIZES = {2: ((1, 2), (5, 8), (6, 9), (7, 7), (12, 10)), 3: ((1, 2, 3), (4, 5, 6), (7, 6, 5))}


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(output: Any) -> Any:
    return output.numpy() if hasattr(output, "numpy") and not hasattr(output, "detach") else convert(output)


def convert(output: Any) -> Any:
    return np.asarray(output) if "tf_keras" in sys.modules else keras.ops.convert_to_numpy(output)


def compare(old: Any, new: Any, name: str, shapes: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal((2, *shape)) - 1 for shape in shapes]
    if not old.built:
        old(inputs[0]), new(inputs[0])
    assert [tuple(w.shape) for w in old.weights] == [tuple(w.shape) for w in new.weights]
    new.set_weights(old.get_weights())
    if hasattr(old, "output_shape") and old.inputs:
        assert tuple(old.output_shape) == tuple(new.output_shape), name
    for image in inputs:
        before, after = numbers(old(image)), numbers(new(image))
        assert before.dtype == after.dtype == np.float64
        assert before.shape == after.shape, (name, image.shape, before.shape, after.shape)
        assert np.abs(before - after).max(initial=0.0) <= 1e-13, (name, image.shape)
    predicted = new.predict(inputs[-1], verbose=0)  # compiled
    assert np.abs(numbers(old(inputs[-1])) - predicted).max() <= 1e-13, name


def reload(new: Any, name: str, shape: tuple[int, ...]) -> None:
    """Saved and loaded twice, the definition is found by its registered name."""
    image = np.random.default_rng(1).standard_normal((1, *shape))
    with tempfile.TemporaryDirectory() as folder:
        model = new
        for _ in range(2):
            model.save(f"{folder}/m.keras")
            model = keras.models.load_model(f"{folder}/m.keras")
        assert np.array_equal(numbers(new(image)), numbers(model(image))), name


def main() -> None:
    config = keras.backend if "tf_keras" in sys.modules else keras.config
    config.set_floatx("float64")
    if "tf_keras" not in sys.modules:
        config.set_dtype_policy("float64")
    old, new = (load(path) for path in sys.argv[1:3])
    for rank, makers in old.MODELS.items():
        for maker, (k, s, d) in itertools.product(makers, LINES if rank == 1 else IMAGES):
            name = maker.__name__
            if name.startswith("pool") and (k, s, d) != LINES[0]:
                continue  # its numbers are its own
            if name == "channels_first" and keras.backend.backend() == "tensorflow":
                continue  # which has no such kernels for float64 on a CPU
            lines = range(1, 41 if (k, s, d) == LINES[0] else 13)
            shapes = [(n,) for n in lines] if rank == 1 else list(SIZES[rank])
            last = name != "channels_first"
            channels = 1 if rank == 3 else 2
            shapes = [(*shape, channels) if last else (channels, *shape) for shape in shapes]
            models = (maker(k, s, d), getattr(new, name)(k, s, d))
            compare(*models, f"{name} {k, s, d}", shapes)
            if (k, s) == (3, 2) and name != "attribute":
                reload(models[1], name, shapes[-1])
    print("equal", flush=True)


if __name__ == "__main__":
    main()
