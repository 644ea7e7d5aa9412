from __future__ import annotations

import textwrap

import pytest

from tests.rules.table import IMPORTS, assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD502"


def by_hand(
    total: str = "(math.ceil(n / self.s) - 1) * self.s + self.k - n",
    init: str = "self.k, self.s = k, s",
    conv: str = "nn.Conv1d(c, c, k, stride=s, dilation=dilation)",
    forward: str = "n = x.shape[-1]",
) -> str:
    """A convolution that pads its input by a total."""
    return IMPORTS + textwrap.dedent(
        f"""
        import math


        class Conv(nn.Module):
            def __init__(self, c, k, s=1, dilation=1):
                super().__init__()
                {init}
                self.conv = {conv}

            def forward(self, x):
                {forward}
                total = {total}
                return self.conv(F.pad(x, (total // 2, total - total // 2)))
        """
    )


DILATED = "(math.ceil(n / self.s) - 1) * self.s + (self.k - 1) * self.d + 1 - n"
SILENT = {
    "with the dilation": by_hand(DILATED, "self.k, self.s, self.d = k, s, dilation"),
    "with the effective kernel": by_hand(init="self.k, self.s = (k - 1) * dilation + 1, s"),
    "with a reach from elsewhere": by_hand(init="self.k, self.s = reach(k, dilation), s"),
    "with a name that says so": by_hand(
        "(math.ceil(n / self.s) - 1) * self.s + k_eff - n", forward="n, k_eff = x.shape[-1], self.reach"
    ),
    "no dilation": by_hand(conv="nn.Conv1d(c, c, k, stride=s)"),
    "dilation 1": by_hand(conv="nn.Conv1d(c, c, k, stride=s, dilation=1)"),
    "one of two convolutions": by_hand(
        conv="nn.ModuleList([nn.Conv1d(c, c, k), nn.Conv1d(c, c, k, dilation=dilation)])"
    ),
    "up to a multiple": by_hand("(32 - n % 32) % 32"),
    "no total of SAME": by_hand("(math.ceil(n / self.s) - 1) * self.s + self.k"),
    "outside of definitions": """
        import math
        from torch import nn
        conv = nn.Conv1d(3, 3, k, s, dilation=d)
        total = (math.ceil(n / s) - 1) * s + k - n
        """,
    "half kernel without dilation": "c = nn.Conv2d(8, 8, 3, padding=3 // 2)",
    "half kernel with dilation": "c = nn.Conv2d(8, 8, 3, padding=2 * (3 // 2), dilation=2)",
    "a plain number": "c = nn.Conv2d(8, 8, 3, padding=1, dilation=2)",
    "even kernel": "c = nn.Conv2d(8, 8, 4, padding=4 // 2, dilation=2)",
    "kernel 1": "c = nn.Conv2d(8, 8, 1, padding=1 // 2, dilation=2)",
    "dilation 1 by default": """
        def block(c, k=3, d=1):
            return nn.Conv2d(c, c, k, padding=k // 2, dilation=d)
        """,
    "the default does not lead there": """
        def block(c, k=3, d=2):
            return nn.Conv2d(c, c, k, padding=k // 2, dilation=d) if d == 1 else None
        """,
    "unknown dilation": """
        def block(c, d, k=3):
            return nn.Conv2d(c, c, k, padding=k // 2, dilation=d)
        """,
}

REPORTED = {
    "forward pass": (
        by_hand(),
        "this SAME padding leaves out the dilation of nn.Conv1d: with stride 1, kernel 3 and dilation 2 it pads",
    ),
    "clamped": (by_hand("max((-(-n // self.s) - 1) * self.s + self.k - n, 0)"), "leaves out the dilation"),
    "dilation 2": (
        by_hand(conv="nn.Conv1d(c, c, k, stride=s, dilation=2)"),
        "leaves out the dilation of nn.Conv1d",
    ),
    "kept as an attribute": (by_hand(init="self.k, self.s, self.dilation = k, s, dilation"), "leaves out"),
    "function": (
        """
        import math
        from torch.nn import functional as F

        def conv_same(x, w, stride=1, dilation=1):
            n, k = x.shape[-1], w.shape[-1]
            total = max((math.ceil(n / stride) - 1) * stride + k - n, 0)
            x = F.pad(x, (total // 2, total - total // 2))
            return F.conv1d(x, w, stride=stride, dilation=dilation)
        """,
        "leaves out the dilation of F.conv1d",
    ),
    "subclass": (
        """
        import math
        from torch import nn
        from torch.nn import functional as F

        class Same(nn.Conv1d):
            def __init__(self, c, k, stride, dilation, size):
                super().__init__(c, c, k, stride, dilation=dilation)
                total = max((math.ceil(size / stride) - 1) * stride + k - size, 0)
                self.pads = (total // 2, total - total // 2)

            def forward(self, x):
                x = F.pad(x, self.pads)
                return F.conv1d(x, self.weight, None, self.stride, 0, self.dilation)
        """,
        "leaves out the dilation of F.conv1d",
    ),
    "pool": (
        """
        import math
        import tensorflow as tf
        from torch.nn import functional as F

        def pool(x, k, s):
            n = x.shape[-1]
            total = max(k - s, 0) if n % s == 0 else max(k - n % s, 0)
            return F.max_pool1d(F.pad(x, (total // 2, total - total // 2)), k, s, dilation=2)
        """,
        "leaves out the dilation of F.max_pool1d",
    ),
    "half kernel": (
        "c = nn.Conv2d(8, 8, 3, padding=3 // 2, dilation=2)",
        "this padding leaves out the dilation of nn.Conv2d: with kernel 3 and dilation 2 it pads 2 in all where 4",
    ),
    "half kernel of the module": (
        """
        K = 3
        P = K // 2

        def block(c):
            return nn.Conv2d(c, c, K, padding=P, dilation=2)
        """,
        "with kernel 3 and dilation 2 it pads 2",
    ),
    "half kernel by default": (
        """
        def block(c, k=5, d=2):
            return nn.Conv2d(c, c, k, padding=(k - 1) // 2, dilation=d)
        """,
        "of nn.Conv2d (default of k in block(), default of d in block()): with kernel 5 and dilation 2 it pads 4",
    ),
}

NOT_FIXED = {
    "formula": (REPORTED["forward pass"][0], "trained with these pads"),
    "half kernel": (REPORTED["half kernel"][0], "trained with these pads"),
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


@pytest.mark.parametrize(
    ("name", "start"),
    [("forward pass", "(math.ceil(n"), ("clamped", "max((-("), ("half kernel", "3 // 2")],
)
def test_it_stands_at_the_arithmetic(name: str, start: str) -> None:
    source = REPORTED[name][0] if "import" in REPORTED[name][0] else IMPORTS + REPORTED[name][0]
    finding = only_finding(CODE, REPORTED[name][0])
    line = source.split("\n")[finding.location.row - 1]
    assert line[finding.location.column - 1 :].startswith(start)


@pytest.mark.parametrize(("kernel", "dilation"), [(3, 2), (5, 3)])
def test_pytorch_loses_what_is_left_out(kernel: int, dilation: int) -> None:
    import torch
    from torch import nn

    x = torch.zeros(1, 1, 33)
    y = nn.Conv1d(1, 1, kernel, padding=kernel // 2, dilation=dilation)(x)
    assert y.shape[-1] == 33 - (kernel - 1) * (dilation - 1)
