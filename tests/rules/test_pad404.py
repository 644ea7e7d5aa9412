from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding, source_of

CODE = "PAD404"

SILENT = {
    "half of the kernel": "y = nn.MaxPool2d(2, padding=1)(x)",
    "half, rounded down": "y = nn.AvgPool2d(3, padding=1)(x)",
    "half on each axis": "y = nn.AvgPool2d((2, 5), padding=(1, 2))(x)",
    "an unknown kernel": "y = nn.MaxPool2d(k, padding=2)(x)",
    "an unknown padding": "y = nn.MaxPool2d(3, padding=p)(x)",
    "kernel by default of a parameter": "def pool(k=2):\n    return nn.MaxPool2d(k, padding=2)",
    "a convolution takes any amount": "y = nn.Conv2d(3, 8, 3, padding=5)(x)",
    "a word": "y = nn.Conv2d(3, 8, 3, padding='same')(x)",
    "negative, where it crops": "y = nn.Conv2d(3, 8, 3, padding=-1, padding_mode='reflect')(x)",
    "a negative pad crops": "y = F.pad(x, (-1, -1, -1, -1))",
    "a reflected pad of unknown input": "y = F.pad(x, (9, 9, 9, 9), mode='reflect')",
    "smaller than its input": """
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3])])
        def mirror(x):
            return tf.pad(x, [[0, 0], [7, 7], [7, 7], [0, 0]], "REFLECT")
        """,
    "as large as its input": """
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3])])
        def mirror(x):
            return tf.pad(x, [[0, 0], [8, 8], [8, 8], [0, 0]], "SYMMETRIC")
        """,
    "zeros have no limit": """
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3])])
        def pad(x):
            return tf.pad(x, [[0, 0], [9, 9], [9, 9], [0, 0]])
        """,
    "Keras": "y = layers.MaxPooling2D(2, padding='same')(x)",
    "own class of the name": """
        from torch import nn

        class MaxPool2d(nn.Module):
            pass

        y = MaxPool2d(2, padding=2)
        """,
}

REPORTED = {
    "a max pool": (
        "y = nn.MaxPool2d(2, stride=2, padding=2)(x)",
        "nn.MaxPool2d raises when it is called: padding 2 is more than half of kernel 2",
    ),
    "kernel 1": ("y = nn.MaxPool2d(1, padding=1)(x)", "padding 1 is more than half of kernel 1"),
    "a dilated one": (
        "y = nn.MaxPool2d(3, 1, padding=2, dilation=2)(x)",
        "padding 2 is more than half of kernel 3",
    ),
    "one axis": (
        "y = nn.MaxPool2d((2, 4), padding=(2, 2))(x)",
        "padding 2 is more than half of kernel (2, 4)",
    ),
    "an average": ("y = nn.AvgPool2d(3, padding=2, ceil_mode=True)(x)", "more than half of kernel 3"),
    "a function": ("y = F.max_pool2d(x, 3, padding=2)", "F.max_pool2d raises"),
    "a function of an average": ("y = F.avg_pool2d(x, 3, 2, 2)", "F.avg_pool2d raises"),
    "negative, a convolution": (
        "y = nn.Conv2d(3, 8, 3, padding=-1)(x)",
        "nn.Conv2d raises when it is called: padding -1 is negative",
    ),
    "negative on one axis": ("y = nn.Conv2d(3, 8, 3, padding=(0, -1))(x)", "padding (0, -1) is negative"),
    "negative, a transposed one": ("y = nn.ConvTranspose2d(3, 8, 3, padding=-1)(x)", "is negative"),
    "negative, a function": ("y = F.conv2d(x, torch.ones(8, 3, 3, 3), padding=-1)", "is negative"),
    "negative, a pool": ("y = nn.AvgPool2d(3, padding=-1)(x)", "is negative"),
    "negative, unfold": ("y = F.unfold(x, 3, padding=-1)", "is negative"),
}

AT_A_SIZE: dict[str, tuple[str, dict[str, Any], str]] = {
    "reflect, TensorFlow": (
        """
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3])])
        def mirror(x):
            return tf.pad(x, [[0, 0], [8, 0], [0, 0], [0, 0]], "REFLECT")
        """,
        {},
        "tf.pad raises when it is called: a pad of (8, 0) in mode reflect has to be smaller than the height, "
        "which is 8 (8 (TensorSpec, line 8))",
    ),
    "symmetric": (
        """
        @tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3])])
        def mirror(x):
            return tf.pad(x, [[0, 0], [0, 0], [0, 9], [0, 0]], "SYMMETRIC")
        """,
        {},
        "a pad of (0, 9) in mode symmetric has to be no larger than the width, which is 8",
    ),
    "a layer of PyTorch at a promised size": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ReflectionPad2d(3)

            def forward(self, x):
                return self.pad(x)
        """,
        {"input_size": (3, 9)},
        "a pad of (3, 3) in mode reflect has to be smaller than the height, which is 3 "
        "(3x9 (--input-size); assumes that Net is the whole model)",
    ),
    "a convolution's mode": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 9, padding="same", padding_mode="circular")

            def forward(self, x):
                return self.conv(x)
        """,
        {"input_size": (3, 9)},
        "a pad of (4, 4) in mode circular has to be no larger than the height, which is 3",
    ),
}

NOT_FIXED = {name: (row[0], "which amount is meant is open") for name, row in REPORTED.items()}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(AT_A_SIZE)
def test_reported_at_a_size(row: tuple[str, dict[str, Any], str]) -> None:
    text, options, part = row
    assert part in only_finding(CODE, text, options).message


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@each(REPORTED)
def test_what_is_reported_raises(row: tuple[str, ...]) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match=r"half of|egative"):
        exec(row[0], {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "x": torch.zeros(1, 3, 9, 9)})


@pytest.mark.parametrize("name", ["half of the kernel", "half, rounded down", "half on each axis"])
def test_what_is_not_reported_runs(name: str) -> None:
    torch = pytest.importorskip("torch")
    exec(SILENT[name], {"nn": torch.nn, "x": torch.zeros(1, 3, 9, 9)})


@pytest.mark.parametrize("name", ["reflect, TensorFlow", "symmetric"])
def test_a_pad_that_exceeds_its_input_raises(name: str) -> None:
    tf = pytest.importorskip("tensorflow")
    namespace: dict[str, Any] = {}
    exec(source_of(AT_A_SIZE[name][0]), namespace)
    with pytest.raises(tf.errors.InvalidArgumentError, match="paddings must be"):
        namespace["mirror"](tf.zeros([1, 8, 8, 3]))


@pytest.mark.parametrize("name", ["a layer of PyTorch at a promised size", "a convolution's mode"])
def test_a_pad_of_pytorch_that_exceeds_its_input_raises(name: str) -> None:
    torch = pytest.importorskip("torch")
    namespace: dict[str, Any] = {}
    exec(source_of(AT_A_SIZE[name][0]), namespace)
    net = namespace["Net"]()
    with pytest.raises(RuntimeError, match=r"Padding (size|value)"):
        net(torch.zeros(1, 3, 3, 9))
    net(torch.zeros(1, 3, 4, 9))
