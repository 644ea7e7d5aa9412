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

CODE = "PAD102"

SILENT = {
    "valid": "y = layers.MaxPooling2D(3, 2, padding='valid')(x)",
    "valid by default": "y = layers.MaxPooling2D(3, 2)(x)",
    "window 1 never pads": "y = layers.MaxPooling2D(1, 2, padding='same')(x)",
    "window 1 on every axis": "y = layers.AveragePooling2D((1, 1), (2, 2), 'same')(x)",
    "an odd maximum at stride 1": "y = layers.MaxPooling2D(3, 1, padding='same')(x)",
    "odd on every axis": "y = tf.nn.max_pool2d(x, (3, 5), 1, 'SAME')",
    "an even window whose reach is odd": "y = tf.nn.pool(x, [4, 4], 'MAX', padding='SAME', dilations=[2, 2])",
    "strided where the window is 1, odd elsewhere": "y = layers.MaxPooling2D((1, 3), (2, 1), 'same')(x)",
    "unknown window": "y = layers.MaxPooling2D(k, 2, padding='same')(x)",
    "unknown stride": "y = layers.MaxPooling2D(3, s, padding='same')(x)",
    "unknown padding": "y = layers.MaxPooling2D(3, 2, padding=p)(x)",
    "tf.nn knows no lower case": "y = tf.nn.max_pool2d(x, 3, 2, 'same')",
    "explicit pairs": "y = tf.nn.max_pool2d(x, 3, 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
    "a convolution": "y = layers.Conv2D(8, 3, 2, padding='same')(x)",
    "global pooling": "y = layers.GlobalMaxPooling2D()(x)",
    "PyTorch": "p = nn.MaxPool2d(3, 2, padding=1)",
    "ints for an unknown number of axes, odd": "y = tf.nn.max_pool(x, 3, 1, 'SAME')",
    "a valid pool of Flax": """
        import flax.linen as nn
        y = nn.max_pool(x, (3, 3), (2, 2))
        """,
    "own class of the name": """
        from keras import layers

        class MaxPooling2D(layers.Layer):
            pass

        y = MaxPooling2D(3, strides=2, padding="same")(x)
        """,
    "another library": """
        import paddle
        y = paddle.nn.MaxPool2D(3, 2, padding="same")(x)
        """,
}

REPORTED = {
    "no equal in PyTorch": (
        "y = layers.MaxPooling2D(3, 2, padding='same')(x)",
        "layers.MaxPooling2D with window 3, stride 2 and SAME padding pads by the input size (even: (0, 1), odd: (1, 1))",
        "; no arguments of PyTorch's pools equal it at every size",
    ),
    "the stride is the window": (
        "y = layers.MaxPool2D((3, 2), padding='same')(x)",
        "window (3, 2), stride (3, 2)",
        "height n % 3 == 0: (0, 0), n % 3 == 1: (1, 1), n % 3 == 2: (0, 1); width even: (0, 0), odd: (0, 1)",
    ),
    "an equal in PyTorch": (
        "y = tf.nn.max_pool1d(x, 4, 2, 'SAME')",
        "; PyTorch's pool equals it with padding=1, ceil_mode=True",
    ),
    "axes with different paddings": (
        "y = layers.AveragePooling2D((3, 5), 1, 'same')(x)",
        "PyTorch's pool equals it with padding=(1, 2), count_include_pad=False",
    ),
    "ints for an unknown number of axes": (
        "y = tf.nn.max_pool(x, 2, 2, 'SAME')",
        "tf.nn.max_pool with window 2, stride 2 and SAME padding pads by the input size",
    ),
    "a mean at stride 1": (
        "y = tf.nn.avg_pool2d(x, 3, 1, 'SAME')",
        "pads (1, 1) at every size, which the mean leaves out; PyTorch's pool equals it with padding=1, count_include_pad=False",
    ),
    "a mean of Keras, with unequal pads": (
        "y = layers.AveragePooling1D(3, 2, 'same')(x)",
        "which the mean leaves out; on its PyTorch backend Keras computes other numbers; no arguments",
    ),
    "a mean of Keras, with equal pads": (
        "y = layers.AveragePooling1D(3, 1, 'same')(x)",
        "which the mean leaves out; PyTorch's pool equals it with padding=1, count_include_pad=False",
    ),
    "an even maximum at stride 1": ("y = layers.MaxPooling2D(2, 1, 'same')(x)", "pads (0, 1) at every size"),
    "nothing is padded here": (
        "y = layers.MaxPooling2D(2, padding='same')(keras.Input((224, 96, 3)))",
        "pads nothing at 224x96, but something at other sizes (even: (0, 0), odd: (0, 1))",
    ),
    "stride by default of a parameter": (
        "def block(x, s=2):\n    return layers.MaxPooling2D(3, s, 'same')(x)",
        "SAME padding (default of s in block())",
    ),
    "three axes": ("y = layers.MaxPooling3D(2, padding='same')(x)", "window 2, stride 2"),
    "tf.nn.pool": ("y = tf.nn.pool(x, [3, 3], 'AVG', [1, 1], 'SAME')", "which the mean leaves out"),
    "a reduction that is not known": (
        "y = tf.nn.pool(x, [3, 3], kind, [2, 2], 'SAME')",
        "pads by the input size (even: (0, 1), odd: (1, 1))",
    ),
    "a function of Keras": (
        "y = keras.ops.average_pool(x, (3, 3), 2, 'same')",
        "keras.ops.average_pool with window 3",
    ),
    "channels first": (
        "y = tf.nn.max_pool2d(x, [1, 1, 3, 2], [1, 1, 2, 2], 'SAME', data_format='NCHW')",
        "window (3, 2)",
    ),
    "tf.layers": (
        "import tensorflow.compat.v1 as tf\ny = tf.layers.average_pooling2d(x, 3, 2, 'same')",
        "which the mean leaves out",
    ),
    "slim": ("import tf_slim as slim\ny = slim.max_pool2d(x, [3, 3], padding='SAME')", "window 3, stride 2"),
    "Flax counts the pads": (
        "from flax import linen as nn\ny = nn.avg_pool(x, (3, 3), padding='SAME')",
        "which the mean counts; PyTorch's pool equals it with padding=1",
    ),
    "Flax without counting": (
        "from flax import linen as nn\ny = nn.avg_pool(x, (3, 3), padding='SAME', count_include_pad=False)",
        "which the mean leaves out; PyTorch's pool equals it with padding=1, count_include_pad=False",
    ),
    "Haiku leaves them out": (
        "import haiku as hk\ny = hk.avg_pool(x, (1, 3, 3, 1), (1, 1, 1, 1), 'SAME')",
        "which the mean leaves out",
    ),
    "JAX": (
        "from jax import lax\ny = lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')",
        "lax.reduce_window with window 3, stride 2",
    ),
}

MILD = {
    "an equal at every size": "y = layers.MaxPooling2D(2, padding='same')(x)",
    "nothing is padded": "y = layers.AveragePooling2D(2, padding='same')(keras.Input((96, 96, 3)))",
}
STRONG = {
    "no equal": "y = layers.MaxPooling2D(3, 2, padding='same')(x)",
    "a mean, which differs by default": "y = layers.AveragePooling2D(3, 1, padding='same')(x)",
}

FIXED = {
    # -- nothing is padded
    "nothing is padded at the size of the input": Fixed(
        """
        x = keras.Input((224, 96, 3))
        x = layers.AveragePooling2D(2, padding="same")(x)
        x = layers.MaxPool2D((2, 3), padding='SAME', name="pool")(x)
        """,
        """
        x = keras.Input((224, 96, 3))
        x = layers.AveragePooling2D(2, padding="valid")(x)
        x = layers.MaxPool2D((2, 3), padding='VALID', name="pool")(x)
        """,
    ),
    "behind a function that ends in ReLU": Fixed(
        """
        def conv(x, n, name=None):
            x = layers.Conv2D(n, 3, padding="same")(x)
            x = layers.Activation("relu", name=name)(x)
            return x

        def build():
            i = keras.Input((32, 32, 3))
            x = conv(i, 8)
            y = layers.MaxPooling2D(3, strides=2, padding="same")(x)
            z = layers.MaxPooling2D(3, strides=2, padding="same")(conv(y, 4))
            return z
        """,
        """
        def conv(x, n, name=None):
            x = layers.Conv2D(n, 3, padding="same")(x)
            x = layers.Activation("relu", name=name)(x)
            return x

        def build():
            i = keras.Input((32, 32, 3))
            x = conv(i, 8)
            y = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
            y = layers.MaxPooling2D(3, strides=2, padding="valid")(y)
            z = layers.MaxPooling2D(3, strides=2, padding="valid")(layers.ZeroPadding2D(((0, 1), (0, 1)))(conv(y, 4)))
            return z
        """,
    ),
    "behind tensors none of which is negative": Fixed(
        """
        def build():
            i = keras.Input((32, 32, 3))
            a = layers.ReLU()(i)
            b = layers.Conv2D(8, 1, activation="relu")(i)
            x = layers.concatenate([a, b], axis=-1)
            x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
            return x
        """,
        """
        def build():
            i = keras.Input((32, 32, 3))
            a = layers.ReLU()(i)
            b = layers.Conv2D(8, 1, activation="relu")(i)
            x = layers.concatenate([a, b], axis=-1)
            x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
            x = layers.MaxPooling2D(3, strides=2, padding="valid")(x)
            return x
        """,
    ),
    "a promised size": Fixed(
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.pool = layers.AvgPool2D(4, padding="same")

            def call(self, x):
                return self.pool(x)
        """,
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.pool = layers.AvgPool2D(4, padding="valid")

            def call(self, x):
                return self.pool(x)
        """,
        "unsafe",
        doubt="assumes that Net is the whole model",
        options={"input_multiple": 32},
    ),
    "a Sequential whose Dense accepts nothing else": Fixed(
        """
        net = keras.Sequential([
            keras.Input((32, 32, 3)),
            layers.Conv2D(8, 3, padding="same"),
            layers.MaxPooling2D(2, padding="same"),
            layers.Flatten(),
            layers.Dense(10),
        ])
        """,
        """
        net = keras.Sequential([
            keras.Input((32, 32, 3)),
            layers.Conv2D(8, 3, padding="same"),
            layers.MaxPooling2D(2, padding="valid"),
            layers.Flatten(),
            layers.Dense(10),
        ])
        """,
    ),
    "a Sequential that takes other sizes": Fixed(
        "net = keras.Sequential([keras.Input((32, 32, 3)), layers.MaxPooling2D(2, padding='same')])",
        "net = keras.Sequential([keras.Input((32, 32, 3)), layers.MaxPooling2D(2, padding='valid')])",
        "unsafe",
        doubt="a Sequential model takes other sizes",
    ),
    "a signature": Fixed(
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 64, 64, 3], tf.float32)])
        def run(x):
            return tf.nn.avg_pool2d(x, 2, 2, "SAME")
        """,
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 64, 64, 3], tf.float32)])
        def run(x):
            return tf.nn.avg_pool2d(x, 2, 2, "VALID")
        """,
    ),
    # -- a maximum of what is never negative
    "straight behind ReLU": Fixed(
        """
        x = keras.Input((64, 65, 3))
        x = layers.ReLU()(x)
        x = layers.MaxPooling2D(3, 2, padding="same")(x)
        """,
        """
        x = keras.Input((64, 65, 3))
        x = layers.ReLU()(x)
        x = layers.ZeroPadding2D(((0, 1), (1, 1)))(x)
        x = layers.MaxPooling2D(3, 2, padding="valid")(x)
        """,
    ),
    "behind an activation and another maximum, at every size": Fixed(
        """
        def block(x):
            x = layers.Conv1D(8, 3, activation="sigmoid")(x)
            x = layers.MaxPooling1D(4, 2, padding="same", data_format="channels_last")(x)
            return layers.MaxPooling1D(2, padding="same")(x)
        """,
        """
        def block(x):
            x = layers.Conv1D(8, 3, activation="sigmoid")(x)
            x = layers.ZeroPadding1D((1, 2), data_format="channels_last")(x)
            x = layers.MaxPooling1D(4, 2, padding="valid", data_format="channels_last")(x)
            return layers.MaxPooling1D(2, padding="valid")(layers.ZeroPadding1D((0, 1))(x))
        """,
    ),
    "elements of a Sequential": Fixed(
        "net = keras.Sequential([layers.Activation('relu'), layers.MaxPooling2D(2, padding='same')])",
        "net = keras.Sequential([layers.Activation('relu'), layers.ZeroPadding2D(((0, 1), (0, 1))), layers.MaxPooling2D(2, padding='valid')])",
    ),
    "rows of add": Fixed(
        """
        def build():
            net = keras.Sequential()
            net.add(layers.Dense(8, activation=tf.nn.relu6))
            net.add(layers.MaxPooling2D(2, padding="same"))
            return net
        """,
        """
        def build():
            net = keras.Sequential()
            net.add(layers.Dense(8, activation=tf.nn.relu6))
            net.add(layers.ZeroPadding2D(((0, 1), (0, 1))))
            net.add(layers.MaxPooling2D(2, padding="valid"))
            return net
        """,
    ),
    "an attribute": Fixed(
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.act = layers.ReLU(6.0)
                self.pool = layers.MaxPooling2D(2, padding="same")

            def call(self, x):
                return self.pool(self.act(x))
        """,
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.act = layers.ReLU(6.0)
                self.pool_pad = layers.ZeroPadding2D(((0, 1), (0, 1)))
                self.pool = layers.MaxPooling2D(2, padding="valid")

            def call(self, x):
                return self.pool(self.pool_pad(self.act(x)))
        """,
    ),
    "a function of tf.nn": Fixed(
        """
        def run(x):
            x = tf.nn.relu(x)
            y = tf.nn.max_pool2d(x, 2, 2, "SAME")
            return y, tf.nn.max_pool3d(tf.nn.softmax(y), 2, 1, padding='SAME')
        """,
        """
        def run(x):
            x = tf.nn.relu(x)
            y = tf.nn.max_pool2d(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]]), 2, 2, "VALID")
            return y, tf.nn.max_pool3d(tf.pad(tf.nn.softmax(y), [[0, 0], [0, 1], [0, 1], [0, 1], [0, 0]]), 2, 1, padding='VALID')
        """,
    ),
    "keras.ops.pad": Fixed(
        "y = layers.MaxPooling2D(2, padding='same')(layers.ReLU()(x))",
        "y = layers.MaxPooling2D(2, padding='valid')(keras.ops.pad(layers.ReLU()(x), ((0, 0), (0, 1), (0, 1), (0, 0))))",
        options={"keras_pad": "ops"},
    ),
    # -- amounts in the pool, and -inf
    "amounts in tf.nn.max_pool2d": Fixed(
        """
        def run(x):
            return tf.nn.max_pool2d(x, 4, 2, "SAME")
        """,
        """
        def run(x):
            return tf.nn.max_pool2d(x, 4, 2, [[0, 0], [1, 2], [1, 2], [0, 0]])
        """,
        "unsafe",
        doubt="the TFLite converter and XLA refuse amounts",
    ),
    "amounts in tf.nn.max_pool1d": Fixed(
        "def run(x):\n    return tf.nn.max_pool1d(x, 2, 2, 'SAME')\n",
        "def run(x):\n    return tf.nn.max_pool1d(x, 2, 2, [[0, 0], [0, 1], [0, 0]])\n",
        "unsafe",
    ),
    "-inf before a layer": Fixed(
        """
        def block(x):
            pool = layers.MaxPooling2D(2, padding="same")
            return pool(x)
        """,
        """
        def block(x):
            pool = layers.MaxPooling2D(2, padding="valid")
            return pool(keras.ops.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=float("-inf")))
        """,
        "unsafe",
        doubt="integers have no -inf, and it ruins the scale of int8",
    ),
    "-inf, and no name for keras.ops": Fixed(
        """
        from keras.layers import MaxPooling2D

        def block(x):
            return MaxPooling2D(2, padding="same")(x)
        """,
        """
        from keras.layers import MaxPooling2D
        import keras

        def block(x):
            return MaxPooling2D(2, padding="valid")(keras.ops.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=float("-inf")))
        """,
        "unsafe",
    ),
    "-inf before a function": Fixed(
        "def run(x):\n    return tf.nn.max_pool3d(x, 2, 2, 'SAME')\n",
        "def run(x):\n    return tf.nn.max_pool3d(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 1], [0, 0]], constant_values=float(\"-inf\")), 2, 2, 'VALID')\n",
        "unsafe",
    ),
    "-inf before channels that come first": Fixed(
        "def run(x):\n    return tf.nn.max_pool2d(x, 2, 2, 'SAME', 'NCHW')\n",
        "def run(x):\n    return tf.nn.max_pool2d(tf.pad(x, [[0, 0], [0, 0], [0, 1], [0, 1]], constant_values=float(\"-inf\")), 2, 2, 'VALID', 'NCHW')\n",
        "unsafe",
    ),
    "the pad layer may need what **kwargs carry": Fixed(
        "y = layers.MaxPooling2D(2, 2, padding='same', **options)(layers.ReLU()(x))",
        "y = layers.MaxPooling2D(2, 2, padding='valid', **options)(layers.ZeroPadding2D(((0, 1), (0, 1)))(layers.ReLU()(x)))",
        "unsafe",
        layer="no reference",
        doubt="**kwargs may carry dtype or data_format",
    ),
    "-inf, since nothing says that ReLU has no slope": Fixed(
        "y = layers.MaxPooling2D(2, padding='same')(layers.ReLU(negative_slope=0.1)(x))",
        "y = layers.MaxPooling2D(2, padding='valid')(keras.ops.pad(layers.ReLU(negative_slope=0.1)(x), ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=float(\"-inf\")))",
        "unsafe",
    ),
    # -- Flax and JAX take the amounts
    "Flax": Fixed(
        """
        from flax import linen as nn

        def run(x):
            x = nn.max_pool(x, (2, 2), strides=(2, 2), padding="SAME")
            x = nn.avg_pool(x, (3, 2), padding="SAME", count_include_pad=False)
            return nn.avg_pool(x, window_shape=(2,), padding="SAME")
        """,
        """
        from flax import linen as nn

        def run(x):
            x = nn.max_pool(x, (2, 2), strides=(2, 2), padding=((0, 1), (0, 1)))
            x = nn.avg_pool(x, (3, 2), padding=((1, 1), (0, 1)), count_include_pad=False)
            return nn.avg_pool(x, window_shape=(2,), padding=((0, 1),))
        """,
        layer="no reference",
    ),
    "any reduction of JAX": Fixed(
        """
        from jax import lax

        def run(x):
            return lax.reduce_window(x, 0.0, lax.add, (1, 4, 4, 1), (1, 2, 2, 1), "SAME")
        """,
        """
        from jax import lax

        def run(x):
            return lax.reduce_window(x, 0.0, lax.add, (1, 4, 4, 1), (1, 2, 2, 1), [[0, 0], [1, 2], [1, 2], [0, 0]])
        """,
        layer="no reference",
    ),
}

NOT_FIXED = {
    "the file quantises": (
        """
        import tensorflow_model_optimization as tfmot
        from keras import layers, ops

        y = layers.MaxPooling2D(2, 2, padding='same')(ops.abs(x) - 1)
        """,
        "the file quantises to 8 bits, which have no -inf to pad with",
    ),
    "the size is not known": (
        "def block(x):\n    return layers.MaxPooling2D(3, 2, padding='same')(x)\n",
        "the pads depend on the input size, which is not known: x is a parameter of block()",
    ),
    "a mean leaves the pad out": (
        "y = layers.AveragePooling2D(3, 1, padding='same')(x)",
        "its mean leaves the pad out, which no pad in front of a VALID pool does",
    ),
    "even behind ReLU": (
        "y = tf.nn.avg_pool2d(tf.nn.relu(x), 2, 2, 'SAME')",
        "its mean leaves the pad out",
    ),
    "positions": (
        "y = tf.nn.max_pool_with_argmax(tf.nn.relu(x), 2, 2, 'SAME')",
        "it returns positions, which a pad in front would shift",
    ),
    "a reduction that is not known": (
        "y = tf.nn.pool(x, [2, 2], kind, [2, 2], 'SAME')",
        "what it makes of a window is not known",
    ),
    "the number of axes is not known": (
        "y = tf.nn.max_pool(tf.nn.relu(x), 2, 2, 'SAME')",
        "every axis needs its pads, and how many the input has is not known",
    ),
    "no layer pads with -inf": (
        "net = keras.Sequential([layers.BatchNormalization(), layers.MaxPooling2D(2, padding='same')])",
        "no layer pads with -inf",
    ),
    "keras.ops has no name": (
        "from tensorflow.keras.layers import MaxPooling2D\ny = MaxPooling2D(2, padding='same')(x)",
        "the file has no name for tensorflow.keras.ops.pad",
    ),
    "Haiku takes no amounts": (
        "import haiku as hk\ny = hk.max_pool(x, (1, 2, 2, 1), (1, 2, 2, 1), 'SAME')",
        "hk.max_pool takes no amounts as padding",
    ),
}

IN_JAX = {
    "a maximum": "def run(x):\n    return nn.max_pool(x, (2, 4), (2, 2), 'SAME')\n",
    "a mean that counts the pads": "def run(x):\n    return nn.avg_pool(x, (4, 3), (2, 1), 'SAME')\n",
    "a mean that does not": "def run(x):\n    return nn.avg_pool(x, (4, 3), (2, 1), 'SAME', count_include_pad=False)\n",
    "any reduction": "def run(x):\n    return nn.pool(x, 3.0, lax.min, (2, 2), (3, 2), 'SAME')\n",
    "of JAX": "def run(x):\n    return lax.reduce_window(x, 3.0, lax.add, (1, 4, 2, 1), (1, 2, 3, 1), 'SAME')\n",
}

# Another element may be negative: the fix pads with -inf, and is unsafe.
NOT_ZERO = {
    "a function that may return something else": """
        def conv(x, act):
            y = layers.Conv2D(8, 3)(x)
            if act:
                return layers.ReLU()(y)
            return y

        def block(x):
            x = conv(x, 1)
            return layers.MaxPooling2D(2, padding="same")(x)
        """,
    "a function that activates in one branch": """
        def conv(x, act):
            x = layers.Conv2D(8, 3)(x)
            if act:
                x = layers.ReLU()(x)
            return x

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(conv(x, 1))
        """,
    "a function that is decorated": """
        @negated
        def conv(x):
            return layers.ReLU()(layers.Conv2D(8, 3)(x))

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(conv(x))
        """,
    "a function that is defined twice": """
        def conv(x):
            return layers.ReLU()(x)

        def conv(x):
            return layers.Conv2D(8, 3)(x)

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(conv(x))
        """,
    "a generator": """
        def conv(x):
            yield x
            return layers.ReLU()(x)

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(conv(x))
        """,
    "a function that returns what it gets": """
        def same(x):
            return x

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(same(layers.Conv2D(8, 3)(x)))
        """,
    "functions that call each other": """
        def one(x):
            return two(x)

        def two(x):
            return one(x)

        def block(x):
            return layers.MaxPooling2D(2, padding="same")(one(x))
        """,
    "one of several tensors": """
        def block(x):
            a = layers.ReLU()(x)
            b = layers.Conv2D(8, 1)(x)
            return layers.MaxPooling2D(2, padding="same")(layers.Concatenate()([a, b]))
        """,
    "tensors in a list that is not seen": """
        def block(x, more):
            a = layers.ReLU()(x)
            return layers.MaxPooling2D(2, padding="same")(layers.Concatenate()([a, *more]))
        """,
    "a difference": """
        def block(x):
            a = layers.ReLU()(x)
            b = layers.ReLU()(a)
            return layers.MaxPooling2D(2, padding="same")(layers.Subtract()([a, b]))
        """,
    "a branch": """
        def block(x, act):
            if act:
                x = layers.ReLU()(x)
            return layers.MaxPooling2D(2, padding="same")(x)
        """,
    "a loop": """
        def block(x, n):
            x = layers.ReLU()(x)
            for _ in range(n):
                x = layers.MaxPooling2D(2, padding="same")(x)
                x = layers.Conv2D(8, 3)(x)
            return x
        """,
    "something in between": """
        def block(x):
            x = layers.ReLU()(x)
            x -= 1
            return layers.MaxPooling2D(2, padding="same")(x)
        """,
    "a closure": """
        def block(x):
            x = layers.ReLU()(x)
            def inner():
                nonlocal x
                x = -x
            inner()
            return layers.MaxPooling2D(2, padding="same")(x)
        """,
    "an activation that may be negative": """
        def block(x):
            return layers.MaxPooling2D(2, padding="same")(layers.Conv2D(8, 3, activation="gelu")(x))
        """,
    "an activation that is not known": """
        def block(x, act):
            return layers.MaxPooling2D(2, padding="same")(layers.Activation(act)(x))
        """,
    "a threshold": """
        def block(x):
            return layers.MaxPooling2D(2, padding="same")(layers.ReLU(threshold=-1.0)(x))
        """,
    "arguments that are not seen": """
        def block(x, options):
            return layers.MaxPooling2D(2, padding="same")(layers.ReLU(**options)(x))
        """,
    "a layer that may be replaced": """
        class Net(keras.Model):
            def __init__(self, act):
                super().__init__()
                self.act = layers.ReLU()
                self.pool = layers.MaxPooling2D(2, padding="same")
                if act:
                    self.act = act

            def call(self, x):
                return self.pool(self.act(x))
        """,
    "applied twice": """
        def block(x):
            pool = layers.MaxPooling2D(2, padding="same")
            return pool(layers.ReLU()(x)) + pool(x)
        """,
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(MILD)
def test_worth_knowing_only(row: str) -> None:
    assert only_finding(CODE, row).severity is Severity.INFO


@each(STRONG)
def test_likely_trouble(row: str) -> None:
    assert only_finding(CODE, row).severity is Severity.WARNING


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@each(NOT_ZERO)
def test_zeros_only_where_nothing_is_negative(row: str) -> None:
    fix = only_finding(CODE, row).fix
    assert fix is not None
    assert fix.applicability.value == "unsafe"
    assert "-inf" in fix.message


@each(IN_JAX)
def test_fixed_in_jax(row: str) -> None:
    imports = "from flax import linen as nn\nfrom jax import lax\n\n"
    sizes = [(2, height, width, 3) for height in (4, 5) for width in (4, 5, 6)]
    assert_same_in_jax(CODE, imports + row, sizes)


def test_no_infinity_for_int8() -> None:
    row = "y = layers.MaxPooling2D(2, padding='same')(x)"
    finding = only_finding(CODE, row, {"targets": frozenset({"tflite"})})
    assert "int8 has no -inf to pad with" in (finding.no_fix_reason or "")


def test_numbers() -> None:
    numbers = only_finding(
        CODE, "y = layers.MaxPooling2D(2, padding='same')(keras.Input((96, 97, 3)))"
    ).numbers
    assert [(a["size"], a["pads"], a["by_residue"]) for a in numbers["axes"]] == [
        (96, [0, 0], {"0": [0, 0], "1": [0, 1]}),
        (97, [0, 1], {"0": [0, 0], "1": [0, 1]}),
    ]
    assert numbers["others"] == {"torch_pool": "padding=0, ceil_mode=True"}
