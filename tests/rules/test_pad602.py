from __future__ import annotations

import pytest

from padlint.findings import Severity
from tests.rules.table import assert_reported, each, findings, only_finding, source_of

CODE = "PAD602"

SILENT = {
    "fits": "y = layers.Conv2D(8, 3)(keras.Input((3, 3, 1)))",
    "one window": "y = layers.MaxPooling2D(7)(keras.Input((7, 7, 1)))",
    "dilated and fits": "y = layers.Conv2D(8, 3, dilation_rate=3)(keras.Input((7, 7, 1)))",
    "SAME": "y = layers.Conv2D(8, 5, padding='same')(keras.Input((3, 3, 1)))",
    "causal": "y = layers.Conv1D(8, 5, padding='causal')(keras.Input((3, 1)))",
    "a pad before": "y = layers.Conv2D(8, 5)(layers.ZeroPadding2D(1)(keras.Input((3, 3, 1))))",
    "no size": "y = layers.Conv2D(8, 5)(keras.Input((None, None, 1)))",
    "size of a parameter": """
        def f(n):
            return layers.Conv2D(8, 5)(keras.Input((n, n, 1)))
        """,
    "size of a default": """
        def f(shape=(3, 3, 1)):
            return layers.Conv2D(8, 5)(keras.Input(shape))
        """,
    "unknown kernel": """
        def f(k):
            return layers.Conv2D(8, k)(keras.Input((3, 3, 1)))
        """,
    "kernel of a default": """
        def f(k=5):
            return layers.Conv2D(8, k)(keras.Input((3, 3, 1)))
        """,
    "keyword arguments": """
        def f(**kwargs):
            return layers.Conv2D(8, 5, **kwargs)(keras.Input((3, 3, 1)))
        """,
    "transposed": "y = layers.Conv2DTranspose(8, 5)(keras.Input((3, 3, 1)))",
    "global": "y = layers.GlobalMaxPooling2D()(keras.Input((3, 3, 1)))",
    "data_format set globally": """
        import keras
        from keras import layers
        keras.config.set_image_data_format("channels_first")
        y = layers.Conv2D(8, 5)(keras.Input((3, 3, 8)))
        """,
    "behind what vanished": """
        x = layers.Conv2D(8, 3)(keras.Input((3, 3, 1)))
        x = layers.Lambda(f)(x)
        x = layers.Conv2D(8, 5)(x)
        """,
    "channels, not pixels": "y = layers.Conv2D(8, 3)(keras.Input((8, 8, 1)))",
    "a branch decides": """
        def f(small):
            x = keras.Input((64, 64, 1)) if small else keras.Input((3, 3, 1))
            return layers.Conv2D(8, 5)(x)
        """,
}

REPORTED = {
    "convolution": (
        "y = layers.Conv2D(8, 5)(keras.Input((3, 3, 1)))",
        "layers.Conv2D spans 5 elements and its input has 3, so that no window fits its height and width",
        ": 3 (Input, line 8)",
    ),
    "pool": ("y = layers.MaxPooling2D(4)(keras.Input((3, 3, 1)))", "layers.MaxPooling2D spans 4 elements"),
    "depthwise": ("y = layers.DepthwiseConv2D(4)(keras.Input((3, 3, 1)))", "spans 4 elements"),
    "one axis": ("y = layers.Conv1D(8, 4)(keras.Input((3, 1)))", "no window fits its width"),
    "one axis of two": (
        "y = layers.Conv2D(8, (3, 5))(keras.Input((9, 4, 1)))",
        "spans 5 elements and its input has 4, so that no window fits its width:",
        "9x4",
    ),
    "differently on both": (
        "y = layers.Conv2D(8, (10, 5))(keras.Input((9, 4, 1)))",
        "height spans 10 elements and its input has 9; width spans 5 elements and its input has 4,",
    ),
    "dilated": ("y = layers.Conv2D(8, 3, dilation_rate=4)(keras.Input((8, 8, 1)))", "spans 9 elements"),
    "channels first": (
        "y = layers.Conv2D(8, 5, data_format='channels_first')(keras.Input((9, 4, 9)))",
        "no window fits its height:",
    ),
    "padded too little": (
        "y = layers.Conv2D(8, 6)(layers.ZeroPadding2D(1)(keras.Input((3, 3, 1))))",
        "its input has 5",
        "3 (Input, line 8) -> 5 (line 8)",
    ),
    "a Sequential is built with its size": (
        "m = keras.Sequential([keras.Input((6, 6, 3)), layers.Conv2D(4, 7)])",
        "its input has 6",
    ),
    "add": (
        """
        m = keras.Sequential()
        m.add(layers.Conv2D(4, 3, input_shape=(6, 6, 3)))
        m.add(layers.MaxPooling2D(5))
        """,
        "-> 4 (line 9)",
    ),
    "a long chain": (
        """
        x = layers.Conv2D(8, 5, strides=4)(keras.Input((28, 28, 1)))
        x = layers.MaxPooling2D(2)(x)
        x = layers.Conv2D(8, 5)(x)
        """,
        ": 28 (Input, line 8) -> 6 (line 8) -> 3 (line 9)",
    ),
    "the first of several": (
        """
        x = layers.Conv2D(8, 5)(keras.Input((3, 3, 1)))
        x = layers.Conv2D(8, 5)(x)
        """,
        "3 (Input, line 8)",
    ),
    "explicit pairs": (
        """
        @tf.function(input_signature=[tf.TensorSpec((1, 3, 3, 4))])
        def f(x):
            w = tf.zeros((7, 7, 4, 8))
            return tf.nn.conv2d(x, w, 1, [[0, 0], [1, 2], [1, 1], [0, 0]])
        """,
        "height spans 7 elements and its input has 3 + 3 of padding = 6; width",
        "3 + 2 of padding = 5",
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


def test_promised_size() -> None:
    text = "y = layers.Conv2D(8, 9)(keras.Input((None, None, 1)))"
    assert findings(CODE, text, {"input_size": (9,)}) == []
    finding = only_finding(CODE, text, {"input_size": (8,)})
    assert "its input has 8" in finding.message


def test_numbers_and_reason() -> None:
    finding = only_finding(CODE, REPORTED["one axis of two"][0])
    assert finding.severity is Severity.WARNING
    assert finding.fix is None
    assert [(a["axis"], a["size"], a["kernel"], a["pads"]) for a in finding.numbers["axes"]] == [
        ("width", 4, 5, [0, 0])
    ]


IN_KERAS = [
    "convolution",
    "pool",
    "depthwise",
    "one axis of two",
    "dilated",
    "padded too little",
    "a Sequential is built with its size",
    "add",
    "a long chain",
]


@pytest.mark.parametrize("name", IN_KERAS)
def test_keras_refuses_what_is_reported(name: str) -> None:
    pytest.importorskip("keras")
    with pytest.raises(ValueError, match="Computed output size would be zero or negative"):
        exec(_keras_only(REPORTED[name][0]), {})


@pytest.mark.parametrize("name", ["fits", "one window", "dilated and fits", "a pad before"])
def test_keras_takes_what_is_not(name: str) -> None:
    pytest.importorskip("keras")
    exec(_keras_only(SILENT[name]), {})


def _keras_only(text: str) -> str:
    """The source without the frameworks that it does not use."""
    lines = source_of(text).splitlines()
    return "\n".join(line for line in lines if "torch" not in line and "tensorflow" not in line)
