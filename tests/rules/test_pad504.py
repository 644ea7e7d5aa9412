from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD504"


def loop(body: str, of: str = "model.modules()") -> str:
    """A loop over the layers of a model."""
    lines = "\n".join(f"                {line}" for line in body.split("\n"))
    return f"""
        def patch(model, other):
            for m in {of}:
{lines}
        """


SILENT = {
    "read": loop("if isinstance(m, nn.Conv2d):\n    p = m.padding"),
    "compared": loop("if isinstance(m, nn.Conv2d) and m.padding == 'same':\n    count += 1"),
    "unknown object": loop("m.padding = 1"),
    "deep in a model": "model.layer4[0].conv2.stride = (1, 1)",
    "another class": loop("if isinstance(m, nn.Linear):\n    m.padding = 1"),
    "own class": loop("if isinstance(m, Conv2d):\n    m.padding = 1"),
    "another attribute": loop("if isinstance(m, nn.Conv2d):\n    m.bias = None"),
    "another object": loop("if isinstance(m, nn.Conv2d):\n    other.padding = 1"),
    "in the other branch": loop("if isinstance(m, nn.Conv2d):\n    pass\nelse:\n    m.padding = 1"),
    "not a convolution": loop("if not isinstance(m, nn.Conv2d):\n    m.padding = 1"),
    "either": loop("if isinstance(m, nn.Conv2d) or m is other:\n    m.padding = 1"),
    "rebound": loop("if isinstance(m, nn.Conv2d):\n    m = wrap(m)\n    m.padding = 1"),
    "in a function inside": loop("if isinstance(m, nn.Conv2d):\n    def f(m):\n        m.padding = 1"),
    "a class's own": """
        class Causal(nn.Conv1d):
            def __init__(self, c, k):
                super().__init__(c, c, k)
                self.padding = (k - 1,)
        """,
    "an own attribute": """
        class Block(nn.Module):
            def __init__(self, p):
                super().__init__()
                self.padding = p
                self.conv = nn.Conv2d(3, 8, 3, padding=self.padding)
        """,
    "a pad": "p = nn.ZeroPad2d(1)\np.padding = (1, 2, 1, 2)",
    "declared without value": loop("if isinstance(m, nn.Conv2d):\n    m.padding: int"),
    "the other framework's name": loop("if isinstance(m, nn.Conv2d):\n    m.strides = 2"),
}

REPORTED = {
    "padding": (
        loop("if isinstance(m, nn.Conv2d):\n    m.padding = 1"),
        "m.padding is changed after Conv2d was built",
        "only with padding_mode='zeros'",
    ),
    "padding_mode": (
        loop("if isinstance(m, nn.Conv2d):\n    m.padding_mode = 'circular'"),
        "m.padding_mode is changed after Conv2d was built: every call reads it",
    ),
    "stride": (loop("if isinstance(m, nn.Conv2d):\n    m.stride = 1"), "a stride above 1 then raises"),
    "dilation": (loop("if isinstance(m, nn.Conv2d):\n    m.dilation = 2"), "padding do not follow"),
    "kernel_size": (loop("if isinstance(m, nn.Conv2d):\n    m.kernel_size = 5"), "it has no effect"),
    "transposed": (
        loop("if isinstance(m, nn.ConvTranspose2d):\n    m.output_padding = (1, 1)"),
        "m.output_padding is changed after ConvTranspose2d was built",
    ),
    "pool": (loop("if isinstance(m, nn.MaxPool2d):\n    m.kernel_size = 2"), "every call reads it"),
    "one of several classes": (
        loop("if isinstance(m, (nn.Linear, nn.Conv1d)):\n    m.padding = 1"),
        "after Conv1d was built",
    ),
    "with another test": (
        loop("if m is not other and isinstance(m, nn.Conv2d):\n    m.padding = 1"),
        "m.padding is changed",
    ),
    "type": (loop("if type(m) == nn.Conv2d:\n    m.padding = 1"), "m.padding is changed"),
    "left before": (
        loop("if not isinstance(m, nn.Conv2d):\n    continue\np = 1\nm.padding = p"),
        "m.padding is changed",
    ),
    "filtered": (
        loop("m.padding = 1", of="[m for m in model.modules() if isinstance(m, nn.Conv2d)]"),
        "m.padding is changed",
    ),
    "tuple": (
        loop("if isinstance(m, nn.Conv2d):\n    m.dilation, m.padding = 2, 2"),
        "m.padding is changed",
    ),
    "augmented": (loop("if isinstance(m, nn.MaxPool2d):\n    m.padding += 1"), "m.padding is changed"),
    "attribute": (
        loop("if isinstance(m.conv, nn.Conv2d):\n    m.conv.padding = 1"),
        "m.conv.padding is changed",
    ),
    "annotated": (
        """
        def patch(conv: nn.Conv2d):
            conv.padding = (1, 1)
        """,
        "conv.padding is changed",
    ),
    "built above": (
        """
        def build():
            conv = nn.Conv2d(3, 8, 3)
            conv.padding = (1, 1)
            return conv
        """,
        "conv.padding is changed",
    ),
    "built above with another mode": (
        """
        def build():
            conv = nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect")
            conv.padding = (2, 2)
            return conv
        """,
        "it has no effect, since the pads for 'reflect' were computed when it was built",
    ),
    "built in the class": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3)

            def widen(self):
                self.conv.padding = (2, 2)
        """,
        "self.conv.padding is changed",
    ),
    "Keras": (
        loop("if isinstance(m, layers.Conv2D):\n    m.strides = (2, 2)", of="model.layers"),
        "m.strides is changed after Conv2D was built",
        "a model that was built with it keeps the shapes that it had",
    ),
}

NOT_FIXED = {"padding": (REPORTED["padding"][0], "which layers it reaches here is not seen")}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


@pytest.mark.parametrize(
    ("name", "severity"),
    [("padding", "info"), ("kernel_size", "warning"), ("built above with another mode", "warning")],
)
def test_what_does_nothing_is_a_warning(name: str, severity: str) -> None:
    assert only_finding(CODE, REPORTED[name][0]).severity.label == severity


def test_it_stands_at_the_assignment() -> None:
    finding = only_finding(CODE, REPORTED["tuple"][0])
    assert finding.end_location.column - finding.location.column == len("m.dilation, m.padding = 2, 2")


@pytest.mark.parametrize(
    ("arguments", "attribute", "value", "expected"),
    [
        ({"padding": 1}, "padding", (2, 2), "another size"),
        ({"padding": 1, "padding_mode": "reflect"}, "padding", (2, 2), "nothing"),
        ({"padding": 1}, "padding_mode", "circular", "other values"),
        ({}, "padding_mode", "circular", "nothing"),
        ({}, "stride", (2, 2), "another size"),
        ({"padding": 1}, "dilation", (2, 2), "another size"),
        ({}, "kernel_size", (5, 5), "nothing"),
    ],
)
def test_pytorch_does_what_the_messages_say(
    arguments: dict[str, Any], attribute: str, value: Any, expected: str
) -> None:
    import torch

    conv = torch.nn.Conv2d(3, 4, 3, **arguments)
    x = torch.randn(1, 3, 9, 9)
    before = conv(x)
    setattr(conv, attribute, value)
    after = conv(x)
    if after.shape != before.shape:
        assert expected == "another size"
    else:
        assert expected == ("nothing" if torch.equal(before, after) else "other values")


def test_pytorch_raises_for_a_stride_with_same() -> None:
    import torch

    conv = torch.nn.Conv2d(3, 4, 3, padding="same")
    conv.stride = (2, 2)
    with pytest.raises(RuntimeError, match="not supported for strided convolutions"):
        conv(torch.zeros(1, 3, 9, 9))
