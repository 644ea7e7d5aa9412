"""Receptive fields and strides of the flow, as PyTorch computes them: where the gradient of an output is."""

from __future__ import annotations

import re
from typing import Any

import pytest

from padlint.traces.model import Trace
from tests.record.programs import traced

pytest.importorskip("torch")

SIZE = 160
HEAD = f"""\
import torch
from torch import nn
from torch.nn import functional as F


class Both(nn.Module):
    def __init__(self, first, second, join=torch.add):
        super().__init__()
        self.first, self.second, self.join = first, second, join

    def forward(self, x):
        return self.join(self.first(x), self.second(x))


class Do(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def to_map(x):
    return x.reshape(1, 1, 8, 8)


def joined(a, b):
    return torch.cat([a, b], 1)


def net(*layers):
    return nn.Sequential(*layers)


IMAGE = torch.ones(1, 1, {SIZE}, {SIZE})
"""
# The layers of a network are built and called in one row, by which the trace tells networks apart.
KNOWN = [
    "net(conv(3, dilation=2, padding=2), nn.ReLU(), conv(3, 2, padding=1), conv(5, dilation=3))",
    "net(conv(4, padding='same'), nn.BatchNorm2d(1), conv(2, 2), nn.GELU(), conv(4, padding='same'))",
    "net(conv(3, 2, padding=1), nn.AvgPool2d(3, 2, 1), nn.AvgPool2d(2), conv(3))",
    "net(nn.AvgPool2d(3, 2, ceil_mode=True), conv(3), nn.AvgPool2d(2, 3, ceil_mode=True))",
    "net(nn.ZeroPad2d((0, 1, 0, 1)), conv(3, 2), nn.ZeroPad2d((1, 2, 1, 2)), conv(3, 2))",
    "net(Both(nn.Identity(), net(conv(3, padding=1), nn.ReLU(), conv(3, padding=1))), conv(3))",
    "net(Both(net(nn.ZeroPad2d((4, 0, 4, 0)), conv(5)), conv(3, padding=1)), conv(3))",
    "net(Both(net(nn.ZeroPad2d((8, -4, 8, -4)), conv(5)), conv(3, padding=1)), conv(3))",
    "net(Both(conv(1, 2), net(conv(3, 2, padding=1), nn.ReLU(), conv(3, padding=1))))",
    "net(Both(nn.Identity(), conv(5, padding=2), joined), nn.Conv2d(2, 1, 3))",
    "net(conv(3, 2, padding=1), nn.Hardswish(), Do(lambda x: x * x.mean((2, 3), True)), conv(7, padding=3))",
    "net(conv(3, padding=1), Do(lambda x: 0.5 * F.avg_pool2d(F.pad(x, (1, 1, 1, 1)), 3) - 1))",
]
UNKNOWN = [
    "net(conv(3, padding=1), Do(lambda x: x[..., ::2, ::2]), conv(1))",
    "net(conv(3, padding=1), nn.ConvTranspose2d(1, 1, 3, 2), conv(1))",
    "net(conv(3, padding=1), nn.Upsample(scale_factor=2), conv(1))",
    "net(conv(3, padding=1), Do(lambda x: x.flip(-1)), conv(1))",
    "net(conv(3, padding=1), Do(lambda x: x.transpose(2, 3)), conv(1))",
    "net(conv(3, padding=1), Do(lambda x: torch.cat([x, x], 2)), conv(1))",
    "net(conv(3, padding=1), Do(lambda x: x.flatten(2) @ torch.ones(25600, 64)), Do(to_map), conv(1))",
    "net(conv(3, padding=1), Do(lambda x: x.clone().fill_(0)), conv(1))",
    "net(Both(nn.Upsample(scale_factor=2), nn.ConvTranspose2d(1, 1, 2, 2)), conv(1))",
    "net(conv(3, padding=1), Both(nn.Identity(), Do(lambda x: x.roll(9, 2))), conv(1))",
]


def code(text: str) -> str:
    return re.sub(r"\bconv\(", "nn.Conv2d(1, 1, ", text)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    body = "".join(f"{code(text)}(IMAGE)\n" for text in (*KNOWN, *UNKNOWN))
    return traced(tmp_path_factory.mktemp("torch"), "net.py", HEAD + body)


def reach(trace: Trace, text: str) -> tuple[Any, Any]:
    """What the flow says of the last layer of a network, which is built in a row of its own."""
    row = HEAD.count("\n") + [*KNOWN, *UNKNOWN].index(text) + 1
    layer = [layer for layer in trace.flow if layer.place.row == row][-1]
    return layer.field, layer.step


def measured(text: str) -> tuple[int, int]:
    """The width of what an output in the middle sees, and how far from it is what the next one sees."""
    import torch

    names: dict[str, Any] = {}
    exec(compile(HEAD, "net.py", "exec"), names)
    network = eval(code(text).replace(" * x.mean((2, 3), True)", ""), names).double().eval()
    for parameter in network.parameters():
        torch.nn.init.ones_(parameter)
    with torch.no_grad():
        middle = network(names["IMAGE"].double()).shape[-1] // 2
    ends = []
    for at in (middle, middle + 1):
        x = names["IMAGE"].double().clone().requires_grad_()
        network(x)[0, 0, middle, at].backward()
        seen = x.grad[0, 0].sum(0).nonzero().flatten()
        ends.append((int(seen.min()), int(seen.max())))
    return ends[0][1] - ends[0][0] + 1, ends[1][0] - ends[0][0]


@pytest.mark.parametrize("text", KNOWN)
def test_fields_and_strides(trace: Trace, text: str) -> None:
    field, step = measured(text)
    assert reach(trace, text) == ((field, field), (step, step))


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_cannot_be_followed_is_unknown(trace: Trace, text: str) -> None:
    assert reach(trace, text) == ((None, None), (None, None))
