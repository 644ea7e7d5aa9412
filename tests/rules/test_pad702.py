from __future__ import annotations

import pytest

from tests.rules.table import IMPORTS, assert_not_fixed, assert_reported, each, findings

CODE = "PAD702"


def model(layer: str, name: str = "QATConv", more: str = "") -> str:
    """A module with one layer, and what the file does with it."""
    return f"""{IMPORTS}
import torch.ao.nn.quantized as nnq


class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = {layer}

    def forward(self, x):
        return self.conv(x)


{more}
"""


TRAINS = """\
model = Net()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
model(torch.zeros(1, 3, 8, 8)).sum().backward()
"""
SILENT = {
    "a float layer": model("nn.Conv2d(3, 8, 3)"),
    "nothing is trained": model("nn.quantized.Conv2d(3, 8, 3)", "Net"),
    "used, but not trained": model("nn.quantized.Conv2d(3, 8, 3)", "Net", "model = Net()"),
    "another model is trained": model(
        "nn.quantized.Conv2d(3, 8, 3)", "Net", TRAINS.replace("Net()", "nn.Conv2d(3, 8, 3)")
    ),
    "made for training": model("torch.ao.nn.qat.Conv2d(3, 8, 3, qconfig=config)"),
    "a reference, which has floats": model("torch.ao.nn.quantized.reference.Conv2d(3, 8, 3)"),
    "the weight is filled in": model(
        "nn.quantized.Conv2d(3, 8, 3)\n        self.conv.set_weight_bias(weight, None)"
    ),
    "outside of classes": "conv = nn.quantized.Conv2d(3, 8, 3)",
    "a name that only sounds like it": model("nn.quantized.Conv2d(3, 8, 3)", "Aqatic"),
    "own class": model("quantized.Conv2d(3, 8, 3)"),
}

REPORTED = {
    "named after training": (
        model("nn.quantized.Conv2d(3, 64, kernel_size=3)"),
        "nn.quantized.Conv2d has no parameters to train and passes no gradient on",
    ),
    "by its module": (model("nnq.Conv2d(3, 8, 3, padding=1)"), "nnq.Conv2d has no parameters"),
    "transposed": (model("nnq.ConvTranspose2d(3, 8, 3)"), "nnq.ConvTranspose2d"),
    "fused": (
        model("torch.ao.nn.intrinsic.quantized.ConvReLU2d(3, 8, 3)"),
        "torch.ao.nn.intrinsic.quantized.ConvReLU2d",
    ),
    "dynamic": (model("torch.ao.nn.quantized.dynamic.Conv2d(3, 8, 3)"), "dynamic.Conv2d"),
    "lower case": (model("nnq.Conv2d(3, 8, 3)", "conv_qat"), "has no parameters"),
    "trainable": (model("nnq.Conv2d(3, 8, 3)", "TrainableConv"), "has no parameters"),
    "trained in the file": (model("nnq.Conv2d(3, 8, 3)", "Net", TRAINS), "has no parameters"),
}

NOT_FIXED = {"layer": (REPORTED["by its module"][0], "preparing and converting")}


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
def test_pytorch_has_nothing_to_train_in_them() -> None:
    import torch

    layer = torch.ao.nn.quantized.Conv2d(3, 4, 3)
    assert list(layer.parameters()) == []
    x = torch.quantize_per_tensor(torch.randn(1, 3, 8, 8), 0.05, 10, torch.quint8)
    assert not layer(x).requires_grad
    assert (
        len(
            list(
                torch.ao.nn.qat.Conv2d(
                    3, 4, 3, qconfig=torch.ao.quantization.get_default_qat_qconfig()
                ).parameters()
            )
        )
        == 2
    )
