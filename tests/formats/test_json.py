"""The JSON format keeps to its schema."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from padlint.findings import Finding, LayerProof, Proof
from padlint.formats import Report, render
from tests.formats.findings import finding, unfixable, unsafe
from tests.formats.schema import FINDINGS, conforms

PROOF = Proof("equal", "all")
LAYER = LayerProof("torch", "equal", 1e-16, "float64", ((8, 8), (9, 8)))
NUMBERS = {
    "op": "torch.nn.Conv2d",
    "axes": [
        {"axis": 0, "size": None, "kernel": 3, "stride": 1, "dilation": 1, "pads": [1, 1], "by_residue": None}
    ],
    "others": {"keras": [1, 1]},
}


def with_proof(found: Finding, proof: Proof) -> Finding:
    assert found.fix is not None
    return replace(found, fix=replace(found.fix, proof=proof))


FOUND = {
    "safe": finding(),
    "unsafe": unsafe(finding()),
    "none": unfixable(finding()),
    "proved": with_proof(finding(), PROOF),
    "proved for sizes": with_proof(finding(), Proof("equal", ((224, 224),))),
    "proved in a layer": with_proof(finding(), replace(PROOF, layer=LAYER)),
    "no reference": with_proof(finding(), replace(PROOF, layer=replace(LAYER, max_abs=None))),
    "numbers": finding(numbers=NUMBERS),
    "cell": finding(cell=2),
}


def parsed(*findings: Finding, **changes: Any) -> Any:
    return json.loads(render("json", Report(findings)._replace(**changes)))


@pytest.mark.parametrize("name", FOUND)
def test_schema(name: str) -> None:
    (item,) = items = parsed(FOUND[name])
    assert conforms(items, FINDINGS) == []
    assert list(item) == [
        "code",
        "name",
        "severity",
        "message",
        "filename",
        "cell",
        "location",
        "end_location",
        "fix",
        "no_fix_reason",
        "numbers",
    ]


def test_the_schema_refuses_what_is_wrong() -> None:
    (item,) = parsed(finding())
    for change in ({"code": "X1"}, {"severity": "fatal"}, {"fix": {}}, {"location": {"row": 0, "column": 1}}):
        assert conforms([{**item, **change}], FINDINGS)
    del item["numbers"]
    assert conforms([item], FINDINGS)


def test_values() -> None:
    (item,) = parsed(with_proof(finding(), replace(PROOF, layer=LAYER)))
    assert item["location"] == {"row": 1, "column": 5}
    assert item["fix"]["edits"] == [
        {
            "content": "Conv2d(3, padding=1)",
            "location": {"row": 1, "column": 5},
            "end_location": {"row": 1, "column": 30},
        }
    ]
    assert item["fix"]["proof"] == {
        "taps": "equal",
        "sizes": "all",
        "layer": {
            "framework": "torch",
            "result": "equal",
            "max_abs": 1e-16,
            "dtype": "float64",
            "sizes": [[8, 8], [9, 8]],
        },
    }


def test_no_findings_are_an_empty_list() -> None:
    assert parsed() == []


def test_plain_ascii() -> None:
    assert render("json", Report((finding(message="größe", filename="\udcff.py"),))).isascii()


def test_statistics() -> None:
    assert parsed(finding(), unsafe(finding()), statistics=True) == [
        {"code": "PAD305", "name": "same-string", "count": 2, "fixable": 1}
    ]
