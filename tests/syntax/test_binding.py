"""Which argument of a call goes to which parameter."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
import pytest

from padlint.syntax.binding import Bound, bind


@dataclass(frozen=True)
class Parameter:
    name: str
    keyword_only: bool = False


SIGNATURE = (Parameter("a"), Parameter("b"), Parameter("c"), Parameter("k", keyword_only=True))


def _bind(arguments: str) -> Bound:
    return bind(cst.ensure_type(cst.parse_expression(f"f({arguments})"), cst.Call), SIGNATURE)


def _values(arguments: dict[str, cst.Arg]) -> dict[str, str]:
    return {name: cst.Module([]).code_for_node(arg.value) for name, arg in arguments.items()}


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        ("", {}),
        ("1", {"a": "1"}),
        ("1, 2, 3", {"a": "1", "b": "2", "c": "3"}),
        ("1, c=3", {"a": "1", "c": "3"}),
        ("c=3, a=1", {"a": "1", "c": "3"}),
        ("1, k=4", {"a": "1", "k": "4"}),
        ("1, *x", {"a": "1"}),
        ("*x", {}),
        ("*x, 1", {}),
        ("1, *x, 2", {"a": "1"}),
        ("1, *x, c=3", {"a": "1", "c": "3"}),
        ("**x", {}),
        ("1, **x", {"a": "1"}),
        ("1, **x, c=3", {"a": "1", "c": "3"}),
        ("1, a=2", {"a": "1"}),
    ],
)
def test_arguments(arguments: str, bound: dict[str, str]) -> None:
    assert _values(_bind(arguments).arguments) == bound


def test_a_keyword_that_the_signature_lacks() -> None:
    bound = _bind("1, z=2")
    assert _values(bound.unknown) == {"z": "2"}
    assert not bound.surplus


@pytest.mark.parametrize(
    ("arguments", "surplus"), [("1, 2, 3, 4", True), ("1, 2, 3", False), ("1, 2, *x, 3", False)]
)
def test_more_positional_arguments_than_parameters(arguments: str, surplus: bool) -> None:
    bound = _bind(arguments)
    assert bound.surplus is surplus
    assert "k" not in bound.arguments


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("1", set()),
        ("1, *x", {"b", "c", "k"}),
        ("1, **x", {"b", "c", "k"}),
        ("1, c=3, **x", {"b", "k"}),
    ],
)
def test_what_stars_may_carry(arguments: str, names: set[str]) -> None:
    bound = _bind(arguments)
    assert {parameter.name for parameter in SIGNATURE if bound.may_carry(parameter.name)} == names


def test_the_expression_of_a_parameter() -> None:
    value = _bind("1, b=g(x)").value("b")
    assert isinstance(value, cst.Call)
    assert _bind("1").value("b") is None
