"""Models whose code hides their sizes and arguments: wrappers, loops, configurations, dynamic pads."""

KERAS = """\
import keras
from keras import layers as L


def conv(x, filters, kernel, stride):
    x = L.Conv2D(filters, kernel, strides=stride, padding="same", use_bias=False)(x)
    return L.ReLU()(L.BatchNormalization()(x))


def down(x, **options):
    return L.MaxPooling2D(**options)(x)


def build(size=64):
    image = keras.Input((size, size, 3))
    x = down(conv(image, 8, 7, 2), pool_size=3, strides=2, padding="same")
    for filters in (8, 16):
        x = conv(x, filters, 3, 1)
        x = conv(x, filters, (3, 3), 2)
    return keras.Model(image, x)
"""

TENSORFLOW_1 = """\
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def weight(x, kernel, filters):
    shape = [kernel, kernel, x.shape[-1], filters]
    return tf.get_variable("w", shape, x.dtype, tf.glorot_uniform_initializer(seed=0, dtype=x.dtype))


def conv(x, filters, kernel, stride=1, name=None, padding="SAME"):
    with tf.variable_scope(name):
        w = weight(x, kernel, filters)
        return tf.nn.relu(tf.nn.conv2d(x, w, strides=[1, stride, stride, 1], padding=padding))


def down(x, filters, name):
    with tf.variable_scope(name):
        return tf.nn.conv2d(x, weight(x, 3, filters), [1, 2, 2, 1], "SAME")


def net(x):
    x = conv(x, 8, 7, stride=2, name="stem")
    x = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], "SAME")
    for i in range(2):
        x = conv(x, 8, 3, name=f"conv{i}")
        x = down(x, 16, f"down{i}")
    return x


def build(images):
    with tf.Graph().as_default(), tf.Session() as session:
        image = tf.placeholder(images.dtype, [None, 64, 64, 3])
        features = net(image)
        session.run(tf.global_variables_initializer())
        return session.run(features, {image: images})
"""

TORCH = """\
from torch import nn
from torch.nn import functional as F


class Conv2dSame(nn.Conv2d):
    def forward(self, x):
        h, w = x.shape[-2:]
        k, s = self.kernel_size[0], self.stride[0]
        ph = max((-(-h // s) - 1) * s + k - h, 0)
        pw = max((-(-w // s) - 1) * s + k - w, 0)
        x = F.pad(x, [pw // 2, pw - pw // 2, ph // 2, ph - ph // 2])
        return F.conv2d(x, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)


def build():
    return nn.Sequential(Conv2dSame(3, 8, 3, 2), nn.ReLU(), Conv2dSame(8, 8, 3, 2))
"""

FLAX = """\
from functools import partial
from typing import Any

import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    filters: int
    conv: Any
    strides: tuple = (1, 1)

    @nn.compact
    def __call__(self, x):
        residual = x
        y = nn.relu(self.conv(self.filters, (3, 3), self.strides)(x))
        y = self.conv(self.filters, (3, 3))(y)
        if residual.shape != y.shape:
            residual = self.conv(self.filters, (1, 1), self.strides)(residual)
        return nn.relu(residual + y)


class ResNet(nn.Module):
    stages: tuple = (1, 2)
    filters: int = 8
    conv: Any = nn.Conv

    @nn.compact
    def __call__(self, x):
        conv = partial(self.conv, use_bias=False)
        x = conv(self.filters, (7, 7), (2, 2), name="stem")(x)
        x = nn.max_pool(nn.relu(x), (3, 3), strides=(2, 2), padding="SAME")
        for i, count in enumerate(self.stages):
            for j in range(count):
                strides = (2, 2) if i > 0 and j == 0 else (1, 1)
                x = Block(self.filters * 2**i, conv, strides)(x)
        return jnp.mean(x, axis=(1, 2))


def build():
    return ResNet()
"""
