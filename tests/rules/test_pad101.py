from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    only_finding,
)

CODE = "PAD101"

SILENT = {
    "valid": "y = layers.Conv2D(8, 3, strides=2, padding='valid')(x)",
    "valid by default": "y = layers.Conv2D(8, 3, strides=2)(x)",
    "stride 1": "y = layers.Conv2D(8, 3, padding='same')(x)",
    "dilated, stride 1": "y = layers.Conv2D(8, 3, padding='same', dilation_rate=6)(x)",
    "kernel 1 never pads": "y = layers.Conv2D(8, 1, strides=2, padding='same')(x)",
    "kernel 1 on every axis": "y = layers.Conv2D(8, (1, 1), (2, 2), 'same')(x)",
    "unknown kernel": "y = layers.Conv2D(8, k, strides=2, padding='same')(x)",
    "unknown stride": "y = layers.Conv2D(8, 3, strides=s, padding='same')(x)",
    "stride from a caller, 1 by default": """
        def block(x, s=1):
            return layers.Conv2D(8, 3, strides=s, padding="same")(x)
        """,
    "unknown padding": "y = layers.Conv2D(8, 3, strides=2, padding=p)(x)",
    "valid where strided": """
        def block(x, s):
            x = layers.ZeroPadding2D(1)(x) if s > 1 else x
            return layers.Conv2D(8, 3, strides=s, padding="same" if s == 1 else "valid")(x)
        """,
    "valid where strided, as a tuple": """
        def block(x, s=(2, 2)):
            return layers.Conv2D(8, 3, strides=s, padding="valid" if s != (1, 1) else "same")(x)
        """,
    "causal": "y = layers.Conv1D(8, 3, strides=2, padding='causal')(x)",
    "explicit pairs": "y = tf.nn.conv2d(x, w, 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
    "tf.nn knows no lower case": "y = tf.nn.conv2d(x, w, 2, 'same')",
    "pooling": "y = layers.MaxPooling2D(3, strides=2, padding='same')(x)",
    "transposed": "y = layers.Conv2DTranspose(8, 3, strides=2, padding='same')(x)",
    "PyTorch raises instead": "c = nn.Conv2d(3, 8, 3, stride=2, padding='same')",
    "another library": """
        import paddle
        c = paddle.nn.Conv2D(3, 8, 3, stride=2, padding="same")
        """,
    "own class of the name": """
        from keras import layers

        class Conv2D(layers.Layer):
            pass

        y = Conv2D(8, 3, strides=2, padding="same")(x)
        """,
    "shadowed by a parameter": """
        def block(layers, x):
            return layers.Conv2D(8, 3, strides=2, padding="same")(x)
        """,
    "two operators under one name": """
        try:
            from keras.layers import Conv2D as C
        except ImportError:
            from keras.layers import SeparableConv2D as C
        y = C(8, 3, strides=2, padding="same")(x)
        """,
    "own wrapper": "y = ConvBlock(8, 3, strides=2, padding='same')(x)",
    "a value, not a call": "build(layers.Conv2D, strides=2, padding='same')",
}

REPORTED = {
    "unknown size: pads per residue": (
        "y = layers.Conv2D(8, 3, strides=2, padding='same')(x)",
        "layers.Conv2D with stride 2 and SAME padding pads by the input size (even: (0, 1), odd: (1, 1))",
        "no symmetric padding equals it at every size",
    ),
    "stride 3": (
        "y = layers.Conv2D(8, 5, strides=3, padding='same')(x)",
        "(n % 3 == 0: (1, 1), n % 3 == 1: (2, 2), n % 3 == 2: (1, 2))",
    ),
    "axes differ": (
        "y = layers.Conv2D(8, (3, 1), strides=(2, 1), padding='same')(x)",
        "with stride (2, 1)",
        "(height even: (0, 1), odd: (1, 1); width (0, 0))",
    ),
    "three axes": (
        "y = layers.Conv3D(8, (1, 3, 3), strides=(1, 2, 2), padding='same')(x)",
        "depth (0, 0); height even: (0, 1), odd: (1, 1); width even: (0, 1), odd: (1, 1)",
    ),
    "known size": (
        "y = layers.Conv2D(8, 7, strides=2, padding='same')(keras.Input((224, 224, 3)))",
        "pads (2, 3) at 224; PyTorch's symmetric padding would pad (3, 3): other numbers",
    ),
    "symmetric at the known size": (
        "y = layers.Conv2D(8, 3, strides=2, padding='same')(keras.Input((225, 225, 3)))",
        "pads (1, 1) at 225, but other amounts at other sizes (even: (0, 1), odd: (1, 1))",
    ),
    "known sizes that differ": (
        "y = layers.Conv2D(8, 3, strides=2, padding='same')(keras.Input((224, 225, 3)))",
        "pads height (0, 1); width (1, 1) at 224x225",
    ),
    "one axis is known, which does not decide": (
        "y = layers.Conv2D(8, 3, strides=2, padding='same')(keras.Input((224, None, 3)))",
        "pads by the input size (even: (0, 1), odd: (1, 1))",
    ),
    "stride by default of a parameter": (
        """
        def block(x, s=2):
            return layers.Conv2D(8, 3, strides=s, padding="same")(x)
        """,
        "SAME padding (default of s in block()) pads",
    ),
    "name of a constant": (
        """
        MODE = "same"

        def block(x):
            return layers.Conv2D(8, 3, strides=2, padding=MODE)(x)
        """,
        "SAME padding (MODE) pads",
    ),
    "keyword dictionary may carry the rest": (
        "y = layers.Conv2D(8, 3, strides=2, padding='same', **options)(x)",
        "stride 2 and SAME padding pads",
    ),
    "weight of unknown shape": (
        "y = tf.nn.conv2d(x, w, strides=[1, 2, 2, 1], padding='SAME')",
        "tf.nn.conv2d with stride 2 and SAME padding pads by the input size: more after than before",
    ),
    "upper case in Keras": (
        "y = layers.Conv2D(8, 3, strides=2, padding='SAME')(x)",
        "even: (0, 1)",
    ),
    "handed to a wrapper layer": (
        "y = layers.TimeDistributed(layers.Conv2D(8, 3, strides=2, padding='same'))(x)",
        "even: (0, 1)",
    ),
    "one candidate is unknown": (
        """
        try:
            from keras import layers
        except ImportError:
            from mine import layers
        y = layers.Conv2D(8, 3, strides=2, padding="same")(x)
        """,
        "even: (0, 1)",
    ),
}

FIXED = {
    # -- shapes of code
    "a whole assignment becomes two": Fixed(
        """
        x = keras.Input((224, 224, 3))
        y = layers.Conv2D(8, 3, strides=2, padding="same")(x)
        """,
        """
        x = keras.Input((224, 224, 3))
        y = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        y = layers.Conv2D(8, 3, strides=2, padding="valid")(y)
        """,
        doubt="exact for 224 (Input, line 8)",
    ),
    "elsewhere the pad is nested": Fixed(
        """
        def stem(x):
            return layers.ReLU()(layers.Conv2D(8, 4, strides=2, padding='SAME')(x))
        """,
        """
        def stem(x):
            return layers.ReLU()(layers.Conv2D(8, 4, strides=2, padding='VALID')(layers.ZeroPadding2D(((1, 2), (1, 2)))(x)))
        """,
    ),
    "a shared row": Fixed(
        "x = keras.Input((8, 8, 3)); y = layers.Conv2D(8, 3, strides=2, padding='same')(x)\n",
        "x = keras.Input((8, 8, 3)); "
        "y = layers.Conv2D(8, 3, strides=2, padding='valid')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))\n",
    ),
    "the statement's name is also read by the call": Fixed(
        """
        def stem(x, y):
            y = layers.Conv2D(8, 4, strides=2, padding="same")(x, training=y)
            return y
        """,
        """
        def stem(x, y):
            y = layers.Conv2D(8, 4, strides=2, padding="valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x), training=y)
            return y
        """,
    ),
    "input by keyword": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, strides=2, padding="same")(inputs=x)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, strides=2, padding="valid")(inputs=layers.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
    ),
    "an input of several rows": Fixed(
        """
        def stem(a, b):
            y = layers.Conv2D(8, 4, strides=2, padding="same")(
                a +  # the image
                b
            )
            return y
        """,
        """
        def stem(a, b):
            y = layers.Conv2D(8, 4, strides=2, padding="valid")(
                layers.ZeroPadding2D(((1, 2), (1, 2)))(a +  # the image
                b)
            )
            return y
        """,
    ),
    "nested calls, one round each": Fixed(
        """
        x = keras.Input((8, 8, 3))
        y = layers.Conv2D(8, 3, strides=2, padding="same")(layers.Conv2D(8, 5, strides=2, padding="same")(x))
        """,
        """
        x = keras.Input((8, 8, 3))
        y = layers.Conv2D(8, 3, strides=2, padding="valid")(layers.ZeroPadding2D(((0, 1), (0, 1)))(layers.Conv2D(8, 5, strides=2, padding="valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))))
        """,
    ),
    "a local layer, at every call": Fixed(
        """
        def stem(x):
            conv = layers.Conv2D(3, 4, strides=2, padding="same")
            return conv(conv(x))
        """,
        """
        def stem(x):
            conv = layers.Conv2D(3, 4, strides=2, padding="valid")
            return conv(layers.ZeroPadding2D(((1, 2), (1, 2)))(conv(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))))
        """,
    ),
    "an attribute gets a pad beside it": Fixed(
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                # the stem
                self.stem = layers.Conv2D(3, 4, strides=2, padding="same")

            def call(self, x):
                return self.stem(self.stem(x))
        """,
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                # the stem
                self.stem_pad = layers.ZeroPadding2D(((1, 2), (1, 2)))
                self.stem = layers.Conv2D(3, 4, strides=2, padding="valid")

            def call(self, x):
                return self.stem(self.stem_pad(self.stem(self.stem_pad(x))))
        """,
    ),
    "the attribute's name is taken": Fixed(
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.stem_pad = layers.ReLU()
                self.stem: object = layers.Conv2D(3, 4, strides=2, padding="same")

            def call(self, x):
                return self.stem(self.stem_pad(x))
        """,
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.stem_pad = layers.ReLU()
                self.stem_zero_pad = layers.ZeroPadding2D(((1, 2), (1, 2)))
                self.stem: object = layers.Conv2D(3, 4, strides=2, padding="valid")

            def call(self, x):
                return self.stem(self.stem_zero_pad(self.stem_pad(x)))
        """,
    ),
    "an element of a Sequential": Fixed(
        """
        model = keras.Sequential([
            layers.Conv2D(8, 3, strides=2, padding="same", input_shape=(32, 32, 3)),  # stem
            layers.Flatten(), layers.Dense(10),
        ])
        """,
        """
        model = keras.Sequential([
            layers.ZeroPadding2D(((0, 1), (0, 1)), input_shape=(32, 32, 3)),
            layers.Conv2D(8, 3, strides=2, padding="valid"),  # stem
            layers.Flatten(), layers.Dense(10),
        ])
        """,
    ),
    "an element amid a row": Fixed(
        """
        model = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(8, 3, 2, "same"), layers.Flatten(), layers.Dense(9)])
        """,
        """
        model = keras.Sequential([keras.Input((32, 32, 3)), layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(8, 3, 2, "valid"), layers.Flatten(), layers.Dense(9)])
        """,
    ),
    "model.add": Fixed(
        """
        def build():
            model = keras.Sequential()
            model.add(layers.Conv2D(8, 3, input_shape=(32, 32, 3), strides=2, padding="same"))
            model.add(layers.Flatten())
            model.add(layers.Dense(10))
            return model
        """,
        """
        def build():
            model = keras.Sequential()
            model.add(layers.ZeroPadding2D(((0, 1), (0, 1)), input_shape=(32, 32, 3)))
            model.add(layers.Conv2D(8, 3, strides=2, padding="valid"))
            model.add(layers.Flatten())
            model.add(layers.Dense(10))
            return model
        """,
    ),
    "nothing is padded: only the word changes": Fixed(
        """
        x = keras.Input((12, 12, 3))
        y = layers.Conv2D(8, 3, strides=4, padding="same")(x)
        """,
        """
        x = keras.Input((12, 12, 3))
        y = layers.Conv2D(8, 3, strides=4, padding="valid")(x)
        """,
        doubt="Write padding as valid, since nothing is padded",
    ),
    "comments and layout stay": Fixed(
        """
        def stem(x):
            x = layers.Conv2D(
                8,  # filters
                4, strides=2,
                padding="same",  # as in TF
                # no bias
                use_bias=False,
            )(x)
            return x
        """,
        """
        def stem(x):
            x = layers.ZeroPadding2D(((1, 2), (1, 2)))(x)
            x = layers.Conv2D(
                8,  # filters
                4, strides=2,
                padding="valid",  # as in TF
                # no bias
                use_bias=False,
            )(x)
            return x
        """,
    ),
    # -- operators and amounts
    "one axis": Fixed(
        """
        def stem(x):
            return layers.Conv1D(8, 4, 2, "same")(x)
        """,
        """
        def stem(x):
            return layers.Conv1D(8, 4, 2, "valid")(layers.ZeroPadding1D((1, 2))(x))
        """,
    ),
    "three axes": Fixed(
        """
        def stem(x):
            return layers.Conv3D(8, (2, 4, 4), 2, "same")(x)
        """,
        """
        def stem(x):
            return layers.Conv3D(8, (2, 4, 4), 2, "valid")(layers.ZeroPadding3D(((0, 1), (1, 2), (1, 2)))(x))
        """,
    ),
    "kernel 1 on one axis": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, (1, 4), 2, "same")(x)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, (1, 4), 2, "valid")(layers.ZeroPadding2D(((0, 0), (1, 2)))(x))
        """,
    ),
    "depthwise": Fixed(
        """
        def stem(x):
            return layers.DepthwiseConv2D(4, 2, "same", depth_multiplier=2)(x)
        """,
        """
        def stem(x):
            return layers.DepthwiseConv2D(4, 2, "valid", depth_multiplier=2)(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
    ),
    "depthwise with dilation": Fixed(
        """
        def stem(x):
            return layers.DepthwiseConv2D(4, 2, "same", dilation_rate=3)(x)
        """,
        """
        def stem(x):
            return layers.DepthwiseConv2D(4, 2, "valid", dilation_rate=3)(layers.ZeroPadding2D(((4, 5), (4, 5)))(x))
        """,
    ),
    "separable": Fixed(
        """
        def stem(x):
            return layers.SeparableConv2D(8, 4, 2, "same")(x)
        """,
        """
        def stem(x):
            return layers.SeparableConv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
    ),
    "kernel 2, stride 5: one pair for every size": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 2, 5, "same")(x)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 2, 5, "valid")(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))
        """,
    ),
    "data_format and dtype go along as written": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same", "channels_first", dtype="float64", name="stem")(x)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid", "channels_first", dtype="float64", name="stem")(layers.ZeroPadding2D(((1, 2), (1, 2)), data_format="channels_first", dtype="float64")(x))
        """,
    ),
    "data_format by name, None stays away": Fixed(
        """
        def stem(x, layout):
            x = layers.Conv2D(8, 4, 2, "same", data_format=layout, dtype=None)(x)
            return x
        """,
        """
        def stem(x, layout):
            x = layers.ZeroPadding2D(((1, 2), (1, 2)), data_format=layout)(x)
            x = layers.Conv2D(8, 4, 2, "valid", data_format=layout, dtype=None)(x)
            return x
        """,
        layer="no reference",
    ),
    # -- tf.nn
    "tf.nn.conv2d takes pairs": Fixed(
        """
        @tf.function(input_signature=[tf.TensorSpec([1, 224, 224, 3], tf.float32)])
        def run(x):
            return tf.nn.conv2d(x, tf.ones([3, 3, 3, 8]), strides=2, padding="SAME")
        """,
        """
        @tf.function(input_signature=[tf.TensorSpec([1, 224, 224, 3], tf.float32)])
        def run(x):
            return tf.nn.conv2d(x, tf.ones([3, 3, 3, 8]), strides=2, padding=[[0, 0], [0, 1], [0, 1], [0, 0]])
        """,
        doubt="exact for 224 (TensorSpec, line 8)",
    ),
    "pairs in the order of NCHW": Fixed(
        """
        def run(x):
            return tf.nn.conv2d(x, tf.ones([4, 4, 3, 8]), [1, 1, 2, 2], 'SAME', 'NCHW')
        """,
        """
        def run(x):
            return tf.nn.conv2d(x, tf.ones([4, 4, 3, 8]), [1, 1, 2, 2], [[0, 0], [0, 0], [1, 2], [1, 2]], 'NCHW')
        """,
    ),
    "tf.nn.depthwise_conv2d": Fixed(
        """
        def run(x):
            w = tf.Variable(tf.random.normal([4, 4, 3, 2]))
            return tf.nn.depthwise_conv2d(x, w, strides=[1, 2, 2, 1], padding="SAME")
        """,
        """
        def run(x):
            w = tf.Variable(tf.random.normal([4, 4, 3, 2]))
            return tf.nn.depthwise_conv2d(x, w, strides=[1, 2, 2, 1], padding=[[0, 0], [1, 2], [1, 2], [0, 0]])
        """,
    ),
    "tf.nn.separable_conv2d": Fixed(
        """
        def run(x, p):
            return tf.nn.separable_conv2d(x, tf.ones([4, 4, 3, 2]), p, [1, 2, 2, 1], "SAME")
        """,
        """
        def run(x, p):
            return tf.nn.separable_conv2d(x, tf.ones([4, 4, 3, 2]), p, [1, 2, 2, 1], [[0, 0], [1, 2], [1, 2], [0, 0]])
        """,
    ),
    "tf.nn.conv1d refuses pairs": Fixed(
        """
        def run(x):
            return tf.nn.conv1d(x, tf.ones([4, 3, 8]), stride=2, padding="SAME", data_format="NCW")
        """,
        """
        def run(x):
            return tf.nn.conv1d(tf.pad(x, [[0, 0], [0, 0], [1, 2]]), tf.ones([4, 3, 8]), stride=2, padding="VALID", data_format="NCW")
        """,
    ),
    "tf.nn.conv3d refuses pairs": Fixed(
        """
        def run(x):
            return tf.nn.conv3d(x, tf.ones([2, 4, 4, 3, 8]), [1, 2, 2, 2, 1], "SAME")
        """,
        """
        def run(x):
            return tf.nn.conv3d(tf.pad(x, [[0, 0], [0, 1], [1, 2], [1, 2], [0, 0]]), tf.ones([2, 4, 4, 3, 8]), [1, 2, 2, 2, 1], "VALID")
        """,
    ),
    "tf.nn.convolution refuses pairs": Fixed(
        """
        def run(x):
            return tf.nn.convolution(x, tf.ones([4, 4, 3, 8]), 2, "SAME")
        """,
        """
        def run(x):
            return tf.nn.convolution(tf.pad(x, [[0, 0], [1, 2], [1, 2], [0, 0]]), tf.ones([4, 4, 3, 8]), 2, "VALID")
        """,
    ),
    "tf.compat.v1": Fixed(
        """
        import tensorflow.compat.v1 as tf

        def run(x):
            x = tf.nn.conv2d(x, filter=tf.zeros([4, 4, 3, 3]), strides=[1, 2, 2, 1], padding="SAME")
            return tf.nn.convolution(x, tf.zeros([4, 4, 3, 8]), "SAME", [2, 2])
        """,
        """
        import tensorflow.compat.v1 as tf

        def run(x):
            x = tf.nn.conv2d(x, filter=tf.zeros([4, 4, 3, 3]), strides=[1, 2, 2, 1], padding=[[0, 0], [1, 2], [1, 2], [0, 0]])
            return tf.nn.convolution(tf.pad(x, [[0, 0], [1, 2], [1, 2], [0, 0]]), tf.zeros([4, 4, 3, 8]), "VALID", [2, 2])
        """,
    ),
    # -- names
    "an import is extended": Fixed(
        """
        from keras.layers import (
            Conv2D,  # the convolution
            Input,
        )
        x = Input((224, 224, 3))
        x = Conv2D(3, 3, strides=2, padding="same")(x)
        x = Conv2D(3, 5, strides=2, padding="same")(x)
        """,
        """
        from keras.layers import (
            Conv2D, ZeroPadding2D,  # the convolution
            Input,
        )
        x = Input((224, 224, 3))
        x = ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = Conv2D(3, 3, strides=2, padding="valid")(x)
        x = ZeroPadding2D(((1, 2), (1, 2)))(x)
        x = Conv2D(3, 5, strides=2, padding="valid")(x)
        """,
    ),
    "the imports of both branches are extended": Fixed(
        """
        try:
            from keras.layers import Conv2D as Conv
        except ImportError:
            from tensorflow.keras.layers import Conv2D as Conv

        def stem(x):
            return Conv(8, 4, strides=2, padding="same")(x)
        """,
        """
        try:
            from keras.layers import Conv2D as Conv, ZeroPadding2D
        except ImportError:
            from tensorflow.keras.layers import Conv2D as Conv, ZeroPadding2D

        def stem(x):
            return Conv(8, 4, strides=2, padding="valid")(ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
    ),
    "a shorter name of the file is used": Fixed(
        """
        import tensorflow as tf
        from tensorflow.keras import layers as L

        Conv = L.Conv2D

        def stem(x):
            return Conv(8, 4, strides=2, padding="same")(x)
        """,
        """
        import tensorflow as tf
        from tensorflow.keras import layers as L

        Conv = L.Conv2D

        def stem(x):
            return Conv(8, 4, strides=2, padding="valid")(L.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
    ),
    # -- why a fix is not safe
    "a Sequential without Flatten and Dense": Fixed(
        """
        model = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(8, 3, 2, "same")])
        """,
        """
        model = keras.Sequential([keras.Input((32, 32, 3)), layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(8, 3, 2, "valid")])
        """,
        "unsafe",
        doubt="a Sequential model takes other sizes than the declared one too",
    ),
    "a Sequential whose Dense lets another size through": Fixed(
        """
        model = keras.Sequential([
            keras.Input((32, 32, 3)),
            layers.Conv2D(8, 3, 2, "same"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(10),
        ])
        """,
        """
        model = keras.Sequential([
            keras.Input((32, 32, 3)),
            layers.ZeroPadding2D(((0, 1), (0, 1))),
            layers.Conv2D(8, 3, 2, "valid"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(10),
        ])
        """,
        "unsafe",
        doubt="the Sequential model takes size 33 too, where the pads differ",
    ),
    "two strides that make up for each other": Fixed(
        """
        model = keras.Sequential([keras.Input((30, 30, 3)), layers.Conv2D(3, 3, 2, "same"), layers.Conv2D(3, 3, 2, "same"), layers.Flatten(), layers.Dense(9)])
        """,
        """
        model = keras.Sequential([keras.Input((30, 30, 3)), layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(3, 3, 2, "valid"), layers.ZeroPadding2D(((1, 1), (1, 1))), layers.Conv2D(3, 3, 2, "valid"), layers.Flatten(), layers.Dense(9)])
        """,
        "unsafe",
        doubt="the Sequential model takes size 31 too, where the pads differ",
    ),
    "a Sequential built under conditions": Fixed(
        """
        def build(wide):
            model = keras.Sequential([keras.Input((32, 32, 3))])
            model.add(layers.Conv2D(8, 3, 2, "same"))
            if wide:
                model.add(layers.MaxPooling2D(3, 1, "same"))
            model.add(layers.Flatten())
            model.add(layers.Dense(10))
        """,
        """
        def build(wide):
            model = keras.Sequential([keras.Input((32, 32, 3))])
            model.add(layers.ZeroPadding2D(((0, 1), (0, 1))))
            model.add(layers.Conv2D(8, 3, 2, "valid"))
            if wide:
                model.add(layers.MaxPooling2D(3, 1, "same"))
            model.add(layers.Flatten())
            model.add(layers.Dense(10))
        """,
        "unsafe",
        doubt="the Sequential model is built under conditions",
    ),
    "layers by index": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def freeze(model):
            model.layers[3].trainable = False
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def freeze(model):
            model.layers[3].trainable = False
        """,
        "unsafe",
        doubt="the file reaches layers by index, and a new layer shifts them",
    ),
    "layers in a loop": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def freeze(model, base):
            for layer in base.layers: layer.trainable = False
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def freeze(model, base):
            for layer in base.layers: layer.trainable = False
        """,
        "unsafe",
        doubt="by index",
    ),
    "layers that are handed on": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def copy(model, other):
            for a, b in zip(model.layers, other.layers): a.set_weights(b.get_weights())
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def copy(model, other):
            for a, b in zip(model.layers, other.layers): a.set_weights(b.get_weights())
        """,
        "unsafe",
        doubt="by index",
    ),
    "the last layer is cut off": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def headless(model):
            model.layers.pop()
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def headless(model):
            model.layers.pop()
        """,
        "unsafe",
        doubt="by index",
    ),
    "the automatic name of a pad": Fixed(
        """
        x = keras.Input((8, 8, 3))
        y = layers.Conv2D(8, 3, strides=2, padding="same")(x)
        m = keras.Model(x, layers.ZeroPadding2D(1)(y)).get_layer("zero_padding2d")
        """,
        """
        x = keras.Input((8, 8, 3))
        y = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        y = layers.Conv2D(8, 3, strides=2, padding="valid")(y)
        m = keras.Model(x, layers.ZeroPadding2D(1)(y)).get_layer("zero_padding2d")
        """,
        "unsafe",
        doubt="the file writes a name that Keras gives to such layers",
    ),
    "get_layer by index": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def first(model):
            return model.get_layer(index=0)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def first(model):
            return model.get_layer(index=0)
        """,
        "unsafe",
        doubt="by index",
    ),
    "tf.train.Checkpoint": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        def save(model):
            tf.train.Checkpoint(model).save("here")
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        def save(model):
            tf.train.Checkpoint(model).save("here")
        """,
        "unsafe",
        doubt="tf.train.Checkpoint finds layers by index",
    ),
    "a ModelCheckpoint is no Checkpoint": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)

        callback = keras.callbacks.ModelCheckpoint("best.keras")
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))

        callback = keras.callbacks.ModelCheckpoint("best.keras")
        """,
    ),
    "keywords that may hold a dtype": Fixed(
        """
        def stem(x, **options):
            return layers.Conv2D(8, 4, 2, "same", dilation_rate=1, data_format=None, **options)(x)
        """,
        """
        def stem(x, **options):
            return layers.Conv2D(8, 4, 2, "valid", dilation_rate=1, data_format=None, **options)(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
        "unsafe",
        layer="no reference",
        doubt="**kwargs may carry dtype or data_format",
    ),
    "one candidate of the name is unknown": Fixed(
        """
        try:
            from keras import layers
        except ImportError:
            from mine import layers

        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)
        """,
        """
        try:
            from keras import layers
        except ImportError:
            from mine import layers

        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(layers.ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
        "unsafe",
        doubt="layers.Conv2D may also be something else",
    ),
    "a star import": Fixed(
        """
        from keras.layers import *

        def stem(x):
            return Conv2D(8, 4, 2, "same")(x)
        """,
        """
        from keras.layers import *

        def stem(x):
            return Conv2D(8, 4, 2, "valid")(ZeroPadding2D(((1, 2), (1, 2)))(x))
        """,
        "unsafe",
        doubt="Conv2D may also be something else",
    ),
    "model.add of an unknown model": Fixed(
        """
        def extend(model):
            model.add(layers.Conv2D(8, 4, 2, "same"))
        """,
        """
        def extend(model):
            model.add(layers.ZeroPadding2D(((1, 2), (1, 2))))
            model.add(layers.Conv2D(8, 4, 2, "valid"))
        """,
        "unsafe",
        doubt="model.add may not be that of a keras.Sequential",
    ),
    "an Input with a shape by default": Fixed(
        """
        def stem(shape=(224, 224, 3)):
            x = keras.Input(shape)
            return layers.Conv2D(8, 3, 2, "same")(x)
        """,
        """
        def stem(shape=(224, 224, 3)):
            x = keras.Input(shape)
            return layers.Conv2D(8, 3, 2, "valid")(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))
        """,
        "unsafe",
        doubt="assumes that the default of shape in stem() is (224, 224, 3)",
    ),
    # -- what the user promises
    "input size": Fixed(
        """
        x = keras.Input((None, None, 3))
        x = layers.Conv2D(8, 3, 2, "same")(x)
        x = layers.Conv2D(8, 3, 2, "same")(x)
        """,
        """
        x = keras.Input((None, None, 3))
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = layers.Conv2D(8, 3, 2, "valid")(x)
        x = layers.ZeroPadding2D(((1, 1), (1, 1)))(x)
        x = layers.Conv2D(8, 3, 2, "valid")(x)
        """,
        doubt="exact for 50 (--input-size), as you promised for every model input",
        options={"input_size": (50,)},
    ),
    "input size per axis": Fixed(
        """
        x = keras.Input((None, None, 3))
        y = layers.Conv2D(8, 3, 2, "same")(x)
        """,
        """
        x = keras.Input((None, None, 3))
        y = layers.ZeroPadding2D(((0, 1), (1, 1)))(x)
        y = layers.Conv2D(8, 3, 2, "valid")(y)
        """,
        options={"input_size": (64, 63)},
    ),
    "input multiple": Fixed(
        """
        x = keras.Input((None, None, 3))
        x = layers.Conv2D(8, 3, 2, "same")(x)
        x = layers.Conv2D(8, 5, 4, "same")(x)
        """,
        """
        x = keras.Input((None, None, 3))
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = layers.Conv2D(8, 3, 2, "valid")(x)
        x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
        x = layers.Conv2D(8, 5, 4, "valid")(x)
        """,
        doubt="a multiple of 32",
        options={"input_multiple": 32},
    ),
    # -- --keras-pad ops
    "keras.ops.pad adds no layer": Fixed(
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "same")(x)
        """,
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, "valid")(keras.ops.pad(x, ((0, 0), (1, 2), (1, 2), (0, 0))))
        """,
        options={"keras_pad": "ops"},
    ),
    "keras.ops.pad, channels first, at every call of an attribute": Fixed(
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.stem = layers.Conv1D(3, 4, 2, "same", "channels_first")

            def call(self, x):
                return self.stem(self.stem(x))
        """,
        """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.stem = layers.Conv1D(3, 4, 2, "valid", "channels_first")

            def call(self, x):
                return self.stem(keras.ops.pad(self.stem(keras.ops.pad(x, ((0, 0), (0, 0), (1, 2)))), ((0, 0), (0, 0), (1, 2))))
        """,
        options={"keras_pad": "ops"},
    ),
}

NOT_FIXED = {
    "a shape that Keras ignores": (
        "y = layers.Conv2D(8, 3, 2, 'same', input_shape=(224, 224, 3))(x)",
        "x is not made in this function",
    ),
    "parameter": (
        "def stem(x):\n    return layers.Conv2D(8, 3, 2, 'same')(x)",
        "the pads depend on the input size, which is not known: x is a parameter of stem()",
    ),
    "size left open": (
        "y = layers.Conv2D(8, 3, 2, 'same')(keras.Input((None, None, 3)))",
        "the Input, line 8 leaves the size open",
    ),
    "one axis left open": (
        "y = layers.Conv2D(8, 3, 2, 'same')(keras.Input((224, None, 3)))",
        "224x? (Input, line 8) does not decide them",
    ),
    "size after a layer that is not followed": (
        "y = layers.Conv2D(8, 3, 2, 'same')(augment(keras.Input((224, 224, 3))))",
        "augment in line 8 is not followed",
    ),
    "several sizes": (
        """
        def stem():
            conv = layers.Conv2D(3, 3, 2, "same")
            return conv(conv(keras.Input((50, 50, 3))))
        """,
        "(in several ways) does not decide them",
    ),
    "stride by default of a parameter": (
        """
        def block(x, s=2):
            return layers.Conv2D(8, 4, strides=s, padding="same")(x)
        """,
        "its arguments may also have other values (default of s in block())",
    ),
    "keywords may hold a dilation": (
        "y = layers.Conv2D(8, 4, 2, 'same', **options)(x)",
        "*args or **kwargs may carry other values",
    ),
    "weight of unknown shape": (
        "y = tf.nn.conv2d(x, w, 2, 'SAME')",
        "the kernel size is in the shape of the weight, which the file does not show",
    ),
    "irregular in tf.nn": (
        "y = tf.nn.depthwise_conv2d(x, tf.ones([3, 3, 3, 1]), [1, 2, 2, 1], 'SAME', dilations=[2, 2])",
        "computes something irregular for strides with dilations",
    ),
    "tf layout unknown": (
        "y = tf.nn.conv2d(x, tf.ones([4, 4, 3, 8]), 2, 'SAME', layout)",
        "data_format is computed",
    ),
    "Keras layout unknown": (
        "y = layers.Conv2D(8, 3, 2, 'same', data_format=f)(keras.Input((3, 224, 225)))",
        "data_format, which tells its axes, is computed",
    ),
    "layout set for the whole program": (
        """
        keras.config.set_image_data_format("channels_first")
        y = layers.Conv2D(8, 3, 2, "same")(keras.Input((3, 224, 224)))
        """,
        "the file changes the global data_format",
    ),
    "tf.pad has no name": (
        """
        from tensorflow import nn, ones
        y = nn.conv1d(x, ones([4, 3, 8]), 2, "SAME")
        """,
        "the file has no name for tf.pad",
    ),
    "handed to a wrapper layer": (
        "y = layers.TimeDistributed(layers.Conv2D(8, 4, 2, 'same'))(x)",
        "it is an argument of another call",
    ),
    "handed on by name": (
        """
        def stem(x):
            conv = layers.Conv2D(8, 4, 2, "same")
            return layers.TimeDistributed(conv)(x)
        """,
        "conv is also used without being called",
    ),
    "returned": (
        "def make():\n    return layers.Conv2D(8, 4, 2, 'same')",
        "the layer is handed on",
    ),
    "in a list": ("blocks = [layers.Conv2D(8, 4, 2, 'same')]", "the layer is handed on"),
    "appended": ("blocks.append(layers.Conv2D(8, 4, 2, 'same'))", "it is an argument of another call"),
    "a name of the module": (
        "conv = layers.Conv2D(8, 4, 2, 'same')\ny = conv(x)",
        "conv is a name of the module",
    ),
    "bound twice": (
        """
        def stem(x, flag):
            conv = layers.Conv2D(8, 4, 2, "same")
            if flag:
                conv = layers.ReLU()
            return conv(x)
        """,
        "conv is bound more than once",
    ),
    "never applied": (
        "def stem():\n    conv = layers.Conv2D(8, 4, 2, 'same')",
        "where it is applied is not seen",
    ),
    "input in *args": (
        "def stem(*xs):\n    return layers.Conv2D(8, 4, 2, 'same')(*xs)",
        "its input is not written as an argument",
    ),
    "attribute used as a value": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same")
                self.stem.trainable = False

            def call(self, x):
                return self.stem(x)
        """,
        "self.stem is also used without being called",
    ),
    "attribute reached from outside": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same")

            def call(self, x):
                return self.stem(x)

        def features(net, x):
            return net.stem(x)
        """,
        ".stem is also reached from outside of the class",
    ),
    "subclassed": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same")

            def call(self, x):
                return self.stem(x)

        class Wide(Net):
            pass
        """,
        "Net is subclassed in the file",
    ),
    "attributes by name": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same")

            def call(self, x):
                return getattr(self, "stem")(self.stem(x))
        """,
        "the class looks up attributes by name",
    ),
    "no attribute of self": (
        """
        def build(net):
            net.stem = layers.Conv2D(8, 4, 2, "same")
        """,
        "it is not assigned to an attribute of self",
    ),
    "attribute in a shared row": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same"); self.act = layers.ReLU()

            def call(self, x):
                return self.stem(x)
        """,
        "the assignment does not stand alone in its row",
    ),
    "every name for the pad is taken": (
        """
        class Net(keras.Model):
            def __init__(self):
                self.stem = layers.Conv2D(8, 4, 2, "same")
                self.stem_pad = self.stem_zero_pad = self.stem_explicit_pad = None

            def call(self, x):
                return self.stem(x)
        """,
        "no attribute name is free for the pad layer",
    ),
    "model.add in a shared row": (
        "model = keras.Sequential()\nmodel.add(layers.Conv2D(8, 4, 2, 'same')); model.summary()",
        "the call of add does not stand alone in its row",
    ),
    "a comment beside the input shape": (
        """
        model = keras.Sequential([layers.Conv2D(8, 4, 2, "same",
            # CIFAR
            input_shape=(32, 32, 3))])
        """,
        "a comment stands between its arguments and the input shape that has to move",
    ),
    "a comment inside the padding": (
        """
        def stem(x):
            return layers.Conv2D(8, 4, 2, padding=(
                "same"  # as in TF
            ))(x)
        """,
        "a comment stands in the text that would be replaced",
    ),
    "a dtype that is computed": (
        "def stem(x):\n    return layers.Conv2D(8, 4, 2, 'same', dtype=policy())(x)",
        "dtype is computed, and ZeroPadding2D needs the same",
    ),
    "the pad layer's name is taken": (
        """
        from keras.layers import Conv2D
        ZeroPadding2D = None

        def stem(x):
            return Conv2D(8, 4, 2, "same")(x)
        """,
        "the name ZeroPadding2D is taken in this file",
    ),
    "the module has no such layer": (
        """
        from keras.src.layers.convolutional.conv2d import Conv2D

        def stem(x):
            return Conv2D(8, 4, 2, "same")(x)
        """,
        "the file has no name for ZeroPadding2D, and none can be added to its imports",
    ),
    "an import cannot be extended": (
        """
        import flags
        if flags.keras:
            from keras.layers import Conv2D
        else:
            Conv2D = None

        def stem(x):
            return Conv2D(8, 4, 2, "same")(x)
        """,
        "none can be added to its imports",
    ),
    "another meaning where the layer is applied": (
        """
        def stem(x):
            conv = layers.Conv2D(8, 4, 2, "same")

            def run(x, layers):
                return conv(x)

            return run(x, None)
        """,
        "mean something else where the layer is applied",
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_numbers() -> None:
    finding = only_finding(CODE, "y = layers.Conv2D(8, (3, 5), 2, 'same')(keras.Input((224, None, 3)))")
    height, width = finding.numbers["axes"]
    assert finding.numbers["op"] == "keras.layers.Conv2D"
    assert height == {
        "axis": "height",
        "size": 224,
        "kernel": 3,
        "stride": 2,
        "dilation": 1,
        "pads": [0, 1],
        "by_residue": {"0": [0, 1], "1": [1, 1]},
    }
    assert (width["size"], width["pads"]) == (None, None)
    assert width["by_residue"] == {"0": [1, 2], "1": [2, 2]}
    assert finding.numbers["others"]["torch_symmetric_padding"]["height"] == {"0": None, "1": 1}


def test_a_finding_stands_where_its_call_starts() -> None:
    finding = only_finding(CODE, "y = [(\n    layers.Conv2D(8, 3, 2, 'same'\n))(x)]\n")
    assert (finding.location.row, finding.location.column) == (9, 5)
    assert (finding.end_location.row, finding.end_location.column) == (10, 2)
