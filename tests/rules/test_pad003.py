from __future__ import annotations

from tests.rules.table import assert_reported, each, findings

CODE = "PAD003"

SILENT = {
    "at an input": "x = layers.Conv2D(8, 3)(keras.Input((None, None, 3)))  # padlint: input-size=224",
    "at a function": "def f(x):  # padlint: input-multiple=32\n    return layers.Conv2D(8, 3)(x)",
    "at a class": (
        "class A(nn.Module):  # padlint: input-size=224x112\n"
        "    def __init__(self):\n        self.c = nn.Conv2d(3, 8, 3)"
    ),
    "in a string": "text = '# padlint: input-size=what'\nx = nn.Conv2d(3, 8, 3)",
    "another comment": "x = nn.Conv2d(3, 8, 3)  # the input-size is 224",
}

REPORTED = {
    "no number": (
        "x = keras.Input((None, None, 3))  # padlint: input-size=big\ny = layers.Conv2D(8, 3)(x)",
        "the comment `padlint: input-size` is malformed: expected 224 or 224x224 behind the =",
    ),
    "no value": (
        "x = keras.Input((None, None, 3))  # padlint: input-size\ny = layers.Conv2D(8, 3)(x)",
        "is malformed",
    ),
    "zero": (
        "x = keras.Input((None, None, 3))  # padlint: input-multiple=0\ny = layers.Conv2D(8, 3)(x)",
        "expected 32 behind the =",
    ),
    "blanks": (
        "x = keras.Input((None, None, 3))  # padlint: input-size=224 x 224\ny = layers.Conv2D(8, 3)(x)",
        "is malformed",
    ),
    "a sign": (
        "x = keras.Input((None, None, 3))  # padlint: input-size=-224\ny = layers.Conv2D(8, 3)(x)",
        "is malformed",
    ),
    "at another call": (
        "def f(x):\n    return layers.Conv2D(8, 3)(x)  # padlint: input-size=224",
        "promises nothing here: it counts in the row of an Input, of a def or of a class",
    ),
    "in a row of its own": (
        "# padlint: input-size=224\nx = keras.Input((None, None, 3)); y = layers.Conv2D(8, 3)(x)",
        "promises nothing here",
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)
