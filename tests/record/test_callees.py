"""Layers that are built by a name which only a run and the rest of the file explain."""

from __future__ import annotations

import pytest

from padlint.engine import check, fix
from padlint.findings import Applicability
from padlint.options import Options
from padlint.traces.model import Run
from tests.record.test_fixes import trace_of

BLOCK = """\
from functools import partial
from typing import Any

from flax import linen as nn
from other import lib


class Block(nn.Module):
    strides: tuple
    conv: Any

    @nn.compact
    def __call__(self, x):
        return self.conv(8, (3, 3), self.strides)(x)


class Net(nn.Module):
    conv: Any = nn.Conv

    @nn.compact
    def __call__(self, x):
        conv = partial(self.conv, use_bias=False)
        return Block((2, 2), conv=conv)(Block((1, 1), conv=conv)(x))
"""
CALL = "self.conv(8, (3, 3), self.strides)"
RUN = Run(
    (("kernel", (3, 3)), ("stride", (2, 2)), ("padding", "SAME"), ("dilation", 1), ("input_dilation", 1)),
    "channels_last",
    (32, 32),
    (16, 16),
    "float32",
)


def traced(text: str, operator: str = "flax.linen.Conv") -> Options:
    return Options(frozenset({"PAD101"}), trace=trace_of(text, (CALL, operator, [RUN])))


SILENT = [
    BLOCK.replace("Any = nn.Conv", "Any"),  # nothing says what it is
    BLOCK.replace("Any = nn.Conv", "Any = lib.Conv"),
    BLOCK.replace("Any = nn.Conv", "Any = nn.Dense"),
    BLOCK + "\n\nnet = Net(conv=lib.Conv)\n",
    BLOCK + "\n\nnet = Net(conv=partial(nn.Conv, 8))\n",  # its other arguments would move
    BLOCK + '\n\nnet = Net(conv=partial(nn.Conv, padding="VALID"))\n',
]


@pytest.mark.parametrize("text", SILENT)
def test_what_may_be_something_else_is_left_alone(text: str) -> None:
    assert check(text, traced(text)) == []


def test_another_operator_ran_there() -> None:
    assert check(BLOCK, traced(BLOCK, "flax.linen.ConvTranspose")) == []


def test_without_a_trace_it_is_not_seen() -> None:
    assert check(BLOCK, Options(frozenset({"PAD101"}))) == []


@pytest.mark.parametrize("more", ["", "\n\nnet = Net(conv=partial(nn.Conv, dtype=None))\n"])
def test_fixed(more: str) -> None:
    text = BLOCK + more
    (finding,) = check(text, traced(text))
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE
    assert "self.conv may also be something else" in finding.fix.message
    assert (
        "self.conv(8, (3, 3), self.strides, padding=((0, 1), (0, 1)))(x)"
        in fix(text, traced(text), unsafe=True).text
    )
