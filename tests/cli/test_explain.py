from __future__ import annotations

import json
from pathlib import Path

import pytest

from padlint.explain import explain, lines
from padlint.options import Options
from tests.cli.command import BROKEN, padlint, write

MODEL = """\
from keras import Input, layers
import torch.nn as nn, torch.nn.functional as F

def build(size, k):
    x = Input((224, 224, 3))
    x = layers.Conv2D(8, 3, strides=2, padding="same")(x)
    x = layers.Conv2DTranspose(8, 3, strides=2, padding="same")(x)
    x = layers.ReLU()(layers.ZeroPadding2D(((0, 1), (2, 3)))(x))
    return nn.ReLU()(nn.Conv2d(3, 8, 3, 1, 1)(F.pad(x, (0, 1, 0, 1))))

def down(s):
    return nn.Conv2d(3, 8, 3, s)
strided = nn.Conv2d(3, 8, 3, stride=2, padding="same")
pool = layers.MaxPooling2D((4, 3), 2, "same")
up = nn.ConvTranspose2d(3, 8, 3, 2, 1, 1)
"""


def said(row: int, column: int | None = None, options: Options | None = None) -> list[list[str]]:
    return [lines(found) for found in explain(MODEL, options or Options(), row, column)]


@pytest.mark.parametrize("place", [(1, None), (4, None), (5, None), (6, 1), (6, 55), (99, None)])
def test_nothing_to_say(place: tuple[int, int | None]) -> None:
    assert said(*place) == []


def test_a_broken_text_says_nothing() -> None:
    assert explain(BROKEN, Options(), 3) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param(
            6,
            [
                "layers.Conv2D is keras.layers.Conv2D",
                "kernel 3, stride 2, padding 'same'",
                "pads (0, 1)",
                "input 224 (Input, line 5), output 112",
                "SAME of Keras, TensorFlow, JAX; SAME_UPPER of ONNX: (0, 1)",
                "SAME_LOWER of ONNX, JAX: (1, 0)",
                "padding=1 of PyTorch: (1, 1), SAME at odd sizes",
                "padding='same' of PyTorch: raises with a stride above 1",
            ],
            id="known size",
        ),
        pytest.param(7, ["crops (0, 1)", "padding=1, output_padding=1 of PyTorch: (1, 0), never SAME"]),
        pytest.param(8, ["pads height (0, 1); width (2, 3)"], id="pad"),
        pytest.param(12, ["its kernel, stride or padding is not known"], id="open"),
        pytest.param(13, ["raises: PyTorch refuses padding='same' with a stride"], id="refused"),
        pytest.param(
            14,
            [
                "pads by the input size: height even: (1, 1), odd: (1, 2); (1, 2) computes the same at every "
                "size; width even: (0, 1), odd: (1, 1)",
                "padding=1 of PyTorch: height (1, 1), SAME at even sizes; width (1, 1), SAME at odd sizes",
            ],
            id="by residue",
        ),
        pytest.param(15, ["crops (1, 0)"], id="torch crops"),
    ],
)
def test_what_is_said(row: int, expected: list[str]) -> None:
    (found,) = said(row)
    assert set(expected) <= set(found), found


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("layers.Conv2DTranspose(8, 3, strides=2)", "crops (0, 0)"),
        ("tf.nn.conv2d(x, w, 2, 'SAME')", "pads by its kernel, which is not known, and by the input size"),
        ("tf.nn.max_pool2d(x, 3, 2, 'same')", "raises: TensorFlow knows 'SAME' only"),
        ("tf.pad(x, [[0, 0], [0, 1], [2, 3], [0, 0]])", "pads axis 1 (0, 1), axis 2 (2, 3)"),
        ("tf.pad(x, amounts)", "its amounts are not known"),
        ("nn.Conv2d(3, 8, 3, padding=((1, 2), (1, 2)))", "what it pads is not known"),
        ("F.conv1d(x, torch.zeros(1, 1, 5), padding=2)", "pads (2, 2)"),
        ("lax.conv(x, w, (2, 2), 'SAME_LOWER')", "what it pads is not known"),
        ("layers.Conv1D(8, 3, 2, 'causal', dilation_rate=1)", "pads (2, 0)"),
    ],
)
def test_other_calls(call: str, expected: str) -> None:
    text = f"import tensorflow as tf, torch\nfrom jax import lax\n{MODEL}y = {call}\n"
    (found,) = explain(text, Options(), text.count("\n"))
    assert expected in lines(found), lines(found)


def test_a_place_is_that_of_the_innermost_call() -> None:
    assert [found[0] for found in said(9)] == [
        "nn.Conv2d is torch.nn.Conv2d",
        "F.pad is torch.nn.functional.pad",
    ]
    assert said(9, MODEL.splitlines()[8].index("F.pad") + 1) == [said(9)[1]]
    assert said(9, MODEL.splitlines()[8].index("8, 3") + 1) == [said(9)[0]]


def test_the_command(tmp_path: Path) -> None:
    write(tmp_path, model=MODEL)
    done = padlint("explain", "model.py:14", "--input-size", "17", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"model.py:14:8: layers.MaxPooling2D is keras.layers.MaxPooling2D\n  kernel (4, 3)" in done.stdout
    assert b"model.py:14:8: PAD102 " in done.stdout
    done = padlint("explain", "model.py:6:12", "--output-format", "json", cwd=tmp_path)
    (item,) = json.loads(done.stdout)
    assert item["operator"] == "keras.layers.Conv2D"
    assert [axis["pads"] for axis in item["ways"][0]["axes"]] == [[0, 1]] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.py"], "is no FILE:LINE"),
        (["model.py:1"], "no convolution, pool or pad that padlint knows"),
        (["none.py:1"], "none.py: cannot read: no such file or directory"),
        (["model.py:6", "--input-size", "big"], "expected a size"),
    ],
)
def test_what_cannot_be_explained(tmp_path: Path, arguments: list[str], message: str) -> None:
    write(tmp_path, model=MODEL)
    done = padlint("explain", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr.decode()


def test_shape(tmp_path: Path) -> None:
    done = padlint("shape", "-k", "3", "-s", "2", "-n", "224", "-n", "225", cwd=tmp_path)
    assert done.returncode == 0
    rows = [" ".join(row.split()) for row in done.stdout.decode().splitlines()]
    assert "SAME of Keras, TensorFlow, JAX; SAME_UPPER of ONNX (0, 1) -> 112 (1, 1) -> 113" in rows
    assert "VALID, padding=0 (0, 0) -> 111 (0, 0) -> 112" in rows
    done = padlint("shape", "-k", "3", "-s", "2", "--transposed", "--output-format", "json", cwd=tmp_path)
    (item,) = json.loads(done.stdout)
    assert item["size"] is None
    assert item["conventions"][0]["pads"] == [0, 1]
