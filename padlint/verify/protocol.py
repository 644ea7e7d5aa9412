"""What parent and worker say to each other: one JSON object per line.

The worker opens with `{"ready": framework}` or `{"missing": reason}`. It answers every pair with any number
of `{"stage": side}` and one `{"outcome": {...}}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from padlint.findings import LayerPair, Program

EQUAL, DIFFERS, NO_REFERENCE = "equal", "differs", "no reference"
"""Results."""

IDLE, BEFORE, AFTER = "idle", "before", "after"
"""Stages: which side a worker runs."""

WORKERS = {"torch": "torch", "keras": "tensorflow", "tf": "tensorflow", "tensorflow": "tensorflow"}
"""Which worker proves the pairs of which framework."""


def encode(pair: LayerPair) -> str:
    """A pair as one line."""
    return json.dumps(asdict(pair) | {"names": dict(pair.names)})


def decode(line: str) -> LayerPair:
    """The pair of a line."""
    data: Mapping[str, Any] = json.loads(line)
    kernel = data["kernel"]
    return LayerPair(
        data["framework"],
        _program(data["before"]),
        _program(data["after"]),
        data["names"],
        tuple(tuple(size) for size in data["sizes"]),
        tuple(kernel) if kernel else None,
    )


def _program(data: Mapping[str, Any]) -> Program:
    return Program(tuple(data["setup"]), data["output"], data["input"])
