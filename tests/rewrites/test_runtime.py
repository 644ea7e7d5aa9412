"""Pads that are computed at call time: what is written, where, and once."""

from __future__ import annotations

import ast
import textwrap
from itertools import product
from typing import Any

import pytest

from padlint.config.selection import default_codes
from padlint.engine import check, fix
from padlint.findings import Applicability
from padlint.geometry import same_padding
from padlint.options import Options
from padlint.rewrites import helpers
from padlint.verify import LayerProver

OPTIONS = Options(codes=default_codes(frozenset()), unknown_size="runtime")
IMPORTS = {
    "keras": "import keras\nfrom keras import layers\n",
    "tf": "import tensorflow as tf\n",
    "torch": "from torch import nn\nfrom torch.nn import functional as F\n",
    "flax": "import jax.numpy as jnp\nfrom flax import linen as nn\n",
    "jax": "import jax\nfrom jax import lax\n",
    "haiku": "import haiku as hk\nimport jax.numpy as jnp\n",
    "slim": "import tensorflow as tf\nimport tf_slim as slim\n",
}

# -- what is written at a call: framework, source, the source after without the definition

FIXED = {
    "Keras, two rows": (
        "keras",
        """
        def f(x):
            y = layers.Conv2D(8, 3, strides=2, padding="same")(x)
            return layers.Conv2D(8, 1, strides=2, padding="same")(y)
        """,
        """
        def f(x):
            y = SamePadding(3, 2)(x)
            y = layers.Conv2D(8, 3, strides=2, padding="valid")(y)
            return layers.Conv2D(8, 1, strides=2, padding="same")(y)
        """,
    ),
    "Keras, an expression": (
        "keras",
        """
        def f(x):
            return layers.Conv1D(8, 3, 2, "SAME")(g(x))
        """,
        """
        def f(x):
            return layers.Conv1D(8, 3, 2, "VALID")(SamePadding(3, 2)(g(x)))
        """,
    ),
    "Keras, numbers per axis": (
        "keras",
        """
        F = "channels_first"

        def f(x):
            return layers.DepthwiseConv2D((3, 5), 2, "same", dilation_rate=2, data_format=F)(x)
        """,
        """
        F = "channels_first"

        def f(x):
            return layers.DepthwiseConv2D((3, 5), 2, "valid", dilation_rate=2, data_format=F)("""
        """SamePadding((3, 5), 2, dilation_rate=2, data_format=F)(x))
        """,
    ),
    "Keras, what a configuration says": (
        "keras",
        """
        def f(x, args, kernel=3, strides=1):
            x = layers.Conv2D(8, kernel_size=kernel, strides=strides, padding="same")(x)
            return layers.Conv2D(8, args["k"], (args["s"], 2 * args["s"]), padding="same")(x)
        """,
        """
        def f(x, args, kernel=3, strides=1):
            x = SamePadding(kernel, strides)(x)
            x = layers.Conv2D(8, kernel_size=kernel, strides=strides, padding="valid")(x)
            return layers.Conv2D(8, args["k"], (args["s"], 2 * args["s"]), padding="valid")("""
        """SamePadding(args["k"], (args["s"], 2 * args["s"]))(x))
        """,
    ),
    "Keras, the global layout": (
        "keras",
        """
        def f(x, s):
            layout = keras.backend.image_data_format()
            x = layers.Conv2D(8, 3, s, "same", data_format=layout)(x)
            x = layers.Conv2D(8, 3, 2, "same", data_format=keras.backend.image_data_format())(x)
            return x
        """,
        """
        def f(x, s):
            layout = keras.backend.image_data_format()
            x = SamePadding(3, s, data_format=layout)(x)
            x = layers.Conv2D(8, 3, s, "valid", data_format=layout)(x)
            x = SamePadding(3, 2, data_format=keras.backend.image_data_format())(x)
            x = layers.Conv2D(8, 3, 2, "valid", data_format=keras.backend.image_data_format())(x)
            return x
        """,
    ),
    "Keras, an attribute": (
        "keras",
        """
        class Net(keras.Model):
            def __init__(self, s):
                super().__init__()
                self.s = s
                self.conv = layers.Conv2D(8, 3, strides=self.s, padding="same")

            def call(self, x):
                return self.conv(self.conv(x))
        """,
        """
        class Net(keras.Model):
            def __init__(self, s):
                super().__init__()
                self.s = s
                self.conv_pad = SamePadding(3, self.s)
                self.conv = layers.Conv2D(8, 3, strides=self.s, padding="valid")

            def call(self, x):
                return self.conv(self.conv_pad(self.conv(self.conv_pad(x))))
        """,
    ),
    "Keras, a local name": (
        "keras",
        """
        def f(x, s):
            conv = layers.Conv2D(8, 3, strides=s, padding="same")
            return conv(x)
        """,
        """
        def f(x, s):
            conv = layers.Conv2D(8, 3, strides=s, padding="valid")
            return conv(SamePadding(3, s)(x))
        """,
    ),
    "Keras, a Sequential": (
        "keras",
        """
        def f(model):
            model.add(layers.Conv2D(8, 3, strides=2, padding="same", input_shape=(None, None, 3)))
            return keras.Sequential([layers.Conv2D(8, 3, strides=2, padding="same")])
        """,
        """
        def f(model):
            model.add(SamePadding(3, 2, input_shape=(None, None, 3)))
            model.add(layers.Conv2D(8, 3, strides=2, padding="valid"))
            return keras.Sequential([SamePadding(3, 2), layers.Conv2D(8, 3, strides=2, padding="valid")])
        """,
    ),
    "Keras, pools": (
        "keras",
        """
        def f(x):
            x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
            x = layers.ReLU()(x)
            x = layers.MaxPooling2D((2, 3), padding="same")(x)
            return x
        """,
        """
        def f(x):
            x = SamePadding(3, 2, value=float("-inf"))(x)
            x = layers.MaxPooling2D(3, strides=2, padding="valid")(x)
            x = layers.ReLU()(x)
            x = SamePadding((2, 3), (2, 3))(x)
            x = layers.MaxPooling2D((2, 3), padding="valid")(x)
            return x
        """,
    ),
    "tf.nn": (
        "tf",
        """
        def f(x, w, s):
            x = tf.nn.conv2d(x, w, [1, s, s, 1], "SAME")
            x = tf.nn.conv2d(x, w, 2, "SAME", "NCHW")
            x = tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], padding="SAME")
            return tf.nn.max_pool2d(x, 3, 2, "SAME")
        """,
        """
        def f(x, w, s):
            x = tf.nn.conv2d(pad_same(x, w.shape[:2], (s, s)), w, [1, s, s, 1], "VALID")
            x = tf.nn.conv2d(pad_same(x, w.shape[:2], 2, channels_last=False), w, 2, "VALID", "NCHW")
            x = tf.nn.depthwise_conv2d(pad_same(x, w.shape[:2], 2), w, [1, 2, 2, 1], padding="VALID")
            return tf.nn.max_pool2d(pad_same(x, (3, 3), 2, value=float("-inf")), 3, 2, "VALID")
        """,
    ),
    "slim": (
        "slim",
        """
        def f(x):
            return slim.conv2d(x, 8, [3, 3], stride=2)
        """,
        """
        def f(x):
            return slim.conv2d(pad_same(x, (3, 3), 2), 8, [3, 3], stride=2, padding="VALID")
        """,
    ),
    "PyTorch": (
        "torch",
        """
        class Net(nn.Module):
            def __init__(self, k, s=2):
                super().__init__()
                self.stem = nn.Conv2d(3, 8, 3, stride=2, padding="same")
                self.conv = nn.Conv2d(8, 8, k, stride=s, padding="same")

            def forward(self, x, w):
                x = self.conv(self.stem(x))
                return F.conv2d(x, w, stride=2, padding="same")
        """,
        """
        class Net(nn.Module):
            def __init__(self, k, s=2):
                super().__init__()
                self.stem = nn.Conv2d(3, 8, 3, stride=2, padding=0)
                self.conv = nn.Conv2d(8, 8, k, stride=s, padding=0)

            def forward(self, x, w):
                x = self.conv(pad_same(self.stem(pad_same(x, (3, 3), 2)), """
        """self.conv.kernel_size, self.conv.stride, self.conv.dilation))
                return F.conv2d(pad_same(x, w.shape[2:], 2), w, stride=2, padding=0)
        """,
    ),
    "Flax": (
        "flax",
        """
        class Net(nn.Module):
            s: int = 2

            @nn.compact
            def __call__(self, x):
                x = nn.Conv(8, (3, 3), strides=self.s)(x)
                x = nn.avg_pool(x, (3, 3), (2, 2), padding="SAME")
                return nn.max_pool(x, (3, 3), (2, 2), "SAME")
        """,
        """
        class Net(nn.Module):
            s: int = 2

            @nn.compact
            def __call__(self, x):
                x = nn.Conv(8, (3, 3), strides=self.s, padding="VALID")(pad_same(x, (3, 3), self.s or 1))
                x = nn.avg_pool(pad_same(x, (3, 3), 2), (3, 3), (2, 2), padding="VALID")
                return nn.max_pool(pad_same(x, (3, 3), 2, value=float("-inf")), (3, 3), (2, 2), "VALID")
        """,
    ),
    "JAX": (
        "jax",
        """
        def f(x, w):
            x = lax.conv(x, w, (2, 2), "SAME")
            return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        """,
        """
        def f(x, w):
            x = lax.conv(pad_same(x, w.shape[2:], 2, channels_last=False), w, (2, 2), "VALID")
            return lax.conv_general_dilated(pad_same(x, w.shape[:-2], 2), w, (2, 2), "VALID", """
        """dimension_numbers=("NHWC", "HWIO", "NHWC"))
        """,
    ),
    "Haiku": (
        "haiku",
        """
        def f(x):
            return hk.Conv2D(8, 3, stride=2)(x)
        """,
        """
        def f(x):
            return hk.Conv2D(8, 3, stride=2, padding="VALID")(pad_same(x, (3, 3), 2))
        """,
    ),
}

NOT_FIXED = {
    "a mean": (
        "keras",
        "y = layers.AveragePooling2D(3, 2, padding='same')(x)",
        "its mean leaves the pad out",
    ),
    "handed on": (
        "keras",
        "y = layers.TimeDistributed(layers.Conv2D(8, 3, 2, padding='same'))(x)",
        "it is an argument of another call",
    ),
    "arguments of a caller": (
        "keras",
        "def f(x, s=2, *args):\n    return layers.Conv2D(8, *args, strides=s, padding='same')(x)",
        "",
    ),
    "a stride that is drawn": (
        "keras",
        "def f(x, s=2):\n    return layers.Conv2D(8, 3, g() if s else 2, padding='same')(x)",
        "its stride is computed in a way that a second time may not repeat",
    ),
    "a stride that changes": (
        "keras",
        "def f(x, s=2):\n    conv = layers.Conv2D(8, 3, s, padding='same')\n    s = 1\n    return conv(x)",
        "s may have another value where the layer is applied",
    ),
    "an unknown layout": (
        "tf",
        "def f(x, w, d):\n    return tf.nn.conv2d(x, w, 2, 'SAME', data_format=d)",
        "the axes to be padded depend on it",
    ),
    "a stride of a list": (
        "tf",
        "def f(x, w, s=(1, 2, 2, 1)):\n    return tf.nn.conv2d(x, w, s, 'SAME')",
        "its stride may hold entries for the batch and the channels",
    ),
    "a weight that is made in the call": (
        "tf",
        "def f(x):\n    return tf.nn.conv2d(x, weight(), 2, 'SAME')",
        "the kernel size is in the shape of the weight, which is computed in the call",
    ),
    "positions": (
        "tf",
        "y = tf.nn.max_pool_with_argmax(x, 3, 2, 'SAME')",
        "it returns positions",
    ),
    "int8": (
        "tf",
        "c.representative_dataset = samples\n\ndef f(x):\n    return tf.nn.max_pool2d(x, 3, 2, 'SAME')",
        "8 bits",
    ),
    "another mode": (
        "torch",
        "class N(nn.Module):\n    def __init__(self, m):\n        super().__init__()\n"
        "        self.c = nn.Conv2d(3, 8, 2, 3, 'same', padding_mode=m)\n\n"
        "    def forward(self, x):\n        return self.c(x)",
        "padding_mode is not zeros",
    ),
    "Keras or tf.keras": (
        "",
        "try:\n    import keras\nexcept ImportError:\n    from tensorflow import keras\n\n"
        "y = keras.layers.Conv2D(8, 3, 2, padding='same')(x)",
        "which Keras it is from",
    ),
    "imports inside": (
        "",
        "import os\n\ndef f(x):\n    from keras import layers\n"
        "    return layers.Conv2D(8, 3, 2, padding='same')(x)",
        "the module itself imports nothing of the framework",
    ),
    "a function of keras.ops": (
        "keras",
        "y = keras.ops.conv(x, w, 2, 'same')",
        "",
    ),
}

SILENT = {
    "stride 1": "y = layers.Conv2D(8, 3, padding='same')(x)",
    "kernel 1": "def f(x, s):\n    return layers.Conv2D(8, 1, s, padding='same')(x)",
    "valid where strided": (
        "def f(x, s):\n    return layers.Conv2D(8, 3, s, padding='same' if s == 1 else 'valid')(x)"
    ),
    "the branch for stride 1": (
        "def f(x, s):\n    if s == 1:\n        return layers.Conv2D(8, 3, strides=s, padding='same')(x)"
    ),
    "an open stride of what is handed on": "def f(s):\n    return layers.Conv2D(8, 3, s, padding='same')",
    "an open padding": "def f(x, s, p):\n    return layers.Conv2D(8, 3, s, p)(x)",
}


def dedent(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def without_definition(text: str) -> str:
    """A source without the helpers, and without white space around what is left."""
    lines = text.splitlines(keepends=True)
    spans = [
        (min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1, node.end_lineno)
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in ("SamePadding", "pad_same")
    ]
    assert len(spans) == 1
    ((start, end),) = spans
    return "".join(lines[:start]).rstrip() + "\n\n" + "".join(lines[end:]).lstrip()


@pytest.mark.parametrize("row", FIXED.values(), ids=FIXED)
def test_fixed(row: tuple[str, str, str], prover: LayerProver) -> None:
    framework, before, after = row
    source = IMPORTS[framework] + "\n" + dedent(before)
    findings = [finding for finding in check(source, OPTIONS) if finding.fix is not None]
    assert {finding.fix.applicability for finding in findings if finding.fix} == {Applicability.UNSAFE}
    done = fix(source, OPTIONS, unsafe=True, prover=prover)
    assert not done.refuted
    assert without_definition(done.text) == IMPORTS[framework] + "\n" + dedent(after)
    assert fix(done.text, OPTIONS, unsafe=True).text == done.text
    assert fix(source, OPTIONS).text == source
    assert fix(source, Options(codes=OPTIONS.codes), unsafe=True).text == source or framework == "torch"
    proofs = prover([finding.fix.layer for finding in findings if finding.fix and finding.fix.layer])
    expected = "equal" if framework in ("keras", "tf") else "no reference"
    assert {proof.result for proof in proofs} == {expected}


@pytest.mark.parametrize("row", NOT_FIXED.values(), ids=NOT_FIXED)
def test_not_fixed(row: tuple[str, str, str]) -> None:
    framework, text, reason = row
    source = f"{IMPORTS.get(framework, '')}\n{text}\n"
    (finding,) = check(source, OPTIONS) if reason else [None]
    assert finding is None or reason in (finding.no_fix_reason or "nothing: there is a fix")
    assert fix(source, OPTIONS, unsafe=True).text == source


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_silent(text: str) -> None:
    assert check(f"{IMPORTS['keras']}\n{text}\n", OPTIONS) == []


# -- the definition

HEADS = {
    "a future import": '"""Doc."""\nfrom __future__ import annotations\nfrom keras import layers\n',
    "no blank row": "#!/usr/bin/env python\nfrom keras import layers\nK = 3\n",
    "several rows": "from keras.layers import (\n    Conv2D,\n    ReLU,\n)\nimport keras.layers as layers\n",
    "try": "try:\n    import torch\nexcept ImportError:\n    torch = None\nfrom keras import layers\n",
    "aliases": "import keras as K\nlayers = K.layers\n\n\n",
    "star": "from keras.layers import *\nfrom keras import *\nimport keras.layers as layers\n",
    "tf.keras": "from tensorflow.keras import layers\n",
    "tf": "import tensorflow as tf\n\nlayers = tf.keras.layers\n",
    "tf_keras": "from tf_keras import layers\n",
    "Keras 2": "import tensorflow as tf\nfrom keras import layers\nfrom keras.engine import topology\n",
    "inside Keras": "from keras.src import layers\n",
    "Windows": "from keras import layers\r\nimport os\r\n",
    "semicolons": "import os; from keras import layers; K = (\n    3)\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_the_definition_stands_behind_the_imports(head: str) -> None:
    end = "\r\n" if "\r" in head else "\n"
    body = ["def f(x):", "    return layers.Conv2D(8, 3, 2, padding='same')(x)"]
    source = head + end.join(body) + end
    done = fix(source, OPTIONS, unsafe=True)
    assert done.text.count("class SamePadding") == 1
    compile(done.text, "source", "exec")  # __future__ imports stay first
    if "\r" in head:
        assert "\n" not in done.text.replace("\r\n", "")
    again = fix(done.text + end + end.join(body).replace("f(", "g(") + end, OPTIONS, unsafe=True)
    assert again.text.count("class SamePadding") == 1


def test_a_file_of_one_row() -> None:
    source = "from keras import layers; y = layers.Conv2D(8, 3, 2, padding='same')(x)"
    assert fix(source, OPTIONS, unsafe=True).text == source


def test_several_fixes_share_a_definition_and_imports() -> None:
    calls = "".join(f"    x = layers.Conv2D(8, {k}, 2, padding='same')(x)\n" for k in (3, 5, 7))
    done = fix(f"from keras import layers\n\n\ndef f(x):\n{calls}    return x\n", OPTIONS, unsafe=True)
    assert len(done.applied) == 3
    assert done.text.count("class SamePadding") == 1
    assert done.text.count("import keras\n") == 1


def test_a_formatted_definition_is_recognised() -> None:
    source = "from keras import layers\n\n\ndef f(x):\n    return layers.Conv2D(8, 3, 2, padding='same')(x)\n"
    once = fix(source, OPTIONS, unsafe=True).text
    formatted = once.replace("strides=1, dilation_rate=1,", "\n    strides=1,  # note\n    dilation_rate=1,")
    again = formatted + source.partition("\n\n\n")[2].replace("f(", "g(")
    done = fix(again, OPTIONS, unsafe=True).text
    assert done.count("class SamePadding") == 1
    assert "_2" not in done


def test_a_name_that_is_taken() -> None:
    source = (
        "from keras import layers\n\n\nclass SamePadding:\n    pass\n\n\n"
        "def f(x):\n    return layers.Conv2D(8, 3, 2, padding='same')(x)\n"
    )
    done = fix(source, OPTIONS, unsafe=True).text
    assert "class SamePadding_2(layers.Layer)" in done
    assert "(SamePadding_2(3, 2)(x))" in done


def test_frameworks_have_definitions_of_their_own() -> None:
    source = (
        "import jax\nimport tensorflow as tf\nfrom flax import linen as nn\n\n\n"
        "def f(x, w):\n    return tf.nn.conv2d(x, w, 2, 'SAME')\n\n\n"
        "def g(x):\n    return nn.max_pool(x, (3, 3), (2, 2), 'SAME')\n"
    )
    done = fix(source, OPTIONS, unsafe=True).text
    assert "tf.nn.conv2d(pad_same" in done
    assert "tf.pad(x, pads" in done
    assert "jax.numpy.pad(x, pads" in done
    assert fix(done, OPTIONS, unsafe=True).text == done


# -- the arithmetic


def test_the_amounts_are_those_of_same() -> None:
    written: dict[str, Any] = {"pad": lambda x, pads, value: pads}
    exec(helpers.TORCH.written("pad_same", {"pad": "pad"}), written)
    tensor: Any = type("Tensor", (), {})
    for k in range(1, 9):
        for s in range(1, 8):
            for d in range(1, 4):
                for n in range(1, 2 * s + k * d):
                    tensor.shape = (1, 1, n)
                    assert tuple(written["pad_same"](tensor, (k,), s, d)) == same_padding(n, k, s, d)


def test_every_helper_has_the_same_arithmetic() -> None:
    line = "total = total * (1 - (over + s - reach) // s)\n"
    assert all(line in helper.text for helper in helpers.ALL if helper is not helpers.SAME_PADS)


def test_amounts_of_numbers_alone() -> None:
    written: dict[str, Any] = {}
    exec(helpers.SAME_PADS.written("same_pads", {}), written)
    for k, s, d, over in product(range(1, 9), range(1, 8), range(1, 4), range(3)):
        pads = same_padding(5 * s + over, k, s, d)
        assert written["same_pads"](1, k, s, d, over) == [pads]
        assert written["same_pads"](2, (k, 3), (s, 1), (d, 1), (over, 0)) == [pads, (1, 1)]
