from __future__ import annotations

import pytest

from padlint.engine import check
from padlint.findings import Severity
from padlint.options import Options
from padlint.verify import LayerProver
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    only_finding,
    source_of,
)

CODE = "PAD306"


def net(layer: str, call: str = "self.conv(x)") -> str:
    """A module with one convolution as an attribute, and one call of it."""
    return f"""
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = {layer}

    def forward(self, x):
        return {call}
"""


SILENT = {
    "SAME of a kernel of 1": "c = nn.Conv1d(3, 8, kernel_size=1, padding='same', padding_mode='reflect')",
    "zeros": "c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='zeros')",
    "no padding": "c = nn.Conv2d(3, 8, 3, padding=0, padding_mode='reflect')",
    "no padding by default": "c = nn.Conv2d(3, 8, 3, padding_mode='reflect')",
    "valid": "c = nn.Conv2d(3, 8, 3, padding='valid', padding_mode='reflect')",
    "none on any axis": "c = nn.Conv2d(3, 8, 3, padding=(0, 0), padding_mode='circular')",
    "an unknown mode": "c = nn.Conv2d(3, 8, 3, padding=1, padding_mode=mode)",
    "mode by default of a parameter": (
        "def conv(mode='reflect'):\n    return nn.Conv2d(3, 8, 3, padding=1, padding_mode=mode)"
    ),
    "a pad that no convolution reads": "net = nn.Sequential(nn.ReflectionPad2d(1), nn.ReLU(), nn.Conv2d(3, 8, 3))",
    "a pad before a pool": "net = nn.Sequential(nn.ReplicationPad2d(1), nn.MaxPool2d(3))",
    "a zero pad": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
    "a constant pad": "y = F.conv2d(F.pad(x, (1, 1, 1, 1), 'constant', 0.5), weight)",
    "a constant pad of TensorFlow": "y = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]])",
    "a mirrored signal": "y = tf.pad(x, [[0, 0], [160, 160]], 'REFLECT')",
    "a mirrored batch": "y = tf.pad(x, [[1, 1], [0, 0], [0, 0], [0, 0]], 'REFLECT')",
    "mirrored by unknown amounts": "y = tf.pad(x, paddings, 'SYMMETRIC')",
    "NumPy": "import numpy as np\nimport torch\ny = np.pad(x, 1, mode='symmetric')",
}

REPORTED = {
    "a convolution": (
        "c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect')",
        "nn.Conv2d pads in mode reflect: no exporter can fold that into the convolution",
    ),
    "one axis is enough": (
        "c = nn.Conv2d(3, 8, 3, padding=(0, 1), padding_mode='circular')",
        "nn.Conv2d pads in mode circular",
    ),
    "unknown amounts": ("c = nn.Conv2d(3, 8, k, padding=k // 2, padding_mode='replicate')", "mode replicate"),
    "same": ("c = nn.Conv2d(3, 8, 3, padding='same', padding_mode='replicate')", "mode replicate"),
    "a layer in a Sequential": (
        "net = nn.Sequential(nn.ReflectionPad2d(3), nn.Conv2d(3, 64, 7))",
        "nn.ReflectionPad2d pads in mode reflect",
    ),
    "replication": ("net = nn.Sequential(nn.ReplicationPad1d(1), nn.Conv1d(3, 8, 3))", "mode replicate"),
    "circular layer": ("net = nn.Sequential(nn.CircularPad3d(1), nn.Conv3d(3, 8, 3))", "mode circular"),
    "a function": (
        "y = F.conv2d(F.pad(x, (1, 1, 1, 1), 'replicate'), weight)",
        "F.pad pads in mode replicate",
    ),
    "a function by unknown amounts": ("y = F.conv2d(F.pad(x, pads, mode='reflect'), weight)", "mode reflect"),
    "symmetric": (
        "y = tf.pad(x, [[0, 0], [2, 2], [2, 2], [0, 0]], 'SYMMETRIC')",
        "tf.pad pads in mode symmetric, which repeats the border: PyTorch has no such mode",
    ),
    "symmetric by one": (
        "y = tf.pad(x, [[0, 0], [1, 1], [0, 1], [0, 0]], mode='symmetric')",
        'but where it pads 1, F.pad(mode="replicate") is the same',
    ),
    "reflect": (
        "y = tf.pad(x, tf.constant([[0, 0], [1, 1], [1, 1], [0, 0]]), mode='REFLECT')",
        'that is F.pad(mode="reflect") in PyTorch',
    ),
    "Keras": (
        "y = keras.ops.pad(x, ((0, 0), (2, 2), (2, 2), (0, 0)), mode='symmetric')",
        "keras.ops.pad pads in mode symmetric",
    ),
}

ATTRIBUTES = "the attributes .padding and .padding_mode change"
FIXED = {
    "reflect": Fixed(
        net("nn.Conv2d(2, 1, (7, 7), padding=(3, 3), padding_mode='reflect')"),
        net("nn.Conv2d(2, 1, (7, 7), padding=0)", 'self.conv(F.pad(x, (3, 3, 3, 3), mode="reflect"))'),
        "unsafe",
        doubt=ATTRIBUTES,
    ),
    "circular with a stride, the mode first": Fixed(
        net("nn.Conv2d(2, 4, 3, padding_mode='circular', padding=(1, 2), stride=2, bias=False)"),
        net(
            "nn.Conv2d(2, 4, 3, padding=0, stride=2, bias=False)",
            'self.conv(F.pad(x, (2, 2, 1, 1), mode="circular"))',
        ),
        "unsafe",
        doubt=ATTRIBUTES,
    ),
    "replicate by position": Fixed(
        net("nn.Conv1d(2, 4, 3, 1, 1, 1, 1, True, 'replicate')"),
        net('nn.Conv1d(2, 4, 3, 1, 0, 1, 1, True, "zeros")', 'self.conv(F.pad(x, (1, 1), mode="replicate"))'),
        "unsafe",
        doubt=ATTRIBUTES,
    ),
    "same, more after than before": Fixed(
        net("nn.Conv2d(2, 4, (4, 3), padding='same', dilation=1, padding_mode='reflect')"),
        net(
            "nn.Conv2d(2, 4, (4, 3), padding=0, dilation=1)",
            'self.conv(F.pad(x, (1, 1, 1, 2), mode="reflect"))',
        ),
        "unsafe",
        doubt=ATTRIBUTES,
    ),
    "two calls": Fixed(
        net("nn.Conv1d(4, 4, 3, padding=1, padding_mode='reflect')", "self.conv(self.conv(x))"),
        net(
            "nn.Conv1d(4, 4, 3, padding=0)",
            'self.conv(F.pad(self.conv(F.pad(x, (1, 1), mode="reflect")), (1, 1), mode="reflect"))',
        ),
        "unsafe",
        doubt=ATTRIBUTES,
    ),
}

NOT_FIXED = {
    "a pad of its own": (
        "net = nn.Sequential(nn.ReflectionPad2d(3), nn.Conv2d(3, 64, 7))",
        "it is a pad of its own already",
    ),
    "TensorFlow": (
        "y = tf.pad(x, [[0, 0], [2, 2], [2, 2], [0, 0]], 'SYMMETRIC')",
        "it is a pad of its own already",
    ),
    "not an attribute": (
        "net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect'))",
        "only in front of the calls of an attribute",
    ),
    "other calls": (
        net("nn.Conv2d(2, 4, 3, padding=1, padding_mode='reflect')", "run(self.conv, x)"),
        "self.conv is also used without being called",
    ),
    "unknown amounts": (
        net("nn.Conv2d(2, 4, 3, padding=p, padding_mode='reflect')"),
        "its arguments are not known",
    ),
    "an unknown kernel": (
        net("nn.Conv2d(2, 4, k, padding=1, padding_mode='reflect')"),
        "its arguments are not known",
    ),
    "a comment": (
        net("nn.Conv2d(2, 4, 3, padding=1,  # px\n            padding_mode='reflect')"),
        "a comment stands beside padding_mode",
    ),
    "no name for F.pad": (
        """
        from torch.nn import Conv2d, Module

        class Net(Module):
            def __init__(self):
                super().__init__()
                self.conv = Conv2d(2, 4, 3, padding=1, padding_mode="reflect")

            def forward(self, x):
                return self.conv(x)
        """,
        "the file has no name for torch.nn.functional.pad",
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


CIRCULAR = net("nn.Conv2d(2, 4, 3, padding=1, padding_mode='circular')")
REFLECT = net("nn.Conv2d(2, 4, 3, padding=1, padding_mode='reflect')")
SYMMETRIC = REPORTED["symmetric"][0]


@pytest.mark.parametrize(
    ("text", "targets", "severity", "part"),
    [
        (CIRCULAR, "coreml", Severity.ERROR, "circular: CoreML refuses it"),
        (CIRCULAR, "ncnn", Severity.ERROR, "ncnn pads zeros instead, without an error"),
        (CIRCULAR, "tensorrt", Severity.WARNING, "TensorRT reads it since 10.0"),
        (CIRCULAR, "onnx-legacy", Severity.WARNING, "the TorchScript exporter writes Slices and Concats"),
        (CIRCULAR, "keras", Severity.WARNING, "the pads of Keras have no such mode with TensorFlow"),
        (
            REFLECT,
            "coreml ncnn",
            Severity.WARNING,
            "CoreML keeps a separate pad; older converters to ncnn drop it",
        ),
        (
            REFLECT,
            "keras onnx",
            Severity.WARNING,
            'keras.ops.pad(mode="reflect") in front of the convolution; ONNX',
        ),
        (SYMMETRIC, "torch", Severity.WARNING, "PyTorch has no such mode"),
        (REPORTED["reflect"][0], "torch", Severity.INFO, "in PyTorch"),
    ],
)
def test_targets(text: str, targets: str, severity: Severity, part: str) -> None:
    finding = only_finding(CODE, text, {"targets": frozenset(targets.split())})
    assert finding.severity is severity
    assert part in finding.message


@pytest.mark.parametrize(("text", "target"), [(REFLECT, "torch"), (REFLECT, "jax"), (SYMMETRIC, "coreml")])
def test_targets_that_are_not_concerned(text: str, target: str) -> None:
    assert findings(CODE, text, {"targets": frozenset({target})}) == []


@pytest.mark.parametrize("target", ["coreml", "ncnn"])
def test_no_fix_where_the_mode_itself_is_missing(target: str) -> None:
    (finding,) = check(source_of(CIRCULAR), Options(frozenset({CODE}), frozenset({target})))
    assert finding.no_fix_reason == "F.pad has the same mode, and what the target lacks is the mode"
