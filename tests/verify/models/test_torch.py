"""PyTorch models before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.models.comparing import compare_texts
from tests.verify.models.local import LocalSession

pytest.importorskip("torch")

HERE = {"open_session": LocalSession}

NET = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pad = nn.ZeroPad2d(1)
        self.stem = nn.Conv2d(3, 8, 3, stride=2, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(0.3)
        self.conv = nn.Conv2d(8, 8, 3, padding="same")
        self.head = nn.LazyLinear(4)
        self.register_buffer("scale", torch.tensor(0.5))
        nn.init.zeros_(self.conv.weight)

    def forward(self, x):
        x = self.drop(F.relu(self.bn(self.stem(self.pad(x)))))
        x = self.conv(x) + F.conv2d(F.pad(x, (1, 1, 1, 1)), self.conv.weight)
        return {"features": x, "logits": self.head(x.mean((2, 3))) * self.scale}


def build():
    return Net()
"""
FIXED = (
    NET.replace("nn.ZeroPad2d(1)", "nn.Identity()")
    .replace("stride=2, bias=False", "stride=2, padding=1, bias=False")
    .replace('padding="same"', "padding=1")
    .replace("F.conv2d(F.pad(x, (1, 1, 1, 1)), self.conv.weight)", "F.conv2d(x, self.conv.weight, padding=1)")
)


def test_a_right_change_is_equal(tmp_path: Path) -> None:
    found = compare_texts(tmp_path, NET, FIXED, "2x3xH12xW14", residues=4, **HERE)
    assert (found.result, found.reason, found.difference) == ("equal", None, None)
    assert found.max_abs is not None
    assert found.max_abs < 1e-12
    assert found.dtypes == ["float64", "float32"]
    assert found.shapes == [((2, 3, 12, 14),), ((2, 3, 15, 15),), ((2, 3, 14, 16),), ((2, 3, 13, 17),)]
    assert found.proof.framework == "torch"
    assert found.checks[0] == "11 weights, 7 of them trained: names, shapes, gradients"


def test_what_cannot_run_in_double_is_compared_in_single(tmp_path: Path) -> None:
    before = "import torch\n\ndef build(x):\n    return x @ torch.ones(4, 2, dtype=torch.float32) * 2\n"
    assert compare_texts(tmp_path, before, before.replace("* 2", "* 3"), "3x4", **HERE).result == "differs"
    found = compare_texts(tmp_path, before, before, "3x4", **HERE)
    assert (found.result, found.dtypes) == ("equal", ["float32"])
    assert found.notes[0].startswith(
        "not compared in float64: RuntimeError: expected m1 and m2 to have the same"
    )


def test_rounding_is_no_difference(tmp_path: Path) -> None:
    before = "import torch\n\n\ndef build(x):\n    return torch.sin(x * 3e4)\n"
    after = before.replace("x * 3e4", "x * 3e2 * 1e2")
    found = compare_texts(tmp_path, before, after, "64", **HERE)
    assert (found.result, found.reason) == ("equal", None)
    assert "no more than rounding the inputs and weights changes the code before" in found.notes[0]
    found = compare_texts(tmp_path, before, after.replace("1e2", "1.0000001e2"), "64", **HERE)
    assert found.result == "differs"


def test_nothing_is_said_where_rounding_decides(tmp_path: Path) -> None:
    before = "import torch\n\n\ndef build(x):\n    return torch.sin(x * 1e12)\n"
    found = compare_texts(tmp_path, before, before.replace("x * 1e12", "x * 3e5 / 3 * 1e7"), "64", **HERE)
    assert found.result == "incomparable"
    assert found.reason is not None
    assert found.reason.startswith("rounding alone changes the code before by")


def test_sizes_that_the_code_before_refuses_do_not_count(tmp_path: Path) -> None:
    before = "import torch\n\ndef build(x):\n    assert x.shape[-1] % 2 == 0\n    return torch.relu(x)\n"
    found = compare_texts(tmp_path, before, before.replace("% 2", "% 4"), "1xN8", residues=8, **HERE)
    assert found.result == "incomparable"
    assert found.reason is not None
    assert "the code after cannot be run: AssertionError" in found.reason
    found = compare_texts(tmp_path, before, before, "1xN8", residues=4, **HERE)
    assert found.result == "equal"
    assert found.notes == ["not compared at 11, 9: the code before raises AssertionError at net.py:4"]


def test_modes_that_the_code_before_refuses_do_not_count(tmp_path: Path) -> None:
    before = (
        "from torch import nn\n\n\ndef build():\n    return nn.Sequential(nn.BatchNorm1d(3), nn.ReLU())\n"
    )
    found = compare_texts(tmp_path, before, before, "1x3", **HERE)
    assert found.result == "equal"
    (note,) = found.notes
    assert note.startswith(
        "not compared at train mode: the code before raises ValueError: Expected more than 1"
    )
