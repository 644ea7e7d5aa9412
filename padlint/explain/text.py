"""An explanation in lines: the first names the call, the others say one thing each."""

from __future__ import annotations

from padlint.explain.model import Explanation, Way

_MOST = 4  # ways that are told


def lines(explanation: Explanation) -> list[str]:
    """`layers.Conv2D is keras.layers.Conv2D`, then its numbers."""
    written, operator = explanation.written, explanation.operator
    found = [f"{written} is {operator}" if written != operator else written]
    if not explanation.ways:
        what = "amounts are" if explanation.family == "pad" else "kernel, stride or padding is"
        found.append(f"its {what} not known")
    for number, way in enumerate(explanation.ways[:_MOST], start=1):
        if len(explanation.ways) > 1:
            found.append(f"case {number} of {len(explanation.ways)}")
        found += _way(way)
    return found


def _way(way: Way) -> list[str]:
    found = [way.geometry, way.here]
    if way.input:
        found.append(f"input {way.input}" + f", output {way.output}" * bool(way.output))
    found += (f"{who}: {text}" for who, text in way.others)
    return [line for line in found if line]
