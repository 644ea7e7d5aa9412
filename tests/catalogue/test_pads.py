"""Pads and strides, written and read back as each framework understands them."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue import PadStyle, is_channels_last, read_pads, spatial_entries, write_pads
from padlint.catalogue.model import Family, Kind, Operator

from .builders import sizes
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
        (PadStyle.PAIRS, 1, True, "((1, 2),)"),
        (PadStyle.FLAX, 1, True, "((1, 2),)"),
        (PadStyle.HAIKU, 2, True, "((1, 2), (3, 4))"),
        (PadStyle.LAX, 1, True, "[(0, 0, 0), (1, 2, 0), (0, 0, 0)]"),
        (PadStyle.LAX, 2, False, "[(0, 0, 0), (0, 0, 0), (1, 2, 0), (3, 4, 0)]"),
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
        (PadStyle.LAX, [(0, 0, 0), (1, 2, 1), (0, 0, 0)], 1, None),  # zeros between
        (PadStyle.LAX, [(0, 0), (1, 2), (0, 0)], 1, None),
        (PadStyle.PAIRS, [(1, 2), (3, 4)], 2, [(1, 2), (3, 4)]),
        (PadStyle.PAIRS, (1, 2), 2, None),
        (PadStyle.PAIRS, (1, 2), 1, None),
        (PadStyle.PAIRS, 1, 1, None),
        (PadStyle.PAIRS, "SAME", 2, None),
    ],
)
def test_read(style: PadStyle, value: object, ndim: int, pads: Any) -> None:
    assert read_pads(style, value, ndim) == pads


# How a convolution of JAX's libraries reads amounts that are not a pair per axis: measured below.
SHORT = [
    (PadStyle.FLAX, 1, 2, [(1, 1), (1, 1)]),
    (PadStyle.FLAX, (1, 2), 2, [(1, 1), (2, 2)]),
    (PadStyle.FLAX, ((1, 2), 3), 2, [(1, 2), (3, 3)]),
    (PadStyle.FLAX, (2,), 1, [(2, 2)]),
    (PadStyle.FLAX, (1, 2), 1, None),
    (PadStyle.FLAX, ((1, 2),), 2, None),
    (PadStyle.HAIKU, (1, 2), 2, [(1, 2), (1, 2)]),
    (PadStyle.HAIKU, [(1, 2)], 2, [(1, 2), (1, 2)]),
    (PadStyle.HAIKU, (1, 2), 1, [(1, 2)]),
    (PadStyle.HAIKU, ((1, 2), (3, 4)), 1, None),
]


@pytest.mark.parametrize(("style", "value", "ndim", "pads"), SHORT)
def test_short_amounts(style: PadStyle, value: object, ndim: int, pads: Any) -> None:
    assert read_pads(style, value, ndim) == pads
    name = "flax.linen.Conv" if style is PadStyle.FLAX else f"haiku.Conv{ndim}D"
    operator = catalogue.lookup(name)
    assert operator is not None
    assert operator.pads is style
    if pads is None:
        with pytest.raises((ValueError, TypeError)):
            sizes(operator, ndim, value)
    else:
        assert sizes(operator, ndim, value) == grown(pads)


def grown(pads: list[tuple[int, int]]) -> tuple[int, ...]:
    """The output of a window of 3 on a padded input of 9."""
    return tuple(9 + before + after - 2 for before, after in pads)


TAKE_PAIRS = [
    o
    for o in catalogue.operators(catalogue.PADDED - {Family.PAD})
    if o.pads is not None and o.framework in ("jax", "flax", "haiku")
]


@pytest.mark.parametrize("operator", TAKE_PAIRS, ids=[operator.name for operator in TAKE_PAIRS])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_convolutions_and_pools_pad_where_we_say(operator: Operator, n: int) -> None:
    assert operator.pads is not None
    if operator.ndim in (None, n):
        pads = ast.literal_eval(write_pads(operator.pads, PADS[:n], operator.channels_last))
        assert sizes(operator, n, pads) == grown(PADS[:n])


LAYERS = [o for o in catalogue.operators({Family.PAD, Family.CROP}) if o.kind is Kind.LAYER and not o.retired]


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


FUNCTIONS = ("torch.nn.functional.pad", "tf.pad", "tf.compat.v1.pad", "keras.ops.pad")


@pytest.mark.parametrize("name", [*FUNCTIONS, "jax.numpy.pad", "jax.lax.pad"])
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
    given: dict[str, Any] = {operator.roles["input"]: x, operator.roles["padding"]: pads}
    if operator.framework == "jax":
        given[operator.roles["input"]] = module("jax.numpy").asarray(x)
        given |= {"padding_value": 0.0} if name == "jax.lax.pad" else {}
    padded = canonical(operator)(**given)
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


@pytest.mark.parametrize(
    ("name", "values", "rank"),
    [
        ("torch.nn.Conv2d", {}, 2),
        ("flax.linen.Conv", {"kernel": 3}, 1),
        ("flax.linen.Conv", {"kernel": (3, 3)}, 2),
        ("flax.linen.Conv", {"stride": (2, 2)}, None),
        ("flax.nnx.max_pool", {"kernel": [2, 2, 2]}, 3),
        ("flax.nnx.max_pool", {"kernel": (2, 2, 2, 2)}, None),
        ("jax.lax.conv", {"stride": (1, 1)}, 2),
        ("jax.lax.reduce_window", {"kernel": (1, 2, 2, 1)}, 2),
        ("jax.lax.reduce_window", {"kernel": (2, 2, 1)}, None),
        ("haiku.ConvND", {"rank": 3, "kernel": 3}, 3),
        ("haiku.max_pool", {"kernel": (1, 2, 2, 1)}, 2),
        ("haiku.max_pool", {"kernel": (2, 2, 1)}, None),  # of one example, or of a batch?
        ("haiku.max_pool", {"kernel": 2}, None),
        ("keras.ops.max_pool", {"kernel": 2, "stride": (2, 2)}, 2),
        ("keras.ops.conv", {"stride": 2, "dilation": 1}, None),
        ("tf_slim.convolution", {"kernel": [3, 3]}, 2),
        ("tf_slim.convolution", {"kernel": 3, "rank": 2}, 2),
        ("tensorflow.nn.max_pool", {"kernel": [1, 2, 2, 1]}, 2),
        ("tensorflow.nn.max_pool", {"kernel": [2, 2]}, 2),
        ("tensorflow.nn.max_pool", {"kernel": [2, 2, 2]}, 3),
        ("tensorflow.nn.max_pool", {"kernel": [1, 2, 1]}, None),  # three axes, or one
        ("tensorflow.nn.max_pool", {"kernel": 2}, None),
        ("tensorflow.nn.convolution", {"stride": [1, 2, 2, 1]}, 2),
    ],
)
def test_rank_of(name: str, values: dict[str, object], rank: int | None) -> None:
    operator = catalogue.lookup(name)
    assert operator is not None
    assert catalogue.rank_of(operator, values.get) == rank


def test_dimension_numbers() -> None:
    assert is_channels_last(("NHWC", "HWIO", "NHWC")) is True
    assert is_channels_last(("NCHW", "OIHW", "NCHW")) is False
    assert is_channels_last(("NHWC", "HWIO")) is None


@pytest.mark.parametrize("name", ["conv", "conv_transpose", "conv_general_dilated"])
def test_where_the_channels_are_in_jax(name: str) -> None:
    operator, numpy = catalogue.lookup(f"jax.lax.{name}"), module("numpy")
    assert operator is not None
    last = is_channels_last(operator.default("data_format"), operator.channels_last)
    x = numpy.ones((1, 8, 9, 2) if last else (1, 2, 8, 9), "float32")
    w = numpy.ones((3, 3, 2, 5) if last else (5, 2, 3, 3), "float32")
    y = canonical(operator)(x, w, (1, 1), "VALID")
    assert y.shape == ((1, 10, 11, 5) if "transpose" in name else (1, 5, 6, 7))


def test_data_formats() -> None:
    assert [is_channels_last(f) for f in (None, "NWC", "NHWC", "NDHWC", "channels_last")] == [True] * 5
    assert [is_channels_last(f) for f in ("NCW", "NCHW", "NCDHW", "channels_first")] == [False] * 4
    assert [is_channels_last(f) for f in ("tf", "th")] == [True, False]
    assert [is_channels_last(f) for f in ("nhwc", "NCHW_VECT_C", "", "default", 1)] == [None] * 5
    assert is_channels_last(None, False) is False


def test_default_data_formats() -> None:
    for operator in catalogue.operators():
        assert not (operator.framework == "torch" and operator.channels_last)
        if "data_format" in operator.roles and not operator.retired:  # Keras 1 asked a global setting
            default = operator.default("data_format")
            assert is_channels_last(default, operator.channels_last) is operator.channels_last
