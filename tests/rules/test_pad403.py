from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD403"

SILENT = {
    "stride alone": "layers.Conv2D(8, 3, strides=2)",
    "dilation alone": "layers.Conv2D(8, 3, dilation_rate=2)",
    "both 1": "layers.Conv2D(8, 3, strides=1, dilation_rate=(1, 1))",
    "a test wants the error": """
        def test_refused():
            with pytest.raises(ValueError, match="not supported"):
                layers.Conv2D(8, 3, strides=2, dilation_rate=2)
        """,
    "a test case wants the error": """
        class RefusedTest(TestCase):
            def test(self):
                with self.assertRaisesRegex(ValueError, "x"), self.subTest("y"):
                    for s in (2, 3):
                        layers.Conv2D(8, 3, strides=2, dilation_rate=2)
        """,
    "unknown stride": "layers.Conv2D(8, 3, strides=s, dilation_rate=2)",
    "unknown dilation": "layers.Conv2D(8, 3, strides=2, dilation_rate=d)",
    "one of several values": """
        def block(x, down):
            s = 2 if down else 1
            d = 1 if down else 2
            return layers.Conv2D(8, 3, strides=s, dilation_rate=d)(x)
        """,
    "dilation only without stride": """
        def block(x, s=2, d=2):
            d = 1 if s > 1 else d
            return layers.Conv2D(8, 3, strides=s, dilation_rate=d)(x)
        """,
    "the defaults do not lead there": """
        def block(x, s=2, d=2):
            if d == 1:
                return layers.Conv2D(8, 3, strides=s, dilation_rate=d)(x)
            return x
        """,
    "one default does not lead there": """
        def block(x, s, d=2):
            return layers.Conv2D(8, 3, strides=2, dilation_rate=d)(x) if d == 1 else x
        """,
    "the other default does not lead there": """
        def block(x, s=2):
            return layers.Conv2D(8, 3, strides=s, dilation_rate=2)(x) if s == 1 else x
        """,
    "Keras 1": """
        from keras.layers import AtrousConvolution2D
        AtrousConvolution2D(8, 3, 3, subsample=(2, 2), atrous_rate=(2, 2))
        """,
    "depthwise": "layers.DepthwiseConv2D(3, strides=2, dilation_rate=2)",
    "separable": "layers.SeparableConv2D(8, 3, strides=2, dilation_rate=2)",
    "tf.nn.conv2d": "tf.nn.conv2d(x, w, 2, 'SAME', dilations=2)",
    "tf.nn.conv1d": "tf.nn.conv1d(x, w, 2, 'SAME', dilations=2)",
    "tf.nn.conv2d_transpose": "tf.nn.conv2d_transpose(x, w, (1, 8, 8, 3), 2, dilations=2)",
    "depthwise_conv2d on different axes, VALID": (
        "tf.nn.depthwise_conv2d(x, w, [1, 1, 2, 1], 'VALID', dilations=[2, 1])"
    ),
    "depthwise_conv2d on different axes, unknown padding": (
        "tf.nn.depthwise_conv2d(x, w, [1, 1, 2, 1], p, dilations=[2, 1])"
    ),
    "malformed strides": "tf.nn.depthwise_conv2d(x, w, [1, 2, 1], 'SAME', dilations=[2, 2])",
    "malformed dilations": "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], 'SAME', dilations=[2, 2, 2])",
    "no numbers": "layers.Conv2D(8, 3, strides='2', dilation_rate=2)",
    "native depthwise": (
        "tf.compat.v1.nn.depthwise_conv2d_native(x, w, [1, 2, 2, 1], 'SAME', dilations=[1, 2, 2, 1])"
    ),
    "computed data_format": (
        "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], 'VALID', data_format=f, dilations=[2, 2])"
    ),
    "keras.ops, which may run on JAX": "keras.ops.conv(x, w, 2, dilation_rate=2)",
    "keras.ops, depthwise": "keras.ops.depthwise_conv(x, w, 2, dilation_rate=2)",
    "keras.ops, transposed": "keras.ops.conv_transpose(x, w, 2, dilation_rate=2)",
    "JAX": "from flax import linen\nlinen.Conv(8, (3, 3), strides=2, kernel_dilation=2)",
    "PyTorch": "nn.Conv2d(3, 8, 3, stride=2, dilation=2)",
}

REPORTED = {
    "behind a test that wants an error": (
        """
        def test_refused():
            with pytest.raises(ValueError):
                build()
            with strategy.scope():
                layers.Conv2D(8, 3, strides=2, dilation_rate=2)
        """,
        "raises",
    ),
    "Keras": (
        "layers.Conv2D(8, 3, strides=2, dilation_rate=2)",
        "layers.Conv2D with strides=2 and dilation_rate=2 raises",
    ),
    "SAME too": ("layers.Conv2D(8, 3, strides=2, dilation_rate=2, padding='same')", "raises"),
    "different axes": (
        "layers.Conv2D(8, 3, strides=(1, 2), dilation_rate=(2, 1))",
        "with strides=(1, 2) and dilation_rate=(2, 1) raises",
    ),
    "one axis": ("layers.Conv1D(8, 3, 2, dilation_rate=2)", "layers.Conv1D with strides=2"),
    "three axes": ("layers.Conv3D(8, 3, strides=2, dilation_rate=2)", "layers.Conv3D"),
    "transposed": ("layers.Conv2DTranspose(8, 3, strides=2, dilation_rate=2)", "raises"),
    "transposed, one axis": ("layers.Conv1DTranspose(8, 3, strides=2, dilation_rate=3)", "raises"),
    "defaults of parameters": (
        """
        def block(x, s=2, d=2):
            return layers.Conv2D(8, 3, strides=s, dilation_rate=d)(x)
        """,
        "with strides=2 and dilation_rate=2 (default of s in block(), default of d in block()) raises",
    ),
    "more may be carried": (
        "layers.Conv2D(8, 3, strides=2, dilation_rate=2, **options)",
        "raises",
    ),
    "tf.nn.convolution": (
        "tf.nn.convolution(x, w, strides=2, padding='SAME', dilations=2)",
        "tf.nn.convolution with strides=2 and dilations=2 raises",
    ),
    "slim": (
        "import tf_slim as slim\ny = slim.conv2d(x, 8, 3, stride=2, rate=2)",
        "slim.conv2d with stride=2 and rate=2 raises",
    ),
    "slim, separable": (
        "import tf_slim as slim\ny = slim.separable_conv2d(x, 8, 3, stride=2, rate=2)",
        "slim.separable_conv2d with stride=2 and rate=2 is silently wrong: along height and width",
    ),
    "slim, pool": (
        "import tf_slim as slim\ny = slim.pool(x, [3, 3], 'MAX', stride=2, dilation_rate=2)",
        "slim.pool with stride=2 and dilation_rate=2 raises",
    ),
    "in a branch": (
        """
        def block(x, dilated):
            return layers.Conv2D(8, 3, strides=2, dilation_rate=2)(x) if dilated else x
        """,
        "raises",
    ),
    "tf.layers": (
        "y = tf.layers.conv2d(x, 8, 3, strides=2, dilation_rate=2)",
        "tf.layers.conv2d with strides=2 and dilation_rate=2 raises",
    ),
    "tf.nn.pool": ("y = tf.nn.pool(x, [3, 3], 'MAX', strides=[2, 2], dilations=[2, 2])", "tf.nn.pool"),
    "tf.nn.depthwise_conv2d": (
        "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], 'SAME', dilations=[2, 2])",
        "with strides=(1, 2, 2, 1) and dilations=(2, 2) is silently wrong: along height and width",
    ),
    "tf.nn.depthwise_conv2d, one axis": (
        "tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], 'VALID', dilations=[1, 2])",
        "is silently wrong: along width its windows",
    ),
    "tf.nn.depthwise_conv2d, channels first": (
        "tf.nn.depthwise_conv2d(x, w, [1, 1, 2, 2], 'VALID', data_format='NCHW', dilations=[2, 2])",
        "is silently wrong: along height and width",
    ),
    "tf.nn.depthwise_conv2d, different axes": (
        "tf.nn.depthwise_conv2d(x, w, [1, 1, 2, 1], 'SAME', dilations=[2, 1])",
        "is silently wrong: its SAME padding ignores the stride",
    ),
    "tf.nn.separable_conv2d": (
        "tf.nn.separable_conv2d(x, w, p, [1, 2, 2, 1], 'SAME', dilations=[2, 2])",
        "is silently wrong",
    ),
}

NOT_FIXED = {
    "raises": (REPORTED["Keras"][0], "which of the two is meant is open"),
    "wrong": (REPORTED["tf.nn.depthwise_conv2d"][0], "trained with what it computes"),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_numbers() -> None:
    finding = only_finding(CODE, REPORTED["different axes"][0])
    assert finding.severity.label == "error"
    assert finding.numbers["others"] == {"stride": (1, 2), "dilation": (2, 1)}


def _built(text: str) -> Callable[[], Any]:
    import keras
    from keras import layers

    return lambda: eval(text, {"keras": keras, "layers": layers})


@pytest.mark.parametrize(
    "name", ["Keras", "SAME too", "different axes", "one axis", "three axes", "transposed"]
)
def test_keras_raises_where_it_is_said_to(name: str) -> None:
    with pytest.raises(ValueError, match="not supported in conjunction"):
        _built(REPORTED[name][0])()


@pytest.mark.parametrize("name", ["stride alone", "dilation alone", "depthwise", "separable"])
def test_keras_builds_where_nothing_is_said(name: str) -> None:
    assert _built(SILENT[name])() is not None


@pytest.mark.parametrize(
    ("stride", "dilation", "padding", "equal"),
    [
        ((2, 2), (2, 2), "SAME", False),
        ((2, 2), (2, 2), "VALID", False),
        ((2, 2), (1, 2), "VALID", False),
        ((1, 2), (2, 1), "SAME", False),
        ((1, 2), (2, 1), "VALID", True),
        ((1, 1), (2, 2), "SAME", True),
    ],
)
@pytest.mark.filterwarnings("ignore:When dilation rate")
def test_tensorflow_is_wrong_where_it_is_said_to_be(
    stride: tuple[int, int], dilation: tuple[int, int], padding: str, equal: bool
) -> None:
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(0)
    x, w = (random.normal(size=size).astype("float32") for size in ((1, 20, 20, 1), (3, 3, 1, 1)))
    one = tf.nn.depthwise_conv2d(x, w, [1, *stride, 1], padding, dilations=dilation)
    other = tf.nn.conv2d(x, w, stride, padding, dilations=dilation)
    assert np.allclose(one, other, atol=1e-4) == equal
    strides = [1, *stride, 1]
    text = f"tf.nn.depthwise_conv2d(x, w, {strides}, {padding!r}, dilations={dilation})"
    assert (findings(CODE, text) == []) == equal
