"""Small models with SAME padding and open sizes: the source that the tests of computed pads fix and run."""

SOURCE = '''\
"""Models."""

from __future__ import annotations

from keras import Input, Model, Sequential, layers

Conv = layers.Conv2D


def conv1(k, s, d):
    image = Input((None, 2))
    return Model(image, layers.Conv1D(2, k, strides=s, dilation_rate=d, padding="same")(image))


def conv2(k, s, d):
    image = Input((None, None, 2))
    x = layers.Conv2D(2, k, s, "same", dilation_rate=d)(image)
    return Model(image, layers.Conv2D(2, 3, s, "SAME")(x))


def conv3(k, s, d):
    image = Input((None, None, None, 1))
    return Model(image, layers.Conv3D(1, k, strides=s, dilation_rate=d, padding="same")(image))


def depthwise(k, s, d):
    image = Input((None, None, 2))
    return Model(image, layers.DepthwiseConv2D(k, s, padding="same", dilation_rate=d)(image))


def separable(k, s, d):
    image = Input((None, None, 2))
    return Model(image, layers.SeparableConv2D(3, (k, 3), strides=(s, s), padding="same")(image))


def channels_first(k, s, d):
    image = Input((2, None, None))
    return Model(image, Conv(2, k, s, "same", data_format="channels_first")(image))


def local(k, s, d):
    image = Input((None, None, 2))
    conv = Conv(2, k, strides=s, padding="same")
    return Model(image, conv(conv(image)))


def sequential(k, s, d):
    model = Sequential([Input((None, None, 2)), Conv(2, k, strides=s, padding="same")])
    model.add(Conv(2, kernel_size=3, strides=2, padding="same"))
    return model


def pools(k, s, d):
    image = Input((None, None, 2))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(image)
    x = layers.MaxPooling2D((2, 5), (3, 2), padding="same", name="second")(x)
    x = layers.ReLU()(x)
    return Model(image, layers.MaxPooling2D(3, 2, padding="same")(x))


def pool1(k, s, d):
    image = Input((None, 2))
    return Model(image, layers.MaxPooling1D(3, 2, "same")(image))


class Net(Model):
    def __init__(self, k, s):
        super().__init__()
        self.conv = Conv(2, kernel_size=k if s > 1 else 3, strides=s, padding="same")

    def call(self, x):
        return self.conv(self.conv(x))


def attribute(k, s, d):
    return Net(k, s)


MODELS = {
    1: (conv1, pool1),
    2: (conv2, depthwise, separable, channels_first, local, sequential, pools, attribute),
    3: (conv3,),
}
'''
