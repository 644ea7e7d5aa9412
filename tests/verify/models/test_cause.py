"""Causes that are found by trying: shifts, borders, fills, other counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from padlint.verify.models.cause import Ask, Explainer
from padlint.verify.models.difference import Parts, Tolerance, first_difference
from padlint.verify.models.inputs import sample
from padlint.verify.models.model import Tracer
from padlint.verify.models.request import Case, Input
from padlint.verify.models.torch_backend import TorchModel

WEIGHT = torch.randn(4, 3, 3, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
INPUT = Input.parse("2x3x16x18")
Function = Callable[[torch.Tensor], torch.Tensor]


def conv(left: int, right: int, top: int, bottom: int, stride: int = 2) -> Function:
    return lambda x: F.conv2d(F.pad(x, (left, right, top, bottom)), WEIGHT, stride=stride)


def ask(model: TorchModel) -> Ask:
    """What a side makes of a case."""

    def run(case: Case, trace: dict[str, object] | None = None) -> Parts:
        tracer = Tracer(**trace) if trace else None  # type: ignore[arg-type]
        found = model.run({"0": sample(INPUT, 0, case, 0, 2)}, case, tracer)
        return {
            "outputs": found.outputs,
            "gradients": found.gradients,
            "layers": tracer.outputs if tracer else {},
            "kinds": tracer.kinds if tracer else {},  # type: ignore[dict-item]
        }

    return run


def cause(before: Function, after: Function) -> tuple[str | None, str | None]:
    """The first layer that differs, and why."""
    sides = [ask(TorchModel(function, {}, "float64", 0)) for function in (before, after)]
    case = Case("random")
    found = first_difference(sides[0](case), sides[1](case), Tolerance.all(1e-12))
    assert found is not None
    explained = Explainer(*sides, 2, "float64").explain(found, case)
    return explained.layer, explained.cause


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            conv(0, 1, 0, 1),
            conv(1, 0, 1, 0),
            "as if its input were shifted by one pixel to the right and bottom",
        ),
        (conv(1, 0, 1, 0), conv(0, 1, 0, 1), "as if its input were shifted by one pixel to the left and top"),
        (
            conv(0, 1, 0, 1),
            conv(1, 1, 1, 1),
            "as if its input were shifted by one pixel to the right and bottom",
        ),
        (conv(1, 1, 1, 1), conv(0, 2, 1, 1), "as if its input were shifted by one pixel to the left"),
        (conv(1, 1, 1, 1), conv(1, 1, 0, 2), "as if its input were shifted by one pixel to the top"),
        (conv(0, 2, 1, 1), conv(2, 0, 1, 1), "as if its input were shifted by two pixels to the right"),
        (conv(1, 1, 1, 1), conv(1, 1, 1, 2), "the shape (2, 4, 8, 9) became (2, 4, 9, 9)"),
        (
            lambda x: conv(0, 0, 0, 0, 1)(F.pad(x, (1, 1, 1, 1))),
            lambda x: conv(0, 0, 0, 0, 1)(F.pad(x, (1, 1, 1, 1), mode="reflect")),
            "border only (left 1, right 1, top 1, bottom 1)",
        ),
        (
            lambda x: F.max_pool2d(x, 3, 1, padding=1),
            lambda x: F.max_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 1),
            "border only (top 1, bottom 1): positive inputs agree, so zeros were padded where -inf",
        ),
        (
            lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False),
            lambda x: F.avg_pool2d(x, 3, 1, 1),
            "border only (left 1, right 1, top 1, bottom 1): values are multiplied by 0.4444, 0.6667, so",
        ),
        (lambda x: x * 2, lambda x: x * 3, "every value is multiplied by 1.5"),
        (torch.sin, torch.cos, None),
    ],
)
def test_causes(before: Function, after: Function, expected: str | None) -> None:
    _, found = cause(before, after)
    assert (found or "").startswith(expected or "")
    assert (found is None) == (expected is None)


class Net(nn.Module):
    def __init__(self, pad: tuple[int, ...]) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.pad = nn.ZeroPad2d(pad)
        self.down = nn.Conv2d(4, 4, 3, stride=2)
        self.head = nn.Linear(4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.down(self.pad(self.stem(x))).mean((2, 3)))


def test_the_first_layer_that_differs_is_named_and_tried() -> None:
    layer, found = cause(Net((0, 1, 0, 1)), Net((1, 0, 1, 0)))
    assert layer is not None
    assert layer.startswith("pad (ZeroPad2d), by up to ")
    folded = Net((0, 1, 0, 1))
    folded.pad = nn.Identity()
    folded.down = nn.Conv2d(4, 4, 3, stride=2, padding=1)
    layer, found = cause(Net((0, 1, 0, 1)), folded)
    assert layer is not None
    assert layer.startswith("down (Conv2d), by up to "), "the pad was meant to go"
    layer, found = cause(Net((0, 1, 0, 1)), nn.Sequential(nn.Identity(), Net((1, 1, 1, 1)))[1])
    assert layer == "pad (ZeroPad2d)"
    assert found == "the shape (2, 4, 17, 19) became (2, 4, 18, 20)"
