from __future__ import annotations

from padlint.findings import Severity
from padlint.verify import LayerProver
from tests.rules.in_jax import assert_same_in_jax
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    only_finding,
)

CODE = "PAD103"

SILENT = {
    "valid": "y = layers.Conv2DTranspose(8, 3, 2, padding='valid')(x)",
    "valid by default": "y = layers.Conv2DTranspose(8, 3, 2)(x)",
    "the kernel is the stride": "y = layers.Conv2DTranspose(8, 2, 2, padding='same')(x)",
    "the kernel is smaller": "y = layers.Conv2DTranspose(8, 2, 3, padding='same')(x)",
    "an odd kernel at stride 1": "y = layers.Conv2DTranspose(8, 3, padding='same')(x)",
    "an odd reach at stride 1": "y = layers.Conv2DTranspose(8, 4, padding='same', dilation_rate=2)(x)",
    "unknown kernel": "y = layers.Conv2DTranspose(8, k, 2, padding='same')(x)",
    "unknown stride": "y = layers.Conv2DTranspose(8, 3, s, padding='same')(x)",
    "unknown padding": "y = layers.Conv2DTranspose(8, 3, 2, padding=p)(x)",
    "unknown output_padding": "y = layers.Conv2DTranspose(8, 3, 2, 'same', output_padding=n)(x)",
    "a weight of unknown shape": "y = tf.nn.conv2d_transpose(x, w, [1, 8, 8, 3], 2)",
    "tf.nn knows no lower case": "y = tf.nn.conv2d_transpose(x, tf.ones([3, 3, 8, 8]), s, 2, 'same')",
    "a convolution": "y = layers.Conv2D(8, 3, 2, padding='same')(x)",
    "PyTorch": "c = nn.ConvTranspose2d(3, 8, 3, 2, padding=1)",
    "own class of the name": """
        from keras import layers

        class Conv2DTranspose(layers.Layer):
            pass

        y = Conv2DTranspose(8, 3, strides=2, padding="same")(x)
        """,
}

REPORTED = {
    "an odd crop": (
        "y = layers.Conv2DTranspose(8, 3, 2, padding='same')(x)",
        "layers.Conv2DTranspose with kernel 3, stride 2 and SAME padding crops (0, 1) of the full output",
        "; no padding of PyTorch's ConvTranspose does that",
    ),
    "an even crop": (
        "y = layers.Convolution2DTranspose(8, 4, 2, padding='same')(x)",
        "crops (1, 1) of the full output, as PyTorch's padding=1 does",
    ),
    "axes differ": (
        "y = layers.Conv2DTranspose(8, (3, 4), 2, 'same')(x)",
        "with kernel (3, 4), stride 2",
        "crops height (0, 1); width (1, 1)",
    ),
    "even crops that differ": (
        "y = layers.Conv2DTranspose(8, (6, 4), 2, 'same')(x)",
        "crops height (2, 2); width (1, 1) of the full output, as PyTorch's padding=(2, 1) does",
    ),
    "an even kernel at stride 1": (
        "y = layers.Conv3DTranspose(8, kernel_size=2, padding='same')(x)",
        "crops (0, 1)",
    ),
    "a dilated kernel": (
        "y = layers.Conv1DTranspose(8, 2, padding='same', dilation_rate=3)(x)",
        "crops (1, 2)",
    ),
    "output_padding": ("y = layers.Conv2DTranspose(8, 3, 2, 'same', output_padding=1)(x)", "crops (0, 1)"),
    "stride by default of a parameter": (
        "def up(x, s=2):\n    return layers.Conv2DTranspose(8, 3, s, 'same')(x)",
        "SAME padding (default of s in up())",
    ),
    "by default in tf.nn": (
        "y = tf.nn.conv2d_transpose(x, tf.ones([5, 5, 8, 8]), [1, 8, 8, 8], 2)",
        "tf.nn.conv2d_transpose with kernel 5, stride 2 and SAME padding crops (1, 2)",
    ),
    "tf.layers": (
        "import tensorflow.compat.v1 as tf\ny = tf.layers.conv2d_transpose(x, 8, 3, 2, 'same')",
        "tf.layers.conv2d_transpose with kernel 3",
    ),
    "by default in slim": (
        "import tf_slim as slim\ny = slim.conv2d_transpose(x, 8, [3, 3], 2)",
        "slim.conv2d_transpose with kernel 3, stride 2",
    ),
    "by default in Flax": (
        "from flax import linen as nn\nup = nn.ConvTranspose(8, (5, 5), strides=(2, 2))",
        "nn.ConvTranspose with kernel 5, stride 2 and SAME padding crops (1, 2)",
    ),
    "by default in Haiku": (
        "import haiku as hk\nup = hk.Conv2DTranspose(8, 3, stride=2)",
        "hk.Conv2DTranspose with kernel 3, stride 2",
    ),
}

FIXED = {
    "PyTorch has an equal": Fixed(
        """
        def up(x):
            x = layers.Conv2DTranspose(8, 4, 2, padding="same")(x)
            return x
        """,
        """
        def up(x):
            x = layers.Conv2DTranspose(8, 4, 2, padding="valid")(x)
            x = layers.Cropping2D(((1, 1), (1, 1)))(x)
            return x
        """,
        "unsafe",
        doubt="padding=1 crops the same in PyTorch, so nothing but a visible crop is gained",
    ),
    "two statements": Fixed(
        """
        def up(x):
            y = layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(x)  # twice as large
            return y
        """,
        """
        def up(x):
            y = layers.Conv2DTranspose(8, 3, strides=2, padding="valid", activation="relu")(x)  # twice as large
            y = layers.Cropping2D(((0, 1), (0, 1)))(y)
            return y
        """,
    ),
    "one name, at the end of the file": Fixed(
        "x = layers.Conv1DTranspose(8, 5, 2, 'SAME')(x)",
        "x = layers.Conv1DTranspose(8, 5, 2, 'VALID')(x)\nx = layers.Cropping1D((1, 2))(x)",
    ),
    "inside an expression": Fixed(
        """
        def up(x, skip):
            return layers.Add()([layers.Conv3DTranspose(8, (3, 2, 4), 2, padding='same')(x), skip])
        """,
        """
        def up(x, skip):
            return layers.Add()([layers.Cropping3D(((0, 1), (0, 0), (1, 1)))(layers.Conv3DTranspose(8, (3, 2, 4), 2, padding='valid')(x)), skip])
        """,
        "unsafe",
        doubt="may change the order of its weights",
    ),
    "dtype and data_format are shared": Fixed(
        """
        def up(x):
            return layers.Conv2DTranspose(8, 3, 2, "same", data_format="channels_last", dtype="float64")(x)
        """,
        """
        def up(x):
            return layers.Cropping2D(((0, 1), (0, 1)), data_format="channels_last", dtype="float64")(layers.Conv2DTranspose(8, 3, 2, "valid", data_format="channels_last", dtype="float64")(x))
        """,
    ),
    "a local layer": Fixed(
        """
        def up(x):
            conv = layers.Conv2DTranspose(3, 3, 2, padding="same")
            return conv(conv(x))
        """,
        """
        def up(x):
            conv = layers.Conv2DTranspose(3, 3, 2, padding="valid")
            return layers.Cropping2D(((0, 1), (0, 1)))(conv(layers.Cropping2D(((0, 1), (0, 1)))(conv(x))))
        """,
    ),
    "an attribute": Fixed(
        """
        from keras.layers import Conv2DTranspose, Layer

        class Up(Layer):
            def __init__(self):
                super().__init__()
                self.up = Conv2DTranspose(
                    8, kernel_size=3, strides=2, padding="same"
                )
                self.scale = 2

            def call(self, x):
                x = self.up(x)
                return x
        """,
        """
        from keras.layers import Conv2DTranspose, Cropping2D, Layer

        class Up(Layer):
            def __init__(self):
                super().__init__()
                self.up = Conv2DTranspose(
                    8, kernel_size=3, strides=2, padding="valid"
                )
                self.up_crop = Cropping2D(((0, 1), (0, 1)))
                self.scale = 2

            def call(self, x):
                x = self.up_crop(self.up(x))
                return x
        """,
    ),
    "elements of a Sequential": Fixed(
        """
        net = keras.Sequential([
            layers.Conv2DTranspose(8, 5, 2, padding="same", input_shape=(8, 8, 3)),
            layers.ReLU(),
        ])
        other = keras.Sequential([layers.Conv2DTranspose(8, 3, 2, padding="same")])
        """,
        """
        net = keras.Sequential([
            layers.Conv2DTranspose(8, 5, 2, padding="valid", input_shape=(8, 8, 3)),
            layers.Cropping2D(((1, 2), (1, 2))),
            layers.ReLU(),
        ])
        other = keras.Sequential([layers.Conv2DTranspose(8, 3, 2, padding="valid"), layers.Cropping2D(((0, 1), (0, 1)))])
        """,
    ),
    "the last element of a Sequential": Fixed(
        """
        net = keras.Sequential([
            layers.ReLU(),
            layers.Conv2DTranspose(8, 3, 2, padding="same")  # twice as large
        ])
        """,
        """
        net = keras.Sequential([
            layers.ReLU(),
            layers.Conv2DTranspose(8, 3, 2, padding="valid"),
            layers.Cropping2D(((0, 1), (0, 1)))  # twice as large
        ])
        """,
    ),
    "a comment behind an element stays there": Fixed(
        """
        net = keras.Sequential([
            layers.Conv2DTranspose(8, 3, 2, padding="same"),  # twice as large
            layers.ReLU(),
        ])
        """,
        """
        net = keras.Sequential([
            layers.Conv2DTranspose(8, 3, 2, padding="valid"),  # twice as large
            layers.Cropping2D(((0, 1), (0, 1))),
            layers.ReLU(),
        ])
        """,
    ),
    "rows of add": Fixed(
        """
        def build():
            net = keras.Sequential()
            net.add(layers.Conv2DTranspose(8, 3, 2, padding="same"))
            net.add(layers.ReLU())
            return net
        """,
        """
        def build():
            net = keras.Sequential()
            net.add(layers.Conv2DTranspose(8, 3, 2, padding="valid"))
            net.add(layers.Cropping2D(((0, 1), (0, 1))))
            net.add(layers.ReLU())
            return net
        """,
    ),
    "output_padding": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', output_padding=1)(x)",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', output_padding=1)(x)\ny = layers.Cropping2D(((0, 2), (0, 2)))(y)",
    ),
    "softmax over channels that come last": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', activation=tf.nn.softmax)(x)",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', activation=tf.nn.softmax)(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)",
    ),
    "an activation that is not known": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', activation=act)(x)",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', activation=act)(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)",
        "unsafe",
        doubt="the activation may not work on each element alone",
    ),
    "an activity regularizer": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', activity_regularizer='l2')(x)",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', activity_regularizer='l2')(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)",
        "unsafe",
        doubt="the activity regularizer would count what is cropped",
    ),
    "reached by its name": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', name='up')(x)\nz = model.get_layer('up').output\n",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', name='up')(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)\nz = model.get_layer('up').output\n",
        "unsafe",
        doubt="the file reaches layers by name",
    ),
    "an output that has its name": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', name='mask')(x)\nmodel.compile(loss={\"mask\": 'mse'})\n",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', name='mask')(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)\nmodel.compile(loss={\"mask\": 'mse'})\n",
        "unsafe",
        doubt="the layer's name may be that of an output",
    ),
    "a name that nobody else knows": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', name='up')(x)",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid', name='up')(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)",
    ),
    "reached by its index": Fixed(
        "y = layers.Conv2DTranspose(8, 3, 2, 'same')(x)\nz = model.layers[-1]\n",
        "y = layers.Conv2DTranspose(8, 3, 2, 'valid')(x)\ny = layers.Cropping2D(((0, 1), (0, 1)))(y)\nz = model.layers[-1]\n",
        "unsafe",
        doubt="the file reaches layers by index",
    ),
    # -- slices
    "tf.nn with a written shape": Fixed(
        """
        def up(x):
            return tf.nn.conv2d_transpose(x, tf.ones([3, 2, 8, 4]), output_shape=[batch, 16, 16, 8], strides=2)
        """,
        """
        def up(x):
            return tf.nn.conv2d_transpose(x, tf.ones([3, 2, 8, 4]), output_shape=[batch, 17, 16, 8], strides=2, padding="VALID")[:, 0:16, 0:16]
        """,
        layer="no reference",
    ),
    "tf.nn with a shape of its own": Fixed(
        """
        def up(x):
            y = tf.nn.conv1d_transpose(x, tf.ones([5, 4, 4]), [3, 15, 4], 2, "SAME")
            return tf.nn.conv3d_transpose(x, tf.ones([4, 4, 4, 4, 4]), (3, 9, 12, 10, 4), 3, padding='SAME')
        """,
        """
        def up(x):
            y = tf.nn.conv1d_transpose(x, tf.ones([5, 4, 4]), [3, 19, 4], 2, "VALID")[:, 2:17]
            return tf.nn.conv3d_transpose(x, tf.ones([4, 4, 4, 4, 4]), (3, 10, 13, 13, 4), 3, padding='VALID')[:, 0:9, 0:12, 1:11]
        """,
    ),
}

NOT_FIXED = {
    "softmax along a cropped axis": (
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', data_format='channels_first', activation='softmax')(x)",
        "softmax works along an axis that is cropped",
    ),
    "softmax where the layout may be another": (
        "keras.config.set_image_data_format(fmt)\n"
        "y = layers.Conv2DTranspose(8, 3, 2, 'same', activation='softmax')(x)",
        "softmax works along an axis that is cropped",
    ),
    "a layout that Cropping1D does not know": (
        "y = layers.Conv1DTranspose(8, 3, 2, 'same', data_format='channels_first')(x)",
        "Cropping1D crops the first axis behind the batch",
    ),
    "what TensorFlow refuses": (
        "y = layers.Conv2DTranspose(8, (4, 3), 3, 'same', output_padding=(0, 1))(x)",
        "TensorFlow refuses output_padding=0 with an even kernel",
    ),
    "a computed output shape": (
        "y = tf.nn.conv2d_transpose(x, tf.ones([3, 3, 8, 4]), tf.stack([n, h, w, 8]), 2)",
        "the shape of its output is computed, and VALID needs another",
    ),
    "a size that is not known": (
        "y = tf.nn.conv2d_transpose(x, tf.ones([3, 3, 8, 4]), [1, h, 16, 8], 2)",
        "the shape of its output is computed",
    ),
    "slim normalises and activates inside": (
        "import tf_slim as slim\ny = slim.conv2d_transpose(x, 8, [3, 3], 2, padding='SAME')",
        "what slim.conv2d_transpose does to its output besides is not written as a crop here",
    ),
    "a stride by default of a parameter": (
        "def up(x, s=2):\n    return layers.Conv2DTranspose(8, 3, s, 'same')(x)",
        "(default of s in up())",
    ),
    "handed on": (
        "y = layers.TimeDistributed(layers.Conv2DTranspose(8, 3, 2, padding='same'))(x)",
        "it is an argument of another call",
    ),
    "the attribute is taken": (
        """
        class Up(layers.Layer):
            def __init__(self):
                super().__init__()
                self.up = layers.Conv2DTranspose(8, 3, 2, padding="same")
                self.up_crop = 3

            def call(self, x):
                return self.up(x)
        """,
        "the attribute up_crop is taken",
    ),
    "Haiku with an output shape": (
        "import haiku as hk\nup = hk.Conv2DTranspose(8, 3, stride=2, output_shape=(9, 9))",
        "the shape of its output decides the pads",
    ),
}

JAX = "import haiku as hk\nimport jax\nfrom flax import linen as nn\nfrom jax import lax, numpy as jnp\n\n"
FLAX = "def run(x):\n    up = {}\n    return up.apply(up.init(jax.random.key(0), x), x)\n"
IN_JAX = {
    "Flax": FLAX.format("nn.ConvTranspose(3, (3, 5), strides=(2, 2))"),
    "Flax with a dilation": FLAX.format("nn.ConvTranspose(3, (2, 4), kernel_dilation=3)"),
    "Flax with another kernel": FLAX.format(
        "nn.ConvTranspose(3, (3, 3), (2, 2), 'SAME', transpose_kernel=True)"
    ),
    "Haiku": """
def run(x):
    up = hk.without_apply_rng(hk.transform(lambda x: hk.Conv2DTranspose(3, (3, 4), stride=(2, 3))(x)))
    return up.apply(up.init(jax.random.key(0), x), x)
""",
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


def test_severity() -> None:
    conv = "y = layers.Conv2DTranspose(8, {}, 2, padding='same')(x)"
    assert only_finding(CODE, conv.format(3)).severity is Severity.WARNING
    assert only_finding(CODE, conv.format(4)).severity is Severity.INFO


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@each(IN_JAX)
def test_fixed_in_jax(row: str) -> None:
    assert_same_in_jax(CODE, JAX + row, [(1, 1, 2, 3), (2, 4, 5, 3)])


def test_numbers() -> None:
    numbers = only_finding(CODE, "y = layers.Conv2DTranspose(8, 3, 2, padding='same')(x)").numbers
    assert [(axis["axis"], axis["kernel"], axis["stride"]) for axis in numbers["axes"]] == [
        ("height", 3, 2),
        ("width", 3, 2),
    ]
    assert numbers["others"] == {"crops": [[0, 1], [0, 1]], "torch_transposed": None}
