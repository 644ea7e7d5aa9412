"""What an expression can be worth, and whether it can be worth anything else."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from padlint.syntax.values import Evaluator, Value
from tests.syntax.parsed import only_call, opened, opened_whole

EXPRESSIONS = {
    "3": 3,
    "-3": -3,
    "+3": 3,
    "0x10": 16,
    "1_000": 1000,
    "2.5": 2.5,
    "'same'": "same",
    'r"same"': "same",
    "True": True,
    "None": None,
    "not 0": True,
    "1 + 2": 3,
    "7 - 2": 5,
    "2 * 3": 6,
    "7 // 2": 3,
    "6 / 2": 3.0,
    "7 % 4": 3,
    "2 ** 3": 8,
    "-7 // 2": -4,
    "(5 - 1) // 2": 2,
    "(3, 3)": (3, 3),
    "[3, 3]": (3, 3),
    "()": (),
    "(1,) * 3": (1, 1, 1),
    "2 * (1, 2)": (1, 2, 1, 2),
    "(1,) + (2, 3)": (1, 2, 3),
    "'a' + 'b'": "ab",
    "((0, 1), (0, 1))": ((0, 1), (0, 1)),
    "(1, 2, 3)[1]": 2,
    "[1, 2, 3][-1]": 3,
    "((1, 2), 3)[0][1]": 2,
    "int(5 / 2)": 2,
    "tuple([1, 2])": (1, 2),
    "list((1, 2))": (1, 2),
    "float(3)": 3.0,
    "abs(-3)": 3,
    "1 if 2 > 1 else 3": 1,
    "1 if 'a' == 'b' else 3": 3,
    "1 if 3 in (1, 2) else 4": 4,
    "1 if 3 not in (1, 2) else 4": 1,
    "1 if None is None else 4": 1,
    "1 if 3 is not None else 4": 1,
    "1 if not 3 >= 4 else 5": 1,
}


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS.items())
def test_constants(expression: str, expected: object) -> None:
    value = _value(f"Conv2D({expression})")
    assert value.known
    assert (type(value.only), value.only) == (type(expected), expected)
    assert value.origin == ""


@pytest.mark.parametrize(
    "expression",
    [
        "f()",
        "x.y",
        "x[0]",
        "f'{3}'",
        "'sa' 'me'",
        "b'same'",
        "3j",
        "{1: 2}",
        "{1, 2}",
        "(1, *x)",
        "lambda: 3",
        "[i for i in (1, 2)]",
        "...",
        "1 << 2",
        "~1",
        "1 @ 2",
        "1 < 2 < 3",
        "a and b",
        "(1, 2)[0:1]",
        "(1, 2)[5]",
        "1 // 0",
        "1 % 0",
        "0 ** -1",
        "'a' - 'b'",
        "-'a'",
        "'a' % 3",
        "(1, 2) < 3",
        "1 if () is () else 2",
        "1 if 300 is 300 else 2",
        "int('x')",
        "int(float('inf'))",
        "int(x=3)",
        "int(*x)",
        "int(3, 10)",
        "len((1, 2))",
        "max(1, 2)",
        "x if x else y",
    ],
)
def test_not_known(expression: str) -> None:
    assert not _value(f"Conv2D({expression})").known


# The values that the argument can have, and whether there may be others.
NAMES = {
    "constant of the module": ("K = 3\nConv2D(K)", {3}, True),
    "constant of the module, in a function": ("K = 3\ndef f():\n  Conv2D(K)", {3}, True),
    "constant with an annotation": ("K: int = 3\nConv2D(K)", {3}, True),
    "constant made of constants": ("K = 3\nL = K // 2\nConv2D(L)", {1}, True),
    "constant over several rows": ("K = (\n  3,  # high\n  5,  # wide\n)\nConv2D(K)", {(3, 5)}, True),
    "tuple without brackets": ("K = 3, 5\nConv2D(K)", {(3, 5)}, True),
    "constant further down": ("def f():\n  Conv2D(K)\nK = 3", {3}, True),
    "constant of two targets": ("K = L = 3\nConv2D(L)", {3}, True),
    "unpacked constants": ("K, (L, M) = 3, (4, 5)\nConv2D(M)", {5}, True),
    "unpacked from a name": ("P = (3, 4)\nK, L = P\nConv2D(L)", {4}, True),
    "unpacked into a star": ("K, *L = 3, 4\nConv2D(K)", set(), False),
    "local": ("def f():\n  k = 3\n  Conv2D(k)", {3}, True),
    "local that hides a constant": ("k = 3\ndef f():\n  k = 5\n  Conv2D(k)", {5}, True),
    "unknown local that hides a constant": ("k = 3\ndef f():\n  Conv2D(k)\n  k = g()", set(), False),
    "local of an outer function": ("def f():\n  k = 3\n  def g():\n    Conv2D(k)", {3}, True),
    "class body": ("class A:\n  k = 3\n  c = Conv2D(k)", {3}, True),
    "class body, seen from a method": ("class A:\n  k = 3\n  def f(self): Conv2D(k)", set(), False),
    "first iterable in a class": ("class A:\n  k = 3\n  c = [i for i in Conv2D(k)]", {3}, True),
    "default of a parameter": ("def f(k=3): Conv2D(k)", {3}, False),
    "default of a keyword-only parameter": ("def f(*, k=3): Conv2D(k)", {3}, False),
    "default of a lambda": ("f = lambda k=3: Conv2D(k)", {3}, False),
    "default made of a constant": ("K = 3\ndef f(k=K): Conv2D(k)", {3}, False),
    "default made of a constant with the same name": ("k = 3\ndef f(k=k): Conv2D(k)", {3}, False),
    "parameter without default": ("def f(k): Conv2D(k)", set(), False),
    "args": ("def f(*k): Conv2D(k)", set(), False),
    "parameter in arithmetic": ("def f(k=3): Conv2D(k // 2)", {1}, False),
    "parameter in a tuple": ("def f(k=3): Conv2D((k, 1))", {(3, 1)}, False),
    "parameter that is assigned": ("def f(k=3):\n  k = 5\n  Conv2D(k)", {5}, True),
    "two branches": ("if a:\n  k = 3\nelse:\n  k = 5\nConv2D(k)", {3, 5}, True),
    "two branches with one value": ("if a:\n  k = 3\nelse:\n  k = 3\nConv2D(k)", {3}, True),
    "try and except": ("try:\n  k = 3\nexcept E:\n  k = 5\nConv2D(k)", {3, 5}, True),
    "one branch unknown": ("if a:\n  k = 3\nelse:\n  k = g()\nConv2D(k)", {3}, False),
    "assigned again": ("k = 3\nConv2D(k)\nk = 5", {3}, True),
    "assigned again from itself": ("k = 3\nk = k + 1\nConv2D(k)", {4}, True),
    "augmented": ("k = 3\nk += 1\nConv2D(k)", set(), False),
    "loop variable": ("for k in (3, 5): Conv2D(k)", {3, 5}, True),
    "comprehension variable": ("[Conv2D(k) for k in (3, 5)]", {3, 5}, True),
    "walrus": ("f(k := 3)\nConv2D(k)", {3}, True),
    "walrus in a comprehension": ("k = 3\ni = 3\n[k := i for i in x]\nConv2D(k)", {3}, False),
    "with": ("k = 3\nwith a as k: Conv2D(k)", {3}, False),
    "except": ("k = 3\ntry: pass\nexcept E as k: Conv2D(k)", {3}, False),
    "deleted": ("k = 3\ndel k\nConv2D(k)", set(), False),
    "imported": ("from config import k\nConv2D(k)", set(), False),
    "imported, or a constant": ("try:\n  from config import k\nexcept E:\n  k = 3\nConv2D(k)", {3}, False),
    "function": ("def k(): pass\nConv2D(k)", set(), False),
    "conditional": ("Conv2D(3 if a else 5)", {3, 5}, True),
    "conditional on a constant": ("S = 2\nConv2D(3 if S == 1 else 5)", {5}, True),
    "conditional on a parameter": ("def f(s=1): Conv2D(3 if s == 1 else 5)", {3, 5}, True),
    "global in another function": ("k = 3\ndef g():\n  global k\n  k = 5\ndef f(): Conv2D(k)", {3}, False),
    "global in a function that is not parsed": (
        "def f(): Conv2D(k)\ndef g():\n  global k\n  k += 1\nk = 3",
        {3},
        False,
    ),
    "global with a name of the function": (
        "j = 3\ndef g(j):\n  global k\n  k = j\ndef f(): Conv2D(k)",
        set(),
        False,
    ),
    "nonlocal": ("def f():\n  k = 3\n  def g():\n    nonlocal k\n    k = 5\n  Conv2D(k)", {3}, False),
    "star import behind": ("k = 3\nfrom config import *\nConv2D(k)", {3}, False),
    "star import before": ("from config import *\nk = 3\nConv2D(k)", {3}, True),
    "exec": ("k = 3\nexec(open('config').read())\nConv2D(k)", {3}, False),
    "globals": ("k = 3\nglobals().update(a)\nConv2D(k)", {3}, False),
    "exec, but a local": ("def f():\n  k = 3\n  exec(a)\n  Conv2D(k)", {3}, True),
    "int of the file": ("def int(x): return 5\nConv2D(int(3))", set(), False),
    "default of the class": ("class A:\n  k = 3\n  def f(self): Conv2D(self.k)", {3}, False),
    "attribute of another object": ("class A:\n  k = 3\n  def f(self, b): Conv2D(b.k)", set(), False),
    "ring of names": ("a = b\nb = a\nConv2D(a)", set(), False),
    "entry made of itself": (
        "def f():\n  k = {'a': 3}\n  k['a'] = int(k['a'])\n  Conv2D(k['a'])",
        {3},
        True,
    ),
    "entry made of itself in a loop": (
        "def f(n):\n  k = {'a': 3}\n  for _ in n:\n    k['a'] = int(k['a'])\n    Conv2D(k['a'])",
        {3},
        False,
    ),
    "entries made of each other in a loop": (
        "def f(n):\n  k = {'a': 1, 'b': 2}\n  for _ in n:\n    k['a'] = int(k['b'])\n"
        "    k['b'] = int(k['a'])\n    Conv2D(k['a'])",
        {1, 2},
        False,
    ),
    "list of the module": ("k = [3, 3]\ndef f(): Conv2D(k)", {(3, 3)}, False),
    "list in a tuple": ("k = ([3, 3], 1)\ndef f(): Conv2D(k)", {((3, 3), 1)}, False),
    "list by its name": ("def f():\n  k = list((3, 3))\n  k[0] = 1\n  Conv2D(k)", {(3, 3)}, False),
    "list changed": ("def f():\n  k = [3, 3]\n  k[0] = 1\n  Conv2D(k)", {(3, 3)}, False),
    "list appended to": ("def f():\n  k = [3, 3]\n  k.append(1)\n  Conv2D(k)", {(3, 3)}, False),
    "list that shrinks": ("def f():\n  k = [3, 3]\n  del k[0]\n  Conv2D(k)", {(3, 3)}, False),
    "list handed on": ("def f():\n  k = [3, 3]\n  g(k)\n  Conv2D(k)", {(3, 3)}, False),
    "list by another name": ("def f():\n  k = [3, 3]\n  j = k\n  j[0] = 1\n  Conv2D(k)", {(3, 3)}, False),
    "list in a closure": ("def f():\n  k = [3, 3]\n  def g(): k[0] = 1\n  Conv2D(k)", {(3, 3)}, False),
    "list given to imported functions": (
        "from keras.layers import Conv2D\ndef f():\n  k = [3, 3]\n  Conv2D(k)",
        {(3, 3)},
        True,
    ),
    "list as it is written": ("Conv2D([3, 3])", {(3, 3)}, True),
    "default that is a list": ("def f(k=[3, 3]): Conv2D(k)", {(3, 3)}, False),
}


@pytest.mark.parametrize(("text", "options", "complete"), NAMES.values(), ids=NAMES)
def test_names(text: str, options: set[object], complete: bool) -> None:
    value = _value(text)
    assert {option.value for option in value.options} == options
    assert value.complete is complete


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("K = 3\nConv2D(K)", "K"),
        ("K = 3\nL = K\nConv2D(L)", "K"),
        ("def f(k=3): Conv2D(k)", "default of k in f()"),
        ("f = lambda k=3: Conv2D(k)", "default of k in a lambda"),
        ("def f(k=3): Conv2D((1, k))", "default of k in f()"),
        ("class A:\n  k = 3\n  def f(self): Conv2D(self.k)", "A.k"),
    ],
)
def test_origin(text: str, origin: str) -> None:
    assert str(_value(text).options[0].origin) == origin


HOSTILE = {
    "power": "Conv2D(9 ** 9 ** 9)",
    "power of a float": "Conv2D(1e300 ** 64)",
    "tower of powers": "Conv2D(((99 ** 64) ** 64) ** 64)",
    "repetition": "Conv2D('a' * 10 ** 12)",
    "repetition of a tuple": "Conv2D((1, 2) * 10 ** 9)",
    "nested repetition": "Conv2D(((((1,) * 60) * 60) * 60) * 60)",
    "long integer": f"Conv2D({'9' * 6000})",
    "long hexadecimal": f"Conv2D(0x{'f' * 60000})",
    "growing text": f"Conv2D({' + '.join([repr('a' * 60)] * 300)})",
    "growing tuple": f"Conv2D({' + '.join(['(1, 2, 3)'] * 300)})",
    "long tuple": f"Conv2D(({'1, ' * 5000}))",
    "many strings as a constant": "K = " + '"a" ' * 20000 + "\ndef f(): Conv2D(K)",
    "a long sum as a constant": f"K = {' + '.join(['1'] * 2500)}\ndef f(): Conv2D(K)",
    "doubling": "\n".join(["k0 = 1", *(f"k{i} = k{i - 1} + k{i - 1}" for i in range(1, 60)), "Conv2D(k59)"]),
    "doubling tuples": "\n".join(
        ["k0 = 1", *(f"k{i} = (k{i - 1}, k{i - 1})" for i in range(1, 60)), "Conv2D(k59)"]
    ),
    "many bindings": "\n".join([*(f"if a{i}: k = {i}" for i in range(500)), "Conv2D(k)"]),
    "product of bindings": "\n".join(
        [
            *(f"if a: k{i} = 1\nelse: k{i} = 2" for i in range(30)),
            f"Conv2D(({', '.join(f'k{i}' for i in range(30))}))",
        ]
    ),
    "conditions on conditions": "\n".join(
        [
            "def f(s, k0):",
            *(f"  k{i} = k{i - 1} if s == k{i - 1} else k{i - 1}" for i in range(1, 40)),
            "  Conv2D(k39, s)",
        ]
    ),
    "ring of aliases": "\n".join([*(f"n{i} = n{(i + 1) % 50}.a" for i in range(50)), "n0.Conv2D(n0)"]),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_sources_cost_nothing(text: str) -> None:
    unit, call = only_call(opened(text), "Conv2D")
    started = time.process_time()
    assert not Evaluator(unit).value(call.args[0].value).known
    assert time.process_time() - started < 1


def _value(text: str) -> Value:
    """The value of the call's only argument; the same where the file is indexed as a whole."""
    values = []
    for file in (opened(text), opened_whole(text)):
        unit, call = only_call(file, "Conv2D")
        values.append(Evaluator(unit).value(call.args[0].value))
    assert _plain(values[0]) == _plain(values[1])
    return values[0]


def _plain(value: Value) -> Value:
    """The value without places, which differ between units."""
    return value.learned(lambda option: replace(option.origin, places=()) if option.origin else None)
