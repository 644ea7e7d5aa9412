"""What elementwise operators do to zeros, and which calls take pads per side: measured."""

from __future__ import annotations

import re
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue import PadStyle
from padlint.catalogue.model import Family, Operator

from .builders import build, channels_last, shape
from .frameworks import canonical, module

# TF-Slim looks for it in a Keras that is no more.
BROKEN = "tf_slim.batch_norm"
SAME = [o for o in catalogue.operators({Family.ELEMENTWISE}) if o.name != BROKEN]

# f(0) == 0 as it is built here, yet a zero pad does not commute with it, or not for every argument.
UNPROVEN = {
    "statistics over the padded axes": (
        *("InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm", "GroupNormalization", "LayerNormalization"),
        *("instance_norm", "group_norm", "layer_norm", "rms_norm", "layer_normalization"),
    ),
    "maybe over the padded axes": (
        *("normalize", "l2_normalize", "unit_norm", "rms_normalization"),
        *("UnitNormalization", "RMSNormalization"),
    ),
    "an offset from training or from the call": (
        *("BatchNorm", "SyncBatchNorm", "BatchNormalization", "Normalization", "Rescaling"),
        *("batch_norm", "batch_normalization", "bias_add", "Bias"),
    ),
    "weights per position": ("PReLU",),
    "decided by its argument": ("Activation",),
    "random": (
        "AlphaDropout",
        "FeatureAlphaDropout",
        "alpha_dropout",
        "feature_alpha_dropout",
        "GaussianNoise",
    ),
}
# Non-negative only because of the arguments above or of its first weights.
BY_CHANCE = ("Activation", "Threshold", "threshold", "PReLU")


def names(operators: tuple[Operator, ...] | list[Operator]) -> list[str]:
    return [operator.name for operator in operators]


def random(operator: Operator) -> Any:
    numpy = module("numpy")
    return numpy.random.default_rng(0).normal(size=shape(operator)).astype("float32")


def pad(operator: Operator, x: Any) -> Any:
    """The array with one zero before and two after each spatial axis."""
    spatial = [(1, 2)] * (x.ndim - 2)
    return module("numpy").pad(
        x, [(0, 0), *spatial, (0, 0)] if channels_last(operator) else [(0, 0), (0, 0), *spatial]
    )


@pytest.mark.parametrize("operator", SAME, ids=names(SAME))
def test_zero_preserving(operator: Operator) -> None:
    numpy = module("numpy")
    function, x = build(operator), random(operator)
    maps_zero = bool(numpy.all(function(numpy.zeros_like(x)) == 0))
    name = re.sub(r"^Lazy|\d[dD]$", "", operator.short)
    unproven = any(name in listed for listed in UNPROVEN.values())
    if name == "PReLU" and operator.framework != "keras":
        unproven = False  # one weight for all positions
    if operator.zero_preserving:
        assert not unproven
        assert maps_zero
        if "ropout" not in operator.short:  # where a random number falls differs between two calls
            after, before = function(pad(operator, x)), pad(operator, function(x))
            assert numpy.allclose(after, before, rtol=1e-5, atol=1e-6)
    else:
        assert unproven or not maps_zero


@pytest.mark.parametrize("operator", SAME, ids=names(SAME))
def test_non_negative(operator: Operator) -> None:
    lowest = float(module("numpy").min(build(operator)(random(operator) * 10)))
    assert operator.non_negative <= (lowest >= 0)
    if lowest >= 0:
        assert operator.non_negative or operator.short in BY_CHANCE


UNLESS = {
    "torch.nn.Hardtanh": {"min_val": 0.5, "max_val": 1.0},
    "torch.nn.Softplus": {"beta": -1.0},
    "keras.layers.ReLU": {"negative_slope": 0.5, "threshold": 1.0},
}


@pytest.mark.parametrize("name", UNLESS)
def test_unless_names_what_voids_the_claims(name: str) -> None:
    numpy = module("numpy")
    operator = catalogue.lookup(name)
    assert operator is not None
    assert set(UNLESS[name]) <= operator.unless | {"max_val"}
    function, x = build(operator, **UNLESS[name]), random(operator)
    at_zero, lowest = function(numpy.zeros_like(x)), numpy.min(function(x * 10))
    assert (operator.zero_preserving and numpy.any(at_zero != 0)) or (operator.non_negative and lowest < 0)


def test_unless_names_parameters() -> None:
    for operator in SAME:
        older = catalogue.older(operator) or operator
        parameters = {parameter.name for parameter in (*operator.signature, *older.signature)}
        assert operator.unless <= parameters
        assert not operator.unless or operator.zero_preserving or operator.non_negative


PAIRED = [
    o for o in catalogue.operators(catalogue.PADDED) if o.framework == "tf" and o.family is not Family.PAD
]


@pytest.mark.parametrize("operator", PAIRED, ids=names(PAIRED))
def test_which_functions_of_tensorflow_take_pairs(operator: Operator) -> None:
    if operator.ndim is None or "atrous" in operator.name:
        assert operator.pads is None  # depends on the rank, or is accepted by accident
        return
    tensorflow = module("tensorflow")
    n = operator.ndim
    x = tensorflow.ones((1, *(7,) * n, 2))
    sizes: dict[str, Any] = {
        "input": x,
        "weight": tensorflow.ones(
            (*(3,) * n, 2, 1 if operator.family in (Family.DEPTHWISE, Family.SEPARABLE) else 2)
        ),
        "kernel": [1, *(3,) * n, 1],
        "stride": [1] * (n + 2),
        "padding": [[0, 0], *[[1, 1]] * n, [0, 0]],
        "output_shape": (1, *(7,) * n, 2),
    }
    arguments = {operator.roles[role]: value for role, value in sizes.items() if role in operator.roles}
    if operator.family is Family.SEPARABLE:
        arguments["pointwise_filter"] = tensorflow.ones((1, 1, 2, 2))
    if operator.pads is PadStyle.TENSORFLOW:
        assert canonical(operator)(**arguments).shape == x.shape
    else:
        with pytest.raises(TypeError, match="Expected string for argument 'padding'"):
            canonical(operator)(**arguments)


def test_functions_of_torch_without_documentation() -> None:
    torch = module("torch")
    for n in (1, 2, 3):
        operator = catalogue.lookup(f"torch.max_pool{n}d")
        assert operator is not None
        x = torch.arange(8.0**n).reshape(1, 1, *(8,) * n)
        values = [x, *(p.default for p in operator.signature[1:])]
        values[1:3] = [2, ()]  # "no stride" is () here
        by_position = canonical(operator)(*values)
        by_name = canonical(operator)(**{p.name: v for p, v in zip(operator.signature, values, strict=True)})
        assert torch.equal(by_position, by_name)
        assert by_position.shape == (1, 1, *(4,) * n)
    assert torch.relu(input=torch.tensor(-1.0)) == 0
