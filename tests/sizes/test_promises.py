"""Promises in comments: where they count, and what they say."""

from __future__ import annotations

import pytest

from padlint.options import Options
from padlint.sizes.extent import Extent
from tests.sizes.table import known, told

HEAD = """
from keras import Input, Model
from keras import layers as L
from torch import nn
"""
CONV = 'L.Conv2D(8, 3, strides=2, padding="same")'
OPEN = "Input((None, None, 3))"


def _told(rows: str, options: Options | None = None) -> str:
    return told(known(HEAD + rows.replace("CONV", CONV).replace("OPEN", OPEN), options))


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("i = OPEN  # padlint: input-size=224\nCONV(i)  # here", "224 PROMISE"),
        ("i = OPEN  # padlint: input-size=224x112\nCONV(i)  # here", "224x112 PROMISE"),
        ("i = OPEN  # padlint: input-size = 224 as the loader has it\nCONV(i)  # here", "224 PROMISE"),
        ("i = OPEN  # noqa  # padlint: INPUT-SIZE=224\nCONV(i)  # here", "224 PROMISE"),
        ("i = OPEN  # padlint: input-multiple=32\nCONV(i)  # here", "a multiple of 32 PROMISE"),
        ("i = Input(\n  (None, None, 3)  # padlint: input-size=224\n)\nCONV(i)  # here", "224 PROMISE"),
        ("def f():  # padlint: input-size=224\n  i = OPEN\n  CONV(i)  # here", "224 PROMISE"),
        ("def f(x):  # padlint: input-size=224\n  CONV(x)  # here", "224 PROMISE"),
        ("def f(\n  x,  # padlint: input-size=224\n):\n  CONV(x)  # here", "224 PROMISE"),
        ("class A:  # padlint: input-size=224\n  def f(self):\n    CONV(OPEN)  # here", "224 PROMISE"),
        (
            "class A(Model):  # padlint: input-size=224\n  def f(self):\n    self.c = CONV  # here\n"
            "  def call(self, x):\n    return self.c(x)",
            "224 PROMISE",
        ),
        (
            "def g():  # padlint: input-size=8\n  def f():  # padlint: input-size=224\n   CONV(OPEN)  # here",
            "224 PROMISE",
        ),
        ("def g(x):  # padlint: input-size=56\n  return CONV(x)  # here\ny = g(h())", "56 PROMISE"),
        ("i = Input((64, 64, 3))  # padlint: input-size=224\nCONV(i)  # here", "64 LITERAL"),
        ("i = OPEN  # padlint: input-size=big\nCONV(i)  # here", "lost"),
        ("i = OPEN  # padlint: input-size=224 x 112\nCONV(i)  # here", "lost"),
        ("i = OPEN\nCONV(i)  # padlint: input-size=224  # here", "lost"),
        ("# padlint: input-size=224\ni = OPEN\nCONV(i)  # here", "lost"),
        ("def f(y, x):  # padlint: input-size=224\n  CONV(x)  # here", "lost"),
        ("def f(x):\n  a = 1  # padlint: input-size=224\n  CONV(x)  # here", "lost"),
        ("text = '# padlint: input-size=224'; i = OPEN\nCONV(i)  # here", "lost"),
    ],
)
def test_comments(rows: str, size: str) -> None:
    found = _told(rows)
    assert found.startswith("lost: ") if size == "lost" else found == size


def test_the_nearest_promise_counts() -> None:
    rows = "i = OPEN  # padlint: input-size=64\nCONV(i)  # here"
    assert _told(rows, Options(input_size=(224,))) == "64 PROMISE"
    found = known(HEAD + rows.replace("CONV", CONV).replace("OPEN", OPEN))
    assert isinstance(found, Extent)
    assert found.story == "64 (input-size comment, line 5)"


def test_the_promise_of_a_pattern_is_named() -> None:
    found = known(
        HEAD + f"{CONV}({OPEN})  # here", Options(input_size=(64,), promised_by="per-file-input-size")
    )
    assert isinstance(found, Extent)
    assert found.story == "64 (per-file-input-size)"
