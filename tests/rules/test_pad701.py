from __future__ import annotations

import pytest

from tests.rules.table import IMPORTS, assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD701"


def function(*lines: str) -> str:
    """A function of two tensors."""
    return IMPORTS + "def f(x, q):\n" + "".join(f"    {line}\n" for line in lines)


QUANTISE = "torch.quantize_per_tensor(x, 1.0, 0, torch.quint8)"
SILENT = {
    "the quantised tensor": function("return F.pad(q, (1, 1))"),
    "padded before int_repr": function("return F.pad(q, (1, 1)).int_repr()"),
    "with the zero point": function("return F.pad(q.int_repr(), (1, 1), value=q.q_zero_point())"),
    "with a number": function("return F.pad(q.int_repr(), (1, 1), value=10)"),
    "reflected": function("return F.pad(q.int_repr(), (1, 1), mode='reflect')"),
    "minus the zero point": function("return F.pad(q.int_repr().int() - q.q_zero_point(), (1, 1))"),
    "dequantised": function("return F.pad(q.dequantize(), (1, 1))"),
    "not padded": function("return q.int_repr() + 1"),
    "rebound": function("r = q.int_repr()", "r = r - 10", "return F.pad(r, (1, 1))"),
    "unknown scale": function(
        "s = x.max()", "return torch.quantize_per_tensor(F.pad(x, (1, 1)), s, 0, torch.quint8)"
    ),
    "scale of the caller": """
        def f(x, s=1.0, z=0):
            return torch.quantize_per_tensor(F.pad(x, (1, 1)), s, z, torch.quint8)
        """,
    "from observers": function(
        "return torch.quantize_per_tensor(F.pad(x, (1, 1)), *observer.calculate_qparams(), torch.quint8)"
    ),
    "far from any pad": function(f"y = {QUANTISE}", "return conv(y), F.pad(q, (1, 1))"),
    "32 bits": function("return torch.quantize_per_tensor(F.pad(x, (1, 1)), 1.0, 0, torch.qint32)"),
    "another function of the name": function(
        "return quantize_per_tensor(F.pad(x, (1, 1)), 1.0, 0, torch.quint8)"
    ),
}

RAW = "F.pad writes the integer 0 into the raw values of int_repr()"
CLIPS = "a hard-coded scale of 1.0 and zero point of 0 beside a pad clip all values to 0 ... 255"
REPORTED = {
    "int_repr": (function("return F.pad(q.int_repr(), (1, 1, 1, 1))"), RAW),
    "named": (function("raw = q.int_repr()", "return F.pad(raw, (1, 1))"), RAW),
    "cast": (function("return F.pad(q.int_repr().to(torch.int32), (1, 1))"), RAW),
    "zero": (function("return F.pad(q.int_repr(), (1, 1), 'constant', 0)"), RAW),
    "layer": (function("return nn.ZeroPad2d(1)(q.int_repr())"), "nn.ZeroPad2d writes the integer 0"),
    "layer of a class": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ConstantPad2d(1, 0)

            def forward(self, q):
                return self.pad(q.int_repr())
        """,
        "nn.ConstantPad2d writes the integer 0",
    ),
    "quantised behind a pad": (
        function("return torch.quantize_per_tensor(F.pad(x, (1, 1)), 1.0, 0, torch.quint8)"),
        CLIPS,
    ),
    "named in between": (
        function(
            "x = F.pad(x, (1, 1))",
            "x = torch.quantize_per_tensor(x, scale=1.0, zero_point=0, dtype=torch.quint8)",
        ),
        CLIPS,
    ),
    "quantised before a pad": (function(f"x = {QUANTISE}", "return F.pad(x, (1, 1))"), CLIPS),
    "inside of a pad": (function(f"return F.pad({QUANTISE}, (1, 1))"), CLIPS),
    "signed": (
        function("return F.pad(torch.quantize_per_tensor(x, 0.05, 10, torch.qint8), (1, 1))"),
        "scale of 0.05 and zero point of 10 beside a pad clip all values to -6.9 ... 5.85",
    ),
    "behind a layer": (
        """
        class QATConv(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ZeroPad2d(1)
                self.conv = nn.quantized.Conv2d(3, 64, 3)

            def forward(self, x):
                x = self.pad(x)
                x = torch.quantize_per_tensor(x, scale=1.0, zero_point=0, dtype=torch.quint8)
                return self.conv(x)
        """,
        CLIPS,
    ),
}

NOT_FIXED = {
    "raw": (REPORTED["int_repr"][0], "it would change what is computed"),
    "hard-coded": (REPORTED["signed"][0], "known to an observer only"),
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


def test_it_stands_where_the_integers_are() -> None:
    text = REPORTED["layer of a class"][0]
    assert only_finding(CODE, text).location.row == (IMPORTS + text).count(
        "\n", 0, (IMPORTS + text).index("return")
    )


@pytest.mark.filterwarnings("ignore")
def test_pytorch_pads_with_the_zero_point_and_clips_as_said() -> None:
    import torch
    from torch.nn import functional as F

    q = torch.quantize_per_tensor(torch.full((1, 1, 2), 3.0), 0.05, 10, torch.quint8)
    assert F.pad(q, (1, 1)).int_repr().flatten().tolist() == [10, 70, 70, 10]
    assert F.pad(q.int_repr(), (1, 1)).flatten().tolist() == [0, 70, 70, 0]
    numbers = only_finding(CODE, REPORTED["signed"][0]).numbers["others"]
    q = torch.quantize_per_tensor(torch.tensor([-99.0, 99.0]), 0.05, 10, torch.qint8)
    assert q.dequantize().tolist() == pytest.approx(numbers["range"])
