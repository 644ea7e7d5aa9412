"""Pads and strides, written and read back as each framework understands them."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue import PadStyle, is_channels_last, read_pads, spatial_entries, write_pads
from padlint.catalogue.model import Family, Kind, Operator

from .frameworks import canonical, module

PADS = [(1, 2), (3, 4), (0, 5)]


@pytest.mark.parametrize(
    ("style", "ndim", "channels_last", "text"),
    [
        (PadStyle.TORCH, 1, True, "(1, 2)"),
        (PadStyle.TORCH, 2, True, "(3, 4, 1, 2)"),
        (PadStyle.TORCH, 3, False, "(0, 5, 3, 4, 1, 2)"),
        (PadStyle.KERAS, 1, True, "(1, 2)"),
        (PadStyle.KERAS, 2, True, "((1, 2), (3, 4))"),
        (PadStyle.KERAS, 3, False, "((1, 2), (3, 4), (0, 5))"),
        (PadStyle.TENSORFLOW, 1, True, "[[0, 0], [1, 2], [0, 0]]"),
        (PadStyle.TENSORFLOW, 2, True, "[[0, 0], [1, 2], [3, 4], [0, 0]]"),
        (PadStyle.TENSORFLOW, 2, False, "[[0, 0], [0, 0], [1, 2], [3, 4]]"),
    ],
)
def test_write_and_read(style: PadStyle, ndim: int, channels_last: bool, text: str) -> None:
    assert write_pads(style, PADS[:ndim], channels_last) == text
    assert read_pads(style, ast.literal_eval(text), ndim, channels_last) == PADS[:ndim]


def test_amounts_may_be_expressions() -> None:
    assert write_pads(PadStyle.TORCH, [("a", "b"), (0, "c // 2")]) == "(0, c // 2, a, b)"


@pytest.mark.parametrize(
    ("style", "value", "ndim", "pads"),
    [
        (PadStyle.TORCH, 1, 2, [(1, 1), (1, 1)]),
        (PadStyle.TORCH, (1, 2), 2, [(0, 0), (1, 2)]),
        (PadStyle.TORCH, [1, 2, 3, 4], 2, [(3, 4), (1, 2)]),
        (PadStyle.TORCH, (1, 2, 0, 0), 1, [(1, 2)]),
        (PadStyle.TORCH, (0, 0, 0, 0, 0, 1), 2, None),  # channels
        (PadStyle.TORCH, (1, 2, 3), 2, None),
        (PadStyle.TORCH, ((1, 2), (3, 4)), 2, None),
        (PadStyle.TORCH, "same", 2, None),
        (PadStyle.TORCH, (-1, 1), 1, [(-1, 1)]),
        (PadStyle.KERAS, 1, 3, [(1, 1), (1, 1), (1, 1)]),
        (PadStyle.KERAS, (1, 2), 1, [(1, 2)]),
        (PadStyle.KERAS, (1, 2), 2, [(1, 1), (2, 2)]),
        (PadStyle.KERAS, ((1, 2), 3), 2, [(1, 2), (3, 3)]),
        (PadStyle.KERAS, (1, 2, 3), 3, [(1, 1), (2, 2), (3, 3)]),
        (PadStyle.KERAS, (1, 2, 3, 4), 2, None),
        (PadStyle.KERAS, ((1, 2, 3), 4), 2, None),
        (PadStyle.KERAS, None, 2, None),
        (PadStyle.TENSORFLOW, [[0, 0], [1, 2], [1, 0]], 1, None),  # channels
        (PadStyle.TENSORFLOW, [[1, 0], [1, 2], [0, 0]], 1, None),  # batch
        (PadStyle.TENSORFLOW, [[1, 2], [3, 4]], 2, None),
        (PadStyle.TENSORFLOW, [[0, 0], [1], [3, 4], [0, 0]], 2, None),
        (PadStyle.TENSORFLOW, 1, 2, None),
        (PadStyle.TENSORFLOW, "SAME", 2, None),
    ],
)
def test_read(style: PadStyle, value: object, ndim: int, pads: Any) -> None:
    assert read_pads(style, value, ndim) == pads


LAYERS = [o for o in catalogue.operators({Family.PAD, Family.CROP}) if o.kind is Kind.LAYER]


@pytest.mark.parametrize("operator", LAYERS, ids=[operator.name for operator in LAYERS])
def test_layers_pad_where_we_say(operator: Operator) -> None:
    assert operator.ndim is not None
    assert operator.pads is not None
    n, torch_like = operator.ndim, operator.framework == "torch"
    pads = ast.literal_eval(write_pads(operator.pads, PADS[:n]))
    extra = (0,) if "value" in operator.roles else ()
    layer = canonical(operator)(pads, *extra)
    sign = -1 if operator.family is Family.CROP else 1
    expected = tuple(9 + sign * (before + after) for before, after in PADS[:n])
    if torch_like:
        assert tuple(layer(module("torch").ones((1, 1, *(9,) * n))).shape[2:]) == expected
    else:
        assert tuple(layer(module("tensorflow").ones((1, *(9,) * n, 1))).shape[1:-1]) == expected


@pytest.mark.parametrize("name", ["torch.nn.functional.pad", "tf.pad", "tf.compat.v1.pad", "keras.ops.pad"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_functions_pad_where_we_say(name: str, n: int) -> None:
    operator = next(o for o in catalogue.operators({Family.PAD}) if o.name == name)
    assert operator.pads is not None
    torch_like = operator.framework == "torch"
    x = (
        module("torch").ones((1, 1, *(9,) * n))
        if torch_like
        else module("tensorflow").ones((1, *(9,) * n, 1))
    )
    pads = ast.literal_eval(write_pads(operator.pads, PADS[:n]))
    padded = canonical(operator)(**{operator.roles["input"]: x, operator.roles["padding"]: pads})
    spatial = padded.shape[2:] if torch_like else padded.shape[1:-1]
    assert tuple(spatial) == tuple(9 + before + after for before, after in PADS[:n])


def test_every_pad_operator_has_a_style() -> None:
    for operator in catalogue.operators({Family.PAD, Family.CROP}):
        assert operator.pads is not None, operator.name


@pytest.mark.parametrize(
    ("value", "ndim", "channels_last", "entries"),
    [
        (2, 1, True, (2,)),
        (2, 3, True, (2, 2, 2)),
        ([2], 2, True, (2, 2)),
        ([2, 3], 2, True, (2, 3)),
        ((1, 2, 3, 1), 2, True, (2, 3)),
        ((1, 1, 2, 3), 2, False, (2, 3)),
        ((1, 2, 1), 1, True, (2,)),
        ((1, 1, 2), 1, False, (2,)),
        ((1, 2, 3, 4, 1), 3, True, (2, 3, 4)),
        ((2, 3, 4), 3, True, (2, 3, 4)),
        ((2, 3), 2, None, (2, 3)),
        ((1, 2, 3, 1), 2, None, None),
        ((1, 2, 3), 2, True, None),
        ((), 2, True, None),
        (None, 2, True, (None, None)),
    ],
)
def test_spatial_entries(value: Any, ndim: int, channels_last: bool | None, entries: Any) -> None:
    assert spatial_entries(value, ndim, channels_last) == entries


@pytest.mark.parametrize("value", [2, [2], [2, 3], [1, 2, 3, 1], [1, 2, 3]])
def test_spatial_entries_as_tensorflow_reads_strides(value: Any) -> None:
    tensorflow = module("tensorflow")
    x = tensorflow.ones((1, 12, 12, 1))
    entries = spatial_entries(value, 2, True)
    if entries is None:
        with pytest.raises(ValueError, match="length"):
            tensorflow.nn.max_pool2d(x, 2, value, "SAME")
    else:
        strided = tensorflow.nn.max_pool2d(x, 2, value, "SAME")
        assert tuple(strided.shape[1:-1]) == tuple(-(-12 // stride) for stride in entries)


def test_data_formats() -> None:
    assert [is_channels_last(f) for f in (None, "NWC", "NHWC", "NDHWC", "channels_last")] == [True] * 5
    assert [is_channels_last(f) for f in ("NCW", "NCHW", "NCDHW", "channels_first")] == [False] * 4
    assert [is_channels_last(f) for f in ("nhwc", "NCHW_VECT_C", "")] == [None] * 3


def test_default_data_formats_are_channels_last() -> None:
    for operator in catalogue.operators():
        if "data_format" in operator.roles:
            assert is_channels_last(operator.default("data_format")), operator.name
