"""Models and their ports to another framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.verify.models import Comparison, working
from padlint.verify.models.against import PortVerifier
from tests.verify.models.comparing import request, write
from tests.verify.models.local import LocalSession

for name in ("torch", "tensorflow", "keras", "flax"):
    pytest.importorskip(name)

KERAS = """
from keras import Input, Model, layers


def build():
    image = Input((16, 20, 3))
    x = layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(image)
    x = layers.BatchNormalization(epsilon=1e-5)(x)
    x = layers.MaxPooling2D(3, 2, padding="same")(x)
    x = layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2, use_bias=False)(x)
    x = layers.SeparableConv2D(6, 3, padding="same", activation="relu")(x)
    y = layers.Conv2DTranspose(4, 3, strides=2, padding="same")(x)
    x = layers.LayerNormalization(epsilon=1e-5)(layers.GlobalAveragePooling2D()(x))
    return Model(image, [layers.Dense(5)(x), y])
"""
TORCH = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 5)
        self.stem = nn.Conv2d(3, 8, 3, stride=2)
        self.bn = nn.BatchNorm2d(8)
        self.deep = nn.Conv2d(8, 16, 3, padding=1, groups=8, bias=False)
        self.wide = nn.Conv2d(16, 16, 3, padding=1, groups=16, bias=False)
        self.point = nn.Conv2d(16, 6, 1)
        self.up = nn.ConvTranspose2d(6, 4, 3, stride=2)
        self.norm = nn.LayerNorm(6)

    def forward(self, x):
        x = self.bn(F.relu(self.stem(F.pad(x, (0, 1, 0, 1)))))
        x = F.max_pool2d(F.pad(x, (0, 1, 0, 1), value=-torch.inf), 3, 2)
        x = F.relu(self.point(self.wide(self.deep(x))))
        y = self.up(x)[..., :-1, :-1]
        return self.head(self.norm(x.mean((2, 3)))), y


def build():
    return Net()
"""
LINEN = """
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(8, (3, 3), strides=2)(x))
        x = nn.BatchNorm(use_running_average=True)(x)
        x = nn.max_pool(x, (3, 3), (2, 2), padding="SAME")
        x = nn.Conv(16, (3, 3), feature_group_count=8, use_bias=False)(x)
        x = nn.Conv(16, (3, 3), feature_group_count=16, use_bias=False)(x)
        x = nn.relu(nn.Conv(6, (1, 1))(x))
        y = nn.ConvTranspose(4, (3, 3), strides=(2, 2), padding=((2, 1), (2, 1)), name="up")(x)
        return nn.Dense(5)(nn.LayerNorm(epsilon=1e-5)(x.mean((1, 2)))), y


def build():
    return Net()
"""
NNX = """
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.second = nnx.Linear(6, 5, rngs=rngs)
        self.first = nnx.Conv(3, 6, (3, 3), strides=2, rngs=rngs)

    def __call__(self, x):
        return self.second(nnx.relu(self.first(x)).mean((1, 2)))


def build():
    return Net(nnx.Rngs(0))
"""
SMALL = """
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
"""


BRANCHES = (
    "a = nn.Conv2d(3, 4, 3, padding=1); b = nn.BatchNorm2d(4); "
    "c = nn.Conv2d(3, 4, 3, padding=1); d = nn.BatchNorm2d(4); e = nn.Conv2d(4, 4, 1)"
)


def torch(layers: str, forward: str) -> str:
    """A module of PyTorch with attributes and what it returns for `x`."""
    attributes = "".join(f"        self.{line}\n" for line in layers.split("; "))
    rest = f"    def forward(self, x):\n        return {forward}\n\n\ndef build():\n    return Net()\n"
    return f"{SMALL}{attributes}\n{rest}"


def keras(shape: str, *layers: str) -> str:
    """A Sequential model of Keras."""
    elements = ", ".join(f"layers.{layer}" for layer in layers)
    body = f"    return Sequential([Input({shape}), {elements}])\n"
    return f"from keras import Input, Sequential, layers\n\n\ndef build():\n{body}"


def against(folder: Path, before: str, after: str, *inputs: str) -> Comparison:
    """The result for a model and its port."""
    write(folder, net=before, port=after)
    sides = (working(folder / f"{name}.py", "build", f"of the {name}") for name in ("net", "port"))
    return PortVerifier(*sides, request(*inputs), open_session=LocalSession, residues=2).compare()  # type: ignore[arg-type]


EQUAL = {
    "Keras and PyTorch": (KERAS, TORCH, "2x16x20x3"),
    "PyTorch and Keras": (TORCH, KERAS, "2x3x16x20"),
    "PyTorch and Flax": (TORCH, LINEN, "2x3x16x20"),
    "Flax and Keras": (LINEN, KERAS, "2x16x20x3"),
    "Flax NNX and PyTorch, whose attributes come in another order": (
        NNX,
        torch(
            "a = nn.Conv2d(3, 6, 3, stride=2); b = nn.Linear(6, 5)",
            "self.b(F.relu(self.a(F.pad(x, (0, 1, 0, 1)))).mean((2, 3)))",
        ),
        "2x8x8x3",
    ),
    "a dense layer behind a Flatten": (
        keras("(5, 6, 2)", "Conv2D(3, 3)", "Flatten()", "Dense(4, activation='relu')", "Dense(2)"),
        torch(
            "a = nn.Conv2d(2, 3, 3); b = nn.Linear(36, 4); c = nn.Linear(4, 2)",
            "self.c(F.relu(self.b(self.a(x).flatten(1))))",
        ),
        "2x5x6x2",
    ),
    "a dense layer behind a Flatten of a permuted map": (
        keras("(5, 6, 2)", "Conv2D(3, 3)", "Flatten()", "Dense(4)"),
        torch(
            "a = nn.Conv2d(2, 3, 3); b = nn.Linear(36, 4)", "self.b(self.a(x).permute(0, 2, 3, 1).flatten(1))"
        ),
        "2x5x6x2",
    ),
    "a signal": (
        keras(
            "(8, 3)",
            "Conv1D(4, 3, strides=2, padding='same')",
            "LeakyReLU(negative_slope=0.1)",
            "Conv1D(2, 1)",
        ),
        torch(
            "a = nn.Conv1d(3, 4, 3, stride=2); b = nn.Conv1d(4, 2, 1)",
            "self.b(F.leaky_relu(self.a(F.pad(x, (0, 1))), 0.1))",
        ),
        "2x8x3",
    ),
    "a volume": (
        keras("(4, 6, 8, 2)", "Conv3D(4, 3)", "Conv3DTranspose(2, 3)"),
        torch("a = nn.Conv3d(2, 4, 3); b = nn.ConvTranspose3d(4, 2, 3)", "self.b(self.a(x))"),
        "1x4x6x8x2",
    ),
    "a table": (
        keras("(7,), dtype='int32'", "Embedding(11, 4)", "Dense(3)"),
        torch("a = nn.Embedding(11, 4); b = nn.Linear(4, 3)", "self.b(self.a(x))"),
        "int64:2x7:11",
    ),
    "a dense layer as a convolution": (
        keras("(3, 4, 5)", "Dense(2)"),
        torch("a = nn.Conv2d(5, 2, 1)", "self.a(x)"),
        "2x3x4x5",
    ),
    "no bias on one side": (
        keras("(6, 6, 3)", "Conv2D(4, 3, use_bias=False)", "BatchNormalization(scale=False, epsilon=1e-5)"),
        torch("a = nn.Conv2d(3, 4, 3); b = nn.BatchNorm2d(4)", "self.b(self.a(x))"),
        "2x6x6x3",
    ),
    "branches in another order": (
        torch(
            BRANCHES.replace("c = nn.Conv2d(3, 4, 3, padding=1)", "c = nn.Conv2d(3, 4, 1)"),
            "self.b(self.a(x)) + self.d(self.c(x))",
        ),
        torch(
            BRANCHES.replace("c = nn.Conv2d(3, 4, 3, padding=1)", "c = nn.Conv2d(3, 4, 1)"),
            "self.d(self.c(x)) + self.b(self.a(x))",
        ),
        "2x3x6x6",
    ),
    "branches of one shape in another order": (
        torch(BRANCHES, "self.e(self.b(self.a(x)) + self.d(self.c(x)))"),
        torch(BRANCHES, "self.e(self.d(self.c(x)) + self.b(self.a(x)))"),
        "2x3x6x6",
    ),
    "functions": (
        "import tensorflow as tf\n\n\ndef build(x):\n    return tf.nn.max_pool2d(x, 2, 2, 'VALID')\n",
        "from torch.nn import functional as F\n\n\ndef build(x):\n    return F.max_pool2d(x, 2)\n",
        "2x6x8x3",
    ),
    "open sizes": (
        keras("(None, None, 3)", "Conv2D(4, 3, strides=2, padding='same')"),
        torch("a = nn.Conv2d(3, 4, 3, stride=2)", "self.a(F.pad(x, (x.shape[3] % 2, 1, x.shape[2] % 2, 1)))"),
        "1x9x12x3",
    ),
}


@pytest.mark.parametrize(("before", "after", "shape"), EQUAL.values(), ids=EQUAL)
def test_equal(tmp_path: Path, before: str, after: str, shape: str) -> None:
    found = against(tmp_path, before, after, shape)
    assert (found.result, found.reason, found.difference) == ("equal", None, None)
    assert found.dtypes == ["float64"]
    assert found.max_abs is not None
    assert found.max_abs < 1e-8


POOLS = keras(
    "(8, 8, 3)", "Conv2D(4, 3, padding='same')", "AveragePooling2D(3, 1, padding='same')", "Conv2D(2, 1)"
)
STRIDED = keras("(16, 16, 3)", "Conv2D(4, 3, strides=2, padding='same', activation='relu')", "Conv2D(2, 1)")
STEM, HEAD = "a = nn.Conv2d(3, 4, 3, stride=2{}); b = nn.Conv2d(4, 2, 1)", "self.b(F.relu(self.a({})))"
WRONG = {
    "symmetric pads for SAME ones": (
        STRIDED,
        torch(STEM.format(", padding=1"), HEAD.format("x")),
        "2x16x16x3",
        "conv2d (Conv2D), there a (Conv2d)",
        "as if its input were shifted by one pixel to the right and bottom",
    ),
    "the same from the other side": (
        torch(STEM.format(", padding=1"), HEAD.format("x")),
        STRIDED,
        "2x3x16x16",
        "a (Conv2d), there conv2d (Conv2D)",
        "as if its input were shifted by one pixel to the left and top",
    ),
    "an activation lost": (
        STRIDED,
        torch(STEM.format(""), "self.b(self.a(F.pad(x, (0, 1, 0, 1))))"),
        "2x16x16x3",
        "conv2d_1 (",
        "",
    ),
    "another epsilon": (
        keras("(8, 8, 3)", "Conv2D(4, 3)", "BatchNormalization()"),
        torch("a = nn.Conv2d(3, 4, 3); b = nn.BatchNorm2d(4)", "self.b(self.a(x))"),
        "2x8x8x3",
        "batch_normalization (BatchNormalization), there b (BatchNorm2d)",
        "its epsilon is 0.001, and there 1e-05",
    ),
    "a pool with another divisor between two layers": (
        POOLS,
        torch(
            "a = nn.Conv2d(3, 4, 3, padding=1); b = nn.Conv2d(4, 2, 1)",
            "self.b(F.avg_pool2d(self.a(x), 3, 1, 1))",
        ),
        "2x8x8x3",
        "conv2d_1 (Conv2D), there b (Conv2d)",
        "border only",
    ),
    "something behind the last layer": (
        keras("(8, 8, 3)", "Conv2D(4, 3)"),
        torch("a = nn.Conv2d(3, 4, 3)", "self.a(x) * 3"),
        "2x8x8x3",
        "",
        "every value is multiplied by 3",
    ),
    "another size": (
        keras("(8, 8, 3)", "Conv2D(4, 3, strides=2, padding='same')"),
        torch("a = nn.Conv2d(3, 4, 3, stride=2)", "self.a(x)"),
        "2x8x8x3",
        "conv2d (Conv2D), there a (Conv2d)",
        "the shape (2, 4, 4, 4) became (2, 3, 3, 4)",
    ),
    "a crop on the other side": (
        keras("(8, 8, 3)", "Conv2DTranspose(4, 3, strides=2, padding='same')"),
        torch("a = nn.ConvTranspose2d(3, 4, 3, stride=2)", "self.a(x)[..., 1:, 1:]"),
        "2x8x8x3",
        "",
        "as if its output were shifted by one pixel to the left and top",
    ),
}


@pytest.mark.parametrize(("before", "after", "shape", "layer", "cause"), WRONG.values(), ids=WRONG)
def test_differs(tmp_path: Path, before: str, after: str, shape: str, layer: str, cause: str) -> None:
    found = against(tmp_path, before, after, shape)
    assert found.result == "differs", found.reason
    assert found.difference is not None
    assert (found.difference.layer or "").startswith(layer), found.difference
    assert cause in (found.difference.cause or ""), found.difference


TWO = "a = nn.Conv2d(4, 4, 1); b = nn.Conv2d(4, 4, 3, padding=1); c = nn.Conv2d(4, 4, 3, padding=1)"
REFUSED = {
    "a layer more": (
        keras("(8, 8, 3)", "Conv2D(4, 3)"),
        torch("a = nn.Conv2d(3, 4, 3); b = nn.BatchNorm2d(4)", "self.b(self.a(x))"),
        "the weights cannot be carried over: 'b.weight' (4,) has no counterpart",
    ),
    "another kernel": (
        keras("(8, 8, 3)", "Conv2D(4, 3)"),
        torch("a = nn.Conv2d(3, 4, 5, padding=1)", "self.a(x)"),
        "order of the calls, 'sequential/conv2d/kernel' (3, 3, 3, 4) would become 'a.weight' (4, 3, 5, 5)",
    ),
    "a bias that the port lacks": (
        keras("(8, 8, 3)", "Conv2D(4, 3)"),
        torch("a = nn.Conv2d(3, 4, 3, bias=False)", "self.a(x)"),
        "'sequential/conv2d/bias' has no counterpart in 'a'",
    ),
    "equal layers in another order": (
        torch(TWO, "self.c(self.b(self.a(x))) + self.b(x)"),
        torch(
            TWO.replace("b = nn.Conv2d(4, 4, 3, p", "b = nn.Conv2d(4, 4, 5, p"), "self.c(self.b(self.a(x)))"
        ),
        "in the order of the calls, 'b.weight' (4, 4, 3, 3) would become 'b.weight' (4, 4, 5, 5)",
    ),
    "recurrent layers": (
        keras("(8, 3)", "LSTM(4)"),
        torch("a = nn.LSTM(3, 4, batch_first=True)", "self.a(x)[0][:, -1]"),
        "cannot be carried over",
    ),
    "a port that raises": (
        keras("(8, 8, 3)", "Conv2D(4, 3)"),
        torch("a = nn.Conv2d(4, 4, 3)", "self.a(x)"),
        "the code of the port cannot be run: RuntimeError: Given groups=1",
    ),
}


@pytest.mark.parametrize(("before", "after", "said"), REFUSED.values(), ids=REFUSED)
def test_incomparable(tmp_path: Path, before: str, after: str, said: str) -> None:
    is_torch = before.startswith(SMALL)
    shape = "2x4x8x8" if is_torch else "2x8x3" if "LSTM" in before else "2x8x8x3"
    found = against(tmp_path, before, after, shape)
    assert found.result == "incomparable", found.difference
    assert said in (found.reason or "")
