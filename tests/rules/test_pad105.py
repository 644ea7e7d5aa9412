from __future__ import annotations

import numpy as np
import pytest

from padlint.engine import fix
from tests.rules.table import assert_not_fixed, assert_reported, each, findings, options_for, source_of

CODE = "PAD105"
IMPORTS = "from onnx import helper\n"


def node(rest: str, op_type: str = "Conv") -> str:
    return f'{IMPORTS}n = helper.make_node("{op_type}", ["x", "w"], ["y"], {rest})\n'


SILENT = {
    "explicit pads": node("pads=[1, 1, 1, 1]"),
    "valid": node('auto_pad="VALID"'),
    "not set": node('auto_pad="NOTSET"'),
    "a node without the attribute": node('auto_pad="SAME_UPPER"', "Relu"),
    "another function of that name": "from mylib import helper\nhelper.make_node('Conv', auto_pad='SAME_UPPER')\n",
    "unknown word": node("auto_pad=word"),
    "unknown type": f"{IMPORTS}n = helper.make_node(kind, ['x'], ['y'], auto_pad='SAME_UPPER')\n",
}

REPORTED = {
    "upper": (node('auto_pad="SAME_UPPER"'), "Conv with auto_pad=SAME_UPPER", "after the input"),
    "lower": (node('auto_pad="SAME_LOWER"'), "before the input", "TensorFlow's SAME is SAME_UPPER"),
    "pool": (node('kernel_shape=[2, 2], auto_pad="SAME_UPPER"', "AveragePool"), "AveragePool"),
}

NOT_FIXED = {
    "kernel in the weight": (node('auto_pad="SAME_UPPER"'), "not written as numbers"),
    "pads by size": (
        node('kernel_shape=[3], strides=[2], auto_pad="SAME_UPPER"'),
        "depend on the input size",
    ),
    "transposed": (
        node('kernel_shape=[4], auto_pad="SAME_UPPER"', "ConvTranspose"),
        "depend on the input size",
    ),
    "ranks differ": (node('kernel_shape=[3, 3], strides=[1], auto_pad="SAME_UPPER"'), "do not fit"),
    "more attributes": (node('kernel_shape=[3, 3], auto_pad="SAME_UPPER", **more'), "not written as numbers"),
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


@pytest.mark.parametrize("word", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize(
    ("op_type", "kernel", "stride"), [("Conv", 3, 1), ("Conv", 2, 1), ("Conv", 4, 2), ("MaxPool", 2, 1)]
)
def test_onnxruntime_computes_the_same(word: str, op_type: str, kernel: int, stride: int) -> None:
    text = (
        f"{IMPORTS}n = helper.make_node('{op_type}', {['x', 'w'][: 2 if op_type == 'Conv' else 1]}, ['y'], "
        f"kernel_shape=[{kernel}, {kernel}], strides=[{stride}, {stride}], auto_pad='{word}')\n"
    )
    if word == "SAME_LOWER" and stride == 2:
        pytest.skip("the odd element in front: no pads are the same at every size")
    fixed = fix(source_of(text), options_for(CODE), unsafe=True).text
    assert "pads=[" in fixed
    for size in ((9, 12), (8, 7)):
        np.testing.assert_array_equal(run(text, size, kernel), run(fixed, size, kernel))


def run(text: str, size: tuple[int, int], kernel: int) -> np.ndarray:
    onnx = pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    names: dict[str, object] = {}
    exec(text, names)  # a node of this test's own
    value = onnx.helper.make_tensor_value_info
    random = np.random.default_rng(0)
    x = random.integers(-9, 9, (1, 2, *size)).astype(np.float32)
    w = onnx.numpy_helper.from_array(random.integers(-9, 9, (3, 2, kernel, kernel)).astype(np.float32), "w")
    graph = onnx.helper.make_graph(
        [names["n"]],
        "g",
        [value("x", onnx.TensorProto.FLOAT, x.shape)],
        [value("y", onnx.TensorProto.FLOAT, None)],
        [w],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (y,) = session.run(None, {"x": x})
    return np.asarray(y)
