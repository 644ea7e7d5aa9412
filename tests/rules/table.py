"""How the tables of the rule tests are read: short sources, and what padlint says about them.

A source without imports of its own gets `IMPORTS` in front; rows in messages count from there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from padlint.engine import check, fix
from padlint.findings import Finding, LayerProof
from padlint.options import Options
from padlint.verify import LayerProver

IMPORTS = """\
import keras
import tensorflow as tf
import torch
from keras import layers
from torch import nn
from torch.nn import functional as F

"""


@dataclass(frozen=True)
class Fixed:
    """A source before and after fixing, and how its first fix is classed.

    `layer` is the result of the layer proof of every fix: `no reference` where the old code raises, None
    where there is no text to run.
    """

    before: str
    after: str
    applicability: str = "safe"
    layer: str | None = "equal"
    doubt: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


def source_of(text: str) -> str:
    """The whole source that a row of a table stands for."""
    text = textwrap.dedent(text).lstrip("\n")
    return text if re.search(r"^\s*(import|from) ", text, re.M) else IMPORTS + text


def each(table: Mapping[str, Any]) -> pytest.MarkDecorator:
    """Run a test once per row; the key of a row says what is special about it."""
    return pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in table.items()])


def options_for(code: str, options: Mapping[str, Any] | None = None) -> Options:
    return Options(codes=frozenset({code}), **(options or {}))


def findings(code: str, text: str, options: Mapping[str, Any] | None = None) -> list[Finding]:
    return check(source_of(text), options_for(code, options))


def only_finding(code: str, text: str, options: Mapping[str, Any] | None = None) -> Finding:
    (finding,) = findings(code, text, options)
    assert (finding.fix is None) == bool(finding.no_fix_reason), "a fix, or a reason why there is none"
    return finding


def assert_reported(code: str, row: tuple[str, ...]) -> None:
    """The row is a source and texts that its only finding's message holds."""
    text, *parts = row
    finding = only_finding(code, text)
    for part in parts:
        assert part in finding.message


def assert_not_fixed(code: str, row: tuple[str, str]) -> None:
    """The row is a source and a text that the reason holds; nothing is ever changed."""
    text, reason = row
    finding = only_finding(code, text)
    assert reason in (finding.no_fix_reason or "nothing: there is a fix")
    whole = source_of(text)
    assert fix(whole, options_for(code), unsafe=True).text == whole


def assert_fixed(code: str, row: Fixed, prover: LayerProver) -> None:
    """Both classes of fix, the result byte for byte, the second run, and both proofs."""
    options = options_for(code, row.options)
    before, after = source_of(row.before), source_of(row.after)
    found = check(before, options)
    first = next(finding.fix for finding in found if finding.fix is not None)
    assert first.applicability.value == row.applicability
    assert row.doubt in first.message
    done = fix(before, options, unsafe=True, prover=prover)
    assert done.text == after
    assert not done.refuted
    assert fix(before, options).text == (after if row.applicability == "safe" else before)
    assert fix(after, options, unsafe=True).text == after
    assert list(layer_results(found, prover)) == [row.layer] * len(done.applied)


def layer_results(found: list[Finding], prover: LayerProver) -> Iterator[str | None]:
    """What the layer proof says of every fix."""
    for finding in found:
        if finding.fix is None:
            continue
        if finding.fix.layer is None:
            yield None
            continue
        (proof,) = prover([finding.fix.layer])
        yield explained(proof)


def explained(proof: LayerProof) -> str:
    """The result, with the reason where it is unexpected."""
    if proof.result == "equal":
        assert proof.max_abs is not None
        return "equal"
    return proof.result if proof.result == "no reference" else f"{proof.result}: {proof.detail}"
