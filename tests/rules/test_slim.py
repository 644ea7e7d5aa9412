"""slim: SAME by default, unless an arg_scope around the call, or around its caller, says otherwise."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from padlint.engine import check, fix
from padlint.findings import Applicability
from padlint.options import Options
from tests.rules.table import each

CODES = frozenset({"PAD101", "PAD102", "PAD104"})
IMPORTS = "import tensorflow.compat.v1 as tf\nimport tf_slim as slim\nfrom tf_slim import arg_scope\n\n"

SILENT = {
    "VALID by the scope": """
        with arg_scope([slim.conv2d, slim.max_pool2d], stride=1, padding='VALID'):
            y = slim.conv2d(x, 32, [3, 3], stride=2)
        """,
    "VALID by the inner scope": """
        with slim.arg_scope([slim.conv2d], padding='SAME'):
            with slim.arg_scope([slim.conv2d], padding='VALID'):
                y = slim.conv2d(x, 32, [3, 3], stride=2)
        """,
    "a scope that is handed over": """
        def net(x, scope):
            with slim.arg_scope(scope):
                return slim.conv2d(x, 64, [3, 3], stride=2)
        """,
    "a scope that a function makes": """
        with slim.arg_scope(model_arg_scope(weight_decay=0.1)):
            y = slim.conv2d(x, 64, [3, 3], stride=2)
        """,
    "scopes as data": "defaults = {(slim.conv2d, slim.separable_conv2d): {'padding': 'SAME', 'stride': 2}}",
    "kernel 1": "y = slim.conv2d(x, 64, [1, 1], stride=2)",
    "stride 1 by default": "y = slim.conv2d(x, 64, [3, 3])",
    "pools pad nothing by default": "y = slim.max_pool2d(x, [3, 3])",
}

REPORTED = {
    "the default": (
        "y = slim.conv2d(x, 64, [3, 3], stride=2)",
        "with stride 2 and SAME padding (the defaults of rate and padding, unless a caller's arg_scope says",
        "the pads depend on the input size, which is not known",
    ),
    "by the scope": (
        """
        with arg_scope([slim.conv2d], padding='SAME'):
            y = slim.conv2d(x, 64, [3, 3], stride=2, rate=1)
        """,
        "slim.conv2d with stride 2 and SAME padding pads by the input size",
    ),
    "a scope of other operators": (
        """
        with arg_scope([slim.separable_conv2d], padding='VALID'):
            y = slim.conv2d(x, 64, [3, 3], stride=2)
        """,
        "SAME padding (the defaults of rate and padding, unless a caller's arg_scope says otherwise)",
    ),
    "the stride of a pool": (
        "y = slim.max_pool2d(x, [3, 3], padding='SAME')",
        "stride 2 and SAME padding (the default of stride, unless a caller's arg_scope says otherwise)",
    ),
}

FIXED = {
    "the default": (
        "y = slim.conv2d(x, 4, [4, 4], stride=2)",
        'y = slim.conv2d(tf.pad(x, [[0, 0], [1, 2], [1, 2], [0, 0]]), 4, [4, 4], stride=2, padding="VALID")',
        Applicability.UNSAFE,
    ),
    "all is written": (
        "y = slim.conv2d(x, 4, [4, 4], stride=2, padding='SAME', rate=1, data_format='NHWC')",
        "y = slim.conv2d(tf.pad(x, [[0, 0], [1, 2], [1, 2], [0, 0]]), 4, [4, 4], stride=2, padding='VALID', "
        "rate=1, data_format='NHWC')",
        Applicability.SAFE,
    ),
    "the scope": (
        """
        with arg_scope([slim.separable_conv2d], padding='SAME', stride=1):
            y = slim.separable_conv2d(x, 4, [2, 2], depth_multiplier=1)
        """,
        """
        with arg_scope([slim.separable_conv2d], padding='SAME', stride=1):
            y = slim.separable_conv2d(tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]]), 4, [2, 2], \
depth_multiplier=1, padding="VALID")
        """,
        Applicability.UNSAFE,
    ),
}


def _source(text: str) -> str:
    return IMPORTS + textwrap.dedent(text).lstrip("\n")


@each(SILENT)
def test_silent(row: str) -> None:
    assert check(_source(row), Options(codes=CODES)) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    text, *parts = row
    (finding,) = check(_source(text), Options(codes=CODES))
    assert finding.fix is None
    for part in parts:
        assert part in f"{finding.message} {finding.no_fix_reason}"


@each(FIXED)
def test_fixed(row: tuple[str, str, Applicability]) -> None:
    before, after, applicability = row
    done = fix(_source(before), Options(codes=CODES), unsafe=True)
    assert done.text == _source(after)
    (applied,) = done.applied
    assert applied.fix is not None
    assert applied.fix.applicability is applicability
    assert ("it rests on the default" in applied.fix.message) == (applicability is Applicability.UNSAFE)


@each(FIXED)
@pytest.mark.filterwarnings("ignore")
def test_fixed_code_computes_the_same(row: tuple[str, str, Applicability]) -> None:
    before, after, _ = row
    for shape in ((1, 8, 9, 3), (1, 11, 12, 3)):
        np.testing.assert_array_equal(_run(before, shape), _run(after, shape))


def _run(text: str, shape: tuple[int, ...]) -> np.ndarray:
    tf = pytest.importorskip("tensorflow").compat.v1
    slim = pytest.importorskip("tf_slim")
    values = np.random.default_rng(0).normal(size=shape).astype("float32")
    with tf.Graph().as_default(), tf.Session() as session:
        made = slim.arg_scope(
            [slim.conv2d, slim.separable_conv2d],
            weights_initializer=tf.ones_initializer(),
            activation_fn=None,
        )
        names = {"x": tf.constant(values)}
        with made:
            exec(_source(text), names)
        session.run(tf.global_variables_initializer())
        return session.run(names["y"])
