"""What becomes of a layer after its call: the shapes that a fix can rewrite, and what it must not miss."""

from __future__ import annotations

import pytest

from padlint.syntax.uses import Use, UseKind, use_of
from tests.syntax.parsed import only_call, opened, opened_whole

KINDS = {
    "applied": ("def f(x):\n  return Conv2D()(x)", UseKind.APPLIED),
    "applied in brackets": ("def f(x):\n  return (Conv2D())(x)", UseKind.APPLIED),
    "argument": ("TimeDistributed(Conv2D())", UseKind.ELEMENT),
    "keyword argument": ("Wrap(layer=Conv2D())", UseKind.ELEMENT),
    "element of a list": ("Sequential([Conv2D(), Dense()])", UseKind.ELEMENT),
    "element of a tuple": ("Sequential((Conv2D(), Dense()))", UseKind.ELEMENT),
    "element of a starred list": ("Sequential(*[Conv2D(), Dense()])", UseKind.ELEMENT),
    "added": ("model.add(Conv2D())", UseKind.ADDED),
    "added by keyword": ("model.add(layer=Conv2D())", UseKind.ADDED),
    "added to two things": ("tf.add(Conv2D(), y)", UseKind.ELEMENT),
    "appended": ("layers.append(Conv2D())", UseKind.ELEMENT),
    "attribute": ("class A:\n  def __init__(self):\n    self.c = Conv2D()", UseKind.ATTRIBUTE),
    "annotated attribute": ("class A:\n  def __init__(self):\n    self.c: L = Conv2D()", UseKind.ATTRIBUTE),
    "local": ("def f():\n  c = Conv2D()", UseKind.LOCAL),
    "annotated local": ("def f():\n  c: L = Conv2D()", UseKind.LOCAL),
    "name of the module": ("c = Conv2D()", UseKind.LOCAL),
    "returned": ("def f():\n  return Conv2D()", UseKind.RETURNED),
    "lambda": ("f = lambda: Conv2D()", UseKind.OTHER),
    "yielded": ("def f():\n  yield Conv2D()", UseKind.OTHER),
    "awaited": ("async def f():\n  await Conv2D()", UseKind.OTHER),
    "two targets": ("def f():\n  a = b = Conv2D()", UseKind.OTHER),
    "unpacked": ("def f():\n  a, b = Conv2D(), 3", UseKind.OTHER),
    "subscript target": ("def f():\n  a[0] = Conv2D()", UseKind.OTHER),
    "augmented": ("def f():\n  a += Conv2D()", UseKind.OTHER),
    "conditional expression": ("def f():\n  c = Conv2D() if a else b", UseKind.OTHER),
    "conditional expression that is called": ("(Conv2D() if a else b)(x)", UseKind.OTHER),
    "boolean expression": ("c = a or Conv2D()", UseKind.OTHER),
    "walrus": ("f(c := Conv2D())", UseKind.OTHER),
    "attribute of the layer": ("Conv2D().filters", UseKind.OTHER),
    "method of the layer": ("Conv2D().call(x)", UseKind.OTHER),
    "bare list": ("[Conv2D(), Dense()]", UseKind.OTHER),
    "comprehension": ("[Conv2D() for _ in x]", UseKind.OTHER),
    "dict value": ("{1: Conv2D()}", UseKind.OTHER),
    "decorator": ("@Conv2D()\ndef f(): pass", UseKind.OTHER),
    "default": ("def f(c=Conv2D()): pass", UseKind.OTHER),
    "for": ("for c in Conv2D(): pass", UseKind.OTHER),
    "with": ("with Conv2D() as c: pass", UseKind.OTHER),
    "f-string": ("f'{Conv2D()}'", UseKind.OTHER),
    "statement": ("Conv2D()", UseKind.OTHER),
    "base class": ("class A(Conv2D()): pass", UseKind.OTHER),
    "element of a pair": ("Sequential(OrderedDict([('c', Conv2D())]))", UseKind.OTHER),
}


def _use(text: str) -> Use:
    """The use of the only Conv2D; the same where the file is indexed as a whole."""
    found = [use_of(*only_call(file, "Conv2D")) for file in (opened(text), opened_whole(text))]
    assert len({(use.kind, len(use.calls), use.escapes, use.position, use.starred) for use in found}) == 1
    return found[0]


@pytest.mark.parametrize(("text", "kind"), KINDS.values(), ids=KINDS)
def test_kind(text: str, kind: UseKind) -> None:
    assert _use(text).kind is kind


@pytest.mark.parametrize(
    ("text", "position", "siblings", "starred"),
    [
        ("Sequential([a, Conv2D(), b])", 1, 3, False),
        ("Sequential(a, b, Conv2D())", 2, 3, False),
        ("Sequential(*a, Conv2D())", 1, 2, True),
        ("Sequential([*a, Conv2D()])", 1, 2, True),
        ("Sequential(*[a, Conv2D()])", 1, 2, True),
        ("Sequential(*[Conv2D(), Dense()], b)", 0, 2, True),
        ("Sequential(**a, layers=Conv2D())", 1, 0, True),
    ],
)
def test_position_among_siblings(text: str, position: int, siblings: int, starred: bool) -> None:
    use = _use(text)
    assert (use.position, len(use.siblings), use.starred) == (position, siblings, starred)


# Sources with the number of calls of the layer; the class or function shows them all.
COMPLETE = {
    "local, called": ("def f(x):\n  c = Conv2D()\n  return c(x)", 1),
    "local, called twice": ("def f(x):\n  c = Conv2D()\n  return c(c(x))", 2),
    "local, called in a closure": ("def f(x):\n  c = Conv2D()\n  return lambda y: c(y)", 1),
    "local, called in a comprehension": ("def f(x):\n  c = Conv2D()\n  return [c(y) for y in x]", 1),
    "local, never called": ("def f(x):\n  c = Conv2D()", 0),
    "local, hidden by a parameter": ("def f(x):\n  c = Conv2D()\n  def g(c): c.d\n  return c(x)", 1),
    "local, hidden by a comprehension": ("def f(x):\n  c = Conv2D()\n  [c.d for c in x]\n  return c(x)", 1),
    "local of a function of the same name": ("def c(x):\n  c = Conv2D()\n  return c(x)", 1),
    "attribute, called": ("class A:\n  def f(self):\n    self.c = Conv2D()\n  def g(self, x): self.c(x)", 1),
    "attribute, called in a lambda": (
        "class A:\n  def f(self):\n    self.c = Conv2D()\n  def g(self): return lambda x: self.c(x)",
        1,
    ),
    "attribute, of a nested class": (
        """
        class B:
            class A:
                def f(self, x):
                    self.c = Conv2D()
                    self.c(x)
            def f(self): self.c.d
        """,
        1,
    ),
    "attribute, another class has one of that name": (
        """
        class A(Model):
            def f(self, x):
                self.c = Conv2D()
                self.c(x)
        class B(Model):
            def f(self):
                self.c.d
        """,
        1,
    ),
    "attribute, a module has one of that name": (
        "import F\nclass A:\n  def f(self, x):\n    self.c = Conv2D()\n    F.c(self.c(x))",
        1,
    ),
    "attribute, getattr of another name": (
        "class A:\n  def f(self, x):\n    self.c = Conv2D()\n    self.c(getattr(self, 'd', None))",
        1,
    ),
    "attribute, hasattr": (
        "class A:\n  def f(self, x):\n    self.c = Conv2D()\n    if hasattr(self, 'c'): self.c(x)",
        1,
    ),
    "attribute, annotated in the class": (
        "class A:\n  c: Conv\n  def f(self, x):\n    self.c = Conv2D()\n    self.c(x)",
        1,
    ),
    "attribute, called in an async method": (
        "class A:\n  def f(self):\n    self.c = Conv2D()\n  async def g(self, x): self.c(x)",
        1,
    ),
    "attribute, called in a generic method": (
        "class A:\n  def f(self):\n    self.c = Conv2D()\n  def g[T](self, x: T): self.c(x)",
        1,
    ),
    "attribute, computed setattr elsewhere": (
        "class A:\n  def f(self, x):\n    self.c = Conv2D()\n    self.c(x)\nsetattr(args, key, 3)",
        1,
    ),
}


@pytest.mark.parametrize(("text", "count"), COMPLETE.values(), ids=COMPLETE)
def test_complete(text: str, count: int) -> None:
    use = _use(text)
    assert (use.escapes, len(use.calls)) == ("", count)


CLASS = """
        class A(Model):
            def __init__(self):
                self.c = Conv2D()
            def call(self, x):
                return self.c(x)
"""

# Sources whose layer may be applied where the code does not show it, or be another layer where it is.
INCOMPLETE = {
    "local, bound twice": "def f(x):\n  c = Conv2D()\n  c = g(c)\n  return c(x)",
    "local, in a branch": "def f(x):\n  if x:\n    c = Conv2D()\n  else:\n    c = g\n  return c(x)",
    "local, also a parameter": "def f(x, c=None):\n  c = Conv2D()\n  return c(x)",
    "local, deleted": "def f(x):\n  c = Conv2D()\n  c(x)\n  del c",
    "local, handed on": "def f(x):\n  c = Conv2D()\n  g(c)\n  return c(x)",
    "local, returned": "def f(x):\n  c = Conv2D()\n  c(x)\n  return c",
    "local, conditional callee": "def f(x):\n  c = Conv2D()\n  return (c if x else g)(x)",
    "local, method": "def f(x):\n  c = Conv2D()\n  c.build(3)\n  return c(x)",
    "local, kept in a list": "def f(x):\n  c = Conv2D()\n  d = [c]\n  return c(x)",
    "local, another name for it": "def f(x):\n  c = Conv2D()\n  d = c\n  return c(x)",
    "local, default of a closure": "def f(x):\n  c = Conv2D()\n  def g(d=c): pass\n  return c(x)",
    "local, rebound by a closure": """
        def f(x):
            c = Conv2D()
            def g():
                nonlocal c
                c = h(c)
            g()
            return c(x)
        """,
    "local, rebound by a walrus": "def f(x):\n  c = Conv2D()\n  if (c := g(c)): return c(x)",
    "local, rebound by a loop": "def f(x):\n  c = Conv2D()\n  for c in x: c(x)",
    "local, rebound by with": "def f(x):\n  c = Conv2D()\n  with g as c: c(x)",
    "local, rebound by except": "def f(x):\n  c = Conv2D()\n  try: c(x)\n  except E as c: pass",
    "local, rebound by match": "def f(x):\n  c = Conv2D()\n  match x:\n    case c: c(x)",
    "local, rebound by import": "def f(x):\n  c = Conv2D()\n  import c\n  c(x)",
    "local, rebound by a definition": "def f(x):\n  c = Conv2D()\n  def c(y): pass\n  c(x)",
    "local, reached by locals": "def f(x):\n  c = Conv2D()\n  c(x)\n  return locals()",
    "local, reached by vars": "def f(x):\n  c = Conv2D()\n  c(x)\n  return vars()",
    "local, reached by eval": "def f(x):\n  c = Conv2D()\n  c(x)\n  return eval('c')(x)",
    "global": "def f(x):\n  global c\n  c = Conv2D()\n  c(x)",
    "name of the module": "c = Conv2D()\nc(x)",
    "name of a class": "class A:\n  c = Conv2D()\n  y = c(x)\n  def f(self): self.c(x)",
    "attribute, assigned twice": CLASS + "            def g(self): self.c = h(self.c)",
    "attribute, deleted": CLASS + "            def g(self): del self.c",
    "attribute, a loop variable": CLASS + "            def g(self):\n                for self.c in x: pass",
    "attribute, bound by with": CLASS + "            def g(self):\n                with h as self.c: pass",
    "attribute, augmented": CLASS + "            def g(self): self.c += 1",
    "attribute, unpacked": CLASS + "            def g(self): self.c, y = h()",
    "attribute, handed on": CLASS + "            def g(self): return [self.c]",
    "attribute, a method of it": CLASS + "            def g(self): self.c.build(3)",
    "attribute, conditional callee": CLASS + "            def g(self, x): (self.c if x else h)(x)",
    "attribute, getattr": CLASS + "            def g(self, x): getattr(self, 'c')(x)",
    "attribute, computed getattr": CLASS + "            def g(self, x): getattr(self, 'c' + x)(x)",
    "attribute, setattr": CLASS + "            def g(self, x): setattr(self, 'c', x)",
    "attribute, __dict__": CLASS + "            def g(self): self.__dict__['c'] = h",
    "attribute, vars": CLASS + "            def g(self): vars(self)['c'] = h",
    "attribute, _modules": CLASS + "            def g(self): self._modules['c'] = h",
    "attribute, add_module": CLASS + "            def g(self): self.add_module('c', h)",
    "attribute, children": CLASS
    + "            def g(self, x):\n                for d in self.children(): d(x)",
    "attribute, another name for getattr": CLASS + "            def g(self): return map(getattr, h)",
    "attribute, __setattr__": CLASS + "            def __setattr__(self, n, v): pass",
    "attribute, __getattribute__": CLASS + "            def __getattribute__(self, n): pass",
    "attribute, also a property": CLASS + "            @property\n            def c(self): return h",
    "attribute, also of the class": CLASS + "            c = Descriptor()",
    "attribute, self is rebound": CLASS
    + "            def g(self, x):\n                self = x\n                self.c(x)",
    "attribute, static method": CLASS + "            @staticmethod\n            def g(self, x): self.c(x)",
    "attribute, function outside": CLASS + "        def g(self, x): self.c(x)",
    "attribute, reached by another name": CLASS + "        def g(net, x): net.c(x)",
    "attribute, reached deeper": CLASS + "        def g(x): net.a.c(x)",
    "attribute, reached through a call": CLASS + "        def g(x): A().c(x)",
    "attribute, reached by a name that is also an import": "import net\n"
    + "\n".join(line[8:] for line in (CLASS + "        def g(net, x): net.c(x)").splitlines()),
    "attribute, setattr from outside": CLASS + "        setattr(net, 'c', h)",
    "attribute, getattr from outside": CLASS + "        getattr(net, 'c')(x)",
    "attribute, computed getattr from outside": CLASS + "        getattr(net, 'c' + n)(x)",
    "attribute, another name for self": CLASS
    + "            def g(self, x):\n                me = self\n                me.c(x)",
    "attribute, self of an inner function": CLASS
    + "            def g(self, x):\n                def h(self): self.c(x)\n                h(x)",
    "attribute, subclass": CLASS + "        class B(A): pass",
    "attribute, subclass by a path": CLASS + "        class B(this.A): pass",
    "attribute, subclass by another name": CLASS + "        Base = A\n        class B(Base): pass",
    "attribute, name mangled": """
        class A(Model):
            def __init__(self):
                self.__c = Conv2D()
            def call(self, x):
                return self.__c(x)
        net._A__c(x)
        """,
    "attribute, a base class applies it": """
        class Base(Model):
            def call(self, x):
                return self.c(x)
        class A(Base):
            def __init__(self):
                self.c = Conv2D()
        """,
    "attribute, a mixin applies it": """
        class Mixin:
            def call(self, x):
                return getattr(self, 'c')(x)
        class A(Mixin, Model):
            def __init__(self):
                self.c = Conv2D()
        """,
    "attribute, a base class has a property": """
        class Base(Model):
            @property
            def c(self): return h
        class A(Base):
            def __init__(self):
                self.c = Conv2D()
        """,
    "attribute of another object": "class A:\n  def f(self, net):\n    net.c = Conv2D()",
    "attribute outside of a class": "def f(self):\n  self.c = Conv2D()\n  self.c(x)",
    "attribute of the class object": """
        class A:
            @classmethod
            def f(cls):
                cls.c = Conv2D()
                cls.c(x)
        """,
    "attribute, self by another name": "class A:\n  def f(me, x):\n    me.c = Conv2D()\n    me.c(x)",
}


@pytest.mark.parametrize("text", INCOMPLETE.values(), ids=INCOMPLETE)
def test_incomplete(text: str) -> None:
    assert _use(text).escapes
