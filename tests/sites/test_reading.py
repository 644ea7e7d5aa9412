"""Kernel, stride, dilation and padding per spatial axis, as calls give them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from padlint.sites import data_format, readings, spatial_rank
from padlint.sites.reading import Reading
from padlint.sites.weights import weight_shape
from tests.sites.table import KERAS, TENSORFLOW, TORCH, only_site

Shape = tuple[tuple[int | None, ...], tuple[int, ...], tuple[int, ...], object]

# One reading, which is certain: kernels, strides and dilations per axis, and the padding.
CERTAIN: Mapping[str, tuple[str, Shape]] = {
    "Keras, defaults": (KERAS + "L.Conv2D(8, 3)", ((3, 3), (1, 1), (1, 1), "valid")),
    "Keras, one number": (
        KERAS + "L.Conv2D(8, 3, strides=2, padding='same')",
        ((3, 3), (2, 2), (1, 1), "same"),
    ),
    "Keras, by position": (
        KERAS + "L.Conv2D(8, (3, 5), (2, 1), 'same')",
        ((3, 5), (2, 1), (1, 1), "same"),
    ),
    "Keras, dilation": (KERAS + "L.Conv2D(8, 3, dilation_rate=2)", ((3, 3), (1, 1), (2, 2), "valid")),
    "Keras, lists": (
        KERAS + "L.Conv2D(8, [3, 5], strides=[2, 2])",
        ((3, 5), (2, 2), (1, 1), "valid"),
    ),
    "Keras, 1-D": (KERAS + "L.Conv1D(8, 3, padding='causal')", ((3,), (1,), (1,), "causal")),
    "Keras, 3-D": (KERAS + "L.Conv3D(8, (1, 3, 3))", ((1, 3, 3), (1, 1, 1), (1, 1, 1), "valid")),
    "Keras, depthwise": (KERAS + "L.DepthwiseConv2D(3, 2)", ((3, 3), (2, 2), (1, 1), "valid")),
    "Keras, pool with the stride of its window": (
        KERAS + "L.MaxPooling2D(3)",
        ((3, 3), (3, 3), (1, 1), "valid"),
    ),
    "Keras, default pool": (KERAS + "L.MaxPooling2D()", ((2, 2), (2, 2), (1, 1), "valid")),
    "Keras, pool with stride None": (
        KERAS + "L.MaxPooling2D((3, 2), strides=None)",
        ((3, 2), (3, 2), (1, 1), "valid"),
    ),
    "Keras, upper case": (KERAS + "L.Conv2D(8, 3, padding='SAME')", ((3, 3), (1, 1), (1, 1), "SAME")),
    "Keras, names": (
        KERAS + "K = 3\nP = 'same'\nL.Conv2D(8, K, padding=P)",
        ((3, 3), (1, 1), (1, 1), "same"),
    ),
    "tf.nn, four strides": (
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 5, 8, 8]), [1, 2, 2, 1], 'SAME')",
        ((3, 5), (2, 2), (1, 1), "SAME"),
    ),
    "tf.nn, two strides": (
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 3, 8, 8]), (2, 1), 'SAME')",
        ((3, 3), (2, 1), (1, 1), "SAME"),
    ),
    "tf.nn, NCHW": (
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 3, 8, 8]), [1, 1, 2, 2], 'SAME', data_format='NCHW')",
        ((3, 3), (2, 2), (1, 1), "SAME"),
    ),
    "tf.nn, layout by its strides": (
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 3, 8, 8]), [1, 1, 2, 2], 'SAME', data_format=fmt)",
        ((3, 3), (2, 2), (1, 1), "SAME"),
    ),
    "tf.nn, pool": (
        TENSORFLOW + "tf.nn.max_pool2d(x, [1, 3, 3, 1], [1, 2, 2, 1], 'SAME')",
        ((3, 3), (2, 2), (1, 1), "SAME"),
    ),
    "tf.nn, explicit pads": (
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 3, 8, 8]), 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
        ((3, 3), (2, 2), (1, 1), ((0, 0), (0, 1), (0, 1), (0, 0))),
    ),
    "torch, defaults": (TORCH + "nn.Conv2d(3, 8, 3)", ((3, 3), (1, 1), (1, 1), 0)),
    "torch, by position": (TORCH + "nn.Conv2d(3, 8, 3, 2, 1, 2)", ((3, 3), (2, 2), (2, 2), 1)),
    "torch, word": (TORCH + "nn.Conv2d(3, 8, 3, padding='same')", ((3, 3), (1, 1), (1, 1), "same")),
    "torch, tuples": (
        TORCH + "nn.Conv2d(3, 8, (3, 5), padding=(1, 2))",
        ((3, 5), (1, 1), (1, 1), (1, 2)),
    ),
    "torch, pool": (TORCH + "nn.MaxPool2d(3, padding=1)", ((3, 3), (3, 3), (1, 1), 1)),
    "torch, functional": (
        TORCH + "F.conv2d(x, torch.zeros(8, 3, 5, 3), stride=2, padding=1)",
        ((5, 3), (2, 2), (1, 1), 1),
    ),
}


def _shape(reading: Reading) -> Shape:
    kernels, strides, dilations = zip(*((a.kernel, a.stride, a.dilation) for a in reading.axes), strict=True)
    return kernels, strides, dilations, reading.padding


@pytest.mark.parametrize(("text", "shape"), CERTAIN.values(), ids=CERTAIN)
def test_certain(text: str, shape: Shape) -> None:
    (reading,) = readings(only_site(text))
    assert reading.sure
    assert not reading.origins or "names" in text or "K = 3" in text
    assert _shape(reading) == shape


# Possible readings, none of them certain.
POSSIBLE: Mapping[str, tuple[str, list[Shape]]] = {
    "default of a parameter": (
        KERAS + "def f(s=2): L.Conv2D(8, 3, strides=s)",
        [((3, 3), (2, 2), (1, 1), "valid")],
    ),
    "two branches": (
        KERAS + "if a: s = 1\nelse: s = 2\nL.Conv2D(8, 3, strides=s)",
        [((3, 3), (1, 1), (1, 1), "valid"), ((3, 3), (2, 2), (1, 1), "valid")],
    ),
    "kwargs": (KERAS + "L.Conv2D(8, 3, **kwargs)", [((3, 3), (1, 1), (1, 1), "valid")]),
    "args": (KERAS + "L.Conv2D(8, 3, *args)", [((3, 3), (1, 1), (1, 1), "valid")]),
    "kernel is not known": (KERAS + "L.Conv2D(8, k)", [((None, None), (1, 1), (1, 1), "valid")]),
    "weight is not known": (
        TENSORFLOW + "tf.nn.conv2d(x, w, 2, 'SAME')",
        [((None, None), (2, 2), (1, 1), "SAME")],
    ),
    "padding for a stride of 1 only": (
        KERAS + "def f(s=2): L.Conv2D(8, 3, strides=s, padding='same' if s == 1 else 'valid')",
        [((3, 3), (2, 2), (1, 1), "valid")],
    ),
    "padding of two branches": (
        KERAS
        + "def f(s=2):\n  if s > 1: p = 'valid'\n  else: p = 'same'\n  L.Conv2D(8, 3, strides=s, padding=p)",
        [((3, 3), (2, 2), (1, 1), "valid")],
    ),
    "a call in the branch for other strides": (
        KERAS + "def f(s=2):\n  if s == 1: pass\n  else: L.Conv2D(8, 3, strides=s, padding='same')",
        [((3, 3), (2, 2), (1, 1), "same")],
    ),
}


@pytest.mark.parametrize(("text", "shapes"), POSSIBLE.values(), ids=POSSIBLE)
def test_possible(text: str, shapes: list[Shape]) -> None:
    found = readings(only_site(text))
    assert [_shape(reading) for reading in found] == shapes
    assert not any(reading.sure for reading in found)


@pytest.mark.parametrize(
    "text",
    [
        KERAS + "L.Conv2D(8, 3, strides=s)",
        KERAS + "L.Conv2D(8, 3, padding=p)",
        KERAS + "L.Conv2D(8, 3, dilation_rate=d)",
        KERAS + "L.Conv2D(8, 3, strides=(1, 2, 3))",
        KERAS + "L.Conv2D(8, 3, strides=0)",
        KERAS + "L.Conv2D(8, 3, strides=-1)",
        KERAS + "L.Conv2D(8, 3, strides=True)",
        KERAS + "L.Conv2D(8, 3, strides=2.0)",
        KERAS + "def f(s=2):\n  if s == 1: L.Conv2D(8, 3, strides=s, padding='same')",
        KERAS + "def f(s=2): return L.Conv2D(8, 3, strides=s, padding='same') if s == 1 else g()",
        TENSORFLOW + "tf.nn.conv2d(x, w, [1, 2, 2, 1], 'SAME', data_format='NCHW')",
        TENSORFLOW + "tf.nn.conv2d(x, w, [1, 1, 2, 1], 'SAME', data_format=fmt)",
        TENSORFLOW + "tf.nn.conv2d(x, w, [1, 2, 2, 2], 'SAME', data_format=fmt)",
    ],
)
def test_nothing_to_read(text: str) -> None:
    assert readings(only_site(text)) == []


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        (KERAS + "def f(s=2): L.Conv2D(8, 3, strides=s)", ("default of s in f()",)),
        (KERAS + "K = 3\nS = 2\nL.Conv2D(8, K, S)", ("K", "S")),
        (KERAS + "L.Conv2D(8, 3, **kwargs)", ("the default",)),
        (KERAS + "L.Conv2D(8, 3)", ()),
    ],
)
def test_origins(text: str, origins: tuple[str, ...]) -> None:
    (reading,) = readings(only_site(text))
    assert tuple(map(str, reading.origins)) == origins


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KERAS + "L.Conv2D(8, 3)", "channels_last"),
        (KERAS + "L.Conv2D(8, 3, data_format=None)", "channels_last"),
        (KERAS + "L.Conv2D(8, 3, data_format='channels_last')", "channels_last"),
        (KERAS + "L.Conv2D(8, 3, data_format='channels_first')", "channels_first"),
        (KERAS + "F = 'channels_first'\nL.Conv2D(8, 3, data_format=F)", "channels_first"),
        (KERAS + "L.Conv2D(8, 3, data_format=K.image_data_format())", None),
        (KERAS + "L.Conv2D(8, 3, **kwargs)", None),
        (KERAS + "def f(d='channels_last'): L.Conv2D(8, 3, data_format=d)", None),
        (KERAS + "L.Conv2D(8, 3, data_format='other')", None),
        (TENSORFLOW + "tf.nn.conv2d(x, w, 2, 'SAME')", "channels_last"),
        (TENSORFLOW + "tf.nn.conv2d(x, w, 2, 'SAME', data_format='NHWC')", "channels_last"),
        (TENSORFLOW + "tf.nn.conv2d(x, w, 2, 'SAME', data_format='NCHW')", "channels_first"),
        (TORCH + "nn.Conv2d(3, 8, 3)", "channels_first"),
    ],
)
def test_data_format(text: str, expected: str | None) -> None:
    assert data_format(only_site(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W = tf.zeros([3, 5, 8, 16])\n{}", (3, 5)),
        ("W = tf.Variable(tf.zeros([3, 5, 8, 16]))\n{}", (3, 5)),
        ("W = tf.Variable(initial_value=tf.random.normal(shape=[3, 5, 8, 16], stddev=0.1))\n{}", (3, 5)),
        ("K = 3\nW = tf.zeros([K, K, 8, 16])\n{}", (3, 3)),
        ("I = tf.zeros([3, 5, 8, 16])\nW = tf.Variable(I)\n{}", (3, 5)),
        ("K = 3\nW = tf.zeros([K, K, 8, 16])\ndef f(x, K=5):\n  {}", (3, 3)),
        ("K = 3\nW = tf.zeros([K, K, 8, 16])\ndef f(x):\n  K = 5\n  {}", (3, 3)),
        ("def f(x, K=3):\n  W = tf.zeros([K, K, 8, 16])\n  {}", None),
        ("W = tf.random.normal(mean=[3, 5, 8, 16], shape=s)\n{}", None),
        ("W = tf.zeros([3, 5, 8, 16])\nW = W[1:]\n{}", None),
        ("W = tf.zeros(shape)\n{}", None),
        ("W = tf.zeros([None, 5, 8, 16])\n{}", None),
        ("W = tf.zeros(*[3, 5, 8, 16])\n{}", None),
        ("W = tf.constant([3, 5, 8, 16])\n{}", None),
        ("W = tf.Variable(tf.zeros([3, 5, 8, 16]), shape=tf.TensorShape(None))\n{}", None),
        ("from tensorflow import zeros\nzeros = g(zeros)\nW = zeros([3, 5, 8, 16])\n{}", None),
        ("W = tf.zeros([3, 8])\n{}", None),
        ("W = W\n{}", None),
        ("def f(x, W): {}", None),
    ],
)
def test_weight_shape(text: str, expected: tuple[int, ...] | None) -> None:
    source = TENSORFLOW + text.format("tf.nn.conv2d(x, W, 2, 'SAME')")
    assert weight_shape(only_site(source)) == expected


@pytest.mark.parametrize(
    "call",
    [
        KERAS + "L.Conv2D(8, 3, strides=10**9, padding='same')",
        KERAS + "L.MaxPooling2D((2, 10**9), padding='same')",
        KERAS + "L.Conv2D(8, 3, dilation_rate=8193, padding='same')",
        TENSORFLOW + "tf.nn.conv2d(x, tf.zeros([3, 3, 3, 3]), 8193, 'SAME')",
    ],
)
def test_numbers_that_no_layer_has_are_not_believed(call: str) -> None:
    assert not [r for r in readings(only_site(call)) if r.sure]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("F.conv2d(x, torch.zeros(8, 3, 8193, 7))", None),
        ("F.conv2d(x, torch.zeros(8, 3, 5, 7))", (5, 7)),
        ("F.conv2d(x, torch.zeros((8, 3, 5, 7)))", (5, 7)),
        ("F.conv2d(x, torch.randn(size=[8, 3, 5, 7]))", (5, 7)),
        ("F.conv2d(x, weight=torch.ones(8, 3, 5, 7, dtype=t))", (5, 7)),
        ("F.conv1d(x, torch.zeros(8, 3, 5))", (5,)),
        ("F.conv2d(x, torch.zeros(8, 3, 5, n))", None),
        ("F.conv2d(x, self.weight)", None),
    ],
)
def test_weight_shape_of_torch(call: str, expected: tuple[int, ...] | None) -> None:
    assert weight_shape(only_site(TORCH + call)) == expected


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        (KERAS + "L.Conv1D(8, 3)", 1),
        (TORCH + "nn.Conv3d(3, 8, 3)", 3),
        (TENSORFLOW + "tf.nn.convolution(x, tf.zeros([3, 3, 8, 8]), padding='SAME')", 2),
        (TENSORFLOW + "tf.nn.convolution(x, w, padding='SAME')", None),
    ],
)
def test_rank(text: str, rank: int | None) -> None:
    assert spatial_rank(only_site(text)) == rank
