"""Computed pads in tf.nn, JAX and PyTorch: both sides run, and both exporters of PyTorch are asked."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from padlint.engine import fix
from padlint.options import Options
from tests.rewrites.test_runtime import OPTIONS

GEOMETRIES = ((3, 2, 1), (5, 2, 1), (4, 2, 1), (2, 4, 1), (3, 5, 1), (7, 3, 1), (3, 1, 2), (3, 3, 2))
"""Kernel, stride, dilation."""


def module(text: str, options: Options | None = None) -> dict[str, Any]:
    """The names of a source, after fixing it with options."""
    source = textwrap.dedent(text).lstrip("\n")
    if options is not None:
        fixed = fix(source, options, unsafe=True).text
        assert fixed != source
        source = fixed
    made = ModuleType("source")
    sys.modules["source"] = made  # dataclasses look there
    exec(compile(source, "source", "exec"), vars(made))
    return vars(made)


TF_NN = """
import tensorflow as tf


def conv1(x, k, s, d):
    return tf.nn.conv1d(x, tf.ones((3, 2, 4), tf.float64), 2, "SAME")


def conv2(x, k, s, d):
    w = tf.reshape(tf.range(k * k * 8, dtype=tf.float64), (k, k, 2, 4))
    return tf.nn.conv2d(x, w, [1, s, s, 1], "SAME", dilations=[1, d, d, 1])


def conv3(x, k, s, d):
    return tf.nn.conv3d(x, tf.ones((3, 2, 1, 2, 4), tf.float64), [1, 2, 3, 1, 1], "SAME")


def depthwise(x, k, s, d):
    w = tf.reshape(tf.range(k * k * 4, dtype=tf.float64), (k, k, 2, 2))
    return tf.nn.depthwise_conv2d(x, w, [1, s, s, 1], "SAME")


def pool(x, k, s, d):
    return tf.nn.max_pool2d(tf.nn.max_pool2d(x - 1, 3, 2, "SAME"), (3, 2), (2, 1), "SAME")
"""


def test_in_tensorflow() -> None:
    tf = pytest.importorskip("tensorflow")
    before, after = module(TF_NN), module(TF_NN, OPTIONS)
    rng = np.random.default_rng(0)
    for name, rank in {"conv1": 1, "conv2": 2, "conv3": 3, "depthwise": 2, "pool": 2}.items():
        open_shape = tf.TensorSpec((None, *(None,) * rank, 2), tf.float64)
        for k, s, d in GEOMETRIES if name in ("conv2", "depthwise") else GEOMETRIES[:1]:

            def run(x: Any, names: dict[str, Any], name: str = name, numbers: Any = (k, s, d)) -> Any:
                return names[name](x, *numbers)

            traced = tf.function(lambda x, run=run: run(x, after), input_signature=[open_shape])
            for n in range(1, 41 if (k, s, d) == (3, 2, 1) else 12):
                x = tf.constant(rng.standard_normal((1, *(n + i for i in range(rank)), 2)))
                old = run(x, before).numpy()
                for new in (run(x, after).numpy(), traced(x).numpy()):
                    assert old.shape == new.shape, (name, k, s, d, n)
                    assert np.abs(old - new).max() <= 1e-12 * max(np.abs(old).max(), 1)


JAX = """
import jax
import jax.numpy as jnp
from flax import linen as nn
from jax import lax


class Net(nn.Module):
    k: int = 3
    s: int = 2
    d: int = 1

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(4, (self.k, self.k), self.s, kernel_dilation=self.d, param_dtype=jnp.float64)(x)
        x = nn.avg_pool(x, (3, 2), (2, 3), "SAME")
        return nn.max_pool(x, (3, 3), (2, 2), "SAME")


def conv(x, k, s, d):
    w = jnp.arange(k * k * 4.0).reshape(k, k, 2, 2)
    return lax.conv_general_dilated(x, w, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def first(x, k, s, d):
    return lax.conv(x.transpose(0, 3, 1, 2), jnp.ones((2, 2, k, k)), (s, s), "SAME")
"""


def test_in_jax() -> None:
    jax = pytest.importorskip("jax")
    pytest.importorskip("flax")
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        before, after = module(JAX), module(JAX, OPTIONS)
        for k, s, d in GEOMETRIES:
            old, new = before["Net"](k, s, d), after["Net"](k, s, d)
            parameters = old.init(jax.random.key(0), np.zeros((1, 9, 9, 2)))
            for n in range(1, 2 * s + 6) if k == 3 else (1, 5, 8):
                x = jax.numpy.asarray(rng.standard_normal((1, n, n + 1, 2)))
                pairs = [(old.apply(parameters, x), new.apply(parameters, x))]
                pairs += [(before[name](x, k, s, d), after[name](x, k, s, d)) for name in ("conv", "first")]
                for left, right in pairs:
                    assert left.shape == right.shape
                    assert float(abs(left - right).max()) <= 1e-12 * max(float(abs(left).max()), 1)


TORCH = """
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, k, s=2, d=1):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, stride=2, padding="same")
        self.conv = nn.Conv2d(4, 4, k, stride=s, padding="same", dilation=d)
        self.weight = nn.Parameter(torch.ones(4, 4, 3, 3))

    def forward(self, x):
        x = self.conv(self.stem(x))
        return F.conv2d(x, self.weight, stride=2, padding="same")
"""


def tensorflow_same(x: Any, layer: Any, k: int, s: int, d: int) -> Any:
    """SAME, with the amounts by the formula of TensorFlow's documentation."""
    import torch

    pads: list[int] = []
    for n in reversed(x.shape[2:]):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        pads += [total // 2, total - total // 2]
    return torch.nn.functional.conv2d(torch.nn.functional.pad(x, pads), layer, stride=s, dilation=d)


def test_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    made = module(TORCH, OPTIONS)["Net"]
    for k, s, d in GEOMETRIES:
        net = made(k, s, d).double().eval()
        keys = ["weight", "stem.weight", "stem.bias", "conv.weight", "conv.bias"]
        assert list(net.state_dict()) == keys
        net.stem.bias = net.conv.bias = None
        for n in range(1, 41):
            x = torch.randn(1, 3, n, n + 1, dtype=torch.float64)
            expected = tensorflow_same(x, net.stem.weight, 3, 2, 1)
            expected = tensorflow_same(expected, net.conv.weight, k, s, d)
            expected = tensorflow_same(expected, net.weight, 3, 2, 1)
            assert torch.equal(net(x), expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dynamo", [True, False], ids=["dynamo", "torchscript"])
@pytest.mark.parametrize("geometry", [(3, 2, 1), (5, 3, 2), (2, 4, 1)], ids=str)
def test_exports_of_pytorch(dynamo: bool, geometry: tuple[int, int, int], tmp_path: Path) -> None:
    torch, runtime = pytest.importorskip("torch"), pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    net = module(TORCH, OPTIONS)["Net"](*geometry).eval()
    x, path = torch.randn(1, 3, 35, 38), str(tmp_path / "net.onnx")
    if dynamo:
        sizes = {2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}
        torch.onnx.export(net, (x,), path, dynamo=True, dynamic_shapes=(sizes,), verbose=False)
    else:
        axes = {"x": {2: "h", 3: "w"}}
        torch.onnx.export(net, (x,), path, dynamo=False, input_names=["x"], dynamic_axes=axes)
    session = runtime.InferenceSession(path)
    for height, width in ((35, 38), (36, 36), (37, 64), (48, 41), (64, 65), (33, 40)):
        x = torch.randn(1, 3, height, width)
        (actual,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
        expected = net(x).detach().numpy()
        assert actual.shape == expected.shape
        assert np.abs(actual - expected).max() <= 1e-5 * max(np.abs(expected).max(), 1)
