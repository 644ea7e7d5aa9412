from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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

CODE = "PAD204"

SILENT = {
    "its own padding": "y = F.conv_transpose2d(x, w, padding=2)",
    "before a convolution": "y = F.conv2d(F.pad(x, (0, 1, 0, 1)), w)",
    "other values": "y = F.conv_transpose2d(F.pad(x, (1, 1, 1, 1), mode='reflect'), w, padding=2)",
    "a crop": "y = F.conv_transpose2d(F.pad(x, (0, -1, 0, -1)), w)",
    "nothing is padded": "net = nn.Sequential(nn.ZeroPad2d(0), nn.ConvTranspose2d(8, 8, 4))",
    "unknown amounts": "y = F.conv_transpose2d(F.pad(x, p), w)",
    "something in between": "net = nn.Sequential(nn.ZeroPad2d(1), nn.ReLU(), nn.ConvTranspose2d(8, 8, 4))",
    "what SAME crops": "y = F.conv_transpose1d(F.pad(x, (1, 0)), torch.ones(8, 8, 4), padding=2)",
    "what SAME crops, by layers": """
        class Up(nn.Module):
            def __init__(self):
                super().__init__()
                self.up = nn.ConvTranspose2d(8, 8, 5, 3, padding=4)

            def forward(self, x):
                return self.up(F.pad(x, (1, 1, 1, 1)))
        """,
}

REPORTED = {
    "functions": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, padding=2)",
        "F.pad pads (0, 1) before F.conv_transpose2d, where a pad adds outputs at its side, and only padding= crops",
        ": both together crop (2, 1) of the full output",
    ),
    "what SAME crops is known": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), torch.ones(8, 8, 4, 4), padding=2)",
        "both together crop (2, 1) of the full output; TensorFlow's SAME crops (1, 2)",
    ),
    "a stride": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, stride=2, padding=3)",
        "both together crop (3, 1) of the full output",
    ),
    "more is added than cropped": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.ConvTranspose2d(8, 8, 4, 2, padding=1))",
        "nn.ZeroPad2d pads (1, 1) before nn.ConvTranspose2d, where a pad adds outputs at its side",
    ),
    "Keras": (
        "y = layers.Conv2DTranspose(8, 3, 2)(layers.ZeroPadding2D(((0, 1), (1, 0)))(x))",
        "layers.ZeroPadding2D pads height (0, 1); width (1, 0) before layers.Conv2DTranspose",
    ),
    "tf.pad": (
        "y = tf.nn.conv2d_transpose(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), tf.ones([3, 3, 8, 8]), s, 2)",
        "tf.pad pads (1, 1)",
    ),
}

FIXED = {
    "functions": Fixed(
        """
        def up(x, w):
            x = F.pad(x, [0, 1, 0, 1])
            return F.conv_transpose2d(x, w, padding=2)
        """,
        """
        def up(x, w):
            return F.conv_transpose2d(x, w, padding=0)[..., 1:-2, 1:-2]
        """,
        "unsafe",
        layer=None,
    ),
    "layers, and one axis": Fixed(
        """
        class Up(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ZeroPad2d((0, 0, 0, 1))
                self.up = nn.ConvTranspose2d(8, 8, (4, 1), padding=(2, 0))

            def forward(self, x):
                return self.up(self.pad(x))
        """,
        """
        class Up(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.Identity()
                self.up = nn.ConvTranspose2d(8, 8, (4, 1), padding=0)

            def forward(self, x):
                return self.up(self.pad(x))[..., 1:-2, :]
        """,
        "unsafe",
        layer=None,
    ),
    "nothing at the start": Fixed(
        "def up(x, w):\n    return F.conv_transpose1d(F.pad(x, (0, 1)), w, stride=1, padding=1)\n",
        "def up(x, w):\n    return F.conv_transpose1d(x, w, stride=1, padding=0)[..., :-1]\n",
        "unsafe",
        layer=None,
    ),
}

NOT_FIXED = {
    "symmetric": (
        "y = F.conv_transpose2d(F.pad(x, (1, 1, 1, 1)), w, padding=2)",
        "pad and padding together are no SAME the wrong way round",
    ),
    "too much is cropped": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, stride=2, padding=3)",
        "pad and padding together are no SAME the wrong way round",
    ),
    "another kernel": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), torch.ones(8, 8, 3, 3), padding=2)",
        "pad and padding together are no SAME the wrong way round",
    ),
    "output_padding": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, stride=2, padding=2, output_padding=1)",
        "what is meant instead is open",
    ),
    "unknown padding": (
        "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), w, padding=p)",
        "what is meant instead is open",
    ),
    "a Sequential": (
        "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.ConvTranspose2d(8, 8, 4, padding=2))",
        "a Sequential has no place for a crop",
    ),
    "the padded tensor is read elsewhere": (
        """
        def up(x, w):
            x = F.pad(x, (0, 1, 0, 1))
            return F.conv_transpose2d(x, w, padding=2), x
        """,
        "the padded tensor has other readers",
    ),
    "Keras": (
        "net = keras.Sequential([layers.ZeroPadding2D(1), layers.Conv2DTranspose(8, 3, 2)])",
        "what is meant instead is open",
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
    finding = only_finding(CODE, REPORTED["Keras"][0])
    assert [(axis["axis"], axis["pads"]) for axis in finding.numbers["axes"]] == [
        ("height", [0, 1]),
        ("width", [1, 0]),
    ]


def test_the_crop_is_that_of_tensorflow() -> None:
    """Kernel 4 at stride 1: the fixed function equals `conv2d_transpose` with SAME, the old one does not."""
    torch, tf = pytest.importorskip("torch"), pytest.importorskip("tensorflow")
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((1, 3, 5, 6)), rng.standard_normal((3, 2, 4, 4))
    expected = tf.nn.conv2d_transpose(
        x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0), [1, 5, 6, 2], 1, "SAME"
    ).numpy()
    results = []
    for text in (FIXED["functions"].before, FIXED["functions"].after):
        names: dict[str, Any] = {"F": torch.nn.functional}
        exec("if True:" + text, names)
        results.append(names["up"](torch.tensor(x), torch.tensor(w)).permute(0, 2, 3, 1).numpy())
    old, new = results
    assert old.shape == new.shape == expected.shape
    assert abs(old - expected).max() > 0.1
    assert abs(new - expected).max() < 1e-12
