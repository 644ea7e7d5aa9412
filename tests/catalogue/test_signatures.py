"""Every signature in the tables is the installed framework's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from padlint import catalogue
from padlint.catalogue.model import REQUIRED, Family, Kind, Operator

from .frameworks import DISTRIBUTION, canonical, exact, module, signature

OPERATORS = catalogue.operators()
PAIRS = [
    (new, old)
    for new in OPERATORS
    if new.framework == "keras" and (old := catalogue.older(new)) and not old.retired
]

# Functions of `torch` itself without any documentation of their arguments.
UNDOCUMENTED = {"torch.relu", *(f"torch.max_pool{n}d" for n in (1, 2, 3))}
# Defaults that are no literals.
LITERAL = {"tf.nn.max_pool_with_argmax": {"output_dtype": "int64"}}


def names(operators: list[Operator] | tuple[Operator, ...]) -> list[str]:
    return [operator.name for operator in operators]


def compare(operator: Operator, found: object, *, whole: bool) -> None:
    parameters, var_positional, var_keyword = signature(found)
    expected = list(operator.signature)
    for index, parameter in enumerate(expected):
        if parameter.name in LITERAL.get(operator.name, {}):
            expected[index] = parameters[index]
    if not whole:
        length = min(len(expected), len(parameters))
        expected, parameters = expected[:length], parameters[:length]
    for index, (ours, theirs) in enumerate(zip(expected, parameters, strict=False)):
        if ours.default is ... and theirs.default is not REQUIRED:
            assert not isinstance(theirs.default, (str, int, float, tuple, type(None)))
            expected[index] = replace(ours, default=theirs.default)
    assert expected == parameters
    assert [type(p.default) for p in expected] == [type(p.default) for p in parameters]
    assert (operator.var_positional, operator.var_keyword) == (var_positional, var_keyword)


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_signature(operator: Operator) -> None:
    distribution = DISTRIBUTION[operator.framework]
    module(distribution)
    if operator.name in UNDOCUMENTED or operator.retired:
        pytest.skip("no signature to compare with")
    compare(operator, canonical(operator), whole=exact(distribution))


@pytest.mark.parametrize(("new", "old"), PAIRS, ids=names([new for new, _ in PAIRS]))
def test_keras_2_signature(new: Operator, old: Operator) -> None:
    module("tf_keras")
    assert (old.name, old.family) == (new.name, new.family)
    compare(old, canonical(old, tf_keras=True), whole=exact("tf_keras"))


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_roles_name_parameters(operator: Operator) -> None:
    parameters = {parameter.name for parameter in operator.signature}
    assert set(operator.roles.values()) <= parameters
    assert set(operator.aliases) <= parameters
    assert set(operator.aliases.values()) <= set(operator.roles.values())
    assert not set(operator.aliases) & set(operator.roles.values())


TF_LAYERS = [operator for operator in OPERATORS if operator.framework == "tf_layers"]


@pytest.mark.parametrize("operator", TF_LAYERS, ids=names(TF_LAYERS))
def test_tf_layers_of_keras_2(operator: Operator) -> None:
    module("tf_keras")
    compare(operator, canonical(operator, tf_keras=True), whole=exact("tf_keras"))


def required_roles(operator: Operator) -> set[str]:
    function = operator.kind is Kind.FUNCTION
    roles = {"input"} if function and operator.family is not Family.INPUT else set()
    if operator.family.is_convolution or operator.family.is_pooling or operator.family is Family.UNFOLD:
        makes_weights = operator.framework in ("slim", "tf_layers")
        weighted = function and operator.family.is_convolution and not makes_weights
        roles |= {"weight" if weighted else "kernel"}
        roles |= {"padding"} if operator.family is not Family.LP_POOL else set()
        roles |= {"stride"} if "atrous" not in operator.name else {"dilation"}
    if operator.family is Family.PAD:
        roles |= {"padding"}
    if operator.family is Family.CROP:
        roles |= {"cropping"}
    if operator.family is Family.CONCAT:
        roles |= {"axis"}
    if operator.family is Family.RESIZE:
        roles |= {"output_size"} if operator.framework != "jax" else {"output_shape"}
    return roles


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_has_the_roles_of_its_family(operator: Operator) -> None:
    assert required_roles(operator) <= operator.roles.keys() | operator.per_axis.keys()
    assert not operator.roles.keys() & operator.per_axis.keys()


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_shared_roles_have_a_parameter_per_axis(operator: Operator) -> None:
    for parameters in operator.per_axis.values():
        assert len(parameters) == operator.ndim
        assert all(operator.parameter(name) for name in parameters)


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_the_rank_is_told_by_roles(operator: Operator) -> None:
    told = {role for role, _ in operator.rank_from}
    assert told <= operator.roles.keys()
    assert not (told and operator.ndim)


def test_stride_is_kernel_exactly_where_a_pool_has_no_stride_by_default() -> None:
    for operator in OPERATORS:
        if operator.framework in ("torch", "keras") and operator.family.is_pooling:
            assert operator.stride_is_kernel
            assert operator.default("stride") is None
        else:
            assert not operator.stride_is_kernel


# Keras 2 and Keras 3 differ in more than `older` tells. What is listed here cannot change what is padded.
HARMLESS = {
    "data_format": "1-D layers of Keras 2 default to channels_last, Keras 3 to the global setting",
    "name": "a keyword of every layer",
    "dtype": "as name",
    "dynamic": "as name",
    "robust_masking": "softmax only",
    "keepdims": "global pooling only",
    "alpha_initializer": "spelled 'Zeros' in Keras 3",
    "padding": "the default of ZeroPadding3D is spelled as pairs in Keras 3",
    **dict.fromkeys(("lora_rank", "lora_alpha", "quantization_config"), "Dense only"),
    **dict.fromkeys(("renorm", "renorm_clipping", "renorm_momentum"), "batch normalisation"),
    **dict.fromkeys(("antialias", "pad_to_aspect_ratio", "fill_mode", "fill_value"), "Resizing only"),
    "layers": "Sequential",
    "trainable": "Sequential",
}


def test_every_difference_of_keras_2_is_known() -> None:
    tf_keras = module("tf_keras")
    known = {new.name for new, _ in PAIRS}
    for operator in OPERATORS:
        if operator.framework != "keras" or operator.name in known or operator.retired:
            continue
        try:
            found = canonical(operator, tf_keras=True)
        except AttributeError:
            continue  # new in Keras 3
        parameters, _, _ = signature(found)
        ours = {p.name: p.default for p in operator.signature}
        theirs = {p.name: p.default for p in parameters}
        changed = {n for n in ours.keys() | theirs.keys() if ours.get(n, ...) != theirs.get(n, ...)}
        assert changed <= HARMLESS.keys(), operator.name
        shared = [n for n in ours if n in theirs]
        assert shared == [n for n in theirs if n in ours], operator.name
    assert tf_keras.__version__.startswith("2.")


def test_required_is_no_value() -> None:
    conv = catalogue.lookup("keras.layers.Conv2D")
    assert conv is not None
    assert conv.default("kernel") is REQUIRED
    assert conv.default("padding") == "valid"
