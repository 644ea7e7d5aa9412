# ruff: noqa: E501 - sources stand as users write them
from __future__ import annotations

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD206"

SILENT = {
    "symmetric": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
    "symmetric per axis": "net = nn.Sequential(nn.ZeroPad2d((1, 1, 2, 2)), nn.Conv2d(3, 8, 3))",
    "a shift, not a pad": "net = nn.Sequential(nn.ZeroPad2d((1, -1, 0, 0)), nn.Conv2d(3, 8, 3))",
    "a crop": "net = nn.Sequential(nn.ZeroPad2d((0, -1, 0, -1)), nn.Conv2d(3, 8, 3))",
    "no convolution behind": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.ReLU(), nn.Conv2d(3, 8, 3))",
    "before a pool": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.MaxPool2d(3, 2))",
    "before a transposed convolution": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.ConvTranspose2d(3, 8, 3))",
    "other values": "net = nn.Sequential(nn.ReflectionPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3))",
    "a constant pad": "net = nn.Sequential(nn.ConstantPad2d((0, 1, 0, 1), 0), nn.Conv2d(3, 8, 3))",
    "alone": "p = nn.ZeroPad2d((0, 1, 0, 1))",
    "unknown amounts": "net = nn.Sequential(nn.ZeroPad2d(p), nn.Conv2d(3, 8, 3))",
    "F.pad": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, 2)

            def forward(self, x):
                return self.conv(F.pad(x, (0, 1, 0, 1)))
        """,
    "Keras": "net = keras.Sequential([layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(8, 3, 2)])",
    "in a list": "blocks = [nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3)]",
    "in an OrderedDict": """
        from collections import OrderedDict
        from torch import nn
        net = nn.Sequential(OrderedDict([("p", nn.ZeroPad2d((0, 1, 0, 1))), ("c", nn.Conv2d(3, 8, 3))]))
        """,
}

REPORTED = {
    "in a Sequential": (
        "net = nn.Sequential(nn.ZeroPad2d((0, 1, 2, 3)), nn.Conv2d(8, 8, 3, stride=2))",
        "nn.ZeroPad2d pads height (2, 3); width (0, 1) before nn.Conv2d",
        "the default ONNX exporter writes asymmetric Conv.pads",
    ),
    "behind a starred part": (
        "net = nn.Sequential(*block(3, 8), nn.ZeroPad2d((1, 0, 1, 0)), nn.Conv2d(8, 8, 4, padding=1))",
        "height (1, 0); width (1, 0)",
    ),
    "one axis": ("net = nn.Sequential(nn.ZeroPad1d((2, 0)), nn.Conv1d(8, 8, 3))", "pads width (2, 0)"),
    "three axes": (
        "net = nn.Sequential(nn.ZeroPad3d((0, 1, 0, 1, 0, 0)), nn.Conv3d(8, 8, 3))",
        "depth (0, 0); height (0, 1); width (0, 1)",
    ),
    "in a forward pass": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ZeroPad2d((0, 1, 0, 1))
                self.conv = nn.Conv2d(3, 8, 3, 2)

            def forward(self, x):
                x = self.pad(x)
                x = self.conv(x)
                return x
        """,
        "before nn.Conv2d",
    ),
}

NOT_FIXED = {
    name: (row[0], "no symmetric padding computes the same numbers") for name, row in REPORTED.items()
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
    finding = only_finding(CODE, REPORTED["in a Sequential"][0])
    assert [(axis["axis"], axis["pads"]) for axis in finding.numbers["axes"]] == [
        ("height", [2, 3]),
        ("width", [0, 1]),
    ]
