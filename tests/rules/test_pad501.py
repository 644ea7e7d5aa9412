from __future__ import annotations

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD501"

SILENT = {
    "odd kernel": "c = nn.Conv1d(3, 8, 5, padding=5 // 2)",
    "kernel 1": "c = nn.Conv1d(3, 8, 1, padding=1 // 2)",
    "a plain number": "c = nn.Conv1d(3, 8, 4, padding=2)",
    "too little": "c = nn.Conv1d(3, 8, 4, padding=(4 - 1) // 2)",
    "half of something else": "c = nn.Conv1d(3, 8, 4, padding=8 // 2)",
    "stride": "c = nn.Conv2d(3, 8, 4, stride=2, padding=4 // 2)",
    "dilation": "c = nn.Conv2d(3, 8, 4, padding=4 // 2, dilation=2)",
    "word": "c = nn.Conv1d(3, 8, 4, padding='same')",
    "unknown kernel": """
        def block(k):
            return nn.Conv1d(3, 8, k, padding=k // 2)
        """,
    "odd by default": """
        def block(k=3):
            return nn.Conv1d(3, 8, k, padding=k // 2)
        """,
    "unknown stride": """
        def block(s):
            return nn.Conv1d(3, 8, 4, s, padding=4 // 2)
        """,
    "halves of different kernels": """
        def block(wide):
            k = 5 if wide else 3
            return nn.Conv1d(3, 8, k, padding=k // 2)
        """,
    "transposed": "c = nn.ConvTranspose1d(3, 8, 4, padding=4 // 2)",
    "stride of a pool is its kernel": "p = nn.MaxPool2d(4, padding=4 // 2)",
    "cropped behind": """
        class Causal(nn.Module):
            def __init__(self, k=4):
                super().__init__()
                self.conv = nn.Conv1d(8, 8, k, padding=k // 2)

            def forward(self, x):
                return self.conv(x)[..., :-1]
        """,
    "cropped to the input's size": """
        def smooth(x, w):
            y = F.avg_pool1d(x, 4, stride=1, padding=4 // 2)
            return y[:, :, : x.shape[-1]]
        """,
    "cropped in front": """
        def smooth(x, w):
            return F.avg_pool1d(x, 4, stride=1, padding=4 // 2)[..., 1:]
        """,
    "cropped by a layer": "net = nn.Sequential(nn.Conv1d(8, 8, 4, padding=4 // 2), Chomp1d(1))",
    "even kernels are known": """
        class Positional(nn.Module):
            def __init__(self, k=128):
                super().__init__()
                self.conv = nn.Conv1d(8, 8, k, padding=k // 2)
                self.remove = 1 if k % 2 == 0 else 0
        """,
    "odd kernels are asked for": """
        class Blur(nn.Module):
            def __init__(self, k=4):
                assert k % 2
                self.conv = nn.Conv1d(8, 8, k, padding=k // 2)
        """,
    "the default does not lead there": """
        def skip(x, stride=1):
            if stride > 1:
                kernel = stride + 1
                return F.max_pool2d(x, kernel, stride, kernel // 2)
            return x
        """,
    "Keras": "c = layers.Conv1D(8, 4, padding=4 // 2)",
}

REPORTED = {
    "halved literal": (
        "c = nn.Conv1d(100, 50, kernel_size=10, padding=int(10 / 2))",
        "nn.Conv1d with kernel 10 and padding=5 makes the output one larger than the input",
        "it pads 10 in all where 9 keep the size, as (4, 5) does",
    ),
    "name of the kernel": (
        """
        K = 4
        c = nn.Conv2d(3, 8, K, padding=K // 2)
        """,
        "with kernel 4 and padding=2",
    ),
    "local names": (
        """
        def block(c):
            k = 6
            p = k // 2
            return nn.Conv2d(c, c, k, 1, p)
        """,
        "with kernel 6 and padding=3",
    ),
    "one axis": (
        "c = nn.Conv2d(3, 8, (4, 3), padding=(4 // 2, 3 // 2))",
        "with kernel (4, 3) and padding=(2, 1)",
    ),
    "default of a parameter": (
        """
        class Text(nn.Module):
            def __init__(self, kernel_size=4):
                super().__init__()
                self.conv = nn.Conv1d(100, 50, kernel_size=kernel_size, padding=kernel_size // 2)
        """,
        "padding=2 (default of kernel_size in __init__())",
    ),
    "function": (
        """
        def blur(x):
            return F.conv1d(x, torch.ones(8, 8, 4), padding=4 // 2)
        """,
        "F.conv1d with kernel 4",
    ),
    "pool": ("p = nn.AvgPool2d(2, stride=1, padding=2 // 2)", "nn.AvgPool2d with kernel 2 and padding=1"),
    "one of two kernels": (
        """
        def block(wide):
            k = 4 if wide else 3
            return nn.Conv1d(3, 8, k, padding=k // 2)
        """,
        "with kernel 4 and padding=2",
    ),
    "in a branch": (
        """
        def block(x, smooth):
            return F.avg_pool1d(x, 4, stride=1, padding=4 // 2) if smooth else x
        """,
        "F.avg_pool1d with kernel 4",
    ),
    "another remainder": (
        """
        class Net(nn.Module):
            def __init__(self, groups):
                super().__init__()
                assert groups % 4 == 0
                self.conv = nn.Conv1d(8, 8, 4, padding=4 // 2)

            def forward(self, x):
                return self.conv(x[:])
        """,
        "with kernel 4",
    ),
    "flax": (
        """
        from flax import linen
        c = linen.Conv(8, (4, 4), padding=4 // 2)
        """,
        "linen.Conv with kernel 4 and padding=2",
    ),
}

NOT_FIXED = {"layer": (REPORTED["halved literal"][0], "which side should be padded less is open")}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_a_default_is_only_worth_knowing() -> None:
    assert only_finding(CODE, REPORTED["default of a parameter"][0]).severity.label == "info"
    assert only_finding(CODE, REPORTED["halved literal"][0]).severity.label == "warning"


def test_numbers() -> None:
    finding = only_finding(CODE, REPORTED["one axis"][0])
    (axis,) = finding.numbers["axes"]
    assert (axis["axis"], axis["kernel"], axis["pads"]) == ("height", 4, [1, 2])
    assert finding.numbers["others"] == {"padding": (2, 1)}


@pytest.mark.parametrize("kernel", [2, 4, 10, 3, 5])
@pytest.mark.filterwarnings("ignore:Using padding='same'")
def test_pytorch_grows_by_one_for_even_kernels(kernel: int) -> None:
    import torch
    from torch import nn

    x = torch.zeros(1, 1, 16)
    grown = kernel % 2 == 0
    assert nn.Conv1d(1, 1, kernel, padding=kernel // 2)(x).shape[-1] == 16 + grown
    assert nn.Conv1d(1, 1, kernel, padding="same")(x).shape[-1] == 16
    text = f"c = nn.Conv1d(1, 1, {kernel}, padding={kernel} // 2)"
    assert bool(findings(CODE, text)) == grown
