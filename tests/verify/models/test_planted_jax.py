"""Wrong rewrites of Flax modules and of functions of JAX and NumPy arrays, all of which must be refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.planted import Wrong, function, refute

pytest.importorskip("flax")

LINEN = """
import jax
from flax import linen as nn
from jax import numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Conv(4, (3, 3), strides=2, padding=((0, 1), (0, 1)))(x)
        x = nn.relu(nn.BatchNorm(use_running_average=not train)(x))
        x = nn.Dropout(0.3, deterministic=not train)(x)
        x = nn.Conv(4, (3, 3), feature_group_count=2, name="wide")(x)
        x = nn.max_pool(x, (3, 3), padding="SAME")
        y = nn.ConvTranspose(2, (3, 3), strides=(2, 2), name="up")(x)
        return {"map": y, "logits": nn.Dense(2)(x.mean(axis=(1, 2)))}


def build():
    return Net()
"""
NNX = """
from flax import nnx
from jax import numpy as jnp


class Net(nnx.Module):
    def __init__(self, rngs):
        self.conv = nnx.Conv(3, 4, (3, 3), strides=2, rngs=rngs, padding=((0, 1), (0, 1)))
        self.bn = nnx.BatchNorm(4, rngs=rngs)
        self.drop = nnx.Dropout(0.3, rngs=rngs)
        self.one, self.two = nnx.Linear(4, 4, rngs=rngs), nnx.Linear(4, 4, rngs=rngs)

    def __call__(self, x):
        x = self.drop(nnx.relu(self.bn(self.conv(x))))
        return self.two(nnx.silu(self.one(x)))


def build():
    return Net(nnx.Rngs(0))
"""
SHIFTED = "shifted by one pixel to the right and bottom"

IN_LINEN = {
    "pad on the other side": Wrong(
        "((0, 1), (0, 1))", "((1, 0), (1, 0))", layer="Conv_0 (Conv)", cause=SHIFTED
    ),
    "a pad for every size": Wrong("((0, 1), (0, 1))", '"CIRCULAR"', layer="Conv_0 (Conv)"),
    "a parameter renamed": Wrong(
        "nn.Dense(2)",
        "nn.Dense(2, name='head')",
        "weights",
        "'params/Dense_0/kernel' became 'params/head/kernel'",
    ),
    "a bias lost": Wrong(
        'name="wide"', 'use_bias=False, name="wide"', "weights", "'params/wide/bias' was lost"
    ),
    "other groups": Wrong(
        "feature_group_count=2", "feature_group_count=4", "weights", "'params/wide/kernel': "
    ),
    "another momentum": Wrong(
        "BatchNorm(",
        "BatchNorm(momentum=0.5, ",
        "state",
        "after a call, batch_stats/BatchNorm_0/mean",
        seen={"training": True},
    ),
    "a mode lost": Wrong("deterministic=not train", "deterministic=True", seen={"training": True}),
    "an activation lost": Wrong("nn.relu(nn.Batch", "(nn.Batch", layer="Dropout_0 ("),
    "zeros for -inf": Wrong(
        'nn.max_pool(x, (3, 3), padding="SAME")',
        "nn.max_pool(jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))), (3, 3))",
    ),
    "a circular pad for zeros": Wrong(
        "feature_group_count=2, name",
        'feature_group_count=2, padding="CIRCULAR", name',
        layer="wide (Conv)",
        cause="border only",
    ),
    "a gradient cut": Wrong("x.mean(", "jax.lax.stop_gradient(x).mean(", "gradient", "the gradient of "),
    "a name of an output": Wrong(
        '"logits"', '"logit"', "structure", "output['logits'] became output['logit']"
    ),
    "half the precision": Wrong(
        "(3, 3), strides=2,", "(3, 3), strides=2, dtype=jnp.bfloat16,", layer="Conv_0"
    ),
    "a transposed convolution with another pad": Wrong(
        'strides=(2, 2), name="up"', 'strides=(2, 2), padding=((1, 2), (1, 2)), name="up"', layer="up ("
    ),
}
IN_NNX = {
    "symmetric pad for an asymmetric one": Wrong("((0, 1), (0, 1))", "1", layer="conv (Conv)", cause=SHIFTED),
    "a parameter more": Wrong(
        "        self.bn = ",
        "        self.more = nnx.Param(jnp.ones(1))\n        self.bn = ",
        "weights",
        "'more' was added",
    ),
    "layers of one shape exchanged": Wrong(
        "self.two(nnx.silu(self.one(x)))", "self.one(nnx.silu(self.two(x)))", layer="one ("
    ),
    "another momentum": Wrong("BatchNorm(4", "BatchNorm(4, momentum=0.5", "state", "after a call, bn/mean"),
    "a parameter frozen": Wrong(
        "        self.bn = ",
        "        self.conv.bias = nnx.BatchStat(self.conv.bias.get_value())\n        self.bn = ",
        "weights",
        "is no longer trained",
    ),
}
LAX = "jax.lax.conv_general_dilated(x, w, (2, 2), padding={})"
FUNCTIONS = {
    "symmetric pad for an asymmetric one": function(
        "jax",
        LAX.format("'SAME'"),
        LAX.format("((1, 1), (1, 1))"),
        "1x3x12x14",
        "4x3x3x3",
        said="output differs",
    ),
    "right at even sizes only": function(
        "jax",
        LAX.format("'SAME'"),
        LAX.format("((0, 1), (0, 1))"),
        "1x3xH12x14",
        "4x3x3x3",
        said="the shape of",
    ),
    "one value only": function(
        "jax", "x * 2", "(x * 2).at[1, 2].add(1e-9)", "3x4", said="output differs by up to 1e-09: at [1, 2]"
    ),
    "NaN for what is large": function(
        "jax", "x * 1.0", "jnp.where(x > 1.0, jnp.nan, x)", "8x8", said="became nan"
    ),
    "a gradient cut": function("jax", "x * x", "x * jax.lax.stop_gradient(x)", "3", what="gradient"),
    "written into its input": function(
        "numpy", "x * 2", "np.multiply(x, 2, out=x)", "3", what="state", said="input 0"
    ),
    "rounded": function("numpy", "x * 2", "(x * 2).round(9)", "3", said="output differs"),
    "another type": function("numpy", "x > 0", "x >= -1e-3", "64x64", said="differs by up to 1"),
}


@pytest.mark.parametrize("wrong", IN_LINEN.values(), ids=IN_LINEN)
def test_a_wrong_linen_module_is_refuted(tmp_path: Path, wrong: Wrong) -> None:
    refute(tmp_path, LINEN, wrong, "2x12x14x3")


@pytest.mark.parametrize("wrong", IN_NNX.values(), ids=IN_NNX)
def test_a_wrong_nnx_module_is_refuted(tmp_path: Path, wrong: Wrong) -> None:
    refute(tmp_path, NNX, wrong, "2x12x14x3")


@pytest.mark.parametrize(("text", "wrong"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_wrong_function_is_refuted(tmp_path: Path, text: str, wrong: Wrong) -> None:
    refute(tmp_path, text, wrong)
