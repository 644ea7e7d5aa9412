"""Wrappers of the user's own, which the configuration says behave like a known operator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from padlint.config import ConfigError
from padlint.config.schema import parse
from tests.cli.command import padlint

SOURCE = """\
from mmcv.cnn import ConvModule
from .blocks import Down

layer = ConvModule(3, 8, 3, stride=2, padding="same", norm_cfg=None)
y = Down(8, 4, strides=2, padding="same")(x)
"""
TABLE = """\
[tool.padlint.operators]
"mmcv.cnn.ConvModule" = "torch.nn.Conv2d"
".blocks.Down" = "keras.layers.Conv2D"
"""


def test_calls_of_a_wrapper_are_judged_like_the_operator_and_never_fixed_safely(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TABLE)
    (tmp_path / "model.py").write_text(SOURCE)
    done = padlint("check", "--output-format", "json", "model.py", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [(f["location"]["row"], f["code"]) for f in found] == [(4, "PAD401"), (5, "PAD101")]
    assert {f["fix"]["applicability"] for f in found if f["fix"]} <= {"unsafe"}


def test_without_the_table_they_are_silent(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(SOURCE)
    assert padlint("check", "--isolated", "model.py", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a.B": "torch.nn.Conv9d"}, "'torch.nn.Conv9d' is no operator"),
        ({"a b": "torch.nn.Conv2d"}, "'a b' is no dotted path"),
        ({"a.B": 3}, "expected a table of dotted paths"),
        ("torch.nn.Conv2d", "expected a table of dotted paths"),
    ],
)
def test_a_wrong_table_is_said(table: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse({"operators": table}, Path(), "")
