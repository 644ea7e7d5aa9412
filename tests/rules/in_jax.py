"""Runs both sides of a fix of JAX, Flax or Haiku code: the layer proof knows other frameworks only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from padlint.engine import fix
from tests.rules.table import options_for, source_of


def assert_same_in_jax(code: str, text: str, shapes: Iterable[tuple[int, ...]]) -> None:
    """Fix a source that defines `run(x)` and compare the results of both for inputs of these shapes."""
    for module in ("jax", "flax", "haiku"):
        pytest.importorskip(module)
    import jax
    import numpy as np

    before = source_of(text)
    after = fix(before, options_for(code)).text
    assert after != before
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        for shape in shapes:
            x = jax.numpy.asarray(rng.standard_normal(shape) - 0.5)
            old, new = _run(before, x), _run(after, x)
            assert old.shape == new.shape
            assert float(abs(old - new).max()) <= 1e-12


def _run(source: str, x: Any) -> Any:
    names: dict[str, Any] = {}
    exec(compile(source, "source", "exec"), names)
    return names["run"](x)
