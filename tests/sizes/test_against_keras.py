"""Every size that is claimed for a random program is the one that Keras has when the program runs."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

import pytest

from padlint.geometry import Size, Unknown, residue_class
from padlint.options import Options
from padlint.rules.context import FileContext
from padlint.sites import interesting_names
from padlint.sizes.extent import Extent, Known
from padlint.syntax.units import open_file
from tests.sizes.programs import Program

keras = pytest.importorskip("keras")

Shapes = dict[int, set[tuple[int, ...]]]


def observed(text: str, monkeypatch: pytest.MonkeyPatch) -> Shapes:
    """The spatial sizes that reach the layers of each row, as far as the program comes."""
    shapes: Shapes = defaultdict(set)
    original = keras.layers.Layer.__call__

    def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != "<program>":
            frame = frame.f_back  # type: ignore[assignment]
        if frame is not None and not isinstance(args[0], (list, tuple)):
            shapes[frame.f_lineno].add(tuple(args[0].shape[1:3]))
        return original(layer, *args, **kwargs)

    monkeypatch.setattr(keras.layers.Layer, "__call__", call)
    try:
        exec(compile(text, "<program>", "exec"), {})
    except (ValueError, UnboundLocalError):  # a window does not fit, or no tensor was made
        pass
    finally:
        monkeypatch.undo()
    return shapes


def claimed(text: str) -> list[tuple[int, str, Known]]:
    """What is known of the input of each layer: row, call, and the claim."""
    context = FileContext(open_file(text, interesting_names()), Options(frozenset()))
    return [
        (site.unit.row(site.call), site.written, context.input_of(site))
        for site in context.sites
        if site.operator.name.startswith("keras.layers.") and site.has("padding")
    ]


def holds(size: Size, n: int) -> bool:
    remainder, modulus = residue_class(size)
    return n == remainder if modulus == 0 else n % modulus == remainder


@pytest.mark.parametrize("seed", range(60))
def test_claims_hold_in_keras(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Program(seed).text
    shapes = observed(text, monkeypatch)
    for row, call, known in claimed(text):
        sizes = known.spatial(2, True) if isinstance(known, Extent) else None
        for shape in shapes.get(row, ()):
            if sizes is not None and len(shape) == 2:
                assert all(map(holds, sizes, shape)), f"{call} in row {row}: {known} but {shape}\n{text}"


def test_most_sizes_are_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saying nothing at all would be sound as well."""
    exact = run = 0
    for seed in range(60):
        text = Program(seed).text
        for _, _, known in claimed(text):
            run += 1
            sizes = known.spatial(2, True) if isinstance(known, Extent) else None
            exact += sizes is not None and not any(isinstance(size, Unknown) for size in sizes)
    assert exact / run > 0.3, f"{exact} of {run}"
