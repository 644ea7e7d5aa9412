"""ONNX files: exports that are silently wrong are refuted, and nodes are counted."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from padlint.verify.models import standing_in, working
from tests.verify.models.comparing import compare, compare_texts, write
from tests.verify.models.local import LocalSession

pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

HERE = {"open_session": LocalSession, "residues": 2}
NET = """
import math

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)

    def pad(self, n):
        return max((((n + 1) // 2) - 1) * 2 + 3 - n, 0)

    def forward(self, x):
        h, w = self.pad(x.shape[-2]), self.pad(x.shape[-1])
        return self.conv(F.pad(x, (w // 2, w - w // 2, h // 2, h - h // 2)))


def build():
    return Net()
"""
NEGATED = NET.replace("((n + 1) // 2)", "-(-n // 2)")
CEIL = NET.replace("((n + 1) // 2)", "math.ceil(n / 2)")


def test_negated_floor_division_is_wrong_in_a_dynamic_file(tmp_path: Path) -> None:
    found = compare_texts(tmp_path, NET, NEGATED, "1x3xH15xW18", exporters=("torch",), **HERE)
    assert found.result == "differs"
    assert found.difference is not None
    assert found.difference.what == "onnx"
    assert "in onnxruntime instead of" in found.difference.message
    (both,) = found.onnx
    assert both["before"].difference is None
    assert both["after"].shape_nodes > 0
    repaired = compare_texts(tmp_path, NEGATED, NET, "1x3xH15xW18", exporters=("torch",), **HERE)
    assert (repaired.result, repaired.difference) == ("equal", None)
    assert repaired.onnx[0]["before"].difference is not None


def test_math_ceil_is_baked_by_the_legacy_exporter(tmp_path: Path) -> None:
    found = compare_texts(tmp_path, NET, CEIL, "1x3xH15xW18", exporters=("torch-legacy",), **HERE)
    assert found.difference is not None
    assert found.difference.message.startswith("ONNX (torch-legacy): output")
    assert "(that of the code before is wrong, too)" not in found.difference.message
    again = compare_texts(tmp_path, CEIL, CEIL, "1x3xH15xW18", exporters=("torch-legacy",), **HERE)
    assert again.difference is not None
    assert "(that of the code before is wrong, too)" in again.difference.message


def test_pads_are_counted(tmp_path: Path) -> None:
    before = "from torch import nn\n\n\ndef build():\n"
    before += "    return nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 4, 3))\n"
    after = before.replace(
        "nn.ZeroPad2d(1), nn.Conv2d(3, 4, 3)", "nn.Identity(), nn.Conv2d(3, 4, 3, padding=1)"
    )
    found = compare_texts(tmp_path, before, after, "1x3x8x8", exporters=("torch", "torch-legacy"), **HERE)
    assert found.result == "equal"
    assert [(both["before"].pads, both["after"].pads) for both in found.onnx] == [(0, 0), (1, 0)]
    assert [line for line in found.checks if line.startswith("ONNX")] == [
        "ONNX (torch): onnxruntime gives what the code after gives, at 1x3x8x8",
        "ONNX (torch-legacy): onnxruntime gives what the code after gives, at 1x3x8x8",
    ]


def test_an_export_that_fails_is_refuted_if_it_did_not_before(tmp_path: Path) -> None:
    before = "from torch import nn\n\n\ndef build(x):\n    return nn.functional.relu(x)\n"
    after = before.replace("return", "import torch\n    if torch.onnx.is_in_onnx_export(): 1 / 0\n    return")
    found = compare_texts(tmp_path, before, after, "1x3x8x8", exporters=("torch-legacy",), **HERE)
    assert found.difference is not None
    assert "it cannot be exported: ZeroDivisionError: division by zero" in found.difference.message
    found = compare_texts(tmp_path, after, after, "1x3x8x8", exporters=("torch-legacy",), **HERE)
    assert found.result == "incomparable"
    assert found.reason is not None
    assert found.reason.startswith("ONNX (torch-legacy): neither side can be exported: ZeroDivisionError")


@pytest.mark.skipif(importlib.util.find_spec("tf2onnx") is not None, reason="tf2onnx is there")
def test_keras_on_tensorflow_needs_a_converter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("keras")
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    net = "import keras\n\n\ndef build():\n"
    net += "    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])\n"
    found = compare_texts(tmp_path, net, net, "2x3", exporters=("torch",), **HERE)
    assert found.result == "incomparable"
    assert found.reason == (
        "ONNX (keras): neither side can be exported: This requires the tf2onnx module. "
        "You can install it via `pip install tf2onnx`; with KERAS_BACKEND=torch, the extra 'onnx' is enough"
    )


def test_keras_on_torch_bakes_the_pads_of_an_open_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("keras")
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    net = (
        "from keras import Input, Model, layers\n\n\ndef build():\n    x = Input((None, None, 3))\n"
        "    return Model(x, layers.Conv2D(4, 3, strides=2, padding='same')(x))\n"
    )
    write(tmp_path, net=net)
    side = working(tmp_path / "net.py", "build", "before")
    after = standing_in(side, tmp_path / "net.py", "after")
    found = compare(side, after, "1x16x18x3", residues=2, exporters=("torch",))
    assert found.result == "differs"
    assert found.difference is not None
    assert found.difference.what == "onnx"
    assert "(that of the code before is wrong, too)" in found.difference.message
