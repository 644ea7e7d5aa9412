"""Old code that raises, or whose meaning the texts do not tell, leaves nothing to compare with."""

from __future__ import annotations

import pytest

from padlint.findings import LayerPair
from padlint.verify import LayerProver
from tests.verify.pairs import make

_NEW = "self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)\nself.conv(x)"
_NEW_KERAS = "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))"


def _torch(before: str) -> LayerPair:
    return make("torch", before, _NEW)


def _keras(before: str) -> LayerPair:
    return make("keras", before, _NEW_KERAS)


PAIRS = {
    "raises when built": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2, padding='same')\nself.conv(x)"),
        "ValueError: padding='same' is not supported for strided convolutions",
    ),
    "raises when called": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=((1, 1), (1, 1)))\nself.conv(x)"),
        "TypeError: ",
    ),
    "raises in Keras": (
        _keras("layers.Conv2D(8, 3, strides=2, dilation_rate=2, padding='same')(x)"),
        "ValueError: `strides > 1` not supported in conjunction with `dilation_rate > 1`",
    ),
    "raises in TensorFlow": (
        make("tf", "tf.nn.conv2d(x, w, 2, 'same')", "tf.nn.conv2d(x, w, 2, 'SAME')", kernel=(3, 3)),
        "ValueError: Attr 'padding' of 'Conv2D'",
    ),
    "unknown keyword": (
        _keras("layers.Conv2D(8, 3, strides=2, pad='same')(x)"),
        "ValueError: Unrecognized keyword arguments passed to Conv2D",
    ),
    "argument given twice": (_torch("F.pad(x, (1, 1), pad=(1, 1))"), "multiple values for argument 'pad'"),
    "too many arguments": (_torch("F.pad(x, (1, 1), 'constant', 0, 0)"), "takes 4 positional arguments"),
    "unknown parameter": (_torch("F.pad(x, (1, 1), mod='reflect')"), "unexpected keyword argument 'mod'"),
    "input too small": (_keras("layers.Conv2D(8, 20)(x)"), "ValueError: Computed output size"),
    "empty output": (make("torch", "F.relu(x)[:, :, 0:0]", "F.relu(x)"), "its output is empty at size 8x10"),
    "unknown stride": (
        _keras("layers.Conv2D(8, 3, strides=s, padding='same')(x)"),
        "strides of Conv2D is unknown ('s')",
    ),
    "partly unknown kernel": (
        _keras("layers.Conv2D(8, (3, k), strides=2, padding='same')(x)"),
        "kernel_size of Conv2D is unknown ('(3, k)')",
    ),
    "unknown layout": (
        _keras("layers.Conv2D(8, 3, data_format=FORMAT)(x)"),
        "data_format of Conv2D is unknown ('FORMAT')",
    ),
    "unknown keywords": (_keras("layers.Conv2D(8, 3, **options)(x)"), "what '**options' carries is unknown"),
    "unknown arguments": (_keras("layers.Conv2D(*options)(x)"), "what '*options' holds is unknown"),
    "unknown weight": (
        make("torch", "F.conv2d(x, w, padding='same')", "F.conv2d(x, w, padding=1)"),
        "the kernel size of conv2d is unknown ('w')",
    ),
    "one weight for two shapes": (
        make("torch", "F.conv2d(x, w, w)", "F.conv2d(x, w, w)", kernel=(3, 3)),
        "'w' stands for tensors of two shapes",
    ),
    "unknown crop": (
        _keras("layers.Conv2DTranspose(8, 3)(x)[:, a:b]"),
        "the index 'a' is unknown",
    ),
    "unknown element": (
        _torch("self.net = nn.Sequential(nn.ZeroPad2d(1), *blocks)\nself.net(x)"),
        "what '*blocks' holds is unknown",
    ),
    "unknown layer": (
        _torch("self.net = nn.Sequential(nn.ZeroPad2d(1), Block(3))\nself.net(x)"),
        "an element of Sequential is unknown",
    ),
    "two tensors": (
        _torch("self.conv = nn.Conv2d(3, 8, 3)\nself.conv(x, y)"),
        "does not call the layer with one tensor",
    ),
    "no operator": (_torch("self.conv(x)"), "'self.conv(x)' is no result of a framework operator"),
    "another framework's operator": (_torch("layers.Conv2D(8, 3)(x)"), "cannot be run together"),
    "another statement": (_torch("del x\nself.conv(x)"), "'del x' cannot be run here"),
    "two targets": (_torch("a, b = x\nself.conv(x)"), "'a, b = x' cannot be run here"),
    "another class": (
        _torch("class Conv(nn.Conv2d):\n    pad = 1\nConv(3, 8, 3)(x)"),
        "the definition of Conv is not of the form that can be run here",
    ),
    "a class that does more": (
        _torch(
            "class Conv(nn.Conv2d):\n    def forward(self, x):\n"
            "        return self._conv_forward(x, self.bias, None)\nConv(3, 8, 3)(x)"
        ),
        "the definition of Conv is not of the form that can be run here",
    ),
    "a class of something else": (
        _torch(
            "class Conv(nn.ReLU):\n    def forward(self, x):\n"
            "        return self._conv_forward(x, self.weight, self.bias)\nConv()(x)"
        ),
        "'nn.ReLU' is no convolution layer",
    ),
    "no size": (make("torch", _NEW, _NEW, ()), "no input size is known"),
    "another framework": (make("jax", "lax.conv(x)", "lax.conv(x)"), "jax code cannot be run here"),
}


@pytest.mark.parametrize(("pair", "detail"), PAIRS.values(), ids=PAIRS)
def test_no_reference(prover: LayerProver, pair: LayerPair, detail: str) -> None:
    (proof,) = prover([pair])
    assert (proof.result, proof.max_abs) == ("no reference", None), proof.detail
    assert detail in proof.detail
    assert "\n" not in proof.detail
