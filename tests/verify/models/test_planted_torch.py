"""Wrong rewrites of PyTorch code, all of which must be refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.planted import Wrong, function, refute

pytest.importorskip("torch")

NET = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2)
        self.bn = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(0.3)
        self.wide = nn.Conv2d(8, 8, 3, padding=1, padding_mode="reflect")
        self.deep = nn.Conv2d(8, 8, 3, padding=1, groups=2)
        self.down = nn.Conv2d(8, 8, 3, stride=2)
        self.one, self.two = nn.Conv2d(8, 8, 1), nn.Conv2d(8, 8, 1)
        self.up = nn.ConvTranspose2d(8, 4, 3, stride=2, padding=1, output_padding=1)
        self.head = nn.Linear(4, 2)
        self.register_buffer("scale", torch.tensor(0.5))

    def forward(self, x):
        x = self.stem(F.pad(x, (0, 1, 0, 1)))
        x = F.relu(self.drop(self.bn(x)))
        x = self.deep(self.wide(x))
        x = self.two(F.silu(self.one(x)))
        x = self.up(self.down(F.pad(x, (1, 1, 1, 1))))
        return {"map": x, "logits": self.head(x.mean((2, 3))) * self.scale}


def build():
    return Net()
"""

MODELS = {
    "pad on the other side": Wrong(
        "F.pad(x, (0, 1, 0, 1))",
        "F.pad(x, (1, 0, 1, 0))",
        layer="stem (Conv2d)",
        cause="shifted by one pixel to the right and bottom",
    ),
    "symmetric pad for an asymmetric one": Wrong(
        "stem(F.pad(x, (0, 1, 0, 1)))",
        "stem(F.pad(x, (1, 1, 1, 1)))",
        layer="stem (Conv2d)",
        cause="shifted by one pixel to the right and bottom",
    ),
    "height and width exchanged": Wrong(
        "F.pad(x, (1, 1, 1, 1))",
        "F.pad(x, (2, 0, 1, 1))",
        layer="down (Conv2d)",
        cause="shifted by one pixel to the right",
        inputs=("1x3x32x36",),
    ),
    "pads of rows on columns": Wrong(
        "F.pad(x, (0, 1, 0, 1))",
        "F.pad(x, (1, 2, 0, 1))",
        said="the shape of output['map'] changed: (2, 4, 6, 6) became (2, 4, 6, 8)",
        inputs=("2x3x12x13",),
    ),
    "a bias lost": Wrong(
        "3, stride=2)\n        self.bn",
        "3, stride=2, bias=False)\n        self.bn",
        "weights",
        "'stem.bias' was lost",
    ),
    "a key renamed": Wrong("self.deep", "self.depth", "weights", "'deep.weight' became 'depth.weight'"),
    "a key added": Wrong("self.bn =", "self.norm = self.bn =", "weights", "'norm.weight' was added"),
    "another kernel": Wrong(
        "Conv2d(3, 8, 3,", "Conv2d(3, 8, 5,", "weights", "'stem.weight': (8, 3, 3, 3) became (8, 3, 5, 5)"
    ),
    "other groups": Wrong(
        "groups=2", "groups=4", "weights", "'deep.weight': (8, 4, 3, 3) became (8, 2, 3, 3)"
    ),
    "other order of keys": Wrong(
        "self.one, self.two = nn.Conv2d(8, 8, 1), nn.Conv2d(8, 8, 1)",
        "self.two = nn.Conv2d(8, 8, 1)\n        self.one = nn.Conv2d(8, 8, 1)",
        "weights",
        "they come in another order, from 'one.weight' on",
    ),
    "a parameter frozen": Wrong(
        "self.head = nn.Linear(4, 2)",
        "self.head = nn.Linear(4, 2).requires_grad_(False)",
        "weights",
        "'head.weight' is no longer trained",
    ),
    "a buffer that became a parameter": Wrong(
        'self.register_buffer("scale", torch.tensor(0.5))',
        "self.scale = nn.Parameter(torch.tensor(0.5))",
        "weights",
        "'scale' is now trained",
    ),
    "a buffer lost": Wrong("tensor(0.5))", "tensor(0.5), persistent=False)", "weights", "'scale' was lost"),
    "layers of one shape exchanged": Wrong(
        "self.two(F.silu(self.one(x)))", "self.one(F.silu(self.two(x)))", layer="one (Conv2d)"
    ),
    "another dilation": Wrong(
        "8, 3, padding=1, groups=2", "8, 3, padding=2, dilation=2, groups=2", layer="deep (Conv2d)"
    ),
    "an activation lost": Wrong("F.silu(self.one(x))", "self.one(x)", layer="two (Conv2d)"),
    "zeros for a reflected pad": Wrong(
        ', padding_mode="reflect"',
        "",
        layer="wide (Conv2d)",
        cause="border only (left 1, right 1, top 1, bottom 1)",
    ),
    "edges for a reflected pad": Wrong(
        '"reflect"',
        '"replicate"',
        layer="wide (Conv2d)",
        cause="border only (left 1, right 1, top 1, bottom 1)",
    ),
    "output padding in front": Wrong(
        "stride=2, padding=1, output_padding=1)\n",
        "stride=2, padding=0)\n",
        said="(2, 4, 6, 8) became (2, 4, 7, 9)",
    ),
    "another momentum": Wrong(
        "BatchNorm2d(8)",
        "BatchNorm2d(8, momentum=0.2)",
        "state",
        "after a call, bn.running_mean",
        seen={"training": True},
    ),
    "another epsilon": Wrong("BatchNorm2d(8)", "BatchNorm2d(8, eps=1e-4)", layer="bn (BatchNorm2d)"),
    "statistics of the batch only": Wrong(
        "BatchNorm2d(8)", "BatchNorm2d(8, track_running_stats=False)", "weights", "'bn.running_mean' was lost"
    ),
    "another rate of dropout": Wrong(
        "Dropout(0.3)", "Dropout(0.2)", layer="drop (Dropout)", seen={"training": True}
    ),
    "dropout always": Wrong("self.drop(self.bn(x))", "F.dropout(self.bn(x), 0.3)", seen={"training": False}),
    "something in training only": Wrong(
        "x = self.deep(",
        "x = x * 1.5 if self.training else x\n        x = self.deep(",
        seen={"training": True},
    ),
    "a gradient cut": Wrong(
        "self.stem(F.pad(x", "self.stem(F.pad(x.detach()", "gradient", "the gradient of input 0"
    ),
    "a gradient cut within": Wrong(
        "self.head(x.", "self.head(x.detach().", "gradient", "the gradient of input 0"
    ),
    "a gradient cut to one parameter": Wrong(
        "* self.scale",
        "* self.scale + 0 * self.stem.bias.sum() * (self.deep.bias - self.deep.bias.detach()).sum()"
        " + (self.one.bias - self.one.bias.detach()).sum()",
        "gradient",
        "the gradient of one.bias",
    ),
    "a name of an output": Wrong(
        '"logits":', '"logit":', "structure", "output['logits'] became output['logit']"
    ),
    "an output more": Wrong('"map": x,', '"map": x, "more": x,', "structure", "output['more'] was added"),
    "a pad in single precision": Wrong(
        "F.pad(x, (1, 1, 1, 1))",
        "F.pad(x.float(), (1, 1, 1, 1)).to(x.dtype)",
        layer="down (Conv2d)",
        seen={"dtype": "float64"},
    ),
}


FUNCTIONS = {
    "zeros for -inf before a max pool": function(
        "torch",
        "F.max_pool2d(x, 3, 2, padding=1)",
        "F.max_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 2)",
        "1x1x8x8",
        cause="positive inputs agree, so zeros were padded where -inf was, or the reverse",
    ),
    "-inf for zeros before a max pool": function(
        "torch",
        "F.max_pool2d(F.pad(x, (1, 1, 1, 1)), 5, 2)",
        "F.max_pool2d(F.pad(x, (1, 1, 1, 1), value=-torch.inf), 5, 2)",
        "1x1x16x16",
        cause="positive inputs agree, so zeros were padded where -inf was, or the reverse",
    ),
    "a wide max pool, which only negative inputs show": function(
        "torch",
        "F.max_pool2d(x, 7, 4, padding=3)",
        "F.max_pool2d(F.pad(x, (3, 3, 3, 3)), 7, 4)",
        "1x1x16x16",
        seen={"kind": "negative"},
    ),
    "-inf for zeros before a mean": function(
        "torch",
        "F.avg_pool2d(F.pad(x, (0, 1, 0, 1)), 2)",
        "F.avg_pool2d(F.pad(x, (0, 1, 0, 1), value=-torch.inf), 2)",
        "1x1x9x9",
        said="became -inf",
    ),
    "what a mean counts": function(
        "torch",
        "F.avg_pool2d(x, 3, 1, 1)",
        "F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)",
        "1x1x8x8",
        cause="values are multiplied by 1.5, 2.25, so another count divides them",
    ),
    "ceil_mode lost": function(
        "torch",
        "F.max_pool2d(x, 3, 2, ceil_mode=True)",
        "F.max_pool2d(x, 3, 2)",
        "1x1x8x8",
        said="the shape of output changed: (1, 1, 4, 4) became (1, 1, 3, 3)",
    ),
    "right at even sizes only": function(
        "torch",
        "F.conv2d(F.pad(x, (0, 1) if x.shape[-1] % 2 == 0 else (1, 1)), w, stride=2)",
        "F.conv2d(F.pad(x, (0, 1)), w, stride=2)",
        "1x3x6xW8",
        "4x3x1x3",
        said="the shape of output changed",
        seen={"shapes": ((1, 3, 6, 11), (4, 3, 1, 3))},
    ),
    "another branch at one size": function(
        "torch", "x * 2", "x * 2 if x.shape[-1] != 10 else x * 3", "1xN8", seen={"shapes": ((1, 10),)}
    ),
    "a crop on the other side": function(
        "torch",
        "x[..., :-1, :-1]",
        "x[..., 1:, 1:]",
        "1x3x9x9",
        cause="shifted by one pixel to the left and top",
    ),
    "a crop that takes one more": function(
        "torch", "x[..., 1:-1]", "x[..., 1:-2]", "1x3x9x9", said="(1, 3, 9, 7) became (1, 3, 9, 6)"
    ),
    "another stride with the same output size": function(
        "torch",
        "F.conv2d(x, w, stride=2)",
        "F.conv2d(x, w, stride=3)",
        "1x3x6x6",
        "4x3x3x3",
        said="output differs",
    ),
    "output padding moved to the front": function(
        "torch",
        "F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)",
        "F.conv_transpose2d(x, w, stride=2)[..., :-1, :-1]",
        "1x3x8x8",
        "3x4x3x3",
        cause="as if its output were shifted by one pixel to the right and bottom",
    ),
    "height taken for width": function(
        "torch", "x.relu()", "x.relu().transpose(2, 3)", "1x3x8x8", said="output differs"
    ),
    "channels last for channels first": function(
        "torch", "x.mean((2, 3))", "x.mean((1, 2))", "2x6x6x6", said="output differs"
    ),
    "other groups of one shape": function(
        "torch",
        "F.conv2d(x, w, groups=2)",
        "F.conv2d(x.unflatten(1, (2, 2)).transpose(1, 2).flatten(1, 2), w, groups=2)",
        "1x4x6x6",
        "4x2x3x3",
        said="output differs",
    ),
    "one value only": function(
        "torch",
        "x * 2",
        "(x * 2).index_put((torch.tensor(1), torch.tensor(2)), x[1, 2] * 2 + 1e-9)",
        "3x4",
        said="at [1, 2]",
    ),
    "NaN for negative inputs only": function(
        "torch",
        "x / x.amax().abs()",
        "x / x.amax() * (x.amax().sign() ** 0.5)",
        "3x4",
        said="became nan",
        seen={"kind": "negative"},
    ),
    "a constant that is added": function(
        "torch", "x - x.mean()", "x - x.mean() + 1e-9", "3x4", said="output differs"
    ),
    "a tuple that became a tensor": function(
        "torch", "(x,)", "x", "3x4", what="structure", said="output[0] became output"
    ),
    "outputs exchanged": function("torch", "(x, x * 2)", "(x * 2, x)", "3x4", said="output[0] differs"),
    "another type": function("torch", "x * 1", "(x * 1).half()", "3x4", said="output differs"),
    "None for nothing": function(
        "torch", "(x, None)", "(x,)", "3x4", what="structure", said="output[1] = None was lost"
    ),
}


@pytest.mark.parametrize("wrong", MODELS.values(), ids=MODELS)
def test_a_wrong_model_is_refuted(tmp_path: Path, wrong: Wrong) -> None:
    refute(tmp_path, NET, wrong, "2x3x12x14")


@pytest.mark.parametrize(("text", "wrong"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_wrong_function_is_refuted(tmp_path: Path, text: str, wrong: Wrong) -> None:
    refute(tmp_path, text, wrong)
