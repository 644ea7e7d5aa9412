"""Wrong rewrites of Keras and TensorFlow code, all of which must be refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.planted import Wrong, function, refute

pytest.importorskip("tensorflow")
pytest.importorskip("keras")

NET = """
import keras
from keras import layers


@keras.saving.register_keras_serializable()
class Scale(layers.Layer):
    def __init__(self, by=2.0, **kwargs):
        super().__init__(**kwargs)
        self.by = by

    def call(self, x):
        return x * self.by

    def get_config(self):
        return super().get_config() | {"by": self.by}


@keras.saving.register_keras_serializable()
class Block(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.conv = layers.Conv2D(4, 1)
        self.norm = layers.LayerNormalization()

    def call(self, x):
        return self.norm(self.conv(x))


def build():
    image = keras.Input((16, 20, 3))
    x = layers.ZeroPadding2D(((0, 1), (0, 1)))(image)
    x = layers.Conv2D(4, 3, strides=2, activation="relu", kernel_regularizer="l2")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Dropout(0.3)(x)
    x = layers.DepthwiseConv2D(3, padding="same", name="deep")(x)
    x = Block()(Scale(3.0)(x))
    x = layers.Conv2D(4, 3, padding="same", name="two")(layers.Conv2D(4, 3, padding="same", name="one")(x))
    x = y = layers.Conv2DTranspose(4, 3, strides=2, padding="same")(x)
    x = layers.AveragePooling2D(3, 1, padding="same")(layers.MaxPooling2D(3, 2, padding="same")(x))
    x = layers.Dense(2)(layers.GlobalAveragePooling2D()(x))
    return keras.Model(image, {"map": y, "logits": x})
"""

MODELS = {
    "pad on the other side": Wrong(
        "((0, 1), (0, 1))",
        "((1, 0), (1, 0))",
        layer="zero_padding2d (ZeroPadding2D)",
        cause="shifted by one pixel to the right and bottom",
    ),
    "symmetric pad for an asymmetric one": Wrong(
        "layers.ZeroPadding2D(((0, 1), (0, 1)))(image)",
        "keras.ops.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)))",
        layer="conv2d (Conv2D)",
        cause="shifted by one pixel to the right and bottom",
    ),
    "height and width exchanged": Wrong(
        "((0, 1), (0, 1))",
        "((0, 1), (1, 0))",
        layer="zero_padding2d (ZeroPadding2D)",
        cause="shifted by one pixel to the right",
    ),
    "another size": Wrong(
        "((0, 1), (0, 1))", "((1, 2), (0, 1))", said="(2, 16, 20, 4) became (2, 18, 20, 4)"
    ),
    "a bias lost": Wrong(
        '3, padding="same", name="two"',
        '3, padding="same", use_bias=False, name="two"',
        "weights",
        "'two/bias' was lost",
    ),
    "more filters": Wrong("Dense(2)", "Dense(3)", "weights", "'dense/kernel': (4, 2) became (4, 3)"),
    "weights in another order": Wrong(
        "self.conv = layers.Conv2D(4, 1)\n        self.norm = layers.LayerNormalization()",
        "self.norm = layers.LayerNormalization()\n        self.conv = layers.Conv2D(4, 1)",
        "weights",
        "the shape of number ",
    ),
    "frozen": Wrong(
        "BatchNormalization()", "BatchNormalization(trainable=False)", "weights", "is no longer trained"
    ),
    "another momentum": Wrong(
        "BatchNormalization()",
        "BatchNormalization(momentum=0.5)",
        "state",
        "after a call, ",
        seen={"training": True},
    ),
    "another epsilon": Wrong(
        "BatchNormalization()", "BatchNormalization(epsilon=1e-4)", layer="batch_normalization"
    ),
    "another rate of dropout": Wrong(
        "Dropout(0.3)", "Dropout(0.2)", layer="dropout (", seen={"training": True}
    ),
    "an activation lost": Wrong('activation="relu", ', "", layer="conv2d ("),
    "a regulariser lost": Wrong(', kernel_regularizer="l2"', "", "state", "losses[0]"),
    "another dilation": Wrong(
        '3, padding="same", name="deep"', '3, padding="same", dilation_rate=2, name="deep"', layer="deep (D"
    ),
    "a configuration lost": Wrong(
        "def __init__(self, by=2.0, **kwargs):\n        super().__init__(**kwargs)\n        self.by = by\n",
        "def __init__(self, f=2.0, **kwargs):\n        super().__init__(**kwargs)\n        self.by = f\n",
        "file",
        "a .keras file of the code before does not load: ",
    ),
    "a configuration read otherwise": Wrong(
        "self.by = by",
        'self.by = 2.0 if "name" in kwargs else by',
        "file",
        "a .keras file of the code before does not load: what is loaded computes something else",
    ),
    "a class of another name": Wrong(
        "Block",
        "Renamed",
        "file",
        "file of the code before does not load",
    ),
    "an attribute of another name": Wrong(
        "self.conv", "self.pointwise", "file", "file of the code before does not load: ValueError"
    ),
    "equal layers exchanged": Wrong(
        'name="two")(layers.Conv2D(4, 3, padding="same", name="one")(x))',
        'name="two", activation="elu")(layers.Conv2D(4, 3, padding="same", name="one")(x))',
        layer="two (",
    ),
    "a transposed convolution cropped in front": Wrong(
        'layers.Conv2DTranspose(4, 3, strides=2, padding="same")(x)',
        "layers.Cropping2D(((1, 0), (1, 0)))(layers.Conv2DTranspose(4, 3, strides=2)(x))",
        layer="conv2d_transpose",
    ),
    "zeros for -inf": Wrong(
        'layers.MaxPooling2D(3, 2, padding="same")(x)',
        "layers.MaxPooling2D(3, 2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
        layer="max_pooling2d",
    ),
    "a mean that counts the pad": Wrong(
        'AveragePooling2D(3, 1, padding="same")(layers.MaxPooling2D(3, 2, padding="same")(x))',
        'AveragePooling2D(3, 1)(layers.ZeroPadding2D(1)(layers.MaxPooling2D(3, 2, padding="same")(x)))',
        layer="average_pooling2d",
        cause="so another count divides them",
    ),
    "rows for columns": Wrong(
        "Scale(3.0)(x)", "layers.Reshape((8, 10, 4))(layers.Permute((2, 1, 3))(Scale(3.0)(x)))"
    ),
    "an output more": Wrong(
        '"logits": x}', '"logits": x, "more": y}', "structure", "output['more'] was added"
    ),
    "a name of an output": Wrong(
        '"logits":', '"logit":', "structure", "output['logits'] became output['logit']"
    ),
    "a gradient cut": Wrong(
        "return x * self.by",
        "return keras.ops.stop_gradient(x) * self.by",
        "gradient",
        "the gradient of input 0",
    ),
    "single precision": Wrong(
        "x * self.by",
        "keras.ops.cast(keras.ops.cast(x, 'float32') * self.by, x.dtype)",
        seen={"dtype": "float64"},
    ),
}

FUNCTIONS = {
    "pads on the other side": function(
        "tensorflow",
        "tf.nn.conv2d(x, w, 2, 'SAME')",
        "tf.nn.conv2d(x, w, 2, [[0, 0], [1, 0], [1, 0], [0, 0]])",
        "1x16x16x3",
        "3x3x3x4",
        cause="shifted by one pixel to the right and bottom",
    ),
    "right at even sizes only": function(
        "tensorflow",
        "tf.nn.conv2d(x, w, 2, 'SAME')",
        "tf.nn.conv2d(x, w, 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
        "1x8xW8x3",
        "3x3x3x4",
        said="the shape of output changed",
    ),
    "zeros for -inf": function(
        "tensorflow",
        "tf.nn.max_pool2d(x, 3, 1, 'SAME')",
        "tf.nn.max_pool2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), 3, 1, 'VALID')",
        "1x8x8x3",
        cause="zeros were padded where -inf was",
    ),
    "the other layout": function(
        "tensorflow",
        "tf.reduce_mean(x, (1, 2))",
        "tf.reduce_mean(x, (2, 3))",
        "2x4x4x4",
        said="output differs",
    ),
    "reflected for symmetric": function(
        "tensorflow",
        "tf.pad(x, [[0, 0], [1, 1]], 'SYMMETRIC')",
        "tf.pad(x, [[0, 0], [1, 1]], 'REFLECT')",
        "3x8",
        said="at [",
    ),
    "a gradient cut": function(
        "tensorflow",
        "x * x",
        "x * tf.stop_gradient(x)",
        "3x4",
        what="gradient",
        said="the gradient of input 0",
    ),
}


@pytest.mark.parametrize("wrong", MODELS.values(), ids=MODELS)
def test_a_wrong_model_is_refuted(tmp_path: Path, wrong: Wrong) -> None:
    refute(tmp_path, NET, wrong, "2x16x20x3")


def test_a_pad_that_is_right_at_one_size_only(tmp_path: Path) -> None:
    text = NET.replace("Input((16, 20, 3))", "Input((None, 20, 3))")
    text = text.replace("layers.ZeroPadding2D(((0, 1), (0, 1)))(image)", "image").replace(
        "strides=2, activation", 'strides=2, padding="same", activation'
    )
    wrong = Wrong('strides=2, padding="same"', "strides=2", said="the shape of output['map'] changed")
    refute(tmp_path, text, wrong, "1x16x20x3")
    right = Wrong(
        'x = image\n    x = layers.Conv2D(4, 3, strides=2, padding="same"',
        "x = layers.ZeroPadding2D(((0, 1), (0, 1)))(image)\n    x = layers.Conv2D(4, 3, strides=2",
        seen={"shapes": ((1, 19, 20, 3),)},
    )
    refute(tmp_path, text, right, "1x16x20x3")


@pytest.mark.parametrize(("text", "wrong"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_wrong_function_is_refuted(tmp_path: Path, text: str, wrong: Wrong) -> None:
    refute(tmp_path, text, wrong)
