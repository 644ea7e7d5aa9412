"""Keras, TensorFlow (eager, tf.function, graphs of 1.x, slim), Flax, JAX, Haiku, in traced programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.record.programs import seen, traced

KERAS = """\
import keras
from keras import layers


class Scale(layers.Layer):
    def build(self, shape):
        self.inner = layers.AveragePooling2D(2)

    def call(self, x):
        return 2.0 * self.inner(x)


def block(x, **options):
    return layers.Conv2D(8, 3, **options)(x)


def build(size=97):
    image = keras.Input((size, size, 3))
    x = block(image, strides=2, padding="same")
    for _ in range(2):
        x = layers.SeparableConv2D(8, 3, padding="same", strides=2)(x)
    x = layers.ZeroPadding2D(((0, 1), (1, 0)))(layers.Add()([x, x]))
    return keras.Model(image, Scale()(x))
"""

TENSORFLOW = """\
import tensorflow as tf


def conv(x, kernel, stride):
    return tf.nn.conv2d(x, tf.ones((kernel, kernel, 3, 3)), strides=stride, padding="SAME")


@tf.function
def run(x):
    if tf.reduce_sum(x) > 0:
        x = conv(x, 3,
                 2)
    else:
        x = tf.nn.conv2d(x, tf.ones((3, 3, 3, 3)), 2, "SAME")
    return tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]])


if __name__ == "__main__":
    run(conv(tf.ones((1, 65, 64, 3)), 5, 1))
"""

SLIM = """\
import tensorflow.compat.v1 as tf
import tf_slim as slim

tf.disable_v2_behavior()


def unit(x, depth, stride):
    return slim.conv2d(x, depth, [3, 3], stride=stride)


with slim.arg_scope([slim.conv2d], padding="VALID"):
    x = unit(unit(tf.placeholder(tf.float32, [None, 225, None, 3]), 8, 2), 8, 1)
kernel = tf.get_variable("w", [3, 3, 8, 8])
tf.nn.conv2d(x, kernel, strides=[1, 2, 2, 1], padding="SAME")
"""

FLAX = """\
import jax.numpy as jnp
from flax import linen as nn
from jax import lax


class Block(nn.Module):
    strides: tuple = (1, 1)

    def setup(self):
        self.conv = nn.Conv(8, (3, 3), self.strides)

    def __call__(self, x):
        return nn.relu(self.conv(x))


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(8, (7, 7), (2, 2))(x)
        x = nn.max_pool(x, (3, 3), strides=(2, 2), padding="SAME")
        for _ in range(2):
            x = Block((2, 2))(x)
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def build():
    return Net()
"""


LAYERS_1 = """\
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import tensorflow.compat.v1 as tf
import tf_keras

tf.disable_v2_behavior()


class Own(tf.layers.Conv2D):
    def call(self, x):
        return tf.nn.relu(x)


x = tf.placeholder(tf.float32, [None, 65, 64, 3])
x = tf.layers.conv2d(x, 8, 3, 2, "same")
x = Own(8, 3)(tf.layers.Conv2D(8, 3, strides=2, padding="same")(x))
x = tf.layers.MaxPooling2D(3, 2, "same").apply(x)
tf_keras.layers.Conv2D(8, 3, strides=2, padding="same")(x)
"""

NNX = """\
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.convs = nnx.List([nnx.Conv(3, 3, (3, 3), strides=2, rngs=rngs) for _ in range(2)])

    def __call__(self, x):
        for conv in self.convs:
            x = nnx.relu(conv(x))
        return nnx.avg_pool(x, (2, 2), strides=(2, 2), padding="SAME")


net, x = Net(nnx.Rngs(0)), jnp.ones((1, 65, 64, 3))
print(net(x).shape, nnx.jit(net)(x).shape)
"""

HAIKU = """\
import haiku as hk
import jax
import jax.numpy as jnp


def net(x):
    for stride in (2, 1):
        x = jax.nn.relu(hk.Conv2D(4, 3, stride)(x))
    return hk.MaxPool(3, 2, "SAME")(x)


model, x = hk.without_apply_rng(hk.transform(net)), jnp.ones((1, 65, 64, 3))
params = model.init(jax.random.PRNGKey(0), x)
print(model.apply(params, x).shape, jax.jit(model.apply)(params, x).shape)
"""


def test_keras(tmp_path: Path) -> None:
    pytest.importorskip("keras")
    trace = traced(tmp_path, "net.py::build", KERAS)  # without input: symbolic calls only
    assert seen(trace, "net.py") == [
        "7:22-7:48 keras.layers.AveragePooling2D 14x14 -> 7x7 k(2, 2) s(2, 2) 'valid' x0+1",
        "14:12-14:42 keras.layers.Conv2D 97x97 -> 49x49 k(3, 3) s(2, 2) 'same' x0+1",
        "21:13-21:68 keras.layers.SeparableConv2D 49x49 -> 25x25 k(3, 3) s(2, 2) 'same' x0+1",
        "21:13-21:68 keras.layers.SeparableConv2D 25x25 -> 13x13 k(3, 3) s(2, 2) 'same' x0+1",
        "22:9-22:47 keras.layers.ZeroPadding2D 13x13 -> 14x14 kNone sNone ((0, 1), (1, 0)) x0+1",
    ]


def test_tensorflow(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    conv, pad = "tf.nn.conv2d", "tf.pad"
    assert seen(traced(tmp_path, "net.py", TENSORFLOW), "net.py") == [
        f"5 {conv} 65x64 -> 33x32 k(3, 3) s2 'SAME' x0+1",
        f"5:12-5:92 {conv} 65x64 -> 65x64 k(5, 5) s1 'SAME' x1",
        f"14 {conv} 65x64 -> 33x32 k(3, 3) s2 'SAME' x0+1",
        f"15 {pad} 1x33x32x3 -> 1x34x33x3 kNone sNone ((0, 0), (0, 1), (0, 1), (0, 0)) x0+1",
    ]


def test_graphs_of_tensorflow_1_and_slim(tmp_path: Path) -> None:
    pytest.importorskip("tf_slim")
    assert seen(traced(tmp_path, "net.py", SLIM), "net.py") == [
        "8:12-8:56 tf_slim.conv2d 225xNone -> 112xNone k(3, 3) s2 'VALID' x0+1",
        "8:12-8:56 tf_slim.conv2d 112xNone -> 110xNone k(3, 3) s1 'VALID' x0+1",
        "14:1-14:62 tf.compat.v1.nn.conv2d 110xNone -> 55xNone k(3, 3) s(1, 2, 2, 1) 'SAME' x0+1",
    ]


def test_flax_and_jax(tmp_path: Path) -> None:
    pytest.importorskip("flax")
    trace = traced(tmp_path, "net.py::build", FLAX, "--input", "1x96x96x3")
    assert seen(trace, "net.py") == [
        "10:21-10:53 flax.linen.Conv 24x24 -> 12x12 k(3, 3) s(2, 2) 'SAME' x1+1",
        "10:21-10:53 flax.linen.Conv 12x12 -> 6x6 k(3, 3) s(2, 2) 'SAME' x1+1",
        "19:13-19:39 flax.linen.Conv 96x96 -> 48x48 k(7, 7) s(2, 2) 'SAME' x1+1",
        "20:13-20:67 flax.linen.max_pool 48x48 -> 24x24 k(3, 3) s(2, 2) 'SAME' x1+1",
        "23:16-23:91 jax.lax.reduce_window 6x6 -> 3x3 k(1, 2, 2, 1) s(1, 2, 2, 1) 'SAME' x1+1",
    ]


def test_layers_of_tensorflow_1(tmp_path: Path) -> None:
    """Those of tf.layers, as functions and as classes, and those of Keras in a graph."""
    pytest.importorskip("tf_keras")
    assert seen(traced(tmp_path, "net.py", LAYERS_1), "net.py") == [
        "17:5-17:41 tf.compat.v1.layers.conv2d 65x64 -> 33x32 k3 s2 'same' x0+1",
        "18:15-18:64 tf.compat.v1.layers.Conv2D 33x32 -> 17x16 k(3, 3) s(2, 2) 'same' x0+1",
        "19:5-19:41 tf.compat.v1.layers.MaxPooling2D 17x16 -> 9x8 k(3, 3) s(2, 2) 'same' x0+1",
        "20:1-20:56 keras.layers.Conv2D 9x8 -> 5x4 k(3, 3) s(2, 2) 'same' x0+1",
    ]


def test_flax_nnx(tmp_path: Path) -> None:
    """The symbolic runs are those of jax.jit."""
    pytest.importorskip("flax.nnx")
    assert seen(traced(tmp_path, "net.py", NNX), "net.py") == [
        "7:32-7:76 flax.nnx.Conv 65x64 -> 33x32 k(3, 3) s2 'SAME' x1+1",
        "7:32-7:76 flax.nnx.Conv 33x32 -> 17x16 k(3, 3) s2 'SAME' x1+1",
        "12:16-12:71 flax.linen.avg_pool 17x16 -> 9x8 k(2, 2) s(2, 2) 'SAME' x1+1",
    ]


def test_haiku(tmp_path: Path) -> None:
    """The symbolic runs are those of init and of jax.jit."""
    pytest.importorskip("haiku")
    assert seen(traced(tmp_path, "net.py", HAIKU), "net.py") == [
        "8:25-8:48 haiku.Conv2D 65x64 -> 33x32 k(3, 3) s(2, 2) 'SAME' x1+2",
        "8:25-8:48 haiku.Conv2D 33x32 -> 33x32 k(3, 3) s(1, 1) 'SAME' x1+2",
        "9:12-9:36 haiku.MaxPool 33x32 -> 17x16 k3 s2 'SAME' x1+2",
    ]
