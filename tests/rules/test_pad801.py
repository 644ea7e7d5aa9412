from __future__ import annotations

import re

import numpy as np
import pytest

from padlint.findings import Severity
from tests.rules.table import each, findings, only_finding

CODE = "PAD801"
BOTH = {"targets": frozenset({"keras", "torch"})}

SILENT = {
    "SAME at stride 1": "c = layers.Conv2D(8, 4, padding='same')",
    "symmetric at the known size": (
        "c = layers.Conv2D(8, 3, strides=2, padding='same')(keras.Input((31, 31, 3)))"
    ),
    "kernel 1": "c = layers.Conv2D(8, 1, strides=2, padding='same')",
    "valid": "c = layers.Conv2D(8, 3, strides=2)",
    "separable": "c = layers.SeparableConv2D(8, 3, strides=2, padding='same')",
    "transposed SAME, k - s even": "c = layers.Conv2DTranspose(8, 4, strides=2, padding='same')",
    "transposed SAME, k < s": "c = layers.Conv2DTranspose(8, 2, strides=3, padding='same')",
    "transposed valid": "c = layers.Conv2DTranspose(8, 3, strides=2)",
    "unknown kernel": "c = layers.Conv2D(8, k, strides=2, padding='same')",
    "unknown stride": "c = layers.Conv2D(8, 3, strides=s, padding='same')",
    "torch without padding": "c = nn.Conv2d(3, 8, 3, stride=2)",
    "torch, SAME at stride 1": "c = nn.Conv2d(3, 8, 5, dilation=2, padding=4)",
    "torch same": "c = nn.Conv2d(3, 8, 4, padding='same')",
    "torch, unknown padding": "c = nn.Conv2d(3, 8, 3, stride=2, padding=p)",
    "torch, a mode without padding": "c = nn.Conv2d(3, 8, 3, padding_mode='reflect')",
    "torch, stride and dilation": "c = nn.Conv2d(3, 8, 3, stride=2, dilation=2, padding=2)",
    "torch, transposed SAME": "c = nn.ConvTranspose2d(3, 8, 4, 2, padding=1)",
    "torch, transposed valid": "c = nn.ConvTranspose2d(3, 8, 2, 2)",
    "torch, outputs that no input reaches": "c = nn.ConvTranspose2d(3, 8, 3, 2, output_padding=1)",
    "mean of real elements": "c = nn.AvgPool2d(3, 1, padding=1, count_include_pad=False)",
    "ceil_mode": "c = nn.AvgPool2d(3, 2, padding=1, ceil_mode=True)",
    "max pool, SAME at stride 1": "c = nn.MaxPool2d(3, 1, padding=1)",
    "a symmetric pad in front": "c = layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(1)(x))",
    "a shift in front": "c = layers.Conv2D(8, 3)(layers.ZeroPadding2D(((-1, 1), (-1, 1)))(x))",
    "another pad in front of a second call": """
        def both(x, y):
            c = layers.Conv2D(8, 3, strides=2)
            return c(layers.ZeroPadding2D(((0, 1), (0, 1)))(x)) + c(y)
        """,
    "something between pad and convolution": """
        c = keras.Sequential(
            [layers.ZeroPadding2D(((0, 1), (0, 1))), layers.BatchNormalization(), layers.Conv2D(8, 3, strides=2)]
        )
        """,
    "an own class": "c = Conv2d(3, 8, 3, stride=2, padding=1)",
}

REPORTED = {
    "SAME at a known size": (
        "c = layers.Conv2D(8, 3, strides=2, padding='same')(keras.Input((224, 224, 3)))",
        "F.pad(x, (0, 1, 0, 1)) for 224 (Input, line 8), then nn.Conv2d(..., stride=2, padding=0)",
    ),
    "SAME at any size": (
        "c = layers.DepthwiseConv2D(3, strides=2, padding='same')",
        "F.pad(x, ...) by the input size (even: (0, 1), odd: (1, 1)), then nn.Conv2d(..., stride=2, padding=0)",
    ),
    "SAME of an even kernel": (
        "c = layers.Conv2D(8, 4, strides=2, padding='same')",
        "PyTorch: F.pad(x, (1, 2, 1, 2)), then nn.Conv2d(..., stride=2, padding=0)",
    ),
    "a pad of unequal sides in front": (
        "c = layers.Conv2D(8, 3, strides=2)(layers.ZeroPadding2D(((0, 1), (2, 1)))(x))",
        "PyTorch: F.pad(x, (2, 1, 0, 1)) for layers.ZeroPadding2D, then nn.Conv2d(..., stride=2, padding=0)",
    ),
    "a pad function in front": (
        "c = tf.nn.conv2d(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]]), tf.ones([3, 3, 2, 8]), 2, 'VALID')",
        "F.pad(x, (0, 1, 0, 1)) for tf.pad, then nn.Conv2d(..., stride=2, padding=0)",
    ),
    "causal": (
        "c = layers.Conv1D(8, 3, dilation_rate=2, padding='causal')",
        "F.pad(x, (4, 0)), then nn.Conv1d(..., dilation=2, padding=0)",
    ),
    "transposed SAME": (
        "c = layers.Conv2DTranspose(8, 3, strides=2, padding='same')",
        "nn.ConvTranspose2d(..., stride=2, padding=0)(x)[..., :-1, :-1]",
    ),
    "transposed SAME, cropped at both ends": (
        "c = layers.Conv2DTranspose(8, 5, strides=2, padding='same')",
        "(x)[..., 1:-2, 1:-2]",
    ),
    "padding": (
        "c = nn.Conv2d(3, 8, 3, stride=2, padding=1)",
        "nn.Conv2d has no equivalent in one call of Keras: ZeroPadding2D(((1, 1), (1, 1))), then "
        'Conv2D(..., strides=2, padding="valid")',
    ),
    "SAME at some sizes": (
        "c = nn.Conv2d(3, 8, 4, stride=2, padding=1)",
        'Conv2D(..., strides=2, padding="valid"); at even sizes padding="same" does it alone',
    ),
    "a pool, SAME at some sizes": (
        "c = nn.MaxPool2d(3, 2, padding=1)",
        'MaxPooling2D(3, 2, padding="valid"); at odd sizes padding="same" does it alone',
    ),
    "SAME at one size in three": (
        "c = nn.Conv2d(3, 8, 5, stride=3, padding=1)",
        'padding="valid"); where n % 3 == 0 padding="same" does it alone',
    ),
    "padding per axis": (
        "c = nn.Conv2d(3, 8, (3, 1), padding=(1, 1), dilation=(1, 2))",
        'Conv2D(..., dilation_rate=(1, 2), padding="valid")',
    ),
    "one axis": ("c = nn.Conv1d(3, 8, 3, 2, 1)", "ZeroPadding1D((1, 1)), then Conv1D(..., strides=2"),
    "reflected": (
        "c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect')",
        'keras.ops.pad(x, ..., mode="reflect") by (1, 1), then Conv2D(..., padding="valid")',
    ),
    "replicated": ("c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='replicate')", "clipped indices"),
    "circular": ("c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='circular')", "concatenated by hand"),
    "mean of padded elements": (
        "c = nn.AvgPool2d(3, 2, padding=1)",
        'ZeroPadding2D(((1, 1), (1, 1))), then AveragePooling2D(3, 2, padding="valid")',
    ),
    "max pool": (
        "c = nn.MaxPool2d(3, 2, padding=1)",
        'constant_values=float("-inf")) by (1, 1), then MaxPooling2D(3, 2, padding="valid")',
    ),
    "cropped transposed": (
        "c = nn.ConvTranspose2d(3, 8, 3, 2, padding=1, output_padding=1)",
        'Conv2DTranspose(..., strides=2, padding="valid"), then Cropping2D(((1, 0), (1, 0)))',
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row, BOTH) == []


@each(REPORTED)
def test_reported(row: tuple[str, str]) -> None:
    text, part = row
    finding = only_finding(CODE, text, BOTH)
    assert part in finding.message
    assert finding.severity is Severity.INFO


@each(REPORTED)
def test_only_for_the_target(row: tuple[str, str]) -> None:
    text, _ = row
    target = "keras" if "= nn." in text else "torch"
    other = {"keras": "torch", "torch": "keras"}[target]
    assert findings(CODE, text, {"targets": frozenset({other})}) == []
    assert only_finding(CODE, text, {"targets": frozenset({target})}).numbers["others"] == {"target": target}


@pytest.mark.parametrize("targets", [(), ("onnx",)])
def test_selected_without_a_target_it_looks_at_both(targets: tuple[str, ...]) -> None:
    for text, _ in REPORTED.values():
        assert findings(CODE, text, {"targets": frozenset(targets)}) == findings(CODE, text, BOTH)


# The code of the message runs: x is (1, 2, n, n) in PyTorch, and its channels are last in Keras.
IN_KERAS = [
    "nn.Conv2d(2, 3, 3, stride=2, padding=1)",
    "nn.Conv2d(2, 3, 5, stride=3, padding=(1, 2))",
    "nn.Conv2d(2, 3, 3, padding=2)",
    "nn.ConvTranspose2d(2, 3, 3, 2, padding=1, output_padding=1)",
    "nn.ConvTranspose2d(2, 3, 5, 2, padding=2)",
    "nn.AvgPool2d(3, 2, padding=1)",
]
IN_TORCH = [
    "layers.Conv2D(3, 4, strides=2, padding='same')",
    "layers.Conv2D(3, 2, strides=2, padding='same', dilation_rate=1)(keras.Input((9, 9, 2)))",
    "layers.Conv2DTranspose(3, 3, strides=2, padding='same')",
    "layers.Conv2DTranspose(3, 5, strides=2, padding='same')",
    "layers.Conv2DTranspose(3, 4, strides=3, padding='same')",
]


@pytest.mark.parametrize("call", IN_KERAS)
@pytest.mark.parametrize("n", [8, 9])
def test_the_code_for_keras_computes_the_same(call: str, n: int) -> None:
    keras, torch = pytest.importorskip("keras"), pytest.importorskip("torch")
    code = only_finding(CODE, f"c = {call}", BOTH).message.partition("Keras: ")[2].partition("; ")[0]
    here = eval(call, {"nn": torch.nn})
    steps = [
        eval(f"layers.{re.sub(r'[.]{3}', f'3, {_kernel(call)}', step)}", {"layers": keras.layers})
        for step in code.split(", then ")
    ]
    x = np.random.default_rng(0).standard_normal((1, 2, n, n)).astype("float32")
    y = x.transpose(0, 2, 3, 1)
    for step in steps:
        step.build(y.shape)
        if step.weights:
            kernel = here.weight.detach().numpy()
            step.set_weights([kernel.transpose(2, 3, 1, 0), here.bias.detach().numpy()])
        y = np.asarray(step(y))
    expected = here(torch.from_numpy(x)).detach().numpy()
    assert np.allclose(y.transpose(0, 3, 1, 2), expected, atol=1e-5)


@pytest.mark.parametrize("call", IN_TORCH)
@pytest.mark.parametrize("n", [8, 9])
def test_the_code_for_torch_computes_the_same(call: str, n: int) -> None:
    keras, torch = pytest.importorskip("keras"), pytest.importorskip("torch")
    layer = call.partition(")(")[0] + ")" * (")(" in call)
    code = re.sub(r" for 9 .*?, then", ", then", _torch_code(call))
    here = eval(layer, {"layers": keras.layers})
    here.build((1, n, n, 2))
    kernel, bias = (torch.from_numpy(np.array(weight)) for weight in here.get_weights())
    x = torch.from_numpy(np.random.default_rng(0).standard_normal((1, 2, n, n)).astype("float32"))
    names = {"x": x, "F": torch.nn.functional}
    *pads, conv = code.split(", then ")
    for pad in pads:
        names["x"] = eval(pad, names)
    name = "conv_transpose2d" if "Transpose" in conv else "conv2d"
    call_text, _, crop = conv.partition("(x)")
    options = call_text.partition("..., ")[2]
    names |= {"w": kernel.permute(3, 2, 0, 1), "b": bias}
    y = eval(f"F.{name}(x, w, b, {options}{crop}", names)
    expected = np.asarray(here(x.numpy().transpose(0, 2, 3, 1))).transpose(0, 3, 1, 2)
    assert y.shape == expected.shape
    assert np.allclose(y.numpy(), expected, atol=1e-5)


def _torch_code(call: str) -> str:
    return only_finding(CODE, f"c = {call}", BOTH).message.partition("PyTorch: ")[2]


def _kernel(call: str) -> str:
    found = re.match(r"nn\.\w+\(2, 3, (\d)", call)
    return found[1] if found else ""
