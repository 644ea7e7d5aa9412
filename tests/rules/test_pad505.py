from __future__ import annotations

import textwrap

import pytest

from tests.rules.table import IMPORTS, assert_not_fixed, assert_reported, each, findings

CODE = "PAD505"

STORED = "self.pads = (t // 2, t - t // 2, t // 2, t - t // 2)"


def same(uses: str, stored: str = STORED, size: str = "size") -> str:
    """A convolution that computes its pads once, and what is built of it.

    Only definitions that name an operator are looked into.
    """
    head = f"""
        import math
        from functools import partial


        class Same(nn.Conv2d):
            def __init__(self, cin, cout, k=3, stride=1, size=None):
                super().__init__(cin, cout, k, stride)
                t = max((math.ceil({size} / stride) - 1) * stride + k - {size}, 0)
                {stored}

            def forward(self, x):
                return super().forward(F.pad(x, self.pads))

        """
    return IMPORTS + textwrap.dedent(head) + textwrap.dedent(uses)


LOOP = "conv = partial(Same, k=3, stride=2, size=240)\nlayers = [conv(c, 8) for c in (3, 8, 8, 8, 8)]\n"
SILENT = {
    "nothing is built": same(""),
    "one layer": same("layer = Same(3, 8, 3, 2, 240)\npool = nn.MaxPool2d(2)"),
    "another size each time": same(
        "layers = [Same(3, 8, 3, 2, 240), Same(8, 8, 3, 2, 120)]\npool = nn.MaxPool2d(2)"
    ),
    "the size is updated": same(
        """
        def build(n):
            layers = [nn.MaxPool2d(2)]
            for c in (3, 8, 8):
                layers.append(Same(c, 8, 3, 2, n))
                n = math.ceil(n / 2)
            return layers
        """
    ),
    "stride 1": same("layers = [Same(c, 8, 3, 1, 240) for c in (3, 8, 8)]\npool = nn.MaxPool2d(2)"),
    "stride 1 by default": same("layers = [Same(c, 8, size=240) for c in (3, 8, 8)]\npool = nn.MaxPool2d(2)"),
    "unknown stride": same(
        "def build(s):\n    return [Same(c, 8, 3, s, 240) for c in (3, 8, 8)] + [nn.MaxPool2d(2)]"
    ),
    "the same pads five times": same(LOOP.replace("240", "224")),
    "the same pads in two layers": same(
        "layers = [Same(3, 8, 3, 2, 240), Same(8, 8, 3, 2, 240)]\npool = nn.MaxPool2d(2)"
    ),
    "branches that may read the same": same(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = Same(3, 8, 3, 2, 30)
                self.b = Same(3, 8, 3, 2, 30)
                self.pool = nn.MaxPool2d(2)
        """
    ),
    "half the pads": same(LOOP, "self.pads = (t // 2, t // 2, t // 2, t // 2)"),
    "a size that the layer does not get": same(LOOP, size="SIZE"),
    "pads by hand": same(LOOP, "self.pads = (0, 1, 0, 1)"),
    "not stored": same(LOOP, "pads = (t // 2, t - t // 2)"),
    "of another module": same("from other import Same\n" + LOOP),
}

MISFIT = "is SAME for one size, but layers share it: (0, 1) is right at 240, and the one that reads 15 needs (1, 1)"
REPORTED = {
    "partial in a comprehension": (same(LOOP), f"self.pads {MISFIT}"),
    "partial by position": (
        same("conv = partial(Same, 8)\nlayers = [conv(8, 3, 2, 240) for _ in range(5)]"),
        MISFIT,
    ),
    "in a loop": (
        same(
            """
            def build(layers):
                layers.append(nn.MaxPool2d(2))
                for c in (3, 8, 8, 8, 8):
                    layers.append(Same(c, 8, 3, stride=2, size=240))
            """
        ),
        MISFIT,
    ),
    "one after the other": (
        same("net = nn.Sequential(Same(3, 8, 3, 2, 30), Same(8, 8, 3, 2, 30), nn.MaxPool2d(2))"),
        "(0, 1) is right at 30, and the one that reads 15 needs (1, 1)",
    ),
    "behind other layers": (
        same("layers = [Same(3, 8, 5, 2, 30), nn.MaxPool2d(1), Same(8, 8, 5, 2, 30)]"),
        "(1, 2) is right at 30, and the one that reads 15 needs (2, 2)",
    ),
    "name of the size": (
        same("SIZE = 240\n" + LOOP.replace("size=240", "size=SIZE")),
        MISFIT,
    ),
    "unknown size": (
        same("def build(n):\n    return [Same(c, 8, 3, 2, n) for c in (3, 8, 8)] + [nn.MaxPool2d(2)]"),
        "but layers behind a stride, which read other sizes, share it",
    ),
    "pad layer": (
        same(LOOP, "self.pads = nn.ZeroPad2d((t // 2, t - t // 2, t // 2, t - t // 2))"),
        f"self.pads {MISFIT}",
    ),
    "list": (same(LOOP, "self.pads = [t // 2, t - t // 2]"), MISFIT),
    "pairs": (same(LOOP, "self.pads = ((t // 2, t - t // 2), (t // 2, t - t // 2))"), MISFIT),
    "larger half in front": (same(LOOP, "self.pads = (t - t // 2, t // 2)"), MISFIT),
}

NOT_FIXED = {"stored": (REPORTED["in a loop"][0], "the sizes that the layers read are not in the file")}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@pytest.mark.parametrize(
    ("size", "layers", "fits"), [(240, 4, True), (240, 5, False), (224, 5, True), (30, 2, False)]
)
def test_tensorflow_needs_what_the_message_says(size: int, layers: int, fits: bool) -> None:
    import numpy as np
    import tensorflow as tf

    kernel = np.ones((3, 3, 1, 1), "float32")
    total = max((-(-size // 2) - 1) * 2 + 3 - size, 0)
    pads = [[0, 0], [total // 2, total - total // 2], [total // 2, total - total // 2], [0, 0]]
    x = y = np.random.default_rng(0).normal(size=(1, size, size, 1)).astype("float32")
    for _ in range(layers):
        x = tf.nn.conv2d(x, kernel, 2, "SAME") / 9
        y = tf.nn.conv2d(y, kernel, 2, pads) / 9
    assert (x.shape == y.shape and np.allclose(x, y, atol=1e-4)) == fits
    text = same(f"net = [{', '.join([f'Same(1, 1, 3, 2, {size})'] * layers)}, nn.MaxPool2d(2)]")
    assert (findings(CODE, text) == []) == fits
