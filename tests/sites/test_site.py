"""Which calls are operators of the catalogue, how sure that is, and what they run on."""

from __future__ import annotations

import pytest

from padlint.sites import Site
from tests.sites.table import KERAS, TENSORFLOW, TORCH, only_site, sites

OPERATORS = {
    "keras": (KERAS + "L.Conv2D(8, 3)", "keras.layers.Conv2D", True),
    "tensorflow.keras": (
        "import tensorflow as tf\ntf.keras.layers.Conv2D(8, 3)",
        "keras.layers.Conv2D",
        True,
    ),
    "torch": (TORCH + "nn.Conv2d(3, 8, 3)", "torch.nn.Conv2d", True),
    "tf.nn": (TENSORFLOW + "tf.nn.conv2d(x, w, 1, 'SAME')", "tf.nn.conv2d", True),
    "second spelling": (
        "from keras.layers import Convolution2D\nConvolution2D(8, 3)",
        "keras.layers.Conv2D",
        True,
    ),
    "renamed": ("from torch.nn import Conv2d as C\nC(3, 8, 3)", "torch.nn.Conv2d", True),
    "alias": (TORCH + "C = nn.Conv2d\nC(3, 8, 3)", "torch.nn.Conv2d", True),
    "alias of an alias": (TORCH + "C = nn.Conv2d\nD = C\ndef f(): D(3, 8, 3)", "torch.nn.Conv2d", True),
    "alias in a function": (TORCH + "def f():\n  C = nn.Conv2d\n  C(3, 8, 3)", "torch.nn.Conv2d", True),
    "two spellings that agree": (
        """
        try:
            from tensorflow.keras.layers import Conv2D
        except ImportError:
            from keras.layers import Conv2D
        Conv2D(8, 3)
        """,
        "keras.layers.Conv2D",
        True,
    ),
    "star import": ("from torch.nn import *\nConv2d(3, 8, 3)", "torch.nn.Conv2d", False),
    "one of two is known": (
        "try:\n  from keras import layers\nexcept E:\n  layers = None2\nlayers.Conv2D(8, 3)",
        "keras.layers.Conv2D",
        False,
    ),
    "one of two is another library's": (
        "try:\n  from keras.layers import Conv2D\nexcept E:\n  from mylib import Conv2D\nConv2D(8, 3)",
        "keras.layers.Conv2D",
        False,
    ),
    "replaced on the module": (
        TORCH + "nn.Conv2d = wrap(nn.Conv2d)\nnn.Conv2d(3, 8, 3)",
        "torch.nn.Conv2d",
        False,
    ),
    "replaced by setattr": (TORCH + "setattr(nn, 'Conv2d', g)\nnn.Conv2d(3, 8, 3)", "torch.nn.Conv2d", False),
    "own attribute of that name": (
        TORCH + "class A:\n  def f(self):\n    self.Conv2d = nn.Conv2d(3, 8, 3)",
        "torch.nn.Conv2d",
        True,
    ),
}


@pytest.mark.parametrize(("text", "name", "sure"), OPERATORS.values(), ids=OPERATORS)
def test_operator(text: str, name: str, sure: bool) -> None:
    site = only_site(text)
    assert (site.operator.name, site.sure) == (name, sure)


@pytest.mark.parametrize(
    "text",
    [
        "from detectron2.layers import Conv2d\nConv2d(3, 8, 3, stride=2)",
        "from paddle.nn import Conv2D\nConv2D(3, 8, 3)",
        "import mxnet as mx\nmx.gluon.nn.Conv2D(8, 3)",
        "class Conv2d(nn.Module): pass\nConv2d(3, 8, 3)",
        "def Conv2d(*args): pass\nConv2d(3, 8, 3)",
        TORCH + "class Conv2d(nn.Conv2d):\n  def forward(self, x): pass\nConv2d(3, 8, 3)",
        TORCH + "def f(nn): nn.Conv2d(3, 8, 3)",
        TORCH + "def f(conv=nn.Conv2d): conv(3, 8, 3)",
        TORCH + "getattr(nn, 'Conv2d')(3, 8, 3)",
        TORCH + "isinstance(m, nn.Conv2d)",
        TORCH + "(nn.Conv2d if a else nn.Conv3d)(3, 8, 3)",
        TORCH + "C = nn.Conv2d if a else nn.Conv3d\nC(3, 8, 3)",
        TORCH + "try:\n  C = nn.Conv2d\nexcept E:\n  C = nn.Conv3d\nC(3, 8, 3)",
        TORCH + "class A:\n  def f(self, x): self.conv2d(x)",
        TORCH + "'nn.Conv2d(3, 8, 3)'",
        TORCH + "# nn.Conv2d(3, 8, 3)",
        "from .layers import Conv2D\nConv2D(8, 3)",
    ],
)
def test_no_operator(text: str) -> None:
    assert sites(text) == []


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        (KERAS + "def f(x): L.Conv2D(8, 3)(x)", ["x"]),
        (KERAS + "def f(x): L.Conv2D(8, 3)(inputs=x)", ["x"]),
        (KERAS + "def f(x): L.Conv2D(8, 3)(x, training=True)", ["x"]),
        (KERAS + "def f(x): L.Conv2D(8, 3)(*x)", [None]),
        (KERAS + "def f(x): L.Conv2D(8, 3)(**x)", [None]),
        (KERAS + "def f(x): L.Conv2D(8, 3)()", [None]),
        (KERAS + "def f(x):\n  c = L.Conv2D(8, 3)\n  c(x)\n  c(x + 1)", ["x", "x + 1"]),
        (TORCH + "F.conv2d(x, w)", ["x"]),
        (TORCH + "F.conv2d(weight=w, input=x)", ["x"]),
        (TORCH + "F.conv2d(*x)", [None]),
        (KERAS + "[L.Conv2D(8, 3)]", []),
    ],
)
def test_inputs(text: str, inputs: list[str | None]) -> None:
    site = only_site(text)
    found = [site.input_of(call) for call in site.applications]
    assert [site.unit.text(node) if node is not None else None for node in found] == inputs


def test_sites_stand_in_source_order() -> None:
    text = (
        TORCH + "class A:\n  def f(self):\n    self.a = nn.Conv2d(3, 8, 1)\n    self.b = nn.Conv2d(3, 8, 2)"
    )
    assert [_kernel(site) for site in sites(text)] == [1, 2]


def _kernel(site: Site) -> object:
    return site.value("kernel").only


def test_a_call_of_an_older_generation_is_read_as_that() -> None:
    site = only_site("from keras.layers import Convolution2D\nConvolution2D(8, 3, 5, subsample=(2, 2))")
    assert site.value("kernel").only == (3, 5)
    assert site.value("stride").only == (2, 2)
