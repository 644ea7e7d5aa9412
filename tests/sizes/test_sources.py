"""Where sizes come from: declared inputs, signatures, and what the user promised."""

from __future__ import annotations

import pytest

from padlint.options import Options
from padlint.sizes.extent import Extent
from tests.sizes.table import known, told

HEAD = """
import tensorflow as tf
import torch.nn.functional as F
from keras import Input, Model, Sequential
from keras import layers as L
from torch import nn
"""
CONV = 'L.Conv2D(8, 3, strides=2, padding="same")'
SIZE = Options(input_size=(64, 48))
EDGE = Options(input_size=(64,))
MULTIPLE = Options(input_multiple=32)


def _told(rows: str, options: Options | None = None) -> str:
    return told(known(HEAD + rows.replace("CONV", CONV), options))


@pytest.mark.parametrize(
    ("call", "size"),
    [
        ("Input((64, 48, 3))", "64x48 LITERAL"),
        ("Input(shape=(64, 48, 3))", "64x48 LITERAL"),
        ("Input(shape=[64, 48, 3])", "64x48 LITERAL"),
        ("Input(batch_shape=(8, 64, 48, 3))", "64x48 LITERAL"),
        ("Input(shape=(64, 48, 3), batch_size=8)", "64x48 LITERAL"),
        ("Input(shape=(N, N, 3))", "64 LITERAL"),
        ("Input(shape=(N // 2, N * 2, 3))", "32x128 LITERAL"),
        ("Input(shape=SHAPE)", "64x48 LITERAL"),
        ("Input(shape=SHAPE[:2] + (3,))", "lost"),
        ("Input(shape=SIZES + (3,))", "64x48 LITERAL"),
        ("Input(shape=(None, 48, 3))", "?x48 LITERAL"),
        ("Input(shape=(None, None, 3))", "lost"),
        ("Input(shape=(n, n, 3))", "lost"),
        ("Input(shape=g())", "lost"),
        ("Input(shape=LIST)", "64x48 LITERAL"),
        ("Input(shape=EITHER)", "lost"),
        ("Input(tensor=t)", "lost"),
        ("Input(**kwargs)", "lost"),
        ("Input(shape=64)", "lost"),
        ("Input(shape=(3,))", "lost"),
        ("tf.keras.Input((64, 48, 3))", "64x48 LITERAL"),
        ("L.Input((64, 48, 3))", "64x48 LITERAL"),
    ],
)
def test_declared(call: str, size: str) -> None:
    constants = "N = 64\nSHAPE = (64, 48, 3)\nSIZES = (64, 48)\nLIST = [64, 48, 3]\n"
    either = "if a: EITHER = (64, 64, 3)\nelse: EITHER = (48, 48, 3)\n"
    found = _told(f"{constants}{either}CONV({call})  # here")
    assert found.startswith("lost: ") if size == "lost" else found == size


def test_channels_first() -> None:
    rows = "i = Input((3, 64, 48))\nL.Conv2D(8, 3, data_format='channels_first')(i)  # here"
    assert told(known(HEAD + rows), channels_last=False) == "64x48 LITERAL"


def test_the_layout_of_the_layer_that_reads_an_input_counts() -> None:
    rows = (
        "i = Input((3, 64, 48))\nx = L.MaxPooling2D(data_format='channels_first')(i)\n"
        "L.Conv2D(8, 3, data_format='channels_first')(x)  # here"
    )
    assert told(known(HEAD + rows), channels_last=False) == "32x24 LITERAL"


def test_another_rank() -> None:
    assert told(known(HEAD + "L.Conv1D(8, 3)(Input((64, 3)))  # here"), 1) == "64 LITERAL"
    assert told(known(HEAD + "L.Conv3D(8, 3)(Input((4, 64, 48, 3)))  # here"), 3) == "4x64x48 LITERAL"


@pytest.mark.parametrize(
    ("head", "size"),
    [
        ("def f(x, shape=(64, 48, 3)):", "64x48 ASSUMED"),
        ("def f(x, *, shape=(64, 48, 3)):", "64x48 ASSUMED"),
        ("def f(x, shape=None):", "lost"),
        ("def f(x, shape):", "lost"),
    ],
)
def test_a_default_is_an_assumption(head: str, size: str) -> None:
    found = _told(f"{head}\n  CONV(Input(shape))  # here")
    assert found.startswith("lost: ") if size == "lost" else found == size


def test_a_default_says_so() -> None:
    rows = f"def f(n=64): {CONV}(Input((n, n, 3)))  # here"
    found = known(HEAD + rows)
    assert isinstance(found, Extent)
    assert found.note == "the default of n in f() is (64, 64, 3)"


SPEC = "tf.TensorSpec([1, 64, 48, 3], tf.float32)"


@pytest.mark.parametrize(
    ("head", "size"),
    [
        (f"@tf.function(input_signature=[{SPEC}])\ndef f(x):", "64x48 LITERAL"),
        (f"@tf.function(input_signature=({SPEC},))\ndef f(x):", "64x48 LITERAL"),
        (f"@g\n@tf.function(input_signature=[{SPEC}])\ndef f(x):", "64x48 LITERAL"),
        (f"@tf.function(input_signature=[s, {SPEC}])\ndef f(y, x):", "64x48 LITERAL"),
        (
            "@tf.function(input_signature=[tf.TensorSpec(shape=[None, 64, 48, 3])])\ndef f(x):",
            "64x48 LITERAL",
        ),
        (f"@tf.function(input_signature=[{SPEC}])\ndef f(y, x):", "lost"),
        (f"@tf.function(input_signature=[{SPEC}, s])\ndef f(y, x):", "lost"),
        ("@tf.function(input_signature=[tf.TensorSpec([1, None, None, 3])])\ndef f(x):", "lost"),
        ("@tf.function(input_signature=[tf.TensorSpec([64, 3])])\ndef f(x):", "lost"),
        ("@tf.function(input_signature=[tf.TensorSpec(None)])\ndef f(x):", "lost"),
        ("@tf.function(input_signature=s)\ndef f(x):", "lost"),
        ("@tf.function\ndef f(x):", "lost"),
        (f"@g(input_signature=[{SPEC}])\ndef f(x):", "lost"),
        (f"@tf.function(input_signature=[{SPEC}])\ndef f(*x):", "lost"),
    ],
)
def test_a_signature(head: str, size: str) -> None:
    found = _told(f"{head}\n  tf.nn.conv2d(x, w, 2, 'SAME')  # here")
    assert found.startswith("lost: ") if size == "lost" else found == size


def test_a_signature_does_not_count_self() -> None:
    rows = f"""
class A(tf.Module):
    @tf.function(input_signature=[{SPEC}, tf.TensorSpec([1, 9, 9, 3])])
    def f(self, x, y):
        tf.nn.conv2d(x, w, 2, "SAME")  # here
"""
    assert _told(rows) == "64x48 LITERAL"


def test_a_signature_of_a_static_method_counts_all() -> None:
    rows = f"""
class A(tf.Module):
    @staticmethod
    @tf.function(input_signature=[{SPEC}, tf.TensorSpec([1, 9, 9, 3])])
    def f(x, y):
        tf.nn.conv2d(y, w, 2, "SAME")  # here
"""
    assert _told(rows) == "9 LITERAL"


FORWARD = """
class Net(nn.Module):
    def __init__(self):
        self.c = nn.Conv2d(3, 8, 3)  # here
    def forward(self, x):
        return self.c(x)
"""

PROMISED = {
    "open input": ("CONV(Input((None, None, 3)))  # here", "64x48 PROMISE"),
    "unknown input": ("CONV(Input(g()))  # here", "64x48 PROMISE"),
    "input without a shape": ("CONV(Input(tensor=t))  # here", "64x48 PROMISE"),
    "half-open input": ("CONV(Input((None, 48, 3)))  # here", "64x48 PROMISE"),
    "literal input": ("CONV(Input((32, 32, 3)))  # here", "32 LITERAL"),
    "a default": ("def f(n=32): CONV(Input((n, n, 3)))  # here", "64x48 PROMISE"),
    "input, or what the caller has": (
        "def f(x=None): CONV(Input(g()) if x is None else x)  # here",
        "64x48 PROMISE",
    ),
    "forward of a model": (FORWARD, "64x48 ASSUMED"),
    "Sequential": ("nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU())  # here", "64x48 ASSUMED"),
    "Sequential of Keras": ("Sequential([CONV])  # here", "64x48 ASSUMED"),
    "flows on": ("x = L.MaxPooling2D()(Input((None, None, 3)))\nCONV(x)  # here", "32x24 PROMISE"),
    "a parameter of a function": ("def f(x): CONV(x)  # here", "lost"),
    "another parameter of forward": (FORWARD.replace("self, x", "self, y, x"), "lost"),
    "forward of something else": (FORWARD.replace("nn.Module", "Base"), "lost"),
    "another method": (FORWARD.replace("forward", "encode"), "lost"),
    "a model inside another": (
        FORWARD + "class Outer(nn.Module):\n    def f(self): self.n = Net()\n",
        "lost",
    ),
}


@pytest.mark.parametrize(("rows", "size"), PROMISED.values(), ids=PROMISED)
def test_promised_size(rows: str, size: str) -> None:
    found = _told(rows, SIZE)
    assert found.startswith("lost: ") if size == "lost" else found == size


PART = "i = Input((None, None, 3))\nm = Model(i, CONV(i))  # here\n"
APPLIED = {
    "to a tensor of another size": ("m(L.ZeroPadding2D(1)(i))", "64 ASSUMED"),
    "to one of which nothing is known": ("def f(x): return m(x)", "64 ASSUMED"),
    "as an attribute": (
        "class A:\n  def __init__(self): self.m = m\n  def f(self, x): return self.m(x)",
        "64 ASSUMED",
    ),
    "by another function": ("g = unknown()\ng(m)", "64 ASSUMED"),
    "in a Sequential": ("Sequential([L.ZeroPadding2D(1), m])", "64 ASSUMED"),
    "by a wrapper": ("L.TimeDistributed(m)(x)", "64 ASSUMED"),
    "out of a list": ("ms = []\nms.append(m)\nms[0](x)", "64 ASSUMED"),
    "to another input": ("m(Input((None, None, 3)))", "64 PROMISE"),
    "to a literal input of the promised size": ("m(Input((64, 64, 3)))", "64 PROMISE"),
    "not at all": ("m.compile()\nm.predict(x)\nm.output", "64 PROMISE"),
}


@pytest.mark.parametrize(("rows", "size"), APPLIED.values(), ids=APPLIED)
def test_a_promise_speaks_of_whole_models(rows: str, size: str) -> None:
    assert _told(PART + rows, EDGE) == size


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("keras.models.clone_model(m, input_tensors=x)", "64 ASSUMED"),
        ("m.get_layer('conv')(x)", "64 ASSUMED"),
        ("l = m.get_layer(g(f(1)))\nl(x)", "64 ASSUMED"),
        ("m.get_layer('conv').output\nm.get_layer(g(1)).trainable = False", "64 LITERAL"),
        ("m.layers[1](x)", "64 ASSUMED"),
        ("for l in m.layers[1:]:\n  if g():\n    x = l(x)", "64 ASSUMED"),
        ("for k, l in enumerate(m.layers): x = l(x)", "64 ASSUMED"),
        ("for l in m._layers: x = l(x)", "64 ASSUMED"),
        ("for l in m.layers: l.trainable = False", "64 LITERAL"),
        ("Model.from_config(c)", "64 ASSUMED"),
        ("model_from_json(c)", "64 ASSUMED"),
        ("class A:\n  @classmethod\n  def from_config(cls, c): return cls(**c)", "64 LITERAL"),
    ],
)
def test_layers_that_run_again(rows: str, size: str) -> None:
    assert _told(PART.replace("None", "64") + rows) == size


BUILT = "def build(n=3):\n  i = Input((None, None, n))\n  return Model(i, CONV(i))  # here\n"


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("", "64 PROMISE"),
        ("m = build()", "64 PROMISE"),
        ("m = build(**a)\nm.fit(x)", "64 PROMISE"),
        ("m = build()\nm(L.ZeroPadding2D(1)(Input((None, None, 3))))", "64 ASSUMED"),
        ("m = build(**a)\nm(x)", "64 ASSUMED"),
        ("build(**a)(x)", "64 ASSUMED"),
    ],
)
def test_models_that_a_function_builds(rows: str, size: str) -> None:
    assert _told(BUILT + rows, EDGE) == size


@pytest.mark.parametrize(
    ("shape", "size", "options"),
    [
        ("(33, None, 3)", "33x64 PROMISE", EDGE),
        ("(None, 33, 3)", "64x33 PROMISE", EDGE),
        ("(33, None, 3)", "lost", SIZE),
        ("(64, None, 3)", "64x48 PROMISE", SIZE),
    ],
)
def test_only_open_axes_take_the_promise(shape: str, size: str, options: Options) -> None:
    found = _told(f"CONV(Input({shape}))  # here", options)
    assert found.startswith("lost: ") if size == "lost" else found == size


def test_one_number_is_promised_for_every_axis() -> None:
    assert _told("CONV(Input((None, None, 3)))  # here", EDGE) == "64 PROMISE"
    assert told(known(HEAD + "L.Conv1D(8, 3)(Input((None, 3)))  # here", EDGE), 1) == "64 PROMISE"


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("CONV(Input((None, None, 3)))  # here", "a multiple of 32"),
        ("x = CONV(Input((None, None, 3)))\nCONV(x)  # here", "a multiple of 16"),
        ("x = L.Conv2D(8, 3)(Input((None, None, 3)))\nCONV(x)  # here", "30 modulo 32"),
        ("x = L.MaxPooling2D(3)(Input((None, None, 3)))\nCONV(x)  # here", "unknown"),
        ("x = L.UpSampling2D(2)(Input((None, None, 3)))\nCONV(x)  # here", "a multiple of 64"),
        ("x = L.ZeroPadding2D(1)(Input((None, None, 3)))\nCONV(x)  # here", "2 modulo 32"),
    ],
)
def test_promised_multiple(rows: str, size: str) -> None:
    assert _told(rows, MULTIPLE) == f"{size} PROMISE"


@pytest.mark.parametrize(
    ("layer", "size"),
    [
        ("nn.Conv2d(3, 8, 3, stride=2, padding=1)", "32x24"),
        ("nn.Conv2d(3, 8, 3, padding='same')", "64x48"),
        ("nn.Conv2d(3, 8, (3, 5), padding=(1, 2))", "64x48"),
        ("nn.MaxPool2d(3, 2, 1)", "32x24"),
        ("nn.MaxPool2d(3, 2, ceil_mode=True)", "32x24"),
        ("nn.AvgPool2d(5)", "12x9"),
        ("nn.ConvTranspose2d(3, 8, 4, 2, 1)", "128x96"),
        ("nn.ConvTranspose2d(3, 8, 3, 2, 1, output_padding=1)", "128x96"),
        ("nn.ZeroPad2d((0, 1, 2, 3))", "69x49"),
        ("nn.Upsample(scale_factor=2)", "128x96"),
        ("nn.BatchNorm2d(3)", "64x48"),
        ("nn.Upsample(size=9)", "9"),
        ("nn.Upsample(size=(9, 8))", "9x8"),
        ("nn.Upsample(scale_factor=2.0)", "128x96"),
        ("nn.Upsample(scale_factor=0.3)", "19x14"),
        ("nn.PixelShuffle(2)", "128x96"),
        ("nn.AdaptiveAvgPool2d(7)", "7"),
        ("nn.AdaptiveAvgPool2d((7, None))", "7x48"),
        ("nn.AdaptiveMaxPool2d((7, 5))", "7x5"),
        ("nn.Upsample(size=n)", "lost"),
        ("nn.Upsample(scale_factor=n)", "lost"),
        ("nn.AdaptiveAvgPool2d(n)", "lost"),
        ("nn.FractionalMaxPool2d(3, 7)", "lost"),
        ("nn.MaxPool2d(2, return_indices=True)", "lost"),
        ("nn.MaxPool2d(3, ceil_mode=c)", "lost"),
        ("nn.Linear(48, 8)", "lost"),
        ("nn.LSTM(3, 8)", "lost"),
    ],
)
def test_torch(layer: str, size: str) -> None:
    rows = f"nn.Sequential(\n  {layer},\n  nn.Conv2d(8, 8, 3),  # here\n)"
    found = told(known(HEAD + rows, SIZE))
    assert found.startswith("lost: ") if size == "lost" else found == f"{size} ASSUMED"


@pytest.mark.parametrize(
    ("row", "size"),
    [
        ("x = F.pad(x, (0, 1, 2, 3))", "69x49"),
        ("x = F.pad(x, (0, 1))", "64x49"),
        ("x = F.max_pool2d(x, 2)", "32x24"),
        ("x = F.relu(x)", "64x48"),
        ("x = x * 2", "64x48"),
        ("x = F.pad(x, p)", "lost"),
        ("x = F.pad(x, (0, 0, 0, 0, 0, 8))", "lost"),
        ("x = F.interpolate(x, size=9)", "9"),
        ("x = F.interpolate(x, (9, 8))", "9x8"),
        ("x = F.interpolate(x, scale_factor=2)", "128x96"),
        ("x = F.adaptive_avg_pool2d(x, 7)", "7"),
        ("x = F.interpolate(x, size=x.shape[2:])", "lost"),
        ("x = x.view(1, 3, 9, 9)", "lost"),
        ("x.resize_(1, 3, 9, 9)", "lost"),
        ("x = self.other(x)", "lost"),
    ],
)
def test_torch_functions(row: str, size: str) -> None:
    rows = FORWARD.replace("return", f"{row}\n        return")
    found = told(known(HEAD + rows, SIZE))
    assert found.startswith("lost: ") if size == "lost" else found == f"{size} ASSUMED"
