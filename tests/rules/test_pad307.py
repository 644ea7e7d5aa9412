from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD307"


def model(
    layer: str, shape: str = "(None, None, 3)", backend: str = 'os.environ["KERAS_BACKEND"] = "torch"'
) -> str:
    return f"""
import os

{backend}

import keras
from keras import Input, Model, layers

image = Input(shape={shape})
x = layers.ReLU()(image)
model = Model(image, {layer}(x))
"""


CONV = "layers.Conv2D(8, 3, strides=2, padding='same')"

SILENT = {
    "a size": model(CONV, "(224, 224, 3)"),
    "an unknown size": model(CONV, "shape"),
    "TensorFlow": model(CONV, backend='os.environ["KERAS_BACKEND"] = "tensorflow"'),
    "no word about the backend": model(CONV, backend=""),
    "a comment about the backend": model(CONV, backend='# os.environ["KERAS_BACKEND"] = "torch"'),
    "stride 1": model("layers.Conv2D(8, 3, padding='same')"),
    "the same pads at every size": model("layers.Conv2D(8, 4, strides=2, padding='same')"),
    "valid": model("layers.Conv2D(8, 3, strides=2)"),
    "a stride along the axis that is known": model(
        "layers.Conv2D(8, 3, strides=(1, 2), padding='same')", "(None, 224, 3)"
    ),
    "kernel 1": model("layers.Conv2D(8, 1, strides=2, padding='same')"),
    "a pool of its stride": model("layers.MaxPooling2D(2, padding='same')"),
    "transposed": model("layers.Conv2DTranspose(8, 3, strides=2, padding='same')"),
    "a parameter": """
        import os
        os.environ["KERAS_BACKEND"] = "torch"
        from keras import layers

        def block(x):
            return layers.Conv2D(8, 3, strides=2, padding="same")(x)
        """,
}

REPORTED = {
    "a convolution": (
        model(CONV),
        "layers.Conv2D pads by the input size (even: (0, 1), odd: (1, 1)), which is None",
        "Keras on torch exports it with the pads of size 1, (1, 1), for all sizes",
    ),
    "one axis": (
        model("layers.Conv2D(8, (3, 4), strides=2, padding='same')", "(None, 224, 3)"),
        "height (1, 1); width (1, 2)",
    ),
    "depthwise": (model("layers.DepthwiseConv2D(5, strides=2, padding='same')"), "of size 1, (2, 2)"),
    "separable": (model("layers.SeparableConv2D(8, 3, strides=2, padding='same')"), "of size 1, (1, 1)"),
    "a pool": (
        model("layers.MaxPooling2D(3, 2, padding='same')"),
        "fails to export from Keras on torch while a size is None",
    ),
    "setdefault": (
        model(CONV, backend='os.environ.setdefault("KERAS_BACKEND", "torch")').replace(
            "setdefault(", "setdefault("
        ),
        "Keras on torch",
    ),
    "a configuration call": (
        model(CONV, backend="import keras\nkeras.config.set_backend('torch')"),
        "Keras on torch",
    ),
    "behind layers that keep a size open": (
        """
        import os
        os.environ["KERAS_BACKEND"] = "torch"
        from keras import Input, layers

        x = Input((None, None, 3))
        x = layers.Conv2D(8, 3)(x)
        x = layers.BatchNormalization()(x)
        x = layers.Conv2D(8, 3, strides=2, padding="same")(x)
        """,
        "Keras on torch",
    ),
    "a Sequential": (
        """
        import os
        os.environ["KERAS_BACKEND"] = "torch"
        from keras import Input, Sequential, layers

        model = Sequential([Input((None, None, 3)), layers.Conv2D(8, 3, strides=2, padding="same")])
        """,
        "Keras on torch",
    ),
}

NOT_FIXED = {"any": (model(CONV), "which sizes are meant is not in the file")}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_a_promise_changes_nothing_about_the_declared_input() -> None:
    assert only_finding(CODE, model(CONV), {"input_size": (224,)})
    assert only_finding(CODE, model(CONV), {"input_multiple": 32})


EXPORT = """
import numpy as np
import onnxruntime

model.predict(np.zeros((1, 8, 8, 3), "float32"), verbose=0)
model.export({path!r}, format="onnx", verbose=False)
session = onnxruntime.InferenceSession({path!r}, providers=["CPUExecutionProvider"])
same = []
for size in (15, 16):
    image = np.random.default_rng(0).normal(size=(1, size, size, 3)).astype("float32")
    expected = model.predict(image, verbose=0)
    actual = session.run(None, {{session.get_inputs()[0].name: image}})[0]
    same.append(expected.shape == actual.shape and np.allclose(expected, actual, atol=1e-4))
print(*same)
"""


@pytest.mark.parametrize(
    ("layer", "same"),
    [(CONV, "True False"), ("layers.Conv2D(8, 4, strides=2, padding='same')", "True True")],
    ids=["reported", "silent"],
)
def test_what_an_export_computes(layer: str, same: str, tmp_path: Path) -> None:
    for package in ("keras", "torch", "onnx", "onnxruntime", "onnxscript"):
        pytest.importorskip(package)
    script = model(layer) + EXPORT.format(path=str(tmp_path / "model.onnx"))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.splitlines()[-1] == same
