from __future__ import annotations

import pytest

from tests.rules.table import IMPORTS, assert_not_fixed, assert_reported, each, findings

CODE = "PAD703"
FX = "from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx\n"


def pool(pad: str, imports: str = FX) -> str:
    """A pool behind a pad, in a file with these imports."""
    return f"import math\nimport numpy as np\n{IMPORTS}{imports}\n\ndef pool(x):\n    return F.max_pool2d({pad}, 3, 2)\n"


PAD = "F.pad(x, (0, 1, 0, 1), value=float('-inf'))"
SILENT = {
    "nothing is quantised": pool(PAD, ""),
    "eager mode quantises the input of the pad": pool(PAD, "import torch.ao.quantization\n"),
    "zeros": pool("F.pad(x, (0, 1, 0, 1))"),
    "a small number": pool("F.pad(x, (0, 1, 0, 1), value=-6.0)"),
    "plus infinity": pool("F.pad(x, (0, 1, 0, 1), value=float('inf'))"),
    "minus minus infinity": pool("F.pad(x, (0, 1, 0, 1), value=-float('-inf'))"),
    "an unknown value": pool("F.pad(x, (0, 1, 0, 1), value=v)"),
    "the largest float": pool("F.pad(x, (0, 1, 0, 1), value=torch.finfo(x.dtype).max)"),
    "the pool's own": pool("x, 3, 2, padding=1) + F.relu(x"),
    "in a comment": pool(PAD, "# for prepare_fx\n"),
}

REPORTED = {
    "F.pad": (pool(PAD), "F.pad pads with float('-inf'), which calibration takes for a value of the tensor"),
    "minus float": (pool("F.pad(x, (0, 1, 0, 1), value=-float('inf'))"), "pads with -float('inf')"),
    "math": (pool("F.pad(x, (0, 1, 0, 1), value=-math.inf)"), "pads with -math.inf"),
    "numpy": (pool("F.pad(x, (0, 1, 0, 1), value=-np.inf)"), "pads with -np.inf"),
    "torch": (pool("F.pad(x, (0, 1, 0, 1), value=-torch.inf)"), "pads with -torch.inf"),
    "smallest float": (
        pool("F.pad(x, (0, 1, 0, 1), value=torch.finfo(x.dtype).min)"),
        "pads with torch.finfo(x.dtype).min",
    ),
    "a huge number": (pool("F.pad(x, (0, 1, 0, 1), value=-1e9)"), "pads with -1e9"),
    "constant": (
        pool("F.pad(x, (0, 1, 0, 1), value=LOW)", f"{FX}LOW = float('-inf')\n"),
        "pads with LOW",
    ),
    "layer": (pool("nn.ConstantPad2d(1, float('-inf'))(x)"), "nn.ConstantPad2d pads with"),
    "export of PyTorch 2": (
        pool(PAD, "from torchao.quantization.pt2e import quantize_pt2e\n"),
        "pads with",
    ),
    "ONNX Runtime": (
        pool(PAD, "from onnxruntime.quantization import quantize_static as quantise\n"),
        "pads with",
    ),
    "TFLite": (
        """
        import tensorflow as tf

        def pool(x):
            x = tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]], constant_values=float("-inf"))
            return tf.nn.max_pool2d(x, 3, 2, "VALID")

        def convert(model, data):
            converter = tf.lite.TFLiteConverter.from_keras_model(model)
            converter.representative_dataset = data
            return converter.convert()
        """,
        "tf.pad pads with",
    ),
}

NOT_FIXED = {"pad": (REPORTED["F.pad"][0], "a pool's own padding, or zeros behind ReLU")}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("value", "expected"), [(0.0, 0.1), (-1e9, 0.5), (float("-inf"), 1.0)])
def test_pytorch_loses_the_real_values(value: float, expected: float) -> None:
    import torch
    from torch.ao import quantization
    from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
    from torch.nn import functional as F

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 4, 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.conv(F.max_pool2d(F.pad(F.leaky_relu(x), (0, 1, 0, 1), value=value), 3, 2))

    torch.manual_seed(0)
    net, x = Net().eval(), torch.randn(4, 3, 16, 16)
    mapping = quantization.QConfigMapping().set_global(quantization.default_qconfig)
    prepared = prepare_fx(net, mapping, (x,))
    prepared(x)
    error = (convert_fx(prepared)(x) - net(x)).abs().max() / net(x).abs().max()
    assert (error < expected) if value == 0.0 else (error > expected)
