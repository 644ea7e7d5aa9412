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

OPTIONS = Options(codes=default_codes(frozenset()))

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
