"""Sequential models: layer after layer, in a list, as arguments, or added one by one."""

from __future__ import annotations

import pytest

from tests.sizes.table import known, told

HEAD = """
from keras import Input, Sequential
from keras import layers as L
from torch import nn
"""
CONV = 'L.Conv2D(8, 3, strides=2, padding="same")'


def _told(rows: str) -> str:
    return told(known(HEAD + rows.replace("CONV", CONV).replace("IN", "Input((64, 64, 3))")))


FOLLOWED = {
    "nested model": ("Sequential([IN, Sequential([L.MaxPooling2D()]), CONV])  # here", "32"),
    "list": ("Sequential([IN, L.MaxPooling2D(), CONV])  # here", "32"),
    "tuple": ("Sequential((IN, L.MaxPooling2D(), CONV))  # here", "32"),
    "keyword": ("Sequential(layers=[IN, CONV])  # here", "64"),
    "InputLayer": ("Sequential([L.InputLayer((64, 64, 3)), CONV])  # here", "64"),
    "input_shape": ("Sequential([L.MaxPooling2D(input_shape=(64, 64, 3)), CONV])  # here", "32"),
    "batch_input_shape": (
        "Sequential([L.MaxPooling2D(batch_input_shape=(8, 64, 64, 3)), CONV])  # here",
        "32",
    ),
    "input_shape of the layer itself": (
        "Sequential([L.Conv2D(8, 3, strides=2, padding='same', input_shape=(64, 64, 3))])  # here",
        "64",
    ),
    "input_shape of a later layer": (
        "Sequential([L.MaxPooling2D(input_shape=(64, 64, 3)), L.ReLU(input_shape=(9, 9, 3)), CONV])  # here",
        "32",
    ),
    "name": ("m = Sequential([IN, CONV])  # here", "64"),
    "added": ("m = Sequential()\nm.add(IN)\nm.add(CONV)  # here", "64"),
    "added, input_shape": (
        "m = Sequential()\nm.add(L.ReLU(input_shape=(64, 64, 3)))\nm.add(CONV)  # here",
        "64",
    ),
    "added to a list": ("m = Sequential([IN])\nm.add(CONV)  # here", "64"),
    "added in a function": (
        "def f():\n  m = Sequential([IN])\n  m.add(CONV)  # here\n  return m",
        "64",
    ),
    "added behind summary": ("m = Sequential([IN])\nm.summary()\nm.add(CONV)  # here", "64"),
    "added in both branches": (
        "m = Sequential([IN])\nif a:\n  m.add(L.ReLU())\nelse:\n  m.add(L.ELU())\nm.add(CONV)  # here",
        "64",
    ),
    "added in one branch": (
        "m = Sequential([IN])\nif a:\n  m.add(L.MaxPooling2D())\nm.add(CONV)  # here",
        "a multiple of 32",
    ),
    "added in a branch": (
        "m = Sequential([IN])\nif a:\n  m.add(L.MaxPooling2D())\n  m.add(CONV)  # here",
        "32",
    ),
}


@pytest.mark.parametrize(("rows", "size"), FOLLOWED.values(), ids=FOLLOWED)
def test_followed(rows: str, size: str) -> None:
    assert _told(rows) == f"{size} ASSUMED"  # Keras lets other sizes into a Sequential


@pytest.mark.parametrize(
    ("rows", "basis"),
    [
        ("Sequential([IN, CONV, L.Flatten(), L.Dense(8)])  # here", "LITERAL"),
        ("Sequential([IN, CONV, L.Flatten(), L.ReLU(), L.Dense(8)])  # here", "LITERAL"),
        (
            "m = Sequential([IN, CONV])  # here\nm.add(L.Flatten())\nm.add(L.Dense(8))",
            "LITERAL",
        ),
        ("Sequential([IN, CONV, L.Flatten()])  # here", "ASSUMED"),
        ("Sequential([IN, CONV, L.Dense(8)])  # here", "ASSUMED"),
        ("Sequential([IN, CONV, L.Dense(8), L.Flatten()])  # here", "ASSUMED"),
        ("Sequential([IN, CONV, L.GlobalMaxPooling2D(), L.Dense(8)])  # here", "ASSUMED"),
    ],
)
def test_a_dense_layer_behind_flatten_pins_the_size(rows: str, basis: str) -> None:
    assert _told(rows) == f"64 {basis}"


LOST = {
    "no input": "Sequential([CONV])  # here",
    "no input, added": "m = Sequential()\nm.add(CONV)  # here",
    "input of open size": "Sequential([Input((None, None, 3)), CONV])  # here",
    "own layer": "Sequential([IN, g(), CONV])  # here",
    "name of a layer": "Sequential([IN, g, CONV])  # here",
    "starred": "Sequential([IN, *g, CONV])  # here",
    "own layer, then input_shape": "Sequential([g(), L.ReLU(input_shape=(64, 64, 3)), CONV])  # here",
    "added own layer, then input_shape": (
        "m = Sequential()\nm.add(g())\nm.add(L.ReLU(input_shape=(64, 64, 3)))\nm.add(CONV)  # here"
    ),
    "added, own layer": "m = Sequential([IN])\nm.add(g())\nm.add(CONV)  # here",
    "added, a model": "m = Sequential([IN])\nm.add(Sequential([g]))\nm.add(CONV)  # here",
    "added in a loop": ("m = Sequential([IN])\nfor _ in a:\n  m.add(L.MaxPooling2D())\nm.add(CONV)  # here"),
    "in a loop": "m = Sequential([IN])\nfor _ in a:\n  m.add(CONV)  # here",
    "added in a try": (
        "m = Sequential([IN])\ntry:\n  m.add(L.MaxPooling2D())\nexcept E: pass\nm.add(CONV)  # here"
    ),
    "handed to a function": "m = Sequential([IN])\ng(m)\nm.add(CONV)  # here",
    "handed to a method": "m = Sequential([IN])\ng.h(m)\nm.add(CONV)  # here",
    "handed on in a branch": "m = Sequential([IN])\nif a:\n  g(m)\nm.add(CONV)  # here",
    "handed on in a loop": "m = Sequential([IN])\nfor _ in a:\n  g(m)\nm.add(CONV)  # here",
    "handed on in a handler": ("m = Sequential([IN])\ntry: pass\nexcept E:\n  g(m)\nm.add(CONV)  # here"),
    "handed on in a case": ("m = Sequential([IN])\nmatch a:\n  case 1:\n    g(m)\nm.add(CONV)  # here"),
    "kept in a list": "m = Sequential([IN])\nn = [m]\nm.add(CONV)  # here",
    "another name": "m = Sequential([IN])\nn = m\nn.add(L.MaxPooling2D())\nm.add(CONV)  # here",
    "two names": "m = n = Sequential([IN])\nn.add(L.MaxPooling2D())\nm.add(CONV)  # here",
    "popped": "m = Sequential([IN, L.MaxPooling2D()])\nm.pop()\nm.add(CONV)  # here",
    "layers popped": "m = Sequential([IN, L.MaxPooling2D()])\nm.layers.pop()\nm.add(CONV)  # here",
    "default of a function": "m = Sequential([IN])\ndef f(n=m): pass\nm.add(CONV)  # here",
    "used by a function": (
        "m = Sequential([IN])\ndef f(): m.add(L.MaxPooling2D())\nf()\nm.add(CONV)  # here"
    ),
    "used by an inner function": (
        "def f():\n  m = Sequential([IN])\n  def g(): m.add(L.MaxPooling2D())\n  g()\n  m.add(CONV)  # here"
    ),
    "used by a lambda": (
        "m = Sequential([IN])\nf = lambda: m.add(L.MaxPooling2D())\nf()\nm.add(CONV)  # here"
    ),
    "used in a comprehension": (
        "m = Sequential([IN])\n[m.add(L.MaxPooling2D()) for _ in a]\nm.add(CONV)  # here"
    ),
    "global of another function": (
        "m = Sequential([IN])\ndef f():\n  global m\n  m = g()\nf()\nm.add(CONV)  # here"
    ),
    "assigned again": "m = Sequential([IN])\nm = g()\nm.add(CONV)  # here",
    "a parameter": "def f(m): m.add(CONV)  # here",
    "an attribute": "self.m = Sequential([IN])\nself.m.add(CONV)  # here",
    "a set": "s = set()\ns.add(CONV)  # here",
    "a list of layers": "[IN, CONV]  # here",
    "another container": "g([IN, CONV])  # here",
    "a wrapper": "Sequential([IN, L.TimeDistributed(CONV)])  # here",
    "the model, applied": "m = Sequential([IN, L.MaxPooling2D()])\nCONV(m(x))  # here",
    "the model as a tensor": "m = Sequential([IN, L.MaxPooling2D()])\nCONV(m)  # here",
    "torch": "nn.Sequential(nn.ReLU(), nn.Conv2d(3, 8, 3))  # here",
}


@pytest.mark.parametrize("rows", LOST.values(), ids=LOST)
def test_lost(rows: str) -> None:
    assert _told(rows).startswith("lost: ")
