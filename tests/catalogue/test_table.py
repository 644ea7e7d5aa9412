"""The notation of the tables, and that importing them stays cheap."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from padlint import catalogue
from padlint.catalogue.model import REQUIRED, Family, Kind, Operator, Parameter
from padlint.catalogue.table import Namespace, Row, entries, operator, parse


def test_parse() -> None:
    parameters, var_positional, var_keyword = parse("x, n=-1, s='a', *, k=(1, 1), r, **kwargs")
    assert parameters == (
        Parameter("x"),
        Parameter("n", -1),
        Parameter("s", "a"),
        Parameter("k", (1, 1), keyword_only=True),
        Parameter("r", REQUIRED, keyword_only=True),
    )
    assert (var_positional, var_keyword) == (False, True)
    assert parse("*args") == ((), True, False)
    assert parse("x=...")[0][0].default is ...


SPACE = Namespace(
    "lib.ops",
    "lib",
    Kind.FUNCTION,
    {"x": "input", "value": "input", "k": "kernel", "s": "stride"},
    (
        Row(
            Family.MAX_POOL,
            "pool#d=maxpool#d",
            "x, k={2}, s={1}, f={NHWC}, value=None",
            dims="13",
            older="x, k",
        ),
        Row(Family.ELEMENTWISE, "relu sign", "x, k=1", ndim=2, zero=True),
    ),
)


def test_entries() -> None:
    found = dict(entries(SPACE))
    assert list(found) == ["pool1d", "maxpool1d", "pool3d", "maxpool3d", "relu", "sign"]
    assert found["maxpool3d"].canonical == "pool3d"
    assert [found[name].ndim for name in ("pool1d", "pool3d", "relu")] == [1, 3, 2]


def test_operator() -> None:
    found = dict(entries(SPACE))
    pool = operator(SPACE, found["maxpool3d"])
    assert (pool.name, pool.short, pool.ndim) == ("lib.ops.pool3d", "pool3d", 3)
    assert [p.default for p in pool.signature[1:]] == [(2, 2, 2), (1, 1, 1), "NDHWC", None]
    assert pool.roles == {"input": "x", "kernel": "k", "stride": "s"}
    assert pool.aliases == {"value": "x"}
    assert operator(SPACE, found["pool1d"]).default("kernel") == 2
    assert operator(SPACE, found["pool1d"]).signature[3].default == "NWC"
    assert [p.name for p in operator(SPACE, found["pool1d"], older=True).signature] == ["x", "k"]
    relu = operator(SPACE, found["relu"])
    assert relu.roles == {"input": "x"}
    assert relu.zero_preserving


GRID = Namespace(
    "lib 1",
    "lib",
    Kind.FUNCTION,
    {"x": "input", "rows": "kernel*", "columns": "kernel*", "s": "stride"},
    (
        Row(Family.MAX_POOL, "pool", "x, rows, columns, s", ndim=2),
        Row(Family.MAX_POOL, "pools", "x, s", rank="stride stride+2", channels_last=True),
    ),
    module="lib.ops",
    channels_last=False,
    quantized=True,
    retired=True,
)


def test_parameters_that_share_a_role() -> None:
    pool = operator(GRID, dict(entries(GRID))["pool"])
    assert pool.per_axis == {"kernel": ("rows", "columns")}
    assert pool.roles == {"input": "x", "stride": "s"}
    assert pool.name == "lib.ops.pool"
    assert (pool.quantized, pool.retired, pool.channels_last, pool.rank_from) == (True, True, False, ())


def test_rank() -> None:
    pools = operator(GRID, dict(entries(GRID))["pools"])
    assert pools.rank_from == (("stride", 0), ("stride", 2))
    assert pools.channels_last


def test_names_are_unique_in_the_tables() -> None:
    for framework in catalogue._FRAMEWORKS:
        for namespace in framework.NAMESPACES:
            names = [name for name, _ in entries(namespace)]
            assert len(names) == len(set(names)), namespace.name
            used = {
                parameter.name
                for name, e in entries(namespace)
                for parameter in operator(namespace, e).signature
            }
            assert used, namespace.name


def test_every_namespace_is_spelled() -> None:
    for framework in catalogue._FRAMEWORKS:
        spelled = {spelling.namespace for spelling in framework.SPELLINGS}
        assert {namespace.name for namespace in framework.NAMESPACES} <= spelled <= set(catalogue._NAMESPACES)


def test_every_operator_is_found_under_its_own_name() -> None:
    for found in catalogue.operators():
        dotted = re.sub(r"^tf\.", "tensorflow.", found.name)
        assert found in generations(catalogue.lookup(dotted))


def generations(operator: Operator | None) -> Iterator[Operator]:
    while operator is not None:
        yield operator
        operator = catalogue.older(operator)


@pytest.mark.parametrize("forbidden", ["torch", "tensorflow", "keras", "jax", "flax", "numpy", "libcst"])
def test_imports_no_framework(forbidden: str) -> None:
    code = f"import sys, padlint.catalogue as c; c.operators(); sys.exit({forbidden!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
