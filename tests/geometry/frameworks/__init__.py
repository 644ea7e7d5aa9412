"""Thin models of the frameworks: which form of padlint's geometry each operator is, and what it refuses.

A model says what an operator accepts and names the form that it computes; all arithmetic is in the geometry.
"""

from __future__ import annotations

from collections.abc import Callable

from padlint.geometry import Refusal, Row, tap_map
from tests.geometry.frameworks import jax, keras, onnx, tensorflow, torch
from tests.geometry.frameworks.common import Call, Rejected
from tests.geometry.probes import Probe

_MODELS: dict[str, Callable[[Probe], Call]] = {
    "torch": torch.call,
    "keras": keras.call,
    "keras[torch]": keras.call,
    "keras[jax]": keras.call,
    "tf": tensorflow.call,
    "jax": jax.call,
    "flax": jax.call,
    "onnx": onnx.call,
}


def outcome(probe: Probe) -> Row | None:
    """The tap map of the probed axis, or None if the framework is expected to raise.

    A call fails as a whole if any axis does.
    """
    try:
        call = _MODELS[probe.op.partition(".")[0]](probe)
    except Rejected:
        return None
    rows: list[Row] = []
    for form, n in zip(call.forms, probe.sizes, strict=True):
        row = tap_map(form, n)
        if isinstance(row, Refusal) or not (row or call.may_be_empty):
            return None
        rows.append(row)
    return rows[probe.axis]
