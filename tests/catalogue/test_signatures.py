"""Every signature in the tables is the installed framework's."""

from __future__ import annotations

import pytest

from padlint import catalogue
from padlint.catalogue.model import REQUIRED, Family, Kind, Operator

from .frameworks import DISTRIBUTION, canonical, exact, module, signature

OPERATORS = catalogue.operators()
PAIRS = [(new, old) for new in OPERATORS if new.framework == "keras" and (old := catalogue.older(new))]

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
    assert expected == parameters
    assert [type(p.default) for p in expected] == [type(p.default) for p in parameters]
    assert (operator.var_positional, operator.var_keyword) == (var_positional, var_keyword)


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_signature(operator: Operator) -> None:
    distribution = DISTRIBUTION[operator.framework]
    module(distribution)
    if operator.name in UNDOCUMENTED:
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


def required_roles(operator: Operator) -> set[str]:
    roles = {"input"} if operator.kind is Kind.FUNCTION and operator.family is not Family.INPUT else set()
    if operator.family.is_convolution or operator.family.is_pooling or operator.family is Family.UNFOLD:
        weighted = operator.kind is Kind.FUNCTION and operator.family.is_convolution
        roles |= {"weight" if weighted else "kernel"}
        roles |= {"padding"} if operator.family is not Family.LP_POOL else set()
        roles |= {"stride"} if "atrous" not in operator.name else {"dilation"}
    if operator.family is Family.PAD:
        roles |= {"padding"}
    if operator.family is Family.CROP:
        roles |= {"cropping"}
    return roles


@pytest.mark.parametrize("operator", OPERATORS, ids=names(OPERATORS))
def test_has_the_roles_of_its_family(operator: Operator) -> None:
    assert required_roles(operator) <= set(operator.roles)


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
    "layers": "Sequential",
    "trainable": "Sequential",
}


def test_every_difference_of_keras_2_is_known() -> None:
    tf_keras = module("tf_keras")
    known = {new.name for new, _ in PAIRS}
    for operator in OPERATORS:
        if operator.framework != "keras" or operator.name in known:
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
