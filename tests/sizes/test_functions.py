"""How sizes flow through the file's own functions, through loops that are counted, and through lists."""

from __future__ import annotations

from textwrap import dedent

import pytest

from padlint.options import Options
from padlint.rules.context import FileContext
from padlint.sites import interesting_names
from padlint.sizes.extent import Extent
from padlint.syntax.units import open_file
from tests.sizes.table import known, told

HEAD = """\
import keras
from keras import Input, Model, Sequential
from keras import layers as L
i = Input((64, 64, 3))
"""
CONV = 'L.Conv2D(8, 3, strides=2, padding="same")'
POOL = "L.MaxPooling2D()"


def _source(rows: str) -> str:
    return HEAD + dedent(rows).replace("CONV", CONV).replace("POOL", POOL).lstrip("\n")


FOLLOWED = {
    "behind a wrapper": ("def _f(x): return POOL(x)\nCONV(_f(i))  # here", "32 LITERAL"),
    "behind a public wrapper": ("def f(x): return POOL(x)\nCONV(f(i))  # here", "32 LITERAL"),
    "inside of a wrapper": ("def _f(x): return CONV(x)  # here\n_f(POOL(i))", "32 LITERAL"),
    "inside of a public wrapper": ("def f(x): return CONV(x)  # here\nf(i)", "64 ASSUMED"),
    "a stride": (
        "def _f(x, s=1): return L.Conv2D(8, 3, strides=s, padding='same')(x)\nCONV(_f(i, 4))  # here",
        "16 LITERAL",
    ),
    "a stride by default": (
        "def _f(x, s=2): return L.Conv2D(8, 3, strides=s, padding='same')(x)\nCONV(_f(i))  # here",
        "32 LITERAL",
    ),
    "a stride by keyword": (
        "def _f(x, *, s): return L.Conv2D(8, 3, s, 'same')(x)\nCONV(_f(x=i, s=2))  # here",
        "32 LITERAL",
    ),
    "called at two sizes": (
        "def _f(x): return CONV(x)  # here\n_f(i), _f(POOL(i))",
        "a multiple of 32 LITERAL",
    ),
    "called twice": ("def _f(x): return POOL(x)\nCONV(_f(_f(i)))  # here", "16 LITERAL"),
    "wrapper of a wrapper": (
        "def _f(x): return POOL(x)\ndef _g(x): return _f(_f(x))\nCONV(_g(i))  # here",
        "16 LITERAL",
    ),
    "a test that the call decides": (
        "def _f(x, pool):\n  if pool:\n    x = POOL(x)\n  return x\nCONV(_f(_f(i, True), False))  # here",
        "32 LITERAL",
    ),
    "returns that agree": (
        "def _f(x, a):\n  if a:\n    return L.ReLU()(x)\n  return x\nCONV(_f(i, g()))  # here",
        "64 LITERAL",
    ),
    "two results": ("def _f(x): return x, POOL(x)\na, b = _f(i)\nCONV(b)  # here", "32 LITERAL"),
    "a method": (
        """
        class A:
          def _block(self, x): return POOL(x)
          def build(self):
            return CONV(self._block(Input((64, 64, 3))))  # here
        """,
        "32 LITERAL",
    ),
    "a nested function": (
        "def f():\n  def g(x): return CONV(x)  # here\n  return g(POOL(Input((64, 64, 3))))",
        "32 LITERAL",
    ),
    "a nested function reads what is around": (
        "def _f(s):\n  def g(x): return L.Conv2D(8, 3, s, 'same')(x)\n  return CONV(g(i2()))  # here\n"
        "def i2(): return Input((64, 64, 3))\n_f(4)",
        "16 LITERAL",
    ),
    "a function that makes one": (
        "def _f(s):\n  def g(x): return L.Conv2D(8, 3, s, 'same')(x)\n  return g\n"
        "CONV(_f(2)(_f(2)(i)))  # here",
        "16 LITERAL",
    ),
    "a layer from a function": (
        "def _pool(n): return L.MaxPooling2D(n)\nCONV(_pool(4)(i))  # here",
        "16 LITERAL",
    ),
    "a counted loop": ("x = i\nfor _ in range(3):\n  x = POOL(x)\nCONV(x)  # here", "8 LITERAL"),
    "a loop over numbers": (
        "x = i\nfor n in (2, 4):\n  x = L.MaxPooling2D(n)(x)\nCONV(x)  # here",
        "8 LITERAL",
    ),
    "inside of a counted loop": (
        "x = i\nfor _ in range(3):\n  x = CONV(x)  # here",
        "a multiple of 16 LITERAL",
    ),
    "a loop over pairs": (
        "x = i\nfor n, (a, s) in enumerate([(1, 2), (2, 1)]):\n"
        "  x = L.Conv2D(a, 3, s, 'same')(x)\nCONV(x)  # here",
        "32 LITERAL",
    ),
    "a loop that keeps the size": (
        "x = i\nfor _ in range(n):\n  x = L.ReLU()(L.add([x, L.ReLU()(x)]))\nCONV(x)  # here",
        "64 LITERAL",
    ),
    "a constant that changes": (
        "def f():\n  x, s = Input((64, 64, 3)), 1\n  for _ in range(2):\n    s *= 2\n"
        "    x = L.Conv2D(8, 3, s, 'same')(x)\n  CONV(x)  # here",
        "8 LITERAL",
    ),
    "a list": ("kept = [i]\nkept.append(POOL(i))\nCONV(kept[-1])  # here", "32 LITERAL"),
    "a list, backwards": (
        "kept = [i, POOL(i)]\nfor k in reversed(kept):\n  x = k\nCONV(x)  # here",
        "64 LITERAL",
    ),
    "a model that is applied": (
        "m = Sequential([POOL, L.Conv2D(8, 3, padding='same')])\nCONV(m(i))  # here",
        "32 LITERAL",
    ),
    "inside of a model that is applied": ("m = Sequential([POOL, CONV])  # here\nm(i)", "32 LITERAL"),
    "a model from a function": (
        "def _down():\n  m = Sequential()\n  m.add(CONV)  # here\n  return m\n_down()(_down()(i))",
        "a multiple of 32 LITERAL",
    ),
    "a functional model": (
        "a = Input((64, 64, 3))\nm = Model(a, POOL(a))\nCONV(m(i))  # here",
        "32 LITERAL",
    ),
    "the unknown side of a sum": ("CONV(L.add([g(), POOL(i)]))  # here", "32 LITERAL"),
    "the unknown side of a concatenation": (
        "CONV(L.Concatenate(axis=-1)([POOL(i), g()]))  # here",
        "32 LITERAL",
    ),
    "squeeze and excite": (
        "x = POOL(i)\ns = L.Reshape((1, 1, 3))(L.GlobalAveragePooling2D()(x))\n"
        "CONV(L.multiply([x, L.Dense(3)(s)]))  # here",
        "32 LITERAL",
    ),
    "the channel axis as Keras applications have it": (
        "axis = 1 if keras.backend.image_data_format() == 'channels_first' else 3\n"
        "CONV(L.concatenate([i, i], axis=axis))  # here",
        "64 LITERAL",
    ),
    "a residual that is scaled in a Lambda": (
        "x = POOL(i)\ny = L.Lambda(lambda t, scale: t[0] + t[1] * scale, arguments={'scale': 0.2})([x, x])\n"
        "CONV(y)  # here",
        "32 LITERAL",
    ),
    "a Lambda that gives a part": ("CONV(L.Lambda(lambda t: t[:, ::g()])(i))  # here", "?x64 LITERAL"),
    "a pool in a Lambda": ("CONV(L.Lambda(lambda t: POOL(t))(i))  # here", "32 LITERAL"),
    "a Lambda that is handed over": (
        "from keras_applications import get_submodules_from_kwargs\n"
        "backend, layers, models, utils = get_submodules_from_kwargs({})\n"
        "CONV(layers.Lambda(lambda t: t * 2)(i))  # here",
        "64 ASSUMED",
    ),
    "the channel axis by a backend that is handed over": (
        "from keras_applications import get_submodules_from_kwargs\n"
        "backend, layers, models, utils = get_submodules_from_kwargs({})\n"
        "if backend.image_data_format() == 'channels_first':\n    axis = 1\nelse:\n    axis = 3\n"
        "CONV(L.concatenate([i, i], axis=axis))  # here",
        "64 LITERAL",
    ),
}


@pytest.mark.parametrize(("rows", "size"), FOLLOWED.values(), ids=FOLLOWED)
def test_followed(rows: str, size: str) -> None:
    assert told(known(_source(rows))) == size


LOST = {
    "a Lambda that calls something unknown": "CONV(L.Lambda(lambda t: g(t))(i))  # here",
    "a Lambda whose default is replaced": "def down(t, f):\n    return f(t)\n"
    "CONV(L.Lambda(lambda t, f=POOL: f(t), arguments={'f': g})(i))  # here",
    "a Lambda of the file": "class Lambda:\n    pass\nCONV(Lambda(lambda t: t)(i))  # here",
    "a Lambda of several arguments": "CONV(L.Lambda(lambda *t: t[0])(i))  # here",
    "a function that a Lambda gets by name": "f = g()\nCONV(L.Lambda(f)(i))  # here",
    "the channel axis by an unknown backend": "backend = g()\naxis = 3\n"
    "if backend.image_data_format() == 'channels_first':\n    axis = 1\n"
    "CONV(L.concatenate([i, i], axis=axis))  # here",
    "also handed on": "def _f(x): return CONV(x)  # here\n_f(i)\ng(_f)",
    "also called with something unknown": "def _f(x): return CONV(x)  # here\n_f(i)\n_f(g())",
    "also called in a comprehension": "def _f(x): return CONV(x)  # here\n_f(i)\n[_f(x) for x in g()]",
    "also called in a lambda": "def _f(x): return CONV(x)  # here\n_f(i)\nh = lambda x: _f(x)",
    "by its text": "def _f(x): return CONV(x)  # here\n_f(i)\nglobals()['_f'](g())",
    "decorated": "@g\ndef _f(x): return POOL(x)\nCONV(_f(i))  # here",
    "a generator": "def _f(x): yield POOL(x)\nCONV(_f(i))  # here",
    "rebound": "def _f(x): return POOL(x)\n_f = g\nCONV(_f(i))  # here",
    "defined twice": "def _f(x): return POOL(x)\ndef _f(x): return x\nCONV(_f(i))  # here",
    "recursive": "def _f(x): return CONV(_f(x)) if g() else x  # here\n_f(i)",
    "arguments that are hidden": (
        "def _f(x, s=1): return L.Conv2D(8, 3, s, 'same')(x)\nCONV(_f(i, **g()))  # here"
    ),
    "a method of a class with subclasses": """
        class A:
          def _block(self, x): return CONV(x)  # here
          def build(self): return self._block(Input((64, 64, 3)))
        class B(A):
          pass
        """,
    **{
        f"a method that is replaced: {how}": f"""
        class A:
          def __init__(self, down=None):
            {how if how.startswith("self") or "(self" in how else "pass"}
            self._block(Input((64, 64, 3)))
          def _block(self, x): return CONV(self._down(x))  # here
          def _down(self, x): return x
        {"pass" if how.startswith("self") or "(self" in how else how}
        """
        for how in (
            "self._down = down",
            "self._down, self.x = down, 1",
            "setattr(self, g(), down)",
            "setattr(self, '_down', down)",
            "setattr(A, '_down', g)",
            "A._down = g",
            "a = A()\n        a._down = g",
        )
    },
    "names that a local function reads": """
        def _f():
          y = x = Input((64, 64, 3))
          def h(): return CONV(y)  # here
          def k(): return h()
          a = k()
          y = L.ZeroPadding2D(g())(x)
          return a, k()
        _f()
        """,
    "names that a lambda reads": """
        def _f():
          y = x = Input((64, 64, 3))
          h = lambda: CONV(y)  # here
          def k(): return h()
          a = k()
          y = L.ZeroPadding2D(g())(x)
          return a, k()
        _f()
        """,
    "a closure that is handed on": (
        "def _f():\n  def h(x): return CONV(x)  # here\n  return h\nh = _f()\nh(i)\ng(h)"
    ),
    "a list that is handed on": "kept = [i]\ng(kept)\nCONV(kept[0])  # here",
    "a list in another": "kept = [[i]]\nb = kept[0]\nb[0] = g()\nCONV(kept[0][0])  # here",
    "a list in another, changed in a loop": (
        "kept = [[i], [i]]\nfor row in kept: row[0] = g()\nCONV(kept[0][0])  # here"
    ),
    "a list with two names": "kept = [i]\nmore = kept\nmore[0] = g()\nCONV(kept[0])  # here",
    "an item that is assigned": "kept = [i, i]\nkept[0] = g()\nCONV(kept[0])  # here",
    "a loop with break": "x = i\nfor _ in range(3):\n  x = POOL(x)\n  if g(): break\nCONV(x)  # here",
    "a model that is applied to something else": (
        "a = Input((64, 64, 3))\nm = Model(a, POOL(a))\nCONV(m(g()))  # here"
    ),
    "a model that is changed by another name": (
        "m = Sequential([POOL])\nkept = [m]\nkept[0].add(POOL)\nCONV(m(i))  # here"
    ),
    "concatenated along an unknown axis": "CONV(L.concatenate([i, i], axis=g()))  # here",
    "one row that may be repeated": "CONV(L.add([Input((1, 1, 3)), g()]))  # here",
}


@pytest.mark.parametrize("rows", LOST.values(), ids=LOST)
def test_lost(rows: str) -> None:
    found = told(known(_source(rows)))
    assert found.startswith(("lost: ", "unknown")), found


def test_a_caller_outside_is_an_assumption() -> None:
    found = known(_source("def f(x): return CONV(x)  # here\nf(i)"))
    assert isinstance(found, Extent)
    assert found.assumption == "assumes that f() is called in this file only"


def test_the_steps_are_those_of_each_call() -> None:
    rows = "def _f(x): return POOL(x)\na = _f(i)\nb = _f(POOL(i))\nCONV(_f(b))  # here"
    found = known(_source(rows))
    assert isinstance(found, Extent)
    assert found.story == "64 (Input, line 4) -> 32 (line 7) -> 16 (line 5) -> 8 (line 5)"


def test_a_long_story_is_cut_in_the_middle() -> None:
    found = known(
        HEAD + "x = i\n" + f"x = {POOL}(x)\nx = L.ZeroPadding2D(20)(x)\n" * 5 + f"{CONV}(x)  # here"
    )
    assert isinstance(found, Extent)
    assert found.story.count("->") == 6
    assert "-> 5 more ->" in found.story


def test_calls_that_multiply_are_run_once_each() -> None:
    functions = "".join(
        f"def _f{n}(x):\n  y = _f{n - 1}(x)\n  return L.add([y, _f{n - 1}(L.ReLU()(x))])\n"
        for n in range(1, 12)
    )
    text = f"{HEAD}def _f0(x): return {CONV}(x)\n{functions}_f11(i)\n"
    context = FileContext(open_file(text, interesting_names()), Options(frozenset()))
    assert context.flow.spent < 200
