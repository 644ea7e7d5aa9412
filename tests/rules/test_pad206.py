from __future__ import annotations

from typing import Any

import pytest

from padlint.engine import fix
from padlint.verify import LayerProver
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    layer_results,
    only_finding,
    options_for,
    source_of,
)

CODE = "PAD206"

SILENT = {
    "symmetric": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
    "symmetric per axis": "net = nn.Sequential(nn.ZeroPad2d((1, 1, 2, 2)), nn.Conv2d(3, 8, 3))",
    "a shift, not a pad": "net = nn.Sequential(nn.ZeroPad2d((1, -1, 0, 0)), nn.Conv2d(3, 8, 3))",
    "a crop": "net = nn.Sequential(nn.ZeroPad2d((0, -1, 0, -1)), nn.Conv2d(3, 8, 3))",
    "no convolution behind": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.ReLU(), nn.Conv2d(3, 8, 3))",
    "before a pool": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.MaxPool2d(3, 2))",
    "before a transposed convolution": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.ConvTranspose2d(3, 8, 3))",
    "other values": "net = nn.Sequential(nn.ReflectionPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3))",
    "a constant pad": "net = nn.Sequential(nn.ConstantPad2d((0, 1, 0, 1), 0), nn.Conv2d(3, 8, 3))",
    "alone": "p = nn.ZeroPad2d((0, 1, 0, 1))",
    "unknown amounts": "net = nn.Sequential(nn.ZeroPad2d(p), nn.Conv2d(3, 8, 3))",
    "F.pad": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, 2)

            def forward(self, x):
                return self.conv(F.pad(x, (0, 1, 0, 1)))
        """,
    "Keras": "net = keras.Sequential([layers.ZeroPadding2D(((0, 1), (0, 1))), layers.Conv2D(8, 3, 2)])",
    "in a list": "blocks = [nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3)]",
    "in an OrderedDict": """
        from collections import OrderedDict
        from torch import nn
        net = nn.Sequential(OrderedDict([("p", nn.ZeroPad2d((0, 1, 0, 1))), ("c", nn.Conv2d(3, 8, 3))]))
        """,
}

REPORTED = {
    "in a Sequential": (
        "net = nn.Sequential(nn.ZeroPad2d((0, 1, 2, 3)), nn.Conv2d(8, 8, 3, stride=2))",
        "nn.ZeroPad2d pads height (2, 3); width (0, 1) before nn.Conv2d",
        "the default ONNX exporter writes asymmetric Conv.pads",
    ),
    "behind a starred part": (
        "net = nn.Sequential(*block(3, 8), nn.ZeroPad2d((1, 0, 1, 0)), nn.Conv2d(8, 8, 4, padding=1))",
        "height (1, 0); width (1, 0)",
    ),
    "one axis": ("net = nn.Sequential(nn.ZeroPad1d((2, 0)), nn.Conv1d(8, 8, 3))", "pads width (2, 0)"),
    "three axes": (
        "net = nn.Sequential(nn.ZeroPad3d((0, 1, 0, 1, 0, 0)), nn.Conv3d(8, 8, 3))",
        "depth (0, 0); height (0, 1); width (0, 1)",
    ),
    "in a forward pass": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ZeroPad2d((0, 1, 0, 1))
                self.conv = nn.Conv2d(3, 8, 3, 2)

            def forward(self, x):
                x = self.pad(x)
                x = self.conv(x)
                return x
        """,
        "before nn.Conv2d",
    ),
}

NOT_FIXED = {
    name: (row[0], "no symmetric padding computes the same numbers") for name, row in REPORTED.items()
}


LEGACY = {"targets": frozenset({"onnx-legacy"})}
TFLITE = {"targets": frozenset({"tflite"})}


def net(layers: str, forward: str) -> str:
    """A module with these rows in its two methods."""
    rows = ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()"]
    rows += [f"        {row}" for row in layers.split("; ")]
    rows += ["", "    def forward(self, x):", *(f"        {row}" for row in forward.split("; "))]
    return "\n".join(rows) + "\n"


def fixed(before: tuple[str, str], after: tuple[str, str]) -> Fixed:
    doubt = "only pays where onnx-legacy wants no such pad"
    return Fixed(net(*before), net(*after), "unsafe", doubt=doubt, options=LEGACY)


FIXED = {
    "at the end": fixed(
        ("self.c = nn.Conv2d(3, 8, 3)", "return self.c(F.pad(x, (0, 1, 0, 1)))"),
        ("self.c = nn.Conv2d(3, 8, 3, padding=1)", "return self.c(x)[..., 1:, 1:]"),
    ),
    "at the start": fixed(
        ("self.c = nn.Conv2d(3, 8, 4)", "return self.c(F.pad(x, (2, 1, 1, 0)))"),
        ("self.c = nn.Conv2d(3, 8, 4, padding=(1, 2))", "return self.c(x)[..., :-1, :-1]"),
    ),
    "on one axis": fixed(
        ("self.c = nn.Conv2d(3, 8, 3)", "return self.c(F.pad(x, (0, 2, 1, 1)))"),
        ("self.c = nn.Conv2d(3, 8, 3, padding=(1, 2))", "return self.c(x)[..., :, 2:]"),
    ),
    "one spatial axis": fixed(
        ("self.c = nn.Conv1d(3, 8, 3, dilation=2)", "return self.c(F.pad(x, (4, 0)))"),
        ("self.c = nn.Conv1d(3, 8, 3, dilation=2, padding=4)", "return self.c(x)[..., :-4]"),
    ),
    "whole strides": fixed(
        ("self.c = nn.Conv2d(3, 8, 5, stride=2)", "return self.c(F.pad(x, (1, 3, 3, 1)))"),
        ("self.c = nn.Conv2d(3, 8, 5, stride=2, padding=3)", "return self.c(x)[..., :-1, 1:]"),
    ),
    "its own padding": fixed(
        ("self.c = nn.Conv2d(3, 8, 3, padding=1)", "return self.c(F.pad(x, (0, 1, 0, 1)))"),
        ("self.c = nn.Conv2d(3, 8, 3, padding=2)", "return self.c(x)[..., 1:, 1:]"),
    ),
    "a pad layer": fixed(
        (
            "self.p = nn.ZeroPad2d((0, 1, 0, 1)); self.c = nn.Conv2d(3, 8, 3)",
            "x = self.p(x); x = self.c(x); return x.relu()",
        ),
        (
            "self.p = nn.Identity(); self.c = nn.Conv2d(3, 8, 3, padding=1)",
            "x = self.p(x); x = self.c(x)[..., 1:, 1:]; return x.relu()",
        ),
    ),
    "a statement, and what follows": fixed(
        ("self.c = nn.Conv2d(3, 8, 3)", "x = F.pad(x, (0, 1, 0, 1)); return torch.relu(-self.c(x).abs())"),
        ("self.c = nn.Conv2d(3, 8, 3, padding=1)", "return torch.relu(-self.c(x)[..., 1:, 1:].abs())"),
    ),
}

STRIDED = net("self.c = nn.Conv2d(3, 8, 3, stride=2)", "return self.c(F.pad(x, (0, 1, 0, 1)))")

NOT_FIXED_FOR_TARGET = {
    "the size decides": (STRIDED, "depends on the input size"),
    "in a Sequential": (
        "m = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3))",
        "a Sequential has no place for a crop",
    ),
    "a function": (
        """
        def f(x):
            w = torch.zeros(8, 3, 3, 3)
            return F.conv2d(F.pad(x, (0, 1, 0, 1)), w)
        """,
        "only at an attribute",
    ),
    "other calls": (
        net("self.c = nn.Conv2d(3, 8, 3)", "return self.c(F.pad(x, (0, 1, 0, 1))) + self.c(x)"),
        "also runs without the pad",
    ),
    "other values": (
        net(
            "self.c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect')",
            "return self.c(F.pad(x, (0, 1, 0, 1)))",
        ),
        "something other than zeros",
    ),
    "unknown stride": (
        """
        class Net(nn.Module):
            def __init__(self, s):
                super().__init__()
                self.c = nn.Conv2d(3, 8, 3, s)

            def forward(self, x):
                return self.c(F.pad(x, (0, 1, 0, 1)))
        """,
        "depends on the convolution's stride and kernel",
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
def test_fixed_for_target(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED_FOR_TARGET)
def test_not_fixed_for_target(row: tuple[str, str]) -> None:
    text, reason = row
    assert reason in (only_finding(CODE, text, LEGACY).no_fix_reason or "nothing: there is a fix")


@pytest.mark.parametrize(
    ("promise", "story", "crop"),
    [
        ({"input_size": (16,)}, "16 (--input-size)", "[..., 1:, 1:]"),
        ({"input_size": (17,)}, "17 (--input-size)", "[..., 1:-1, 1:-1]"),
        ({"input_size": (16, 17)}, "16x17 (--input-size)", "[..., 1:, 1:-1]"),
        ({"input_multiple": 32}, "a multiple of 32 (--input-multiple)", "[..., 1:, 1:]"),
    ],
    ids=str,
)
def test_known_size(promise: dict[str, Any], story: str, crop: str, prover: LayerProver) -> None:
    options = {**LEGACY, **promise}
    finding = only_finding(CODE, STRIDED, options)
    assert finding.fix is not None
    assert f"exact for {story}" in finding.fix.message
    assert list(layer_results([finding], prover)) == ["equal"]
    done = fix(source_of(STRIDED), options_for(CODE, options), unsafe=True, prover=prover)
    assert not done.refuted
    assert "stride=2, padding=2)" in done.text
    assert f"self.c(x){crop}" in done.text


@pytest.mark.parametrize("target", ["onnx", "onnx-legacy", "coreml", "tensorrt"])
def test_functions_are_reported_for(target: str) -> None:
    finding = only_finding(CODE, STRIDED, {"targets": frozenset({target})})
    assert finding.message.startswith("F.pad pads height (0, 1); width (0, 1) before nn.Conv2d: ")


@pytest.mark.parametrize("target", ["keras", "torch", "ncnn"])
def test_functions_are_not_reported_for(target: str) -> None:
    assert findings(CODE, STRIDED, {"targets": frozenset({target})}) == []


def test_tflite_folds_what_same_pads_at_some_size() -> None:
    assert findings(CODE, STRIDED, TFLITE) == []
    finding = only_finding(CODE, STRIDED.replace("(0, 1, 0, 1)", "(1, 0, 1, 0)"), TFLITE)
    assert "TFLite needs a separate PAD" in finding.message
    assert "costs TFLite a separate PAD too" in (finding.no_fix_reason or "")


def test_numbers() -> None:
    finding = only_finding(CODE, REPORTED["in a Sequential"][0])
    assert [(axis["axis"], axis["pads"]) for axis in finding.numbers["axes"]] == [
        ("height", [2, 3]),
        ("width", [0, 1]),
    ]
