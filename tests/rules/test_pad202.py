from __future__ import annotations

from padlint.findings import Severity
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

CODE = "PAD202"


def net(forward: str, *layers: str) -> str:
    """A module with these layers and this forward pass."""
    rows = "".join(f"        {layer}\n" for layer in layers)
    body = "".join(f"        {row}\n" for row in forward.splitlines())
    return (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"{rows}\n    def forward(self, x):\n{body}"
    )


SILENT = {
    "the pool's own padding": "net = nn.Sequential(nn.MaxPool2d(3, 2, padding=1))",
    "-inf": "y = F.max_pool1d(F.pad(x, (1, 2), value=float('-inf')), 2, 2)",
    "another constant": "net = nn.Sequential(nn.ConstantPad2d(1, -1e9), nn.MaxPool2d(3))",
    "other values": "net = nn.Sequential(nn.ReplicationPad2d(1), nn.MaxPool2d(3))",
    "F.pad replicates": "y = F.max_pool2d(F.pad(x, (0, 1, 0, 1), mode='replicate'), 2, 1)",
    "a crop": "net = nn.Sequential(nn.ZeroPad2d(-1), nn.MaxPool2d(3))",
    "nothing is padded": "net = nn.Sequential(nn.ZeroPad2d(0), nn.MaxPool2d(3))",
    "other axes": "y = F.max_pool2d(F.pad(x, (0, 0, 0, 0, 1, 1)), 2)",
    "a value that is not seen": "y = F.max_pool2d(F.pad(x, (0, 1, 0, 1), **options), 2)",
    "unknown amounts": "y = F.max_pool2d(F.pad(x, p), 2)",
    "an average": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3))",
    "a convolution": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
    "something in between": "net = nn.Sequential(nn.ZeroPad2d(1), nn.BatchNorm2d(3), nn.MaxPool2d(3))",
    "one branch only": net("if self.training:\n    x = F.pad(x, (0, 1, 0, 1))\nreturn F.max_pool2d(x, 2)"),
    "Keras behind ReLU": """
        def block(x):
            x = layers.ReLU()(x)
            x = layers.ZeroPadding2D(1)(x)
            return layers.MaxPooling2D(3, 2)(x)
        """,
    "behind what seems to be ReLU": """
        try:
            from keras import layers
        except ImportError:
            from compat import layers

        def block(x):
            x = layers.Activation("relu")(x)
            x = layers.ZeroPadding2D(1)(x)
            return layers.MaxPooling2D(3, 2)(x)
        """,
    "asymmetric behind ReLU": "y = F.max_pool2d(F.pad(F.relu(x), (0, 1, 0, 1)), 3, 2)",
    "more than the pool takes behind ReLU": "net = nn.Sequential(nn.ReLU(), nn.ZeroPad2d(2), nn.MaxPool2d(3, 2))",
    "positions behind ReLU": """
        net = nn.Sequential(nn.ReLU(), nn.ZeroPad2d(1), nn.MaxPool2d(3, 2, return_indices=True))
        """,
    "read elsewhere behind ReLU": net(
        "x = self.pad(F.relu(x))\nreturn self.pool(x) + x.mean()",
        "self.pad = nn.ZeroPad2d(1)",
        "self.pool = nn.MaxPool2d(3, 2)",
    ),
    "behind a module of one's own": net(
        "x = self.stem(x)\nx = F.pad(x, (0, 1, 0, 1))\nreturn self.pool(x) + self.other(x)",
        "self.stem = ConvNormAct(3, 8)",
        "self.pool = nn.MaxPool2d(2, 1)",
    ),
    "a Sequential behind a module of one's own": net(
        "x = self.stem(x)\nreturn torch.cat([self.pool(x), x], 1)",
        "self.stem = ConvNormAct(3, 8)",
        "self.pool = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.MaxPool2d(2, 1))",
    ),
    "behind a Sequential that ends in a module of one's own": net(
        "x = self.stem(x)\nreturn self.pool(F.pad(x, (0, 1, 0, 1)))",
        "self.stem = nn.Sequential(nn.Conv2d(3, 8, 3), Act())",
        "self.pool = nn.MaxPool2d(2, 1)",
    ),
    "behind a function": "x = block(x)\ny = F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2)",
    "the zeros are cropped, and the rest is never SAME": net(
        "return self.pool(F.pad(x, (2, 0, 2, 0)))[..., 2:, 2:]", "self.pool = nn.MaxPool2d(3, 1)"
    ),
    "own class of the name": """
        from torch import nn

        class ZeroPad2d(nn.Module):
            pass

        net = nn.Sequential(ZeroPad2d(1), nn.MaxPool2d(3, 2))
        """,
}

REPORTED = {
    "in a Sequential": (
        "net = nn.Sequential(nn.Conv2d(3, 8, 7), nn.ZeroPad2d(1), nn.MaxPool2d(3, 2))",
        "nn.ZeroPad2d pads (1, 1) with zeros before nn.MaxPool2d, which pads with -inf",
        "the maximum of negative values is 0 at the border",
    ),
    "a constant": ("net = nn.Sequential(nn.ConstantPad1d((1, 2), 0.0), nn.MaxPool1d(2))", "pads (1, 2)"),
    "axes differ": (
        "y = F.max_pool2d(F.pad(x, (0, 1, 2, 2)), 3)",
        "F.pad pads height (2, 2); width (0, 1) with zeros before F.max_pool2d",
    ),
    "some crop": ("y = F.max_pool2d(F.pad(x, (0, 1, 0, -1)), 3)", "height (0, -1); width (0, 1)"),
    "attributes": (
        net(
            "x = self.pad(x)\nreturn self.pool(x)",
            "self.pad = nn.ZeroPad2d(1)",
            "self.pool = nn.MaxPool2d(3)",
        ),
        "nn.ZeroPad2d pads (1, 1)",
    ),
    "layers that are applied at once": ("y = nn.MaxPool2d(2)(nn.ZeroPad2d((0, 1, 0, 1))(x))", "pads (0, 1)"),
    "a ReLU that is not the input": ("y = F.relu(F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2))", "pads (0, 1)"),
    "a leaky one": ("y = F.max_pool2d(F.pad(F.leaky_relu(x), (1, 1, 1, 1)), 3)", "pads (1, 1)"),
    "Keras": (
        "x = layers.ZeroPadding2D(((1, 1), (1, 1)), name='pool1_pad')(x)\nx = layers.MaxPooling2D(3, 2)(x)\n",
        "layers.ZeroPadding2D pads (1, 1) with zeros before layers.MaxPooling2D",
    ),
    "Keras in a Sequential": (
        "net = keras.Sequential([layers.ZeroPadding1D(1), layers.MaxPooling1D(3)])",
        "layers.ZeroPadding1D pads (1, 1)",
    ),
    "rows of add": (
        "net = keras.Sequential()\nnet.add(layers.ZeroPadding2D(1))\nnet.add(layers.MaxPooling2D(3))\n",
        "layers.ZeroPadding2D pads (1, 1)",
    ),
    "Keras behind ReLU in one branch": (
        """
        def block(x, act):
            if act:
                x = layers.ReLU()(x)
            x = layers.ZeroPadding2D(1)(x)
            return layers.MaxPooling2D(3, 2)(x)
        """,
        "layers.ZeroPadding2D pads (1, 1)",
    ),
    "SAME by a crop": (
        net(
            "x = self.pad(x)\nx = self.pool(x)\nx = x[:, :, 1:, 1:]\nreturn x",
            "self.pad = nn.ZeroPad2d((1, 0, 1, 0))",
            "self.pool = nn.MaxPool2d(3, 2, padding=1)",
        ),
        "what reads them is cropped: this is TensorFlow's SAME at even sizes, and something else at others",
    ),
    "SAME by a crop in place": (
        "y = F.max_pool1d(F.pad(x, (1, 0)), 4, 3, padding=2)[..., 1:]",
        "this is TensorFlow's SAME where n % 3 == 0, and something else",
    ),
    "a crop of less than what reads the zeros": (
        "y = F.max_pool2d(F.pad(x, (3, 0, 3, 0)), 3, 1, padding=1)[:, :, 1:, 1:]",
        "the maximum of negative values is 0 at the border",
    ),
    "a crop of one use of two": (
        net(
            "y = self.pool(F.pad(x, (1, 0, 1, 0)))\nreturn y[:, :, 1:, 1:] + y.mean()",
            "self.pool = nn.MaxPool2d(3, 2, 1)",
        ),
        "the maximum of negative values is 0 at the border",
    ),
    "behind a function of a library": (
        "x = torch.cat([x, x], 1)\ny = F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2)",
        "the maximum of negative values is 0 at the border",
    ),
    "a sample": (
        "x = torch.randn(1, 3, 9, 9)\ny = F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2)",
        "the maximum of negative values is 0 at the border",
    ),
    "an input": (
        "x = layers.ZeroPadding2D(1)(keras.Input((8, 8, 3)))\nx = layers.MaxPooling2D(3, 2)(x)\n",
        "the maximum of negative values is 0 at the border",
    ),
    "behind a Sequential of known layers": (
        net(
            "x = self.stem(x)\nreturn self.pool(F.pad(x, (0, 1, 0, 1)))",
            "self.stem = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))",
            "self.pool = nn.MaxPool2d(2, 1)",
        ),
        "the maximum of negative values is 0 at the border",
    ),
    "tf.pad": (
        "y = tf.nn.max_pool2d(tf.pad(x, [[0, 0], [0, 1], [1, 1], [0, 0]]), 3, 2, 'VALID')",
        "tf.pad pads height (0, 1); width (1, 1)",
    ),
    "tf.pad of channels first": (
        "y = tf.nn.max_pool2d(tf.pad(x, [[0, 0], [0, 0], [0, 1], [1, 1]]), 3, 2, 'VALID', data_format='NCHW')",
        "tf.pad pads height (0, 1); width (1, 1)",
    ),
}

FIXED = {
    "-inf as the value": Fixed(
        "def pool(x):\n    return F.max_pool1d(F.pad(x, (1, 2)), 2, 2)\n",
        'def pool(x):\n    return F.max_pool1d(F.pad(x, (1, 2), value=float("-inf")), 2, 2)\n',
        "unsafe",
        layer=None,
    ),
    "in a row of its own": Fixed(
        net(
            "x = F.pad(x, (0, 1, 0, 1), mode='constant')\nx = self.pool(x)\nreturn x",
            "self.pool = nn.MaxPool2d(3, 2)",
        ),
        net(
            "x = F.pad(x, (0, 1, 0, 1), mode='constant', value=float(\"-inf\"))\nx = self.pool(x)\nreturn x",
            "self.pool = nn.MaxPool2d(3, 2)",
        ),
        "unsafe",
        layer=None,
    ),
    "folded behind ReLU": Fixed(
        "net = nn.Sequential(nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.ZeroPad2d(1), nn.MaxPool2d(3, 2))",
        "net = nn.Sequential(nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.Identity(), nn.MaxPool2d(3, 2, padding=1))",
    ),
    "folded behind another maximum": Fixed(
        net(
            "x = F.max_pool2d(torch.sigmoid(x), 2)\nx = F.pad(x, (1, 1, 2, 2))\nreturn F.max_pool2d(x, (5, 4), 1, (0, 1))"
        ),
        net(
            "x = F.max_pool2d(torch.sigmoid(x), 2)\nreturn F.max_pool2d(x, (5, 4), 1, (2, 2))".replace(
                "(2, 2)", "2"
            )
        ),
    ),
    "folded behind an attribute": Fixed(
        net(
            "x = self.act(x)\nx = self.pad(x)\nreturn self.pool(x)",
            "self.act = nn.ReLU6()",
            "self.pad = nn.ZeroPad2d(1)",
            "self.pool = nn.MaxPool2d(2, 2)",
        ),
        net(
            "x = self.act(x)\nx = self.pad(x)\nreturn self.pool(x)",
            "self.act = nn.ReLU6()",
            "self.pad = nn.Identity()",
            "self.pool = nn.MaxPool2d(2, 2, padding=1)",
        ),
    ),
}

NOT_FIXED = {
    "a layer says zeros": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.MaxPool2d(3, 2))",
        "whether the zeros are meant is open, and trained weights may need them",
    ),
    "the zeros are written out": (
        "y = F.max_pool2d(F.pad(x, (0, 1, 0, 1), 'constant', 0), 2)",
        "the zeros are written out, and trained weights may need them",
    ),
    "the padded tensor is read elsewhere": (
        net("x = F.pad(x, (0, 1, 0, 1))\nreturn F.max_pool2d(x, 2) + F.avg_pool2d(x, 2)"),
        "the padded tensor has other readers",
    ),
    "the file quantises": (
        """
        from onnxruntime.quantization import quantize_static
        from torch.nn import functional as F

        def pool(x):
            return F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 2)
        """,
        "the file quantises to 8 bits, which have no -inf to pad with",
    ),
    "Keras": (
        "net = keras.Sequential([layers.ZeroPadding2D(1), layers.MaxPooling2D(3)])",
        "whether the zeros are meant is open",
    ),
}

# The tensor between ReLU and the pad may be changed in place: no fold, and the zeros are reported.
NOT_STRAIGHT = {
    "another statement": net("x = F.relu(x)\nlog(x)\nx = self.pad(x)\nreturn self.pool(x)"),
    "changed in place": net("x = F.relu(x)\nx -= 1\nx = self.pad(x)\nreturn self.pool(x)"),
    "a method that works in place": net("x = F.relu(x)\nx.sub_(1)\nx = self.pad(x)\nreturn self.pool(x)"),
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


@each(NOT_STRAIGHT)
def test_only_straight_behind_relu(row: str) -> None:
    layers = (
        "super().__init__()\n        self.pad = nn.ZeroPad2d(1)\n        self.pool = nn.MaxPool2d(3, 2)\n"
    )
    finding = only_finding(CODE, row.replace("super().__init__()\n", layers))
    assert (finding.severity, finding.fix) == (Severity.WARNING, None)


def test_harmless_zeros_are_worth_knowing_only() -> None:
    finding = only_finding(CODE, FIXED["folded behind ReLU"].before)
    assert finding.severity is Severity.INFO
    assert "which could pad itself, since nothing in the input is negative" in finding.message


def test_no_infinity_for_int8() -> None:
    finding = only_finding(CODE, FIXED["-inf as the value"].before, {"targets": frozenset({"tflite"})})
    assert finding.no_fix_reason == "int8 has no -inf to pad with"


def test_numbers() -> None:
    finding = only_finding(CODE, "y = F.max_pool2d(F.pad(x, (0, 1, 2, 2)), 3)")
    assert [(axis["axis"], axis["pads"]) for axis in finding.numbers["axes"]] == [
        ("height", [2, 2]),
        ("width", [0, 1]),
    ]
