"""Keras 1, which no Python of today runs: its signatures are read from its source.

pip download --no-deps --no-binary :all: keras==1.2.2
tar xzf Keras-1.2.2.tar.gz
PADLINT_KERAS_1=Keras-1.2.2 pytest tests/catalogue/test_keras_1.py
"""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path

import pytest

from padlint import catalogue
from padlint.catalogue.model import Operator
from padlint.catalogue.table import parse

SOURCE = os.environ.get("PADLINT_KERAS_1", "")
MODULES = ("convolutional", "pooling", "core")
OPERATORS = [operator for operator in catalogue.operators() if operator.retired]


@cache
def source() -> tuple[dict[str, str], dict[str, str]]:
    """The signatures of the classes, and the second names of classes."""
    if not SOURCE:
        pytest.skip("PADLINT_KERAS_1 does not name a folder with the source of Keras 1.2.2")
    signatures, aliases = {}, {}
    for module in MODULES:
        text = Path(SOURCE, "keras", "layers", f"{module}.py").read_text(encoding="utf-8")
        classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
        for node in classes:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    signatures[node.name] = ast.unparse(method.args).removeprefix("self, ")
            base = ast.unparse(node.bases[0])
            signatures.setdefault(node.name, signatures.get(base, ""))
        for assignment in ast.parse(text).body:
            if isinstance(assignment, ast.Assign):
                aliases[ast.unparse(assignment.targets[0])] = ast.unparse(assignment.value)
    return signatures, aliases


@pytest.mark.parametrize("operator", OPERATORS, ids=[operator.name for operator in OPERATORS])
def test_signature(operator: Operator) -> None:
    signatures, aliases = source()
    parameters, _, var_keyword = parse(signatures[aliases.get(operator.short, operator.short)])
    assert operator.signature == parameters
    assert operator.var_keyword == var_keyword


def test_the_names_that_later_keras_lacks() -> None:
    signatures, aliases = source()
    for name in signatures.keys() | aliases.keys():
        if "Conv" in name or "conv" in name:
            assert catalogue.lookup(f"keras.layers.{name}") is not None, name
