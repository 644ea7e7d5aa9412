"""Fixes in a Sequential that ends in Flatten and Dense: safe together, not one by one."""

from __future__ import annotations

import numpy as np
import pytest

from padlint.engine import check, fix
from padlint.options import Options

SOURCE = """\
import keras
from keras import layers

model = keras.Sequential([
    keras.Input((32, 32, 3)),
    layers.Conv2D(2, 3, strides=2, padding="same"),
    layers.Conv2D(2, 3, strides=2, padding="same"),{comment}
    layers.Conv2D(2, 3, padding="same"),
    layers.Flatten(),
    layers.Dense(3),
])
"""
CODES = frozenset({"PAD101", "PAD104"})
NEEDED = "needs the fix of line 7 too, or other input sizes pass unnoticed"


def classes(text: str) -> list[tuple[int, str, bool]]:
    findings = check(text, Options(codes=CODES))
    return [(f.location.row, f.fix.applicability.value, NEEDED in f.fix.message) for f in findings if f.fix]


def test_together_they_are_safe() -> None:
    text = SOURCE.format(comment="")
    assert classes(text) == [(6, "safe", False), (7, "safe", False)]
    assert len(fix(text, Options(codes=CODES)).applied) == 2


@pytest.mark.parametrize("comment", ["  # noqa", "  # noqa: PAD101", "  # padlint: ignore[PAD101] as it was"])
def test_the_other_one_is_suppressed(comment: str) -> None:
    text = SOURCE.format(comment=comment)
    assert classes(text) == [(6, "unsafe", True)]
    assert fix(text, Options(codes=CODES)).text == text


def test_the_other_one_cannot_be_fixed() -> None:
    text = SOURCE.format(comment="").replace(
        'strides=2, padding="same"),\n    layers.Conv2D(2, 3, padding',
        'strides=2, padding=(  # as it was\n        "same"\n    )),\n    layers.Conv2D(2, 3, padding',
    )
    assert classes(text) == [(6, "unsafe", True)]


def test_fixes_are_switched_off() -> None:
    found = check(SOURCE.format(comment=""), Options(codes=CODES, unfixable=frozenset({"PAD101"})))
    assert [f.fix for f in found] == [None, None]
    assert {f.no_fix_reason for f in found} == {"fixes of PAD101 are switched off"}


def test_one_alone_changes_numbers_in_keras() -> None:
    """What the rule prevents: at size 31 the half-fixed model runs as the old one does, and differs."""
    text = SOURCE.format(comment="  # noqa")
    before, after = {}, {}
    exec(text, before)
    exec(fix(text, Options(codes=CODES), unsafe=True).text, after)
    after["model"].set_weights(before["model"].get_weights())
    x = np.random.default_rng(0).normal(size=(1, 31, 31, 3)).astype("float32")
    old, new = np.asarray(before["model"](x)), np.asarray(after["model"](x))
    assert old.shape == new.shape
    assert np.abs(old - new).max() > 1e-3
