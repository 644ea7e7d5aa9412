"""Sizes in modules of Flax: compact ones, those with setup, nnx, and what a model is initialised with."""

from __future__ import annotations

import pytest

from padlint.options import Options
from tests.sizes.table import known, told

SIZE = Options(frozenset(), input_size=(64, 48))
HEAD = """
import jax
import jax.numpy as jnp
from flax import linen as nn
from flax import nnx

class Block(nn.Module):
    features: int
    strides: int = 1

    @nn.compact
    def __call__(self, x):
        return nn.relu(nn.Conv(self.features, (3, 3), strides=self.strides)(x))
"""
LAST = "x = nn.Conv(8, (3, 3))(x)  # here"


def compact(rows: str, *, fields: str = "", behind: str = "") -> str:
    body = "\n".join(f"        {row}" for row in f"{rows}\n{LAST}".split("\n"))
    own = "".join(f"    {field}\n" for field in fields.split("\n") if field)
    return (
        f"{HEAD}\nclass Net(nn.Module):\n{own}    @nn.compact\n    def __call__(self, x):\n{body}\n{behind}\n"
    )


FOLLOWED = {
    "SAME": (compact("x = nn.Conv(8, (3, 3), (2, 2))(x)"), "32x24"),
    "VALID": (compact("x = nn.Conv(8, (3, 3), padding='VALID')(x)"), "62x46"),
    "pairs": (compact("x = nn.Conv(8, (7, 7), (2, 2), padding=[(3, 3), (3, 3)])(x)"), "32x24"),
    "int": (compact("x = nn.Conv(8, (7, 7), (2, 2), padding=3)(x)"), "32x24"),
    "pool": (compact("x = nn.max_pool(x, (3, 3), (2, 2), ((1, 1), (0, 0)))"), "32x23"),
    "transposed": (compact("x = nn.ConvTranspose(8, (3, 3), (2, 2))(x)"), "128x96"),
    "module": (compact("x = Block(8, strides=2)(x)"), "32x24"),
    "modules in a loop": (compact("for i in range(3):\n  x = Block(8 * i, 2)(x)"), "8x6"),
    "a field": (compact("x = nn.Conv(8, (3, 3), self.s)(x)", fields="s: int", behind=""), "unknown"),
    "dense on the channels": (compact("x = nn.Conv(8, (3, 3), 2)(x)\nx = nn.Dense(8)(x)"), "32x24"),
    "Sequential": (compact("x = nn.Sequential([nn.Conv(8, (3, 3), 2), nn.relu])(x)"), "unknown"),
    "Sequential of layers": (compact("x = nn.Sequential([nn.Conv(8, (3, 3), 2), Block(3, 2)])(x)"), "16x12"),
    "slice": (compact("x = x[:, 1:-1, ::2, :]"), "62x24"),
    "skip connection": (compact("y = Block(8, 2)(x)\nx = y + Block(8, 2)(x)"), "32x24"),
    "concatenated": (compact("x = jnp.concatenate([x, Block(8)(x)], axis=-1)"), "64x48"),
    "input dilation": (compact("x = nn.Conv(8, (3, 3), input_dilation=2)(x)"), "unknown"),
    "reshaped": (compact("x = x.reshape((1, 8, 8, 3))"), "unknown"),
    "transposed axes": (compact("x = jnp.transpose(x, (0, 2, 1, 3))"), "unknown"),
}


@pytest.mark.parametrize(("text", "size"), FOLLOWED.values(), ids=FOLLOWED)
def test_compact(text: str, size: str) -> None:
    found = told(known(text, SIZE))
    assert found.startswith("lost: ") if size == "unknown" else found == f"{size} ASSUMED"


def test_setup() -> None:
    text = f"""{HEAD}
class Net(nn.Module):
    def setup(self):
        self.a = Block(8, 2)
        self.c = nn.Conv(8, (3, 3))  # here
    def __call__(self, x):
        return self.c(self.a(x))
"""
    assert told(known(text, SIZE)) == "32x24 ASSUMED"


NNX = f"""{HEAD}
class Net(nnx.Module):
    def __init__(self, rngs, s=2):
        self.a = nnx.Conv(3, 8, (3, 3), strides=2, rngs=rngs)
        self.c = nnx.Conv(8, 8, (3, 3), rngs=rngs)  # here
    def __call__(self, x):
        x = nnx.max_pool(nnx.relu(self.a(x)), (2, 2), (2, 2))
        return self.c(x)
"""


def test_nnx() -> None:
    assert told(known(NNX, SIZE)) == "16x12 ASSUMED"
    assert told(known(f"{NNX}\nm = Net(r)\ny = m(jnp.ones((1, 32, 28, 3)))\n")) == "8x7 ASSUMED"


MODEL = compact("x = nn.Conv(8, (3, 3), (2, 2))(x)")
EXAMPLES = {
    "init": ("Net().init(k, jnp.ones((1, 224, 200, 3)))", "112x100"),
    "init of a name": ("def f():\n  m = Net()\n  m.init(k, jnp.zeros([2, 224, 200, 3]))", "112x100"),
    "apply": ("def f(v):\n  m = Net()\n  return m.apply(v, jnp.zeros((2, 224, 200, 3)))", "112x100"),
    "another method": ("def f(v, x):\n  m = Net()\n  m.init(k, jnp.zeros((2, 9, 9, 3)), method=m.g)", "lost"),
    "no literal": ("def f(v, x):\n  m = Net()\n  m.init(k, x)", "lost"),
    "two sizes": (
        "def f(v):\n  m = Net()\n  m.init(k, jnp.zeros((2, 64, 64, 3)))\n"
        "  m.apply(v, jax.random.normal(k, (2, 32, 32, 3)))",
        "a multiple of 16",
    ),
}


@pytest.mark.parametrize(("rows", "size"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples(rows: str, size: str) -> None:
    found = told(known(f"{MODEL}\n{rows}\n"))
    assert found.startswith("lost: ") if size == "lost" else found == f"{size} ASSUMED"


def test_a_promise_counts_more_than_an_example() -> None:
    assert told(known(f"{MODEL}\nNet().init(k, jnp.ones((1, 224, 200, 3)))\n", SIZE)) == "32x24 ASSUMED"
