"""Flax modules before and after, and functions of JAX arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.comparing import compare_texts
from tests.verify.models.local import LocalSession

pytest.importorskip("flax")

HERE = {"open_session": LocalSession}
SAME, RIGHT = 'padding="SAME")', "padding=((0, 1), (0, 1)))"
LINEN = """
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Conv(4, (3, 3), strides=(2, 2), padding="SAME")(x)
        x = nn.relu(nn.BatchNorm(use_running_average=not train)(x))
        x = nn.Dropout(0.3, deterministic=not train)(x)
        return nn.Dense(2)(x.mean(axis=(1, 2)))


def build():
    return Net()
"""
NNX = """
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.conv = nnx.Conv(3, 4, (3, 3), strides=(2, 2), rngs=rngs, padding="SAME")
        self.bn = nnx.BatchNorm(4, rngs=rngs)
        self.drop = nnx.Dropout(0.3, rngs=rngs)
        self.head = nnx.Linear(4, 2, rngs=rngs)

    def __call__(self, x):
        return self.head(self.drop(nnx.relu(self.bn(self.conv(x)))).mean(axis=(1, 2)))


def build():
    return Net(nnx.Rngs(0))
"""
FUNCTION = """
import jax


def build(x, w):
    return jax.lax.conv_general_dilated(x, w, (2, 2), padding="SAME")
"""


@pytest.mark.parametrize(
    ("text", "inputs"),
    [(LINEN, ["2x12x14x3"]), (NNX, ["2x12x14x3"]), (FUNCTION, ["1x3x12x14", "4x3x3x3"])],
    ids=["linen", "nnx", "lax"],
)
def test_right_pads(tmp_path: Path, text: str, inputs: list[str]) -> None:
    found = compare_texts(tmp_path, text, text.replace(SAME, RIGHT), *inputs, **HERE)
    assert (found.result, found.reason, found.difference) == ("equal", None, None)
    assert found.dtypes == ["float64", "float32"]
