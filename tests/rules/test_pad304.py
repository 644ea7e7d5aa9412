from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from padlint.engine import fix
from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_reported, each, findings, only_finding, options_for

CODE = "PAD304"


def down(pad: str) -> str:
    """A module with this pad before a convolution."""
    return f"""
from torch import nn
from torch.nn import functional as F

class Down(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)

    def forward(self, x):
        return self.conv({pad})
"""


SILENT = {
    "a value": down("F.pad(x, (0, 1, 0, 1), value=0)"),
    "a value by position": down('F.pad(x, (0, 1, 0, 1), "constant", 0)'),
    "another value": down("F.pad(x, (0, 1, 0, 1), value=0.5)"),
    "an unknown value": down("F.pad(x, (0, 1, 0, 1), value=self.fill)"),
    "a value that keywords may carry": down("F.pad(x, (0, 1, 0, 1), **options)"),
    "another mode": down('F.pad(x, (0, 1, 0, 1), "reflect")'),
    "an unknown mode": down("F.pad(x, (0, 1, 0, 1), self.mode)"),
    "a layer, which names its value": down("nn.ZeroPad2d((0, 1, 0, 1))(x)"),
    "computed amounts, which never fold": down("F.pad(x, (0, x.shape[3] % 2, 0, 1))"),
    "a crop, which never folds": down("F.pad(x, (0, -1, 0, 0))"),
    "channels": down("F.pad(x, (0, 0, 0, 0, 0, 1))"),
    "nothing": down("F.pad(x, (0, 0, 0, 0))"),
    "something in between": down("self.norm(F.pad(x, (0, 1, 0, 1)))"),
    "before a max pool": "y = F.max_pool2d(F.pad(x, (0, 1, 0, 1)), 3, 2)",
    "before a transposed convolution": "y = F.conv_transpose2d(F.pad(x, (0, 1, 0, 1)), weight)",
    "alone": "y = F.pad(x, (0, 1, 0, 1))",
}

REPORTED = {
    "inside of the call": (
        down("F.pad(x, (0, 1, 0, 1))"),
        "F.pad before nn.Conv2d names no value",
        "the TorchScript ONNX exporter then writes a Pad that ONNX Runtime cannot fold",
    ),
    "before a function": ("y = F.conv1d(F.pad(x, [2, 0]), weight)", "F.pad before F.conv1d"),
    "under a name": (
        """
        def block(x, weight):
            x = F.pad(x, (0, 1, 0, 1))
            x = F.conv2d(x, weight, stride=2)
            return x
        """,
        "F.pad before F.conv2d",
    ),
    "the mode is written": (down('F.pad(x, (0, 1, 0, 1), mode="constant")'), "names no value"),
}

FIXED = {
    "a keyword behind the amounts": Fixed(
        down("F.pad(x, (0, 1, 0, 1))"), down("F.pad(x, (0, 1, 0, 1), value=0)")
    ),
    "a keyword behind the mode": Fixed(
        down('F.pad(x, (0, 1, 0, 1), "constant")'), down('F.pad(x, (0, 1, 0, 1), "constant", value=0)')
    ),
    "in the place of None": Fixed(
        down("F.pad(x, pad=(0, 1, 0, 1), value=None)"), down("F.pad(x, pad=(0, 1, 0, 1), value=0)")
    ),
    "None by position": Fixed(
        down('F.pad(x, (1, 1, 1, 1), "constant", None)'), down('F.pad(x, (1, 1, 1, 1), "constant", 0)')
    ),
    "two pads of one convolution": Fixed(
        """
        def block(x, weight):
            x = F.conv1d(F.pad(x, (0, 1)), weight)
            return F.conv1d(F.pad(x, (1, 0)), weight)
        """,
        """
        def block(x, weight):
            x = F.conv1d(F.pad(x, (0, 1), value=0), weight)
            return F.conv1d(F.pad(x, (1, 0), value=0), weight)
        """,
    ),
    "several rows": Fixed(
        down("F.pad(\n            x,\n            (0, 1, 0, 1),  # as in TF\n        )"),
        down("F.pad(\n            x,\n            (0, 1, 0, 1), value=0,  # as in TF\n        )"),
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


def test_only_for_the_exporter_that_is_concerned() -> None:
    from padlint.config.selection import default_codes

    assert CODE in default_codes(frozenset({"onnx-legacy"}))
    assert CODE not in default_codes(frozenset({"onnx", "tensorrt"}))


def test_numbers() -> None:
    axes = only_finding(CODE, REPORTED["inside of the call"][0]).numbers["axes"]
    assert [(axis["axis"], axis["pads"]) for axis in axes] == [("height", [0, 1]), ("width", [0, 1])]


@pytest.mark.filterwarnings("ignore")
def test_onnx_runtime_folds_the_pad_after_the_fix(tmp_path: Path) -> None:
    for package in ("torch", "onnx", "onnxruntime"):
        pytest.importorskip(package)
    before = down("F.pad(x, (0, 1, 0, 1))")
    after = fix(before, options_for(CODE)).text
    assert [optimised(before, tmp_path), optimised(after, tmp_path)] == [["Pad", "Conv"], ["Conv"]]


def optimised(text: str, folder: Path) -> list[str]:
    """The operators of the module's graph, after ONNX Runtime's own optimisation."""
    import onnx
    import onnxruntime
    import torch

    namespace: dict[str, Any] = {}
    exec(text, namespace)
    paths = folder / "raw.onnx", folder / "optimised.onnx"
    torch.onnx.export(namespace["Down"]().eval(), (torch.zeros(1, 3, 16, 18),), paths[0], dynamo=False)
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(paths[1])
    options.log_severity_level = 3
    onnxruntime.InferenceSession(paths[0], options, providers=["CPUExecutionProvider"])
    return [
        node.op_type.removeprefix("Fused")
        for node in onnx.load(paths[1]).graph.node
        if "Pad" in node.op_type or "Conv" in node.op_type
    ]
