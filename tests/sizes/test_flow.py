"""How a declared size flows through the statements of a function, and where it is lost."""

from __future__ import annotations

import pytest

from padlint.sizes.extent import Extent
from tests.sizes.table import known, told

HEAD = """
        import tensorflow as tf
        from keras import Input, Model, Sequential
        from keras import layers as L
        i = Input(shape=(224, 224, 3))
        i2 = Input(shape=(112, 112, 3))
"""
CONV = 'L.Conv2D(8, 3, strides=2, padding="same")'


def _source(rows: str) -> str:
    body = "\n".join(" " * 8 + row for row in rows.replace("CONV", CONV).split("\n"))
    return f"{HEAD}{body}\n"


FOLLOWED = {
    "input": ("CONV(i)  # here", "224"),
    "keyword input": ("CONV(inputs=i)  # here", "224"),
    "name": ("x = i\nCONV(x)  # here", "224"),
    "annotated name": ("x: object = i\nCONV(x)  # here", "224"),
    "chained names": ("x = y = i\nCONV(x)  # here", "224"),
    "same convolution": ("x = L.Conv2D(8, 3, strides=2, padding='same')(i)\nCONV(x)  # here", "112"),
    "valid convolution": ("x = L.Conv2D(8, 3, strides=2)(i)\nCONV(x)  # here", "111"),
    "dilated convolution": ("x = L.Conv2D(8, 3, dilation_rate=4)(i)\nCONV(x)  # here", "216"),
    "convolution of two sizes": ("x = L.Conv2D(8, (3, 1), strides=(2, 1))(i)\nCONV(x)  # here", "111x224"),
    "depthwise": ("x = L.DepthwiseConv2D(3, strides=2)(i)\nCONV(x)  # here", "111"),
    "separable": ("x = L.SeparableConv2D(8, 5)(i)\nCONV(x)  # here", "220"),
    "max pool": ("x = L.MaxPooling2D()(i)\nCONV(x)  # here", "112"),
    "average pool": ("x = L.AveragePooling2D(3, 2)(i)\nCONV(x)  # here", "111"),
    "transposed": ("x = L.Conv2DTranspose(8, 3, strides=2, padding='same')(i)\nCONV(x)  # here", "448"),
    "transposed, valid": ("x = L.Conv2DTranspose(8, 3, strides=2)(i)\nCONV(x)  # here", "449"),
    "pad": ("x = L.ZeroPadding2D(((0, 1), (2, 3)))(i)\nCONV(x)  # here", "225x229"),
    "pad by a number": ("x = L.ZeroPadding2D(3)(i)\nCONV(x)  # here", "230"),
    "crop": ("x = L.Cropping2D(((0, 1), (2, 3)))(i)\nCONV(x)  # here", "223x219"),
    "upsampling": ("x = L.UpSampling2D((2, 3))(i)\nCONV(x)  # here", "448x672"),
    "elementwise": ("x = L.ReLU()(L.BatchNormalization()(i))\nCONV(x)  # here", "224"),
    "tf.nn": ("x = tf.nn.max_pool2d(i, 2, 2, 'VALID')\nCONV(x)  # here", "112"),
    "tf.nn, its result handed on": ("x = tf.nn.conv2d(i, w, 2, 'SAME')  # here\ng(x)\nx = x + 1", "224"),
    "tf.nn.relu": ("CONV(tf.nn.relu(i))  # here", "224"),
    "nested calls": ("CONV(L.MaxPooling2D(2)(L.ReLU()(i)))  # here", "112"),
    "local layer": (
        "def f():\n  p = L.MaxPooling2D(2)\n  x = Input((64, 64, 3))\n  CONV(p(x))  # here",
        "32",
    ),
    "slice": ("CONV(i[:, 1:-2, ::2])  # here", "221x112"),
    "slice behind dots": ("CONV(i[..., 5:, :])  # here", "224x219"),
    "computed slice": ("CONV(i[:, g:])  # here", "?x224"),
    "slice of the batch and the channels": ("CONV(i[:1, ..., :2])  # here", "224"),
    "added number": ("CONV(i + 1)  # here", "224"),
    "scaled": ("CONV(2.0 * i)  # here", "224"),
    "sum of two": ("x = L.ReLU()(i)\nCONV(i + x)  # here", "224"),
    "unpacked": ("x, y = i, i\nCONV(x)  # here", "224"),
    "sum with something": ("CONV(i + g())  # here", "224"),
    "sum with something in a loop": ("x = i\nfor _ in a:\n  x += g(x)\nCONV(x)  # here", "224"),
    "augmented": ("x = i\nx += L.ReLU()(i)\nCONV(x)  # here", "224"),
    "conditional expression": ("CONV(i if a else L.ReLU()(i))  # here", "224"),
    "both branches": ("if a:\n  x = L.ReLU()(i)\nelse:\n  x = i\nCONV(x)  # here", "224"),
    "branch that keeps the size": ("x = i\nif a:\n  x = L.ReLU()(x)\nCONV(x)  # here", "224"),
    "branch that leaves": (
        "def f():\n  x = Input((64, 64, 3))\n  if a:\n    x = g(x)\n    return x\n  CONV(x)  # here",
        "64",
    ),
    "branch that raises": ("x = i\nif a:\n  x = L.MaxPooling2D()(x)\n  raise E\nCONV(x)  # here", "224"),
    "else that leaves": (
        "x = i\nif a:\n  pass\nelse:\n  x = L.MaxPooling2D()(x)\n  raise E\nCONV(x)  # here",
        "224",
    ),
    "inside a branch": ("x = i\nif a:\n  x = L.MaxPooling2D()(x)\n  CONV(x)  # here", "112"),
    "inside an elif": ("x = i\nif a:\n  pass\nelif b:\n  x = L.MaxPooling2D()(x)\n  CONV(x)  # here", "112"),
    "inside with": ("with tf.name_scope('a'):\n  x = L.MaxPooling2D()(i)\n  CONV(x)  # here", "112"),
    "behind with": ("with tf.name_scope('a'):\n  x = L.MaxPooling2D()(i)\nCONV(x)  # here", "112"),
    "inside a loop, made outside": ("for _ in a:\n  CONV(i)  # here", "224"),
    "inside a loop, made inside": ("for _ in a:\n  x = L.MaxPooling2D()(i)\n  CONV(x)  # here", "112"),
    "inside while": ("while a:\n  x = L.MaxPooling2D()(i)\n  CONV(x)  # here", "112"),
    "behind a loop": ("for _ in a:\n  y = L.MaxPooling2D()(i)\nCONV(i)  # here", "224"),
    "inside try": ("try:\n  x = L.MaxPooling2D()(i)\n  CONV(x)  # here\nexcept E:\n  pass", "112"),
    "behind try": ("try:\n  y = L.MaxPooling2D()(i)\nexcept E:\n  pass\nCONV(i)  # here", "224"),
    "behind try and finally": ("try:\n  x = L.MaxPooling2D()(i)\nfinally:\n  g()\nCONV(x)  # here", "112"),
    "inside match": ("match a:\n  case 1:\n    x = L.MaxPooling2D()(i)\n    CONV(x)  # here", "112"),
    "behind match": ("match a:\n  case 1:\n    y = i2\nCONV(i)  # here", "224"),
    "returned": ("def f():\n  x = Input((64, 64, 3))\n  return CONV(x)  # here", "64"),
    "async function": ("async def f():\n  x = Input((64, 64, 3))\n  return CONV(x)  # here", "64"),
    "argument of another call": ("g(CONV(i))  # here", "224"),
    "keyword of another call": ("g(a=CONV(i))  # here", "224"),
    "in a list": ("[CONV(i)]  # here", "224"),
    "tuple assignment": ("a, b = CONV(i), i  # here", "224"),
    "walrus": ("g(x := L.MaxPooling2D()(i))\nCONV(x)  # here", "112"),
    "walrus of the same size": ("x = i\nif a and (x := L.ReLU()(i)): pass\nCONV(x)  # here", "224"),
    "one layer, applied twice at one size": (
        "def f():\n  x = Input((64, 64, 3))\n  c = CONV  # here\n  return c(x) + c(L.ReLU()(x))",
        "64",
    ),
    "attribute, applied to an input": (
        """class A(Model):
  def f(self):
    self.c = CONV  # here
    self.c(Input((64, 64, 3)))""",
        "64",
    ),
    "element assigned": ("x = i\nx[0] = 3\nCONV(x)  # here", "224"),
    "branches that differ": ("x = i\nif a:\n  x = L.MaxPooling2D()(x)\nCONV(x)  # here", "a multiple of 112"),
    "else that differs": ("if a:\n  x = i\nelse:\n  x = i2\nCONV(x)  # here", "a multiple of 112"),
    "elif that differs": (
        "if a:\n  x = i\nelif b:\n  x = i2\nelse:\n  x = i\nCONV(x)  # here",
        "a multiple of 112",
    ),
    "conditional expression differs": ("CONV(i if a else i2)  # here", "a multiple of 112"),
    "walrus in a condition differs": (
        "x = i\nif a and (x := L.MaxPooling2D()(i)): pass\nCONV(x)  # here",
        "a multiple of 112",
    ),
    "walrus in a conditional expression differs": (
        "x = i\ny = (x := i2) if a else i\nCONV(x)  # here",
        "a multiple of 112",
    ),
    "layer of two sizes differs": (
        "def f():\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  c(x)\n  c(L.MaxPooling2D()(x))",
        "a multiple of 32",
    ),
    "reshape to a shape": ("CONV(L.Reshape((64, 64, 3))(i))  # here", "64"),
    "output size given": ("x = L.Resizing(64, 64)(i)\nCONV(x)  # here", "64"),
    "training=": ("x = L.BatchNormalization()(i, training=True)\nCONV(x)  # here", "224"),
    "one of several rows": ("a = 3; x = L.MaxPooling2D()(i); b = CONV(x)  # here", "112"),
    "dense on the channels": ("x = L.MaxPooling2D()(i)\nx = L.Dense(8)(x)\nCONV(x)  # here", "112"),
    "dense on the channels of an input": ("x = L.Dense(8)(i)\nCONV(x)  # here", "224"),
}


@pytest.mark.parametrize(("rows", "size"), FOLLOWED.values(), ids=FOLLOWED)
def test_followed(rows: str, size: str) -> None:
    assert told(known(_source(rows))) == f"{size} LITERAL"


LOST = {
    "unknown function": ("CONV(g(i))  # here", "g in line 7 is not followed"),
    "unknown layer": ("CONV(g()(i))  # here", "is not followed"),
    "parameter": ("def f(x): CONV(x)  # here", "x is a parameter of f()"),
    "keyword-only parameter": ("def f(*, x): CONV(x)  # here", "x is a parameter of f()"),
    "name of the module in a function": ("def f(): CONV(i)  # here", "i is not made in this function"),
    "name of an outer function": (
        "def f():\n  x = Input((64, 64, 3))\n  def g():\n    CONV(x)  # here",
        "x is not made in this function",
    ),
    "parameter that hides a name": ("def f(i): CONV(i)  # here", "i is a parameter of f()"),
    "attribute": ("CONV(self.x)  # here", "does not follow"),
    "index": ("CONV(i[:, 1])  # here", "not followed"),
    "method": ("CONV(i.f())  # here", "is not followed"),
    "flattened": ("CONV(L.Flatten()(i))  # here", ""),
    "flattened and dense": ("x = L.Dense(8)(L.Flatten()(i))\nCONV(x)  # here", ""),
    "global pool": ("CONV(L.GlobalAveragePooling2D()(i))  # here", ""),
    "unpacked": ("x, y = g(i)\nCONV(x)  # here", "unpacked"),
    "unpacked, another number": ("x, y = i, i, i\nCONV(x)  # here", "unpacked"),
    "branches that have nothing in common": (
        "if a:\n  x = i\nelse:\n  x = L.Conv2D(8, 2)(i)\nCONV(x)  # here",
        "depends on a condition",
    ),
    "reshape to a computed shape": ("CONV(L.Reshape(g())(i))  # here", ""),
    "layer of two sizes that have nothing in common": (
        "def f():\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  c(x)\n  c(L.Conv2D(8, 2)(x))",
        "several sizes",
    ),
    "one branch unknown": ("x = i\nif a:\n  x = g(x)\nCONV(x)  # here", "not followed"),
    "boolean expression": ("CONV(a or i)  # here", ""),
    "sum of two sizes": ("CONV(i + i2)  # here", ""),
    "matrix product": ("CONV(i @ 3)  # here", ""),
    "loop": ("x = i\nfor _ in a:\n  x = CONV(x)  # here", "assigned in the loop of line 8"),
    "behind a loop": (
        "x = i\nfor _ in a:\n  x = L.MaxPooling2D()(x)\nCONV(x)  # here",
        "assigned in the loop",
    ),
    "while loop": ("x = i\nwhile a:\n  x = CONV(x)  # here", "assigned in the loop"),
    "while's else": ("x = i\nwhile a:\n  x = i2\nelse:\n  CONV(x)  # here", "assigned in the loop"),
    "behind while's else": (
        "x = i\nwhile a:\n  pass\nelse:\n  x = i2\nCONV(x)  # here",
        "assigned in the loop",
    ),
    "loop variable": ("x = i\nfor x in a:\n  CONV(x)  # here", "loop"),
    "loop variable, unpacked": ("x = i\nfor k, (x, *y) in a:\n  CONV(x)  # here", "loop"),
    "behind a loop variable": ("x = i\nfor x in a: pass\nCONV(x)  # here", "loop"),
    "walrus in a while test": ("x = i\nwhile (x := g(x)):\n  CONV(x)  # here", "not followed"),
    "augmented in a loop": ("x = g()\nfor _ in a:\n  x += i\nCONV(g(x))  # here", ""),
    "deleted in a loop": ("x = i\nfor _ in a:\n  with g() as x: pass\nCONV(x)  # here", "loop"),
    "try": ("x = i\ntry:\n  x = L.MaxPooling2D()(x)\nexcept E:\n  pass\nCONV(x)  # here", "try"),
    "handler": ("x = i\ntry:\n  x = L.MaxPooling2D()(x)\n  g()\nexcept E:\n  CONV(x)  # here", "try"),
    "finally": ("x = i\ntry:\n  x = L.MaxPooling2D()(x)\n  g()\nfinally:\n  CONV(x)  # here", "try"),
    "assigned in a handler": ("x = i\ntry:\n  g()\nexcept E:\n  x = i2\nCONV(x)  # here", "try"),
    "assigned in try's else": (
        "x = i\ntry:\n  g()\nexcept E:\n  pass\nelse:\n  x = i2\nCONV(x)  # here",
        "try",
    ),
    "assigned in finally": ("x = i\ntry:\n  g()\nfinally:\n  x = g(x)\nCONV(x)  # here", ""),
    "except as": ("x = i\ntry:\n  g()\nexcept E as x:\n  CONV(x)  # here", "try"),
    "suppressed": ("x = i\nwith suppress(E):\n  x = L.MaxPooling2D()(x)\nCONV(x)  # here", "suppress"),
    "with as": ("x = i\nwith g() as x:\n  CONV(x)  # here", ""),
    "with as, unpacked": ("x = i\nwith g() as (x, y):\n  CONV(x)  # here", ""),
    "match": ("x = i\nmatch a:\n  case 1:\n    x = i2\nCONV(x)  # here", "match"),
    "match capture": ("x = i\nmatch a:\n  case x:\n    CONV(x)  # here", "match"),
    "match capture, behind": ("x = i\nmatch a:\n  case [*x]: pass\nCONV(x)  # here", "match"),
    "walrus in a comprehension": ("x = i\n[x := g(x) for _ in a]\nCONV(x)  # here", ""),
    "walrus in an f-string": ("x = i\nf'{(x := g(x))}'\nCONV(x)  # here", ""),
    "comprehension": ("[CONV(x) for x in a]  # here", "not followed"),
    "lambda": ("f = lambda x: CONV(x)  # here", "not followed"),
    "lambda with a name of that size": ("f = lambda i: CONV(i)  # here", "not followed"),
    "deleted": ("x = i\ndel x\nCONV(x)  # here", ""),
    "imported": ("x = i\nimport x\nCONV(x)  # here", ""),
    "imported as": ("x = i\nfrom a import b as x\nCONV(x)  # here", ""),
    "a function of that name": ("x = i\ndef x(): pass\nCONV(x)  # here", ""),
    "a class of that name": ("x = i\nclass x: pass\nCONV(x)  # here", ""),
    "global of another function": (
        "x = i\ndef f():\n  global x\n  x = L.MaxPooling2D()(x)\nf()\nCONV(x)  # here",
        "another function",
    ),
    "nonlocal of an inner function": (
        """def f():
  x = Input((64, 64, 3))
  def g():
    nonlocal x
    x = L.MaxPooling2D()(x)
  g()
  CONV(x)  # here""",
        "another function",
    ),
    "star import": ("x = i\nfrom a import *\nCONV(x)  # here", ""),
    "data changed": ("x = i\nx.data = g()\nCONV(x)  # here", ""),
    "changed in place": ("x = i\nx.resize_(3)\nCONV(x)  # here", ""),
    "a layer, not a tensor": ("x = L.ReLU()\nCONV(x)  # here", "is a layer"),
    "layer that is handed on": ("g(CONV)  # here", "not followed"),
    "layer that is never applied": ("def f():\n  c = CONV  # here", "where it is applied is not seen"),
    "layer that is also applied to something else": (
        "def f(y):\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  return c(x), c(y)",
        "",
    ),
    "layer that is also applied in a comprehension": (
        "def f(y):\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  return c(x), [c(z) for z in y]",
        "",
    ),
    "layer that is also applied in a lambda": (
        "def f(y):\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  return c(x), lambda z: c(z)",
        "",
    ),
    "layer that is also handed on": (
        "def f(y):\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  g(c)\n  return c(x)",
        "also used without being called",
    ),
    "layer of the module, applied elsewhere": ("c = CONV  # here\nc(i)", "name of the module"),
    "attribute, reached from outside": (
        "class A(Model):\n  def f(self):\n    self.c = CONV  # here\n    self.c(Input((64, 64, 3)))\ng.c(y)",
        "outside",
    ),
    "layer in a loop, applied to its own output": (
        "def f():\n  c = CONV  # here\n  x = Input((64, 64, 3))\n  for _ in a:\n    x = c(x)",
        "loop",
    ),
    "kernel not known": ("x = L.Conv2D(8, k)(i)\nCONV(x)  # here", "what L.Conv2D in line 7 does"),
    "stride one of several": (
        "s = 1 if a else 2\nx = L.Conv2D(8, 3, s)(i)\nCONV(x)  # here",
        "what L.Conv2D",
    ),
    "kwargs": ("x = L.Conv2D(8, 3, **kwargs)(i)\nCONV(x)  # here", ""),
    "layout not known": ("x = L.MaxPooling2D(data_format=d)(i)\nCONV(x)  # here", "data_format"),
    "another rank": ("x = L.Conv1D(8, 3)(i)\nCONV(x)  # here", "rank"),
    "an argument of the application": (
        "import torch\nc = torch.nn.ConvTranspose2d(3, 8, 2)\nCONV(c(i, output_size=[64, 64]))  # here",
        "",
    ),
    "linear on the width": ("import torch\nCONV(torch.nn.Linear(224, 8)(i))  # here", ""),
}


@pytest.mark.parametrize(("rows", "reason"), LOST.values(), ids=LOST)
def test_lost(rows: str, reason: str) -> None:
    found = told(known(_source(rows)))
    assert found.startswith("lost: ")
    assert reason in found


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (
            "try:\n  from keras.layers import MaxPooling2D\nexcept E:\n  from a import MaxPooling2D\n"
            "CONV(MaxPooling2D()(i2))  # here",
            "MaxPooling2D is keras.layers.MaxPooling2D",
        ),
        (
            "try:\n  from keras import Input as I\nexcept E:\n  from a import I\n"
            "CONV(I((56, 56, 3)))  # here",
            "I is keras.Input",
        ),
        (
            "L.MaxPooling2D = g\nCONV(L.MaxPooling2D()(i2))  # here",
            "L.MaxPooling2D is keras.layers.MaxPooling2D",
        ),
    ],
)
def test_a_name_with_several_meanings_is_an_assumption(rows: str, note: str) -> None:
    found = known(_source(rows))
    assert told(found) == "56 ASSUMED"
    assert isinstance(found, Extent)
    assert found.note == note


def test_a_window_that_does_not_fit_leaves_nothing_known() -> None:
    found = known(_source("x = L.Conv2D(8, 300)(i)\nCONV(x)  # here"))
    assert told(found) == "unknown LITERAL"


def test_the_steps_tell_where_the_size_comes_from() -> None:
    found = known(_source("x = L.MaxPooling2D()(L.ReLU()(i))\nx = L.Conv2D(8, 3)(x)\nCONV(x)  # here"))
    assert isinstance(found, Extent)
    assert found.story == "224 (Input, line 5) -> 112 (line 7) -> 110 (line 8)"
