"""Literals, arithmetic and what the syntax trees say, without any framework."""

from __future__ import annotations

import ast
import math

import pytest

from padlint.verify.programs import Calls, Names, parse, survey
from padlint.verify.subclass import recognise
from padlint.verify.values import Sample, Unsupported, infinity, literal
from tests.verify.pairs import NAMES, program


def _value(text: str) -> object:
    def value(node: ast.expr) -> object:
        return literal(node, value)

    return value(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3),
        ("-1.5", -1.5),
        ("+True", 1),
        ("not 0", True),
        ("None", None),
        ("'same'", "same"),
        ("(1, [2, 3], {'a': 4})", (1, [2, 3], {"a": 4})),
        ("(1, *[2, 3])", (1, 2, 3)),
        ("2 * 3 + 7 // 2 - 7 % 4 + 2 ** 3", 14),
        ("7 / 2", 3.5),
        ("((0, 1),) * 2", ((0, 1), (0, 1))),
        ("2 * [1]", [1, 1]),
        ("(1,) + (2,)", (1, 2)),
        ("[1] + [2]", [1, 2]),
        ("k", Sample("k")),
        ("k  +  1", Sample("k + 1")),
        ("-k", Sample("-k")),
        ("(1, k)", Sample("(1, k)")),
        ("[1, [k]]", Sample("[1, [k]]")),
        ("1 if a else 2", Sample("1 if a else 2")),
        ("1 < 2", Sample("1 < 2")),
        ("b'same'", Sample("b'same'")),
        ("'a' + 'b'", Sample("'a' + 'b'")),
        ("1 << 3", Sample("1 << 3")),
    ],
)
def test_literal(text: str, expected: object) -> None:
    value = _value(text)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    "text", ["9 ** 99", "2 ** 63 * 4", "[0] * 2000", "(1, *k)", "70000 ** 2", "(-2) ** 0.5"]
)
def test_excess(text: str) -> None:
    with pytest.raises(Unsupported):
        _value(text)


@pytest.mark.parametrize("text", ["(1,) - (2,)", "(1,) + [2]", "1 + (2,)", "1 // 0"])
def test_what_python_refuses(text: str) -> None:
    with pytest.raises((TypeError, ZeroDivisionError)):
        _value(text)


def test_infinity() -> None:
    assert infinity("float('inf')", None) == math.inf
    assert infinity("float('-inf')", None) == -math.inf
    assert infinity("np.inf", "numpy.inf") == math.inf
    assert infinity("inf", None) is None


def test_parse_keeps_what_the_source_looks_like() -> None:
    statements, output, input_text = parse(
        program(
            "self.conv = nn.Conv2d(\n    3,  # channels\n    8, 3)\nself.conv(\n  x)  # here", "self.bn( x )"
        )
    )
    assert ast.unparse(statements[0]) == "self.conv = nn.Conv2d(3, 8, 3)"
    assert ast.unparse(output) == "self.conv(x)"
    assert input_text == "self.bn(x)"


@pytest.mark.parametrize(
    ("text", "channels", "groups", "channels_first", "scale"),
    [
        ("nn.Conv2d(3, 8, 3)(x)", 3, 1, True, 1),
        ("nn.Conv2d(8, 16, 3)(nn.Conv2d(3, 8, 3)(x))", 3, 1, True, 1),
        ("nn.Sequential(nn.Conv2d(6, 8, 3), nn.Conv2d(8, 3, 3))(x)", 6, 1, True, 1),
        ("C = 6\nConv = nn.Conv2d\nConv(C, 2 * C, 3, groups=C)(x)", 6, 6, True, 1),
        ("nn.Conv2d(c, 8, 3, groups=6)(x)", 12, 6, True, 1),
        ("nn.Conv2d(512, 256, 3, groups=32)(x)", 64, 4, True, 8),
        ("nn.Conv2d(3, 512, 3)(x)", 3, 1, True, 1),
        ("nn.Conv2d(8, 4, *rest)(x)", 8, 1, True, 1),
        ("nn.Conv2d(8, in_channels=4)(x)", 4, 1, True, 1),
        ("F.relu(x)", 4, 1, True, 1),
        ("layers.Conv2D(64, 3)(x)", 4, 1, True, 16),
        ("layers.Conv2D(8, 3, data_format='channels_last')(x)", 4, 1, False, 1),
        ("F = 'channels_first'\nlayers.Conv2D(8, 3, data_format=F)(x)", 4, 1, True, 1),
        ("tf.nn.conv2d(x, w, 1, 'SAME', 'NHWC')", 4, 1, False, 1),
    ],
)
def test_survey(text: str, channels: int, groups: int, channels_first: bool, scale: int) -> None:
    calls = Calls(program(text), Names(NAMES))
    facts = survey(calls, calls, None, True, shrink=True)
    assert (facts.channels, facts.groups, facts.scale) == (channels, groups, scale)
    assert facts.channels_first is channels_first


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "def forward(self, x): return x",
        "def forward(self, x): return self._conv_forward(f(x), self.weight)",
        "def forward(self, x): return self._conv_forward(f(x), self.bias, self.weight)",
        "def forward(self, x): return other._conv_forward(f(x), self.weight, self.bias)",
        "def forward(self, x, y): return self._conv_forward(f(x), self.weight, self.bias)",
        "def forward(self, *x): return self._conv_forward(f(x), self.weight, self.bias)",
        "def forward(self, x=1): return self._conv_forward(f(x), self.weight, self.bias)",
        "def forwards(self, x): return self._conv_forward(f(x), self.weight, self.bias)",
        "async def forward(self, x): return self._conv_forward(f(x), self.weight, self.bias)",
    ],
)
def test_other_classes_are_not_recognised(body: str) -> None:
    (definition,) = ast.parse(f"class C(nn.Conv2d):\n    {body}").body
    assert isinstance(definition, ast.ClassDef)
    with pytest.raises(Unsupported):
        recognise(definition)
