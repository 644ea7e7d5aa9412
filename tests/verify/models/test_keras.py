"""Keras models before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.comparing import compare_texts
from tests.verify.models.local import LocalSession

pytest.importorskip("tensorflow")
pytest.importorskip("keras")

HERE = {"open_session": LocalSession}
NET = """
import keras
from keras import layers


class Twice(layers.Layer):
    def call(self, x):
        return x * 2


def build():
    image = keras.Input((12, 14, 3))
    x = layers.Conv2D(4, 3, strides=2, padding="same", use_bias=False)(image)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.Dropout(0.3)(x)
    x = layers.DepthwiseConv2D(3, strides=2, padding="same", name="deep")(x)
    return keras.Model(image, [x, layers.Dense(2)(layers.GlobalAveragePooling2D()(x))])
"""
FIXED = NET.replace(
    'strides=2, padding="same", use_bias=False)(image)',
    "strides=2, use_bias=False)(layers.ZeroPadding2D(((0, 1), (0, 1)))(image))",
)


def test_a_right_change_is_equal(tmp_path: Path) -> None:
    found = compare_texts(tmp_path, NET, FIXED, "2x12x14x3", **HERE)
    assert (found.result, found.reason, found.difference) == ("equal", None, None)
    assert found.dtypes == ["float64", "float32"]
    assert found.checks[-1] == "files of the code before load: .keras, .weights.h5"


def test_classes_that_keras_cannot_find_are_said(tmp_path: Path) -> None:
    before = NET.replace("layers.ReLU()", "Twice()")
    found = compare_texts(tmp_path, before, before, "2x12x14x3", **HERE)
    assert found.result == "equal"
    (note,) = found.notes
    assert note.startswith("not compared: .keras files, which the code before cannot load itself: ")
    registered = before.replace("class Twice", "@keras.saving.register_keras_serializable()\nclass Twice")
    found = compare_texts(tmp_path, registered, registered, "2x12x14x3", **HERE)
    assert found.checks[-1] == "files of the code before load: .keras, .weights.h5"


def test_open_sizes_come_from_the_model(tmp_path: Path) -> None:
    before = NET.replace("(12, 14, 3)", "(None, 14, 3)")
    after = FIXED.replace("(12, 14, 3)", "(None, 14, 3)")
    found = compare_texts(tmp_path, before, after, "1x12x14x3", residues=4, **HERE).difference
    assert found is not None
    assert found.shapes[0] in ((1, 13, 14, 3), (1, 15, 14, 3))


def test_layers_and_functions(tmp_path: Path) -> None:
    layer = "from keras import layers\n\n\ndef build():\n"
    layer += "    return layers.Conv1D(4, 3, strides=2, padding='same')\n"
    padded = (
        "import keras\nfrom keras import layers\n\n\nclass Padded(layers.Conv1D):\n    def call(self, x):\n"
        "        return super().call(keras.ops.pad(x, ((0, 0), (0, 1), (0, 0))))\n\n\ndef build():\n"
        "    return Padded(4, 3, strides=2)\n"
    )
    assert compare_texts(tmp_path, layer, padded, "2x8x3", **HERE).result == "equal"
    function = (
        "import tensorflow as tf\n\n\ndef build(x, w):\n"
        "    return tf.nn.conv2d(x, w, 2, 'SAME'), tf.nn.max_pool2d(x, 2, 2, 'SAME')\n"
    )
    pairs = "[[0, 0], [0, 1], [0, 1], [0, 0]]"
    inputs = ("1x8x10x3", "3x3x3x4")
    found = compare_texts(
        tmp_path, function, function.replace("2, 'SAME'),", f"2, {pairs}),"), *inputs, **HERE
    )
    assert (found.result, found.framework) == ("equal", "tensorflow")
    wrong = pairs.replace("[0, 1], [0, 1]", "[1, 1], [1, 1]")
    found = compare_texts(
        tmp_path, function, function.replace("2, 'SAME'),", f"2, {wrong}),"), *inputs, **HERE
    )
    assert found.difference is not None
    assert found.difference.name == "output[0]"
    assert found.difference.cause == "as if its input were shifted by one pixel to the right and bottom"


def test_legacy_keras(tmp_path: Path) -> None:
    pytest.importorskip("tf_keras")
    before = NET.replace("import keras\n", "import tf_keras as keras\n").replace(
        "from keras", "from tf_keras"
    )
    after = before.replace(
        'strides=2, padding="same", use_bias=False)(image)',
        "strides=2, use_bias=False)(layers.ZeroPadding2D(((0, 1), (0, 1)))(image))",
    )
    found = compare_texts(tmp_path, before, after, "2x12x14x3", **HERE)
    assert (found.result, found.reason, found.difference) == ("equal", None, None)
