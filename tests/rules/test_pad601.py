from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.table import assert_reported, each, findings, only_finding, source_of

CODE = "PAD601"
TWO = "a = keras.Input((32, 32, 3))\nb = keras.Input((16, 16, 3))\n"
POOL = "\npool = layers.MaxPooling2D()\n"  # files without convolutions, pools and pads are not looked at

SILENT = {
    "equal": "a = keras.Input((32, 32, 3))\ny = layers.Add()([a, layers.ReLU()(a)])",
    "one pixel is repeated": "y = keras.Input((32, 32, 3)) * keras.Input((1, 1, 3))",
    "one row is repeated": "y = keras.Input((32, 1, 3)) + keras.Input((1, 32, 3))",
    "one channel is repeated": "y = layers.Multiply()([keras.Input((8, 8, 3)), keras.Input((8, 8, 1))])",
    "other channels, concatenated": "y = layers.concatenate([keras.Input((8, 8, 3)), keras.Input((8, 8, 5))])",
    "other heights, concatenated along them": (
        "y = layers.concatenate([keras.Input((8, 4, 3)), keras.Input((9, 4, 3))], axis=1)"
    ),
    "axis not known": TWO + "def f(axis):\n    return layers.concatenate([a, b], axis=axis)",
    "open sizes": "y = keras.Input((None, None, 3)) + keras.Input((16, 16, 3))",
    "a default": """
        def f(n=16):
            return keras.Input((32, 32, 3)) + keras.Input((n, n, 3))
        """,
    "another rank": "y = keras.Input((32, 32, 3)) + keras.Input((16, 3))",
    "numbers": "y = keras.Input((32, 32, 3)) * 2 + 1",
    "tried": TWO + "try:\n    y = a + b\nexcept ValueError:\n    y = a",
    "branches that do not meet": TWO + "x = a if c else b\ny = (b if c else a) + x",
    "a branch that fits": TWO + "if c:\n    y = a + layers.Resizing(32, 32)(b)",
    "layout set globally": """
        import keras
        from keras import layers
        keras.config.set_image_data_format("channels_first")
        y = layers.concatenate([keras.Input((3, 8, 8)), keras.Input((5, 8, 8))], axis=1)
        """,
    "a wrapper that pads": """
        def up(x):
            return layers.ZeroPadding2D(8)(x)

        y = keras.Input((32, 32, 3)) + up(keras.Input((16, 16, 3)))
        """,
}

REPORTED = {
    "addition": (
        TWO + "y = layers.Add()([a, b])",
        "layers.Add puts tensors of 32x32x3 and 16x16x3 together, which do not fit",
        "(sizes must be equal, or one of them 1): 32 (Input, line 8); 16 (Input, line 9)",
    ),
    "function": (TWO + "y = layers.add([a, b])", "layers.add puts tensors"),
    "operator": (TWO + "y = a + b", "+ puts tensors of 32x32x3 and 16x16x3 together"),
    "augmented": (TWO + "a *= b", "*= puts tensors"),
    "tf": (TWO + "y = tf.add(a, b)", "tf.add puts tensors"),
    "keras.ops": (TWO + "y = keras.ops.maximum(a, b)", "keras.ops.maximum puts tensors"),
    "one axis": ("y = keras.Input((32, 8, 3)) + keras.Input((32, 9, 3))", "32x8x3 and 32x9x3"),
    "channels": ("y = keras.Input((32, 32, 3)) + keras.Input((32, 32, 4))", "32x32x3 and 32x32x4"),
    "the third": (TWO + "y = layers.Maximum()([a, a, b])", "32x32x3 and 16x16x3"),
    "concatenation": (
        "a = keras.Input((25, 25, 3))\n"
        "x = layers.UpSampling2D(2)(layers.Conv2D(8, 3, strides=2, padding='same')(a))\n"
        "y = layers.Concatenate()([layers.ReLU()(layers.Conv2D(8, 1)(a)), x])",
        "layers.Concatenate puts tensors of 25 and 26 together, which do not fit "
        "(it joins the channels; the other sizes must be equal): 25 (Input, line 8); "
        "25 (Input, line 8) -> 13 (line 9) -> 26 (line 9)",
    ),
    "concatenation along the height": (
        "y = tf.concat([keras.Input((8, 4, 3)), keras.Input((9, 5, 3))], axis=1)",
        "it joins the height",
    ),
    "a U-Net with a list": (
        """
        x = keras.Input((30, 30, 1))
        skips = []
        for filters in (8, 16):
            x = layers.Conv2D(filters, 3, padding="same")(x)
            skips.append(x)
            x = layers.MaxPooling2D(2)(x)
        for skip in reversed(skips):
            x = layers.UpSampling2D(2)(x)
            x = layers.Concatenate()([x, skip])
        """,
        "layers.Concatenate puts tensors of 14 and 15 together",
        "30 (Input, line 8) -> 15 (line 13) -> 7 (line 13) -> 14 (line 15)",
    ),
    "a wrapper": (
        """
        def _block(x, stride):
            y = layers.Conv2D(8, 3, strides=stride)(x)
            return layers.Add()([x, y])

        y = _block(keras.Input((32, 32, 3)), 1)
        """,
        "layers.Add puts tensors of 32 and 30 together",
    ),
}


def _whole(text: str) -> str:
    return dedent(text) + POOL


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, _whole(row)) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, (_whole(row[0]), *row[1:]))


def test_promised_size() -> None:
    text = """
        x = keras.Input((None, None, 3))
        y = layers.UpSampling2D(2)(layers.MaxPooling2D(2)(x))
        z = layers.Subtract()([x, y])
        """
    assert findings(CODE, text, {"input_size": (32,)}) == []
    finding = only_finding(CODE, text, {"input_size": (31,)})
    assert "31 and 30" in finding.message
    assert finding.numbers["others"] == {
        "sizes": ["31", "30"],
        "chains": ["31 (--input-size)", "31 (--input-size) -> 15 (line 9) -> 30 (line 9)"],
    }


@pytest.mark.parametrize("name", [name for name in REPORTED if name not in ("tf", "keras.ops")])
def test_keras_refuses_what_is_reported(name: str) -> None:
    with pytest.raises(ValueError, match=r"shape|broadcast|incompatible"):
        exec(source_of(REPORTED[name][0]), {})
