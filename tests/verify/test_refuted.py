"""Rewrites that change the function, or what a checkpoint looks like, are refuted: each with the reason."""

from __future__ import annotations

import pytest

from padlint.findings import LayerPair
from padlint.verify import LayerProver
from tests.verify.pairs import EVEN, ODD, make

_SAME = "layers.Conv2D(8, 3, strides=2, padding='same')(x)"
_CONV = "self.conv = nn.Conv2d(3, 8, 3, stride=2)\nself.conv(F.pad(x, (1, 1, 1, 1)))"


def _keras(after: str, before: str = _SAME, sizes: tuple[tuple[int, ...], ...] = EVEN) -> LayerPair:
    return make("keras", before, after, sizes)


def _tf(before: str, after: str, *kernel: int, sizes: tuple[tuple[int, ...], ...] = EVEN) -> LayerPair:
    return make("tf", before, after, sizes, kernel)


def _torch(after: str, before: str = _CONV, *kernel: int) -> LayerPair:
    return make("torch", before, after, EVEN + ODD, kernel or None)


PLANTED = {
    "pad on the wrong side": (
        _keras("layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((1, 0), (1, 0)))(x))"),
        "values differ by ",
    ),
    "symmetric for asymmetric, even size": (
        _keras("layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(1)(x))"),
        "values differ by ",
    ),
    "asymmetric for symmetric, odd size": (
        _keras("layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))", sizes=ODD),
        "output shape (3, 5, 4, 8) became (3, 4, 3, 8) at size 9x7",
    ),
    "right at the first size, wrong residue at another": (
        _keras(
            "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            sizes=((8, 8), (8, 9)),
        ),
        "at size 8x9",
    ),
    "axes swapped": (
        _keras(
            "layers.Conv2D(8, (3, 5), strides=2)(layers.ZeroPadding2D(((1, 2), (0, 1)))(x))",
            "layers.Conv2D(8, (3, 5), strides=2, padding='same')(x)",
        ),
        "output shape (3, 4, 5, 8) became (3, 5, 4, 8)",
    ),
    "torch's order of pads in Keras": (
        _keras(
            "layers.Conv2D(8, (3, 4))(layers.ZeroPadding2D(((1, 2), (1, 1)))(x))",
            "layers.Conv2D(8, (3, 4), padding='same')(x)",
        ),
        "output shape ",
    ),
    "Keras's order of pads in torch": (
        _torch(
            "self.conv = nn.Conv2d(3, 8, (3, 4))\nself.conv(F.pad(x, (1, 1, 1, 2)))",
            "self.conv = nn.Conv2d(3, 8, (3, 4), padding='same')\nself.conv(x)",
        ),
        "output shape (3, 8, 8, 10) became (3, 8, 9, 9)",
    ),
    "pad forgotten": (_keras("layers.Conv2D(8, 3, strides=2)(x)"), "output shape "),
    "padding left at 'same'": (
        _keras("layers.Conv2D(8, 3, strides=2, padding='same')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))"),
        "output shape ",
    ),
    "zero pad before a max pool": (
        _keras(
            "layers.MaxPooling2D(3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.MaxPooling2D(3, strides=2, padding='same')(x)",
        ),
        "values differ by ",
    ),
    "zero pad before an average pool": (
        _keras(
            "layers.AveragePooling2D(3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.AveragePooling2D(3, strides=2, padding='same')(x)",
        ),
        "values differ by ",
    ),
    "shifted crop of a transposed convolution": (
        _keras(
            "layers.Cropping2D(((1, 0), (1, 0)))(layers.Conv2DTranspose(8, 3, strides=2)(x))",
            "layers.Conv2DTranspose(8, 3, strides=2, padding='same')(x)",
        ),
        "values differ by ",
    ),
    "padding of a transposed convolution is no pad": (
        _torch(
            "self.up = nn.ConvTranspose2d(4, 8, 3, stride=2, padding=1)\nself.up(x)",
            "self.up = nn.ConvTranspose2d(4, 8, 3, stride=2)\nself.up(F.pad(x, (1, 1, 1, 1)))",
        ),
        "output shape ",
    ),
    "half of many channels lost": (
        _torch(
            "self.conv = nn.Conv2d(512, 256, 3, padding=1)\nself.conv(x)",
            "self.conv = nn.Conv2d(512, 512, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        ),
        "of parameter 'self.conv.weight' became (4, 8, 3, 3) (with the numbers of channels divided by 64)",
    ),
    "stride lost": (
        _keras("layers.Conv2D(8, 3)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))"),
        "output shape ",
    ),
    "dilation changed": (
        _torch(
            "self.conv = nn.Conv2d(3, 8, 3, dilation=1, padding=1)\nself.conv(x)",
            "self.conv = nn.Conv2d(3, 8, 3, dilation=2)\nself.conv(F.pad(x, (2, 2, 2, 2)))",
        ),
        "values differ by ",
    ),
    "filters changed": (
        _keras("layers.Conv2D(9, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))"),
        "shape (3, 3, 4, 8) of parameter 'Conv2D.kernel' became (3, 3, 4, 9)",
    ),
    "bias lost": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)\nself.conv(x)"),
        "parameter 'self.conv.bias' was lost",
    ),
    "bias added": (
        _keras(
            "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', use_bias=False)(x)",
        ),
        "parameter 'Conv2D.bias' was added",
    ),
    "activation lost": (
        _keras(
            "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', activation='relu')(x)",
        ),
        "argument activation='relu' of Conv2D was lost",
    ),
    "activation changed": (
        _keras(
            "layers.Conv2D(8, 3, strides=2, activation='relu6')(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', activation='relu')(x)",
        ),
        "argument activation='relu' of Conv2D became 'relu6'",
    ),
    "activation before the crop": (
        _keras(
            "layers.Softmax(axis=1)(layers.Conv2DTranspose(8, 3, strides=2)(x))[:, :-1, :-1]",
            "layers.Softmax(axis=1)(layers.Conv2DTranspose(8, 3, strides=2, padding='same')(x))",
        ),
        "values differ by ",
    ),
    "unknown activation replaced": (
        _keras(
            "layers.Conv2D(8, 3, strides=2, activation=g)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', activation=f)(x)",
        ),
        "argument activation=f of Conv2D became g",
    ),
    "regularizer lost": (
        _keras(
            "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)))(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', kernel_regularizer=l2(1e-4))(x)",
        ),
        "argument kernel_regularizer=l2(0.0001) of Conv2D was lost",
    ),
    "name lost": (
        _keras(
            "layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (0, 1)), name='stem')(x))",
            "layers.Conv2D(8, 3, strides=2, padding='same', name='stem')(x)",
        ),
        "argument name='stem' of Conv2D was lost",
    ),
    "channels swapped": (
        _torch(
            "self.conv = nn.Conv2d(b, a, 3, padding=1)\nself.conv(x)",
            "self.conv = nn.Conv2d(a, b, 3)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        ),
        "argument in_channels=a of Conv2d became b",
    ),
    "wrapped in a Sequential": (
        _torch("self.conv = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, stride=2))\nself.conv(x)"),
        "parameter 'self.conv.weight' became 'self.conv.1.weight'",
    ),
    "inserted into a Sequential": (
        _torch(
            "self.net = nn.Sequential(nn.ZeroPad2d((1, 2, 1, 2)), nn.Conv2d(3, 8, 4))\nself.net(x)",
            "self.net = nn.Sequential(nn.Conv2d(3, 8, 4, padding='same'))\nself.net(x)",
        ),
        "parameter 'self.net.0.weight' became 'self.net.1.weight'",
    ),
    "attribute renamed": (
        _torch("self.conv1 = nn.Conv2d(3, 8, 3, stride=2, padding=1)\nself.conv1(x)"),
        "parameter 'self.conv.weight' became 'self.conv1.weight'",
    ),
    "Keras layer wrapped": (
        _keras(
            "keras.Sequential([layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(8, 3, strides=2)])(x)"
        ),
        "parameter 'Conv2D.kernel' became 'Sequential.Conv2D.kernel'",
    ),
    "groups changed": (
        _torch(
            "self.conv = nn.Conv2d(4, 8, 3, stride=2, padding=1, groups=2)\nself.conv(x)",
            "self.conv = nn.Conv2d(4, 8, 3, stride=2)\nself.conv(F.pad(x, (1, 1, 1, 1)))",
        ),
        "shape (8, 4, 3, 3) of parameter 'self.conv.weight' became (8, 2, 3, 3)",
    ),
    "reflection for zeros": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2)\nself.conv(F.pad(x, (1, 1, 1, 1), mode='reflect'))"),
        "values differ by ",
    ),
    "another fill": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2)\nself.conv(F.pad(x, (1, 1, 1, 1), value=1e-9))"),
        "values differ by ",
    ),
    "padding of one axis only": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=(1, 0))\nself.conv(x)"),
        "output shape ",
    ),
    "another tensor": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)\nself.conv(h)"),
        "values differ by ",
    ),
    "another weight": (
        _torch("F.conv2d(x, v, padding=1)", "F.conv2d(F.pad(x, (1, 1, 1, 1)), w)", 3, 3),
        "parameter 'w' became 'v'",
    ),
    "count_include_pad": (
        _torch(
            "F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=False)",
            "F.avg_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 2)",
        ),
        "values differ by ",
    ),
    "gradient cut": (
        _torch(
            "F.conv2d(F.hardshrink(x, 0.0), w, padding=1)",
            "F.conv2d(F.pad(x, (1, 1, 1, 1)), w)",
            3,
            3,
        ),
        "the gradient of input differs by ",
    ),
    "pads of tf.nn.conv2d in the order of NCHW": (
        _tf("tf.nn.conv2d(x, w, 2, 'SAME')", "tf.nn.conv2d(x, w, 2, [[0, 0], [0, 0], [0, 1], [0, 1]])", 3, 3),
        "the new code cannot be run: ",
    ),
    "pads of tf.nn.conv2d on the wrong side": (
        _tf("tf.nn.conv2d(x, w, 2, 'SAME')", "tf.nn.conv2d(x, w, 2, [[0, 0], [1, 0], [1, 0], [0, 0]])", 3, 3),
        "values differ by ",
    ),
    "tf.pad and still SAME": (
        _tf(
            "tf.nn.conv1d(x, w, 2, 'SAME')",
            "tf.nn.conv1d(tf.pad(x, [[0, 0], [0, 1], [0, 0]]), w, 2, 'SAME')",
            3,
            sizes=((8,),),
        ),
        "output shape (3, 4, 4) became (3, 5, 4)",
    ),
    "pairs where the function refuses them": (
        _tf(
            "tf.nn.conv1d(x, w, 2, 'SAME')",
            "tf.nn.conv1d(x, w, 2, [[0, 0], [0, 1], [0, 0]])",
            3,
            sizes=((8,),),
        ),
        "the new code cannot be run: ",
    ),
    "new code that is not understood": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2)\nself.conv(pad_same(x, 3)).relu()"),
        "the new code cannot be run: 'self.conv(pad_same(x, 3)).relu()' is no result of a framework operator",
    ),
    "new code with unknown pads": (
        _torch("self.conv = nn.Conv2d(3, 8, 3, stride=2)\nself.conv(F.pad(x, (p, p, p, p)))"),
        "the new code cannot be run: pad of pad is unknown ('(p, p, p, p)')",
    ),
}


@pytest.mark.parametrize(("pair", "detail"), PLANTED.values(), ids=PLANTED)
def test_refuted(prover: LayerProver, pair: LayerPair, detail: str) -> None:
    (proof,) = prover([pair])
    assert proof.result == "differs", proof.detail
    assert detail in proof.detail
    assert "\n" not in proof.detail


def test_order_of_parameters(prover: LayerProver) -> None:
    two = "self.a = nn.Conv2d(3, 3, 3)\nself.b = nn.Conv2d(3, 3, 3)\n"
    pair = _torch(f"{two}self.a(self.b(x))", f"{two}self.b(self.a(x))")
    (proof,) = prover([pair])
    assert (proof.result, proof.detail) == ("differs", "the parameters come in another order")
