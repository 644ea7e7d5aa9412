from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_not_fixed, assert_reported, each, findings

CODE = "PAD402"

SILENT = {
    "PyTorch's words": "a = nn.Conv2d(3, 8, 3, padding='same'); b = nn.Conv2d(3, 8, 3, padding='valid')",
    "PyTorch's numbers": "a = nn.MaxPool2d(3, 2, padding=1); b = nn.ConvTranspose2d(3, 8, 3, padding=(1, 1))",
    "Keras' words in any case": "a = layers.Conv2D(8, 3, padding='SAME'); b = layers.MaxPooling2D(3, padding='Valid')",
    "Keras takes None": "a = layers.Conv2D(8, 3, padding=None)",
    "causal on one axis": "a = layers.Conv1D(8, 3, padding='causal'); b = layers.SeparableConv1D(8, 3, padding='causal')",
    "tf.nn's words": "a = tf.nn.conv2d(x, w, 1, 'SAME'); b = tf.nn.avg_pool2d(x, 2, 2, 'VALID')",
    "tf.nn's pairs": "y = tf.nn.conv2d(x, w, 1, [[0, 0], [1, 1], [1, 1], [0, 0]])",
    "tf.nn's pairs of a max pool": "y = tf.nn.max_pool2d(x, 2, 2, [[0, 0], [1, 1], [1, 1], [0, 0]])",
    "unknown": "a = nn.Conv2d(3, 8, 3, padding=p); b = layers.Conv2D(8, 3, padding=p)",
    "one of several": "a = nn.Conv2d(3, 8, 3, padding='SAME' if flag else 1)",
    "a parameter's default": "def make(p='SAME'):\n    return nn.Conv2d(3, 8, 3, padding=p)",
    "keywords of every Keras layer": """
        a = layers.ZeroPadding2D(1, name="a", dtype="float32", trainable=False, input_shape=(8, 8, 3))
        """,
    "a pad function takes a mode": "y = F.pad(x, (1, 1), mode='reflect')",
    "a value of a constant pad": "a = nn.ConstantPad2d(padding=1, value=0)",
    "own class of the name": """
        from keras import layers

        class ZeroPadding2D(layers.Layer):
            pass

        a = ZeroPadding2D(1, mode="reflect")
        """,
}

REPORTED = {
    "upper case in PyTorch": (
        "c = nn.Conv2d(3, 8, 3, padding='SAME')",
        "nn.Conv2d raises: 'SAME' is no padding; the words are 'same' and 'valid', in lower case",
    ),
    "a mode as padding": ("c = nn.Conv2d(3, 8, 3, padding='reflect')", "'reflect' is no padding"),
    "a word for a transposed convolution": (
        "c = nn.ConvTranspose2d(3, 8, 3, padding='same')",
        "a transposed convolution of PyTorch takes numbers as padding, not 'same'",
    ),
    "a word for a pool": ("c = nn.MaxPool2d(3, padding='same')", "a pool of PyTorch takes numbers"),
    "a word for a pool function": ("y = F.avg_pool2d(x, 3, padding='same')", "F.avg_pool2d raises"),
    "an int in Keras": (
        "c = layers.Conv2D(8, 3, padding=1)",
        "Keras takes the words 'valid' and 'same', not 1; put a ZeroPadding layer in front",
    ),
    "pairs in Keras": ("c = layers.Conv2D(8, 3, padding=((1, 1), (2, 2)))", "not ((1, 1), (2, 2))"),
    "an int for a Keras pool": (
        "c = layers.AveragePooling2D(3, padding=1)",
        "layers.AveragePooling2D raises",
    ),
    "causal on two axes": ("c = layers.Conv2D(8, 3, padding='causal')", "Keras knows 'valid' and 'same'"),
    "causal for a pool": ("c = layers.MaxPooling1D(3, padding='causal')", "'causal' is no padding here"),
    "another word in one dimension": (
        "c = layers.Conv1D(8, 3, padding='full')",
        "Keras knows 'valid' and 'same' and 'causal'",
    ),
    "a mode of a Keras pad": (
        "p = layers.ZeroPadding2D(1, mode='reflect')",
        "layers.ZeroPadding2D raises: it has no argument 'mode'; it pads with zeros only",
    ),
    "an unknown keyword of a Keras pad": ("p = layers.ZeroPadding2D(1, foo=1)", "it has no argument 'foo'"),
    "a value of a zero pad": (
        "p = nn.ZeroPad2d(1, value=2.0)",
        "it has no argument 'value'; it pads with zeros",
    ),
    "lower case in tf.nn": (
        "y = tf.nn.conv2d(x, w, 1, 'same')",
        "tf.nn.conv2d raises: 'same' is no padding; tf.nn knows 'SAME' and 'VALID', in upper case",
    ),
    "a mode in tf.nn": ("y = tf.nn.conv2d(x, w, 1, 'REFLECT')", "'REFLECT' is no padding"),
    "pairs where tf.nn refuses them": (
        "y = tf.nn.conv1d(x, w, 1, [[0, 0], [1, 1], [0, 0]])",
        "conv1d takes 'SAME' or 'VALID' and no amounts",
    ),
    "pairs of an average pool": (
        "y = tf.nn.avg_pool2d(x, 2, 2, [[0, 0], [1, 1], [1, 1], [0, 0]])",
        "avg_pool2d takes 'SAME' or 'VALID'",
    ),
}

FIXED = {
    "lower case for PyTorch": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='SAME')", "c = nn.Conv2d(3, 8, 3, padding='same')", "unsafe", None
    ),
    "valid with a stride": Fixed(
        'c = nn.Conv2d(3, 8, 3, 2, "Valid")', 'c = nn.Conv2d(3, 8, 3, 2, "valid")', "unsafe", None
    ),
    "upper case for tf.nn": Fixed(
        'y = tf.nn.max_pool2d(x, 2, 2, "same")', 'y = tf.nn.max_pool2d(x, 2, 2, "SAME")', "unsafe", None
    ),
    "a function": Fixed(
        "y = F.conv2d(x, w, padding='SAME')", "y = F.conv2d(x, w, padding='same')", "unsafe", None
    ),
    "a constant": Fixed(
        "PAD = 'SAME'\nc = nn.Conv2d(3, 8, 3, padding=PAD)",
        "PAD = 'SAME'\nc = nn.Conv2d(3, 8, 3, padding=\"same\")",
        "unsafe",
        None,
    ),
}

NOT_FIXED = {
    "another word": ("c = nn.Conv2d(3, 8, 3, padding='reflect')", "what is meant instead is open"),
    "a number": ("c = layers.Conv2D(8, 3, padding=1)", "what is meant instead is open"),
    "a keyword": ("p = layers.ZeroPadding2D(1, mode='reflect')", "what is meant instead is open"),
    "a word that no case mends": (
        "c = nn.ConvTranspose2d(3, 8, 3, padding='SAME')",
        "what is meant instead is open",
    ),
    "a stride": (
        "c = nn.Conv2d(3, 8, 3, 2, 'SAME')",
        "in lower case it still raises: 'same' is not supported with a stride",
    ),
    "a stride that is not known": (
        "c = nn.Conv2d(3, 8, 3, s, 'SAME')",
        "in lower case it may still raise: 'same' is not supported with a stride, which is not known",
    ),
    "a comment beside the word": (
        "c = nn.Conv2d(3, 8, 3, padding=(\n    'SAME'  # as in TF\n))",
        "a comment stands in the text that would be replaced",
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
