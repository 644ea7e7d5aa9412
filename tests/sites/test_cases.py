"""What reaches a call from callers, loops, dicts and classes, and what of that belongs together."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from padlint.catalogue.model import Family
from padlint.sites import Site, readings
from padlint.sites.reading import Reading
from tests.sites.table import KERAS, sites

CONV = "  return L.Conv2D(8, k, strides=s, padding=p)(x)\n"
Shape = tuple[int | None, int, object]

# Kernel, stride and padding of every reading, and whether there can be no others.
TABLE: Mapping[str, tuple[str, set[Shape], bool]] = {
    # -- callers -------------------------------------------------------------------------------------------
    "a caller": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 2)",
        {(3, 2, "same")},
        False,
    ),
    "callers that agree": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 2)\nf(x, s=2)",
        {(3, 2, "same")},
        False,
    ),
    "callers that differ, and the default": (
        "def f(x, s=1):\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 2)\nf(x, 4)",
        {(3, 1, "same"), (3, 2, "same"), (3, 4, "same")},
        False,
    ),
    "arguments of one call belong together": (
        "def f(x, k, s):\n  return L.Conv2D(8, k, s, 'same')(x)\nf(x, 1, 2)\nf(x, 3, 1)",
        {(1, 2, "same"), (3, 1, "same")},
        False,
    ),
    "a caller in a function that is of no interest itself": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s, 'same')(x)\ndef g(x):\n  return f(x, 2)",
        {(3, 2, "same")},
        False,
    ),
    "a caller's caller": (
        """
        def f(x, k, s):
            return L.Conv2D(8, k, s, 'same')(x)
        def g(x, s):
            return f(x, 3, s)
        def h(x):
            return g(g(x, 1), 2)
        """,
        {(3, 1, "same"), (3, 2, "same")},
        False,
    ),
    "a caller with a constant": (
        "S = 2\ndef f(x, s):\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, S)",
        {(3, 2, "same")},
        False,
    ),
    "a caller that does not say": ("def f(x, s):\n  return L.Conv2D(8, 3, s)(x)\nf(x, g())", set(), False),
    "a recursive call": (
        "def f(x, s):\n  f(x, s * 2)\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 2)",
        {(3, 2, "same")},
        False,
    ),
    "functions that call each other": (
        """
        def f(x, s):
            g(x, s)
            return L.Conv2D(8, 3, s, 'same')(x)
        def g(x, s):
            f(x, s)
        """,
        set(),
        False,
    ),
    "a nested function": (
        """
        def g(x):
            def f(x, s=1):
                return L.Conv2D(8, 3, s, 'same')(x)
            return f(f(x, 2), 2)
        """,
        {(3, 2, "same")},
        True,
    ),
    "a nested function that leaves the default": (
        """
        def g(x):
            def f(x, s=2):
                return L.Conv2D(8, 3, s, 'same')(x)
            return f(x)
        """,
        {(3, 2, "same")},
        True,
    ),
    "a nested function that is handed on": (
        """
        def g(x):
            def f(x, s=1):
                return L.Conv2D(8, 3, s, 'same')(x)
            f(x, 2)
            return f
        """,
        {(3, 1, "same"), (3, 2, "same")},
        False,
    ),
    "a nested function with a decorator": (
        """
        def g(x):
            @d
            def f(x, s):
                return L.Conv2D(8, 3, s, 'same')(x)
            return f(x, 2)
        """,
        {(3, 2, "same")},
        False,
    ),
    "a nested function beside eval": (
        """
        def g(x):
            def f(x, s):
                return L.Conv2D(8, 3, s, 'same')(x)
            return f(x, 2), eval('f(x, 1)')
        """,
        {(3, 2, "same")},
        False,
    ),
    "a nested function that nobody calls": (
        "def g(x):\n  def f(x, s=2):\n    return L.Conv2D(8, 3, s, 'same')(x)",
        {(3, 2, "same")},
        False,
    ),
    "a nested function that reads the parameter around": (
        """
        def g(x, s):
            def f(x, k):
                return L.Conv2D(8, k, s, 'same')(x)
            return f(x, 3) if s == 1 else f(x, 5)
        g(x, 1)
        g(x, 2)
        """,
        {(3, 1, "same"), (5, 2, "same")},
        False,
    ),
    "a lambda": ("f = lambda x, s: L.Conv2D(8, 3, s, 'same')(x)\nf(x, 2)", {(3, 2, "same")}, False),
    "a lambda in a function": (
        "def g(x):\n  f = lambda x, s: L.Conv2D(8, 3, s, 'same')(x)\n  return f(x, 2)",
        {(3, 2, "same")},
        True,
    ),
    "a method": (
        """
        class A:
            def f(self, x, s):
                return L.Conv2D(8, 3, s, 'same')(x)
            def g(self, x):
                return self.f(x, 2)
        """,
        {(3, 2, "same")},
        False,
    ),
    "a static method": (
        """
        class A:
            @staticmethod
            def f(x, s):
                return L.Conv2D(8, 3, s, 'same')(x)
            def g(self, x):
                return self.f(x, 2)
        """,
        {(3, 2, "same")},
        False,
    ),
    "partial of a function": (
        """
        from functools import partial
        def f(x, k, s):
            return L.Conv2D(8, k, s, 'same')(x)
        def g(x):
            h = partial(f, s=2)
            return h(x, 3)
        """,
        {(3, 2, "same")},
        False,
    ),
    "another function of that name": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s)(x)\ndef g(x, f):\n  return f(x, 2)",
        set(),
        False,
    ),
    "a function that is bound twice": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s)(x)\nf = d(f)\nf(x, 2)",
        set(),
        False,
    ),
    "args of a caller": ("def f(x, s=1):\n  return L.Conv2D(8, 3, s)(x)\nf(*a)", {(3, 1, "valid")}, False),
    # -- conditions ----------------------------------------------------------------------------------------
    "a padding that goes with the stride": (
        "def f(x, s=2):\n  return L.Conv2D(8, 3, s, 'same' if s == 1 else 'valid')(x)\nf(x, 1)",
        {(3, 1, "same"), (3, 2, "valid")},
        False,
    ),
    "branches that go with the stride": (
        """
        def f(x, s):
            if s > 1:
                x, p = L.ZeroPadding2D(1)(x), 'valid'
            else:
                p = 'same'
            return L.Conv2D(8, 3, s, p)(x)
        f(f(x, 1), 2)
        """,
        {(3, 1, "same"), (3, 2, "valid")},
        False,
    ),
    "a default and a branch": (
        "def f(x, s=2):\n  p = 'same'\n  if s > 1: p = 'valid'\n  return L.Conv2D(8, 3, s, p)(x)\nf(x, 1)",
        {(3, 1, "same"), (3, 2, "valid")},
        False,
    ),
    "a tuple that is compared": (
        "def f(x, s=(2, 2)):\n  return L.Conv2D(8, 3, s, 'same' if s == (1, 1) else 'valid')(x)",
        {(3, 2, "valid")},
        False,
    ),
    "one of the entries that is compared": (
        "def f(x, s=(2, 2)):\n  return L.Conv2D(8, 3, s, 'same' if s[0] == 1 else 'valid')(x)",
        {(3, 2, "valid")},
        False,
    ),
    "the same unknown condition twice": (
        "def f(x, down):\n  return L.Conv2D(8, 3, 2 if down else 1, 'valid' if down else 'same')(x)",
        {(3, 2, "valid"), (3, 1, "same")},
        True,
    ),
    "an unknown condition and its denial": (
        """
        def f(x, n):
            s = 2 if n is None else 1
            if n is not None:
                p = 'same'
            else:
                p = 'valid'
            return L.Conv2D(8, 3, s, p)(x)
        """,
        {(3, 2, "valid"), (3, 1, "same")},
        True,
    ),
    "a condition on something that changes inside": (
        """
        def f(x, a):
            s = 2 if a else 1
            a.append(x)
            return L.Conv2D(8, 3, s, 'valid' if a else 'same')(x)
        """,
        {(3, 2, "valid"), (3, 1, "same"), (3, 2, "same"), (3, 1, "valid")},
        True,
    ),
    "conditions that call something": (
        "def f(x):\n  return L.Conv2D(8, 3, 2 if g() else 1, 'valid' if g() else 'same')(x)",
        {(3, 2, "valid"), (3, 1, "same"), (3, 2, "same"), (3, 1, "valid")},
        True,
    ),
    "conditions on a name that changes": (
        """
        def f(x, a):
            s = 2 if a else 1
            a = g(a)
            return L.Conv2D(8, 3, s, 'valid' if a else 'same')(x)
        """,
        {(3, 2, "valid"), (3, 1, "same"), (3, 2, "same"), (3, 1, "valid")},
        True,
    ),
    "a call in the branch for other strides": (
        "def f(x, s=2):\n  if s == 1:\n    return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 4)",
        set(),
        False,
    ),
    "a call behind a return": (
        "def f(x, s):\n  if s > 1:\n    return x\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 1)\nf(x, 2)",
        {(3, 1, "same")},
        False,
    ),
    "a condition that has nothing to do with it": (
        "def f(x, top=False, s=2):\n  if top:\n    return L.Conv2D(8, 3, s, 'same')(x)",
        {(3, 2, "same")},
        False,
    ),
    "a literal call in a branch": (
        "def f(x, top=False):\n  if top:\n    return L.Conv2D(8, 3, 2, 'same')(x)",
        {(3, 2, "same")},
        True,
    ),
    "None for a default": (
        "def f(x, s=None):\n  s = s or 2\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 1)",
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    "None that is replaced": (
        "def f(x, s=None):\n  if s is None:\n    s = 2\n  return L.Conv2D(8, 3, s, 'same')(x)\nf(x, 1)",
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    # -- loops ---------------------------------------------------------------------------------------------
    "a loop": (
        "for s in (1, 2):\n  x = L.Conv2D(8, 3, s, 'same')(x)",
        {(3, 1, "same"), (3, 2, "same")},
        True,
    ),
    "a loop in a function": (
        "def f(x):\n  for s in [1, 2]:\n    x = L.Conv2D(8, 3, s)(x)",
        {(3, 1, "valid"), (3, 2, "valid")},
        True,
    ),
    "items that belong together": (
        "def f(x):\n  for k, (s, p) in [(1, (2, 'same')), (3, (1, 'valid'))]:\n    L.Conv2D(8, k, s, p)(x)",
        {(1, 2, "same"), (3, 1, "valid")},
        True,
    ),
    "items that are known in part": (
        "def f(x, n):\n  for c, s in [(n, 1), (2 * n, 2)]:\n    x = L.Conv2D(c, 3, s)(x)",
        {(3, 1, "valid"), (3, 2, "valid")},
        True,
    ),
    "zip": (
        "def f(x):\n  for k, s in zip((1, 3), [2, 1]):\n    x = L.Conv2D(8, k, s)(x)",
        {(1, 2, "valid"), (3, 1, "valid")},
        True,
    ),
    "enumerate": (
        "def f(x):\n  for i, k in enumerate((3, 5)):\n    x = L.Conv2D(8, k, 2 if i == 0 else 1)(x)",
        {(3, 2, "valid"), (5, 1, "valid")},
        True,
    ),
    "range": (
        "def f(x):\n  for i in range(3):\n    x = L.Conv2D(8, 3, 1 if i else 2)(x)",
        {(3, 2, "valid"), (3, 1, "valid")},
        True,
    ),
    "a constant": (
        "STAGES = ((3, 1), (5, 2))\ndef f(x):\n  for k, s in STAGES:\n    x = L.Conv2D(8, k, s)(x)",
        {(3, 1, "valid"), (5, 2, "valid")},
        True,
    ),
    "a local list": (
        "def f(x):\n  stages = [(3, 1), (5, 2)]\n  for k, s in stages:\n    x = L.Conv2D(8, k, s)(x)",
        {(3, 1, "valid"), (5, 2, "valid")},
        True,
    ),
    "a list that grows": (
        "def f(x):\n  r = [1]\n  r.append(2)\n  for s in r:\n    x = L.Conv2D(8, 3, s)(x)",
        set(),
        False,
    ),
    "a comprehension": (
        "def f(x):\n  return [L.Conv2D(8, 3, s) for s in (1, 2)]",
        {(3, 1, "valid"), (3, 2, "valid")},
        True,
    ),
    "a loop around the caller": (
        "def f(x, s):\n  return L.Conv2D(8, 3, s)(x)\ndef g(x):\n  for i in range(2):\n    x = f(x, 2 - i)",
        {(3, 2, "valid"), (3, 1, "valid")},
        False,
    ),
    "an unknown loop, by its number": (
        "def f(x, n):\n  for i in range(n):\n    x = L.Conv2D(8, 3, 2 if i == 0 else 1)(x)",
        {(3, 2, "valid"), (3, 1, "valid")},
        True,
    ),
    "a loop over something unknown": (
        "def f(x, a):\n  for s in a:\n    x = L.Conv2D(8, 3, s)(x)",
        set(),
        False,
    ),
    "what a round leaves for the next": (
        "def f(x, a):\n  s = 1\n  for i in a:\n    x = L.Conv2D(8, 3, s)(x)\n    s = 2",
        {(3, 1, "valid"), (3, 2, "valid")},
        True,
    ),
    # -- names ---------------------------------------------------------------------------------------------
    "a name that is bound again": (
        "def f(x):\n  s = 1\n  x = g(x, s)\n  s = 2\n  return L.Conv2D(8, 3, s, 'same')(x)",
        {(3, 2, "same")},
        True,
    ),
    "a name that is bound behind": (
        "def f(x):\n  s = 1\n  x = L.Conv2D(8, 3, s, 'same')(x)\n  s = 2",
        {(3, 1, "same")},
        True,
    ),
    "a name that a closure binds": (
        "def f(x):\n  s = 1\n  def g():\n    nonlocal s\n    s = 2\n  g()\n  return L.Conv2D(8, 3, s)(x)",
        {(3, 1, "valid")},
        False,
    ),
    "an unpacked pair": (
        "def f(x):\n  pair = (3, 2)\n  k, s = pair\n  return L.Conv2D(8, k, s)(x)",
        {(3, 2, "valid")},
        True,
    ),
    "an f-string": ("def f(x):\n  p = f'sa{x}'\n  return L.Conv2D(8, 3, 2, p)(x)", set(), False),
    # -- dicts ---------------------------------------------------------------------------------------------
    "a dict": (
        "def f(x):\n  o = {'strides': 2, 'padding': 'same'}\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 2, "same")},
        True,
    ),
    "a dict of the module": (
        "O = dict(strides=2)\ndef f(x):\n  return L.Conv2D(8, 3, padding='same', **O)(x)",
        {(3, 2, "same")},
        True,
    ),
    "a dict of the module that others may change": (
        "O = dict(strides=2)\ndef g():\n  O['strides'] = 1\ndef f(x):\n  return L.Conv2D(8, 3, **O)(x)",
        {(3, 2, "valid"), (3, 1, "valid")},
        False,
    ),
    "a dict as it is written": (
        "def f(x):\n  return L.Conv2D(8, 3, **{'strides': 2}, **dict(padding='same'))(x)",
        {(3, 2, "same")},
        True,
    ),
    "a dict without what matters": (
        "def f(x):\n  o = dict(use_bias=False)\n  return L.Conv2D(8, 3, 2, **o)(x)",
        {(3, 2, "valid")},
        True,
    ),
    "a dict in a dict": (
        "def f(x):\n  o = {'strides': 2}\n  q = {**o, 'padding': 'same'}\n  return L.Conv2D(8, 3, **q)(x)",
        {(3, 2, "same")},
        True,
    ),
    "a dict that is joined": (
        "def f(x):\n  o = {'strides': 2} | {'padding': 'same', 'strides': 4}\n  L.Conv2D(8, 3, **o)(x)",
        {(3, 4, "same")},
        True,
    ),
    "a store above": (
        "def f(x):\n  o = {'strides': 1}\n  o['strides'] = 2\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 2, "valid")},
        True,
    ),
    "a store below": (
        "def f(x):\n  o = {'strides': 1}\n  x = L.Conv2D(8, 3, **o)(x)\n  o['strides'] = 2",
        {(3, 1, "valid")},
        True,
    ),
    "a store in a branch": (
        "def f(x, a):\n  o = {'strides': 1}\n  if g(a): o['strides'] = 2\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 1, "valid"), (3, 2, "valid")},
        True,
    ),
    "a store in the branch of a condition": (
        """
        def f(x, s=2):
            o = {'padding': 'same'}
            if s > 1:
                o['padding'] = 'valid'
            return L.Conv2D(8, 3, s, **o)(x)
        """,
        {(3, 2, "valid")},
        False,
    ),
    "a store under a computed key": (
        "def f(x, a):\n  o = {'strides': 1}\n  o[a] = 2\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 1, "valid")},
        False,
    ),
    "an update": (
        "def f(x):\n  o = {'strides': 1}\n  o.update(strides=2)\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 2, "valid")},
        True,
    ),
    "an update with something unknown": (
        "def f(x, a):\n  o = {'strides': 1}\n  o.update(a)\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 1, "valid")},
        False,
    ),
    "a key that is taken out": (
        "def f(x):\n  o = {'strides': 2}\n  o.pop('strides')\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 1, "valid")},
        True,
    ),
    "a dict that is handed on": (
        "def f(x):\n  o = {'strides': 2}\n  g(o)\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 2, "valid"), (3, 1, "valid")},
        False,
    ),
    "a dict under another name": (
        "def f(x):\n  o = {'strides': 2}\n  q = o\n  q['strides'] = 1\n  return L.Conv2D(8, 3, **o)(x)",
        {(3, 2, "valid"), (3, 1, "valid")},
        False,
    ),
    "an entry": (
        "def f(x):\n  o = {'s': 2}\n  return L.Conv2D(8, 3, o['s'], o.get('p', 'same'))(x)",
        {(3, 2, "same")},
        True,
    ),
    "an unknown dict": ("def f(x, o):\n  return L.Conv2D(8, 3, **o)(x)", {(3, 1, "valid")}, False),
    "kwargs of a wrapper": (
        "def f(x, **o):\n  return L.Conv2D(8, 3, padding='same', **o)(x)\nf(x, strides=2)\nf(x)",
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    "kwargs of a wrapper's wrapper": (
        """
        def f(x, **o):
            return L.Conv2D(8, 3, padding='same', **o)(x)
        def g(x, **o):
            return f(x, **o)
        g(x, strides=2)
        """,
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    "a padding that goes with what kwargs hold": (
        """
        def f(x, **o):
            o['padding'] = 'valid' if o.get('strides') == (2, 2) else 'same'
            return L.Conv2D(8, 3, **o)(x)
        f(f(x, strides=(2, 2)))
        """,
        {(3, 2, "valid"), (3, 1, "same"), (3, 1, "valid")},
        False,
    ),
    "kwargs that are asked for a stride": (
        "def f(x, **o):\n  s = o.pop('s', 1)\n  return L.Conv2D(8, 3, s, **o)(x)\nf(x, s=2)",
        {(3, 2, "valid"), (3, 1, "valid")},
        False,
    ),
    # -- partial -------------------------------------------------------------------------------------------
    "partial": (
        """
        from functools import partial
        def f(x):
            conv = partial(L.SeparableConv2D, kernel_size=3, padding='same')
            return conv(8, strides=2)(x)
        """,
        {(3, 2, "same")},
        True,
    ),
    "partial with positions": (
        "import functools\nconv = functools.partial(L.Conv2D, 8, 3)\ndef f(x):\n  return conv(2, 'same')(x)",
        {(3, 2, "same")},
        True,
    ),
    "partial whose arguments are replaced": (
        "from functools import partial\ndef f(x):\n  c = partial(L.Conv2D, 8, 3, strides=1)\n  c(strides=2)",
        {(3, 2, "valid")},
        True,
    ),
    "partial with a dict": (
        "from functools import partial\ndef f(x):\n  c = partial(L.Conv2D, 8, **{'strides': 2})\n  c(3)(x)",
        {(3, 2, "valid")},
        True,
    ),
    # -- classes -------------------------------------------------------------------------------------------
    "a constructor": (
        """
        class A:
            def __init__(self, s=1):
                self.conv = L.Conv2D(8, 3, s, 'same')
        A(2)
        """,
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    "an attribute that a constructor sets": (
        """
        class A:
            def __init__(self, k, s):
                self.k, self.s = k, s
            def build(self, shape):
                self.conv = L.Conv2D(8, self.k, self.s, 'same')
        A(1, 2), A(3, s=1)
        """,
        {(1, 2, "same"), (3, 1, "same")},
        False,
    ),
    "an attribute with one value": (
        """
        class A:
            def __init__(self):
                self.s = 2
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
        """,
        {(3, 2, "same")},
        True,
    ),
    "an attribute that is set from outside": (
        """
        class A:
            def __init__(self):
                self.s = 2
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
        def f(a):
            a.s = 1
        """,
        {(3, 2, "same")},
        False,
    ),
    "an attribute that is set by its name": (
        """
        class A:
            def __init__(self, **o):
                self.s = 2
                for key, value in o.items():
                    setattr(self, key, value)
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
        """,
        {(3, 2, "same")},
        False,
    ),
    "an attribute that is set twice": (
        """
        class A:
            def __init__(self):
                self.s = 2
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
                self.s = 1
        """,
        {(3, 2, "same"), (3, 1, "same")},
        False,
    ),
    "an attribute of a class that is subclassed": (
        """
        class A:
            def __init__(self):
                self.s = 2
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
        class B(A):
            pass
        """,
        {(3, 2, "same")},
        False,
    ),
    "a property": (
        """
        class A:
            @property
            def s(self):
                return 2
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same')
        """,
        set(),
        False,
    ),
    "an attribute in a condition": (
        """
        class A:
            s = (2, 2)
            def build(self, shape):
                self.conv = L.Conv2D(8, 3, self.s, 'same' if self.s == (1, 1) else 'valid')
        """,
        {(3, 2, "valid")},
        False,
    ),
    "a subclass": (
        """
        class A:
            def __init__(self, s):
                self.conv = L.Conv2D(8, 3, s, 'same')
        class B(A):
            def __init__(self):
                super().__init__(s=2)
        """,
        {(3, 2, "same")},
        False,
    ),
    "fields": (
        """
        class A(M):
            k: int
            s: int = 1
            def __call__(self, x):
                return L.Conv2D(8, self.k, self.s, 'same')(x)
        def f(x):
            return A(1, s=2)(A(k=3)(x))
        """,
        {(1, 2, "same"), (3, 1, "same"), (None, 1, "same")},
        False,
    ),
}


@pytest.mark.parametrize(("text", "shapes", "complete"), TABLE.values(), ids=TABLE)
def test_cases(text: str, shapes: set[Shape], complete: bool) -> None:
    site = _convolution(text)
    found = readings(site)
    assert {_shape(reading) for reading in found} == shapes
    assert all(reading.complete is complete for reading in found)
    assert all(reading.sure is (complete and len(found) == 1) for reading in found)


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        (
            "def f(x, s=1):\n  return L.Conv2D(8, 3, s)(x)\nf(x, 2)\nf(x)\nf(x, s=2)",
            {2: ["s=2 from lines 4, 6"], 1: ["default of s in f()"]},
        ),
        (
            "def f(x, s):\n  return L.Conv2D(8, 3, s)(x)\ndef g(x, t):\n  return f(x, t)\ng(x, 2)",
            {2: ["t=2 from line 6"]},
        ),
        ("S = 2\ndef f(x, s):\n  return L.Conv2D(8, 3, s)(x)\nf(x, S)", {2: ["s=2 from line 5"]}),
        (
            "def f(x):\n  for s in (1, 2):\n    x = L.Conv2D(8, 3, s)(x)",
            {1: ["s=1 from line 3"], 2: ["s=2 from line 3"]},
        ),
        ("class A:\n  s = 2\n  def f(self, x):\n    return L.Conv2D(8, 3, self.s)(x)", {2: ["A.s"]}),
    ],
)
def test_origins(text: str, origins: dict[int, list[str]]) -> None:
    found = readings(_convolution(text))
    assert {reading.axes[0].stride: [*map(str, reading.origins)] for reading in found} == origins


def _shape(reading: Reading) -> Shape:
    return reading.axes[0].kernel, reading.axes[0].stride, reading.padding


def _convolution(text: str) -> Site:
    families = (Family.CONV, Family.SEPARABLE)
    (found,) = [site for site in sites(KERAS + _dedented(text)) if site.operator.family in families]
    return found


def _dedented(text: str) -> str:
    lines = text.split("\n")
    return text if lines[0] else "\n".join(line[8:] for line in lines)
