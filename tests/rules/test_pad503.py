from __future__ import annotations

import textwrap
from typing import Any

import pytest

from padlint.engine import fix
from padlint.geometry import same_padding
from padlint.verify import LayerProver
from tests.rules.table import (
    IMPORTS,
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    options_for,
)

CODE = "PAD503"


def by_hand(pad: str, before: str = "") -> str:
    """A convolution that pads its input by a SAME total per axis."""
    return IMPORTS + textwrap.dedent(
        f"""
        import math


        class Conv(nn.Module):
            def __init__(self, k, s):
                super().__init__()
                self.k, self.s = k, s
                self.conv = nn.Conv2d(1, 1, k, stride=s, bias=False)

            def forward(self, x):
                h, w = x.shape[-2:]
                ph = max((math.ceil(h / self.s) - 1) * self.s + self.k - h, 0)
                pw = max((math.ceil(w / self.s) - 1) * self.s + self.k - w, 0)
                {before or "mode = None"}
                return self.conv({pad})
        """
    )


SILENT = {
    "larger half behind": by_hand("F.pad(x, (pw // 2, pw - pw // 2, ph // 2, ph - ph // 2))"),
    "symmetric": by_hand("F.pad(x, (pw // 2, pw // 2, ph // 2, ph // 2))"),
    "all in front": by_hand("F.pad(x, (pw, 0, ph, 0))"),
    "all behind": by_hand("F.pad(x, (0, pw, 0, ph))"),
    "literal amounts": "y = F.pad(x, (1, 0, 1, 0))",
    "some total": "y = F.pad(x, (total - total // 2, total // 2))",
    "up to a multiple": """
        def pad(x):
            p = (32 - x.shape[-1] % 32) % 32
            return F.pad(x, (p - p // 2, p // 2))
        """,
    "kernel minus stride": """
        def pad(x, kernel, stride):
            total = kernel - stride
            return F.pad(x, (total - total // 2, total // 2))
        """,
    "stride 1": """
        def pad(x, k):
            return F.pad(x, (k // 2, (k - 1) // 2))
        """,
    "ONNX's other convention": by_hand(
        "F.pad(x, (pw - pw // 2, pw // 2, ph - ph // 2, ph // 2))",
        "# as auto_pad=SAME_LOWER does\n" + " " * 16 + "mode = 1",
    ),
    "chosen by a mode": by_hand(
        "F.pad(x, pads)", "pads = (pw // 2, pw - pw // 2) if self.upper else (pw - pw // 2, pw // 2)"
    ),
    "a total from elsewhere": """
        def pad(x, k, s):
            total = compute(x.shape[-1], k, s)
            return F.pad(x, (total - total // 2, total // 2))
        """,
    "no pad": """
        import math
        from torch import nn

        def halves(n, k, s):
            total = max((math.ceil(n / s) - 1) * s + k - n, 0)
            return total - total // 2, total // 2
        """,
}

FIRST = by_hand("F.pad(x, (pw - pw // 2, pw // 2, ph - ph // 2, ph // 2))")
REPORTED = {
    "F.pad": (FIRST, "F.pad gets the larger half of a SAME total in front: (1, 0) at 224"),
    "one axis": (by_hand("F.pad(x, (pw // 2, pw - pw // 2, ph - ph // 2, ph // 2))"), "in front"),
    "rounded up": (by_hand("F.pad(x, ((pw + 1) // 2, pw // 2, (ph + 1) // 2, ph // 2))"), "in front"),
    "named halves": (
        by_hand("F.pad(x, (left, pw - left, left, pw - left))", "left = math.ceil(pw / 2)"),
        "in front",
    ),
    "named pads": (by_hand("F.pad(x, pads)", "pads = [pw - pw // 2, pw // 2]"), "in front"),
    "on both sides": (
        by_hand("F.pad(x, (pw - pw // 2, pw - pw // 2, ph - ph // 2, ph - ph // 2))"),
        "F.pad gets the larger half of a SAME total on both sides: (1, 1) at 224",
    ),
    "other values than zeros": (by_hand("F.pad(x, (pw - pw // 2, pw // 2), mode='replicate')"), "in front"),
    "layer": (
        """
        import math
        from torch import nn

        class Static(nn.Conv2d):
            def __init__(self, c, k, s, d, size):
                super().__init__(c, c, k, s, dilation=d)
                t = max((math.ceil(size / s) - 1) * s + (k - 1) * d + 1 - size, 0)
                self.pad = nn.ZeroPad2d((t - t // 2, t // 2, t - t // 2, t // 2))
        """,
        "nn.ZeroPad2d gets the larger half",
    ),
    "total from a function that is named after SAME": (
        """
        def pad(x, k, s):
            total = get_same_padding(x.shape[-1], k, s)
            return F.pad(x, (total - total // 2, total // 2))
        """,
        "in front",
    ),
    "the same on both sides": (
        """
        def pad(x, k, s):
            total = get_same_padding(x.shape[-1], k, s)
            return F.pad(x, (total - total // 2, total - total // 2))
        """,
        "on both sides",
    ),
    "tf.pad": (
        """
        import math
        import tensorflow as tf

        def pad(x, k, s):
            n = x.shape[1]
            t = max((math.ceil(n / s) - 1) * s + k - n, 0)
            return tf.pad(x, [[0, 0], [t - t // 2, t // 2], [t - t // 2, t // 2], [0, 0]])
        """,
        "tf.pad gets the larger half",
    ),
    "Keras": (
        """
        import math
        from keras import layers

        def pad(x, n, k, s):
            t = max((math.ceil(n / s) - 1) * s + k - n, 0)
            return layers.ZeroPadding2D(((t - t // 2, t // 2), (t // 2, t - t // 2)))(x)
        """,
        "layers.ZeroPadding2D gets the larger half",
    ),
}

NOT_FIXED = {
    "named halves": (REPORTED["named halves"][0], "the halves have names"),
    "one element too many": (REPORTED["on both sides"][0], "trained with one element more"),
}

FIXED = {
    "F.pad": Fixed(
        FIRST, by_hand("F.pad(x, (pw // 2, pw - pw // 2, ph // 2, ph - ph // 2))"), "unsafe", layer=None
    ),
    "only the axis that is wrong": Fixed(
        by_hand("F.pad(x, (pw // 2, pw - pw // 2, ph - ph // 2, ph // 2))"),
        by_hand("F.pad(x, (pw // 2, pw - pw // 2, ph // 2, ph - ph // 2))"),
        "unsafe",
        layer=None,
    ),
    "a list above the call": Fixed(
        by_hand("F.pad(x, pads)", "pads = [(pw + 1) // 2, pw // 2]"),
        by_hand("F.pad(x, pads)", "pads = [pw // 2, (pw + 1) // 2]"),
        "unsafe",
        layer=None,
    ),
    "pairs": Fixed(
        REPORTED["tf.pad"][0],
        textwrap.dedent(REPORTED["tf.pad"][0])
        .replace("[t - t // 2, t // 2]", "[t // 2, t - t // 2]")
        .lstrip(),
        "unsafe",
        layer=None,
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


def pads_of(source: str, n: int, kernel: int, stride: int) -> tuple[int, int]:
    """What the convolution of a source pads, found by running it on a single one."""
    import torch

    names: dict[str, Any] = {}
    exec(
        source.replace("import keras\nimport tensorflow as tf\n", "").replace(
            "from keras import layers\n", ""
        ),
        names,
    )
    conv = names["Conv"](kernel, stride)
    torch.nn.init.ones_(conv.conv.weight)
    rows = []
    for row in range(n):
        x = torch.zeros(1, 1, n, n)
        x[0, 0, row] = 1
        rows.append(conv(x)[0, 0, :, n // stride // 2].nonzero().flatten().tolist())
    seen = sum(0 in row for row in rows)  # rows that the first window reads
    return kernel - seen, (len(conv(x)[0, 0]) - 1) * stride + kernel - n - (kernel - seen)


@pytest.mark.parametrize(("n", "kernel", "stride"), [(8, 3, 2), (12, 6, 3), (9, 4, 1), (12, 5, 2)])
def test_the_fix_pads_as_tensorflow_does(n: int, kernel: int, stride: int) -> None:
    expected = same_padding(n, kernel, stride)
    assert expected[0] != expected[1]
    assert pads_of(FIRST, n, kernel, stride) == expected[::-1]
    assert pads_of(fix(FIRST, options_for(CODE), unsafe=True).text, n, kernel, stride) == expected
