"""What a function's body is worth in one of its calls."""

from __future__ import annotations

from textwrap import dedent

import pytest

from padlint.sites import collect, interesting_names, readings
from padlint.syntax.functions import Functions
from padlint.syntax.units import open_file
from padlint.syntax.values import Evaluator
from tests.syntax.parsed import calls, opened

# The value of `Conv2D(...)` in `f` as the last call of `f` makes it, and whether it is certain.
CALLS = {
    "by position": ("def f(k): Conv2D(k)\ndef g(): f(3), Conv2D", {3}, True),
    "by keyword": ("def f(k): Conv2D(k + 1)\ndef g(): f(k=3), Conv2D", {4}, True),
    "keyword-only": ("def f(*, k): Conv2D(k)\ndef g(): f(k=3), Conv2D", {3}, True),
    "a default, which the call leaves": ("def f(x, k=3): Conv2D(k)\ndef g(): f(1), Conv2D", {3}, True),
    "a default, which the call replaces": ("def f(x, k=3): Conv2D(k)\ndef g(): f(1, 5), Conv2D", {5}, True),
    "a default of a constant": ("K = 3\ndef f(x, k=K): Conv2D(k)\ndef g(): f(1), Conv2D", {3}, True),
    "a name of the caller": ("def f(k): Conv2D(k)\ndef g():\n  k = 5\n  f(k), Conv2D", {5}, True),
    "one of two": ("def f(k): Conv2D(k)\ndef g(a): f(3 if a else 5), Conv2D", {3, 5}, True),
    "a condition": ("def f(s): Conv2D('a' if s == 1 else 'b')\ndef g(): f(2), Conv2D", {"b"}, True),
    "an assigned name": (
        "def f(s):\n  p = s + 1\n  Conv2D(p)\ndef g(): f(2), Conv2D",
        {3},
        True,
    ),
    "not known": ("def f(k): Conv2D(k)\ndef g(x): f(x), Conv2D", set(), False),
    "left out": ("def f(x, k): Conv2D(k)\ndef g(): f(1), Conv2D", set(), False),
    "args": ("def f(k=3): Conv2D(k)\ndef g(a): f(*a), Conv2D", set(), False),
    "kwargs": ("def f(k=3): Conv2D(k)\ndef g(a): f(**a), Conv2D", set(), False),
    "a default of the caller": ("def f(k): Conv2D(k)\ndef g(k=3): f(k), Conv2D", {3}, False),
    "method": (
        "class A:\n  def f(self, k): Conv2D(k)\n  def g(self): self.f(3)",
        {3},
        True,
    ),
}


@pytest.mark.parametrize(("text", "options", "complete"), CALLS.values(), ids=CALLS)
def test_bindings(text: str, options: set[object], complete: bool) -> None:
    file = opened(text)
    caller, call = calls(file, "f")[-1]
    function = Functions(file).called(caller, call, caller.index.scope_of(call))
    assert function is not None
    bindings = function.bindings(call, Evaluator(caller))
    unit, inner = calls(file, "Conv2D")[0]
    value = Evaluator(unit, bindings=bindings).value(inner.args[0].value)
    assert {option.value for option in value.options} == options
    assert value.complete is complete


def test_a_site_in_one_call() -> None:
    text = """
    from keras import layers

    def conv(x, kernel, stride=1):
        padding = "same" if stride == 1 else "valid"
        return layers.Conv2D(8, kernel, stride, padding)(x)

    def model(x):
        return conv(x, 5, 2), layers.Conv2D
    """
    file = open_file(dedent(text), interesting_names())
    caller, call = calls(file, "conv")[0]
    function = Functions(file).called(caller, call, caller.index.scope_of(call))
    assert function is not None
    (reading,) = readings(collect(file)[0], function.bindings(call, Evaluator(caller)))
    assert [(axis.kernel, axis.stride) for axis in reading.axes] == [(5, 2), (5, 2)]
    assert (reading.padding, reading.sure) == ("valid", True)
