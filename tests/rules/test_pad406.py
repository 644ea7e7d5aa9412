from __future__ import annotations

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, source_of

CODE = "PAD406"

SILENT = {
    "a tensor": "y = layers.ZeroPadding2D(1)(layers.Conv2D(8, 3)(keras.Input((8, 8, 3))))",
    "an input": "y = layers.Conv2D(8, 3)(keras.Input((8, 8, 3)))",
    "a wrapper takes a layer": "y = layers.TimeDistributed(layers.Conv2D(8, 3))(x)",
    "a container takes layers": "model = keras.Sequential([layers.ZeroPadding2D(1), layers.Conv2D(8, 3)])",
    "a Sequential of PyTorch": "model = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
    "several tensors": "y = layers.Add()([keras.Input((8, 8, 3)), layers.ReLU()(keras.Input((8, 8, 3)))])",
    "Identity of PyTorch": "layer = nn.Identity()(nn.Conv2d(3, 8, 3))",
    "a function that changes a layer": "layer = nn.utils.spectral_norm(nn.Conv2d(3, 8, 3))",
    "a name that was bound anew": """
        def block(x):
            conv = layers.Conv2D(8, 3)
            conv = conv(x)
            return layers.ReLU()(conv)
        """,
    "a name that may be a tensor": """
        def block(x, first):
            y = layers.Conv2D(8, 3)
            if first:
                y = y(x)
            return layers.ReLU()(y)
        """,
    "own class of the name": """
        from keras import layers

        class ZeroPadding2D:
            def __call__(self, layer):
                return layer

        y = ZeroPadding2D()(layers.Conv2D(8, 3))
        """,
}

REPORTED = {
    "pad of a convolution": (
        "y = layers.ZeroPadding2D(1)(layers.Conv2D(8, 3))",
        "layers.ZeroPadding2D raises: its input is layers.Conv2D, a layer that was built and not applied",
    ),
    "an activation": ("y = layers.ReLU()(layers.Conv2D(8, 3))", "layers.ReLU raises"),
    "a model": (
        "y = layers.Conv2D(8, 3)(keras.Sequential([layers.ReLU()]))",
        "its input is keras.Sequential",
    ),
    "under a name": (
        """
        def block(x):
            conv = layers.Conv2D(8, 3)
            return layers.ReLU()(conv)
        """,
        "layers.ReLU raises: its input is layers.Conv2D",
    ),
    "one of several inputs": (
        "y = layers.Add()([keras.Input((8, 8, 3)), layers.Conv2D(3, 3)])",
        "layers.Add raises: its input is layers.Conv2D",
    ),
    "one of several tensors": (
        "y = torch.cat([torch.ones(1, 3, 8, 8), nn.Conv2d(3, 8, 3)])",
        "torch.cat raises: its input is nn.Conv2d",
    ),
    "PyTorch": ("y = nn.ZeroPad2d(1)(nn.Conv2d(3, 8, 3))", "nn.ZeroPad2d raises: its input is nn.Conv2d"),
    "a function of PyTorch": ("y = F.relu(nn.Conv2d(3, 8, 3))", "F.relu raises"),
    "a function that pads": ("y = F.pad(nn.Conv2d(3, 8, 3), (1, 1))", "F.pad raises"),
    "a function of TensorFlow": ("y = tf.pad(layers.Conv2D(8, 3), [[0, 0], [1, 1]])", "tf.pad raises"),
}

NOT_FIXED = {name: (row[0], "the tensor that is meant is open") for name, row in REPORTED.items()}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@each(REPORTED)
def test_what_is_reported_raises(row: tuple[str, ...]) -> None:
    for package in ("keras", "tensorflow", "torch"):
        pytest.importorskip(package)
    call = "\nblock(None)" if "block" in row[0] else ""
    with pytest.raises((TypeError, ValueError), match=r"[tT]ensor"):
        exec(source_of(row[0]) + call, {})
