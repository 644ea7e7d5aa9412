"""What elementwise operators do to zeros, and which calls take pads per side: measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from padlint import catalogue
from padlint.catalogue import PadStyle
from padlint.catalogue.model import REQUIRED, Family, Kind, Operator

from .frameworks import canonical, module

SAME = catalogue.operators({Family.ELEMENTWISE})
ND = {"1d": 3, "1D": 3, "3d": 5, "3D": 5}

# Values for the parameters that have no default.
ARGUMENTS: dict[str, Any] = {
    "num_features": 4,
    "num_groups": 2,
    "num_channels": 4,
    "groups": 2,
    "normalized_shape": (5,),
    "size": 3,
    "dim": 1,
    "threshold": 0.1,
    "value": 20.0,
    "rate": 0.3,
    "stddev": 0.3,
    "scale": 2.0,
    "offset": 1.0,
    "activation": "sigmoid",
    "variance_epsilon": 1e-3,
}
# f(0) == 0 as it is built here, yet a zero pad does not commute with it, or not for every argument.
UNPROVEN = {
    "statistics over the padded axes": (
        *("InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm", "GroupNormalization", "LayerNormalization"),
        *("instance_norm", "group_norm", "layer_norm", "rms_norm"),
    ),
    "maybe over the padded axes": ("normalize", "l2_normalize", "UnitNormalization", "RMSNormalization"),
    "an offset from training or from the call": (
        *("BatchNorm", "SyncBatchNorm", "BatchNormalization", "Normalization", "Rescaling"),
        *("batch_norm", "batch_normalization", "bias_add"),
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


def torch_tensors(operator: Operator, rank: int) -> tuple[Any, Any, dict[str, Any]]:
    torch = module("torch")
    torch.manual_seed(0)
    shape = {2: (2, 4), 3: (2, 4, 5), 4: (2, 4, 5, 5), 5: (2, 4, 5, 5, 5)}[rank]
    # As after training: an operator that adds an offset shows it.
    channels = {"weight": torch.ones(4), "bias": torch.ones(4), "running_mean": torch.ones(4)}
    if operator.short in ("layer_norm", "rms_norm"):
        channels = {"weight": torch.ones(5), "bias": torch.ones(5)}
    channels["running_var"] = torch.ones(4)
    return torch.randn(shape), torch.zeros(shape), channels


def tf_tensors(operator: Operator, rank: int) -> tuple[Any, Any, dict[str, Any]]:
    tensorflow = module("tensorflow")
    tensorflow.random.set_seed(0)
    shape = {3: (2, 5, 4), 4: (2, 5, 5, 4), 5: (2, 5, 5, 5, 4)}[rank]
    one = tensorflow.ones((4,))
    channels = {"mean": one, "variance": one, "bias": one, "scale": one, "offset": one}
    return tensorflow.random.normal(shape), tensorflow.zeros(shape), channels


def build(operator: Operator) -> tuple[Callable[[Any], Any], Any, Any]:
    """The operator as a function of a tensor, with a random tensor and zeros to give it."""
    rank = ND.get(operator.short[-2:], 4)
    tensors = torch_tensors if operator.framework == "torch" else tf_tensors
    random, zeros, arrays = tensors(operator, rank)
    values = {**ARGUMENTS, **arrays} if operator.kind is Kind.FUNCTION else ARGUMENTS
    arguments = {
        p.name: values[p.name]
        for p in operator.signature
        if p.name != operator.roles.get("input")
        and (p.default is REQUIRED or (p.default is None and p.name in values) or p.name == "groups")
    }
    found = canonical(operator)
    if operator.kind is Kind.LAYER:
        layer = found(**arguments)
        return (layer.eval() if operator.framework == "torch" else layer), random, zeros
    role = operator.roles["input"]
    return (lambda x: found(**{role: x}, **arguments)), random, zeros


def pad(operator: Operator, x: Any) -> Any:
    """The tensor with one zero before and two after each spatial axis."""
    if operator.framework == "torch":
        return module("torch").nn.functional.pad(x, (1, 2) * (x.ndim - 2))
    return module("tensorflow").pad(x, [[0, 0]] + [[1, 2]] * (len(x.shape) - 2) + [[0, 0]])


@pytest.mark.parametrize("operator", SAME, ids=names(SAME))
def test_zero_preserving(operator: Operator) -> None:
    numpy = module("numpy")
    function, random, zeros = build(operator)
    maps_zero = bool(numpy.all(numpy.asarray(plain(function(zeros))) == 0))
    name = operator.short.removeprefix("Lazy").rstrip("123dD")
    unproven = any(name in listed for listed in UNPROVEN.values()) and operator.name != "torch.nn.PReLU"
    if operator.zero_preserving:
        assert not unproven
        assert maps_zero
        if "ropout" not in operator.short:  # where a random number falls differs between two calls
            after, before = function(pad(operator, random)), pad(operator, function(random))
            assert numpy.allclose(plain(after), plain(before), rtol=1e-5, atol=1e-6)
    else:
        assert unproven or not maps_zero


def plain(x: Any) -> Any:
    return x.detach().numpy() if hasattr(x, "detach") else x


@pytest.mark.parametrize("operator", SAME, ids=names(SAME))
def test_non_negative(operator: Operator) -> None:
    numpy = module("numpy")
    function, random, _ = build(operator)
    lowest = float(numpy.min(plain(function(random * 10))))
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
    _, random, zeros = build(operator)
    layer = canonical(operator)(**UNLESS[name])
    at_zero, lowest = plain(layer(zeros)), numpy.min(plain(layer(random * 10)))
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
