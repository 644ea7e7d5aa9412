"""Random sources: no crash, nothing lost, nothing left to fix after fixing. `tests.soak` tries many more."""

from __future__ import annotations

import time
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padlint.config.selection import default_codes
from padlint.options import Options
from tests.fuzz.invariants import complaints
from tests.soak import generated

OPTIONS = Options(codes=default_codes(frozenset()), unknown_size="runtime")

FOUND = {
    "a return outside a function": """
        import torch.nn as nn
        class Net(nn.Module):
            conv = nn.Conv2d(3, 8, 3, padding="same")
            return conv
        """,
    "a stride of a million": """
        import tensorflow as tf
        y = tf.nn.max_pool(tf.nn.conv2d(x, w, 1000003, "SAME"), 2, 1000003, "SAME")
        """,
    "a kernel of a million": """
        import tensorflow as tf
        y = tf.nn.avg_pool(tf.nn.max_pool(x, 1000003, 1, "SAME"), 1000003, 1000002, "SAME")
        """,
    "pads of a million": """
        import tensorflow as tf
        import torch.nn as nn
        import torch.nn.functional as F
        from keras import Input, layers
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.pad = nn.ZeroPad2d(1000003)
                self.conv = nn.Conv2d(3, 8, 3)
            def forward(self, x):
                return F.max_pool2d(F.pad(self.conv(self.pad(x)), (0, 1000003, 0, 1000003)), 3)
        y = tf.nn.conv2d(tf.pad(x, [[0, 0], [1000003, 1000003], [1000003, 1000003], [0, 0]]), w, 2, "VALID")
        y = layers.ZeroPadding2D(1000003)(Input((32, 32, 3)))
        y = layers.Conv2D(8, 3, strides=2, padding="same")(layers.Cropping2D(1000003)(y))
        m = nn.Sequential(nn.ZeroPad2d(1000003), nn.Conv2d(3, 8, 8192, 8192, 1000003, 8192))
        """,
    "rows that end in a carriage return below one that does not": """
        x = 1
        from torch import nn\rimport torch.nn.functional as F\rc = nn.Conv2d(3, 8, 3, 2, padding="same")(x)\r
        """,
    "ONNX strides that are none": """
        from onnx import helper
        a = helper.make_node("Conv", ["x", "w"], ["a"], kernel_shape=[3], strides=[-1], auto_pad="SAME_UPPER")
        b = helper.make_node("Conv", ["x", "w"], ["b"], kernel_shape=[3], strides=2, auto_pad="SAME_UPPER")
        c = helper.make_node("Conv", ["x", "w"], ["c"], kernel_shape=["3", 0], auto_pad="SAME_UPPER")
        """,
}
"""Sources that were mishandled once."""


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str) -> None:
    began = time.process_time()
    assert list(complaints(dedent(FOUND[name]).encode(), OPTIONS)) == []
    assert time.process_time() - began < 5


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_mutated_fixtures(seed: int) -> None:
    name, content, options = generated(seed, 0)
    assert list(complaints(content, options)) == [], f"python -m tests.soak --seed {seed} --only 0 ({name})"
