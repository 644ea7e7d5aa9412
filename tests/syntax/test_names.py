"""What the name of a call stands for, through imports, aliases and scopes."""

from __future__ import annotations

import pytest

from padlint.syntax.scopes import resolve
from tests.syntax.parsed import only_call, opened, opened_whole

LAYER = "keras.layers.Conv2D"
STARS = {"keras.layers": frozenset({"Conv2D"}), "torch.nn": frozenset({"Conv2d", "Linear"})}

# Each source has one call of Conv2D; it means exactly the layer.
SURE = {
    "attribute of an import": "import keras\nkeras.layers.Conv2D()",
    "import of a submodule": "import keras.layers\nkeras.layers.Conv2D()",
    "several imports of a package": "import keras\nimport keras.layers\nkeras.layers.Conv2D()",
    "import as": "import keras.layers as L\nL.Conv2D()",
    "from import": "from keras.layers import Conv2D\nConv2D()",
    "from import of a module": "from keras import layers\nlayers.Conv2D()",
    "from import of several names": "from keras.layers import (\n  Dense,\n  Conv2D,\n)\nConv2D()",
    "several imports in one statement": "import os, keras.layers as L, re\nL.Conv2D()",
    "alias of a module": "import keras\nL = keras.layers\nL.Conv2D()",
    "alias with an annotation": "import keras\nL: object = keras.layers\nL.Conv2D()",
    "alias of an alias": "import keras\nK = keras\nL = K.layers\nL.Conv2D()",
    "chained alias": "import keras\nL = M = keras.layers\nM.Conv2D()",
    "unpacked alias": "import keras\nL, M = keras.layers, keras.models\nL.Conv2D()",
    "alias by walrus": "import keras\nprint(L := keras.layers)\nL.Conv2D()",
    "import in a function": "def f():\n  from keras import layers\n  layers.Conv2D()",
    "import further down": "def f():\n  layers.Conv2D()\nfrom keras import layers",
    "import in a class body": "class A:\n  from keras import layers\n  c = layers.Conv2D()",
    "alias in a function": "import keras\ndef f():\n  L = keras.layers\n  L.Conv2D()",
    "alias in an outer function": "import keras\ndef f():\n  L = keras.layers\n  def g():\n    L.Conv2D()",
    "decorated function": "from keras.layers import Conv2D\n@d\ndef f():\n  Conv2D()",
    "both branches agree": """
        if new:
            from keras import layers
        else:
            import keras.layers as layers
        layers.Conv2D()
        """,
    "None where the import fails": """
        try:
            from keras import layers
        except ImportError:
            layers = None
        layers.Conv2D()
        """,
    "None first": "layers = None\nif use:\n  from keras import layers\nlayers.Conv2D()",
    "import under with": "with quiet():\n  import keras\nkeras.layers.Conv2D()",
    "import in a loop": "for _ in range(2):\n  import keras\nkeras.layers.Conv2D()",
    "import in a match statement": "match v:\n  case 1:\n    import keras\nkeras.layers.Conv2D()",
    "import in finally": "try:\n  pass\nfinally:\n  import keras\nkeras.layers.Conv2D()",
    "the class body is not seen by methods": """
        from keras import layers
        class A:
            layers = 3
            def f(self):
                layers.Conv2D()
        """,
    "the class body is not seen by its comprehensions": """
        from keras import layers
        class A:
            layers = 3
            c = [layers.Conv2D() for _ in range(3)]
        """,
    "a sibling function's local": """
        from keras import layers
        def g(layers):
            layers = 3
        def f():
            layers.Conv2D()
        """,
    "default in the outer scope": "from keras import layers\ndef f(layers=layers.Conv2D()): pass",
    "lambda default in the outer scope": "from keras import layers\nf = lambda layers=layers.Conv2D(): 3",
    "annotation in the outer scope": "from keras import layers\ndef f(layers: layers.Conv2D()): pass",
    "return annotation in the outer scope": "from keras import layers\ndef f(layers) -> layers.Conv2D(): 3",
    "decorator in the outer scope": "from keras import layers\n@layers.Conv2D()\ndef f(layers): pass",
    "base class in the outer scope": "from keras import layers\nclass A(layers.Conv2D()):\n  layers = 3",
    "first iterable in the outer scope": """
        from keras import layers
        c = [layers for layers in layers.Conv2D()]
        """,
    "a keyword of the same name": "from keras import layers\nf(layers=3)\nlayers.Conv2D()",
    "an attribute of the same name": "from keras import layers\nself.layers = 3\nlayers.Conv2D()",
    "comprehension variable elsewhere": "from keras import layers\n[0 for layers in x]\nlayers.Conv2D()",
    "lambda parameter elsewhere": "from keras import layers\nf = lambda layers: 3\nlayers.Conv2D()",
    "star import before": "from mylib import *\nfrom keras.layers import Conv2D\nConv2D()",
    "star import without the name": "from keras import layers\nfrom torch.nn import *\nlayers.Conv2D()",
    "async function": "from keras import layers\nasync def f():\n  await layers.Conv2D()",
    "in an f-string": "from keras import layers\nf'{layers.Conv2D()}'",
    "bare annotation": "from keras import layers\nlayers: object\nlayers.Conv2D()",
}

# The call may mean the layer, and something else too.
UNSURE = {
    "own class that adds nothing to its base": """
        import keras
        class Conv2D(keras.layers.Conv2D):
            '''The same.'''
            def helper(self): pass
        Conv2D()
        """,
    "try and except": """
        try:
            from keras import layers
        except ImportError:
            layers = stub()
        layers.Conv2D()
        """,
    "if and else": "if a:\n  from keras import layers\nelse:\n  layers = b\nlayers.Conv2D()",
    "TYPE_CHECKING": """
        if TYPE_CHECKING:
            from keras import layers
        else:
            layers = lazy("keras.layers")
        layers.Conv2D()
        """,
    "rebound": "from keras import layers\nlayers = wrap(layers)\nlayers.Conv2D()",
    "rebound further down": "from keras import layers\nlayers.Conv2D()\nlayers = 3",
    "loop variable": "from keras import layers\nfor layers in x: pass\nlayers.Conv2D()",
    "unpacked loop variable": "from keras import layers\nfor i, (layers, *k) in x: pass\nlayers.Conv2D()",
    "async loop variable": """
        async def f():
            from keras import layers
            async for layers in x: pass
            layers.Conv2D()
        """,
    "with": "from keras import layers\nwith a as layers: pass\nlayers.Conv2D()",
    "with a tuple": "from keras import layers\nwith a as (b, layers): pass\nlayers.Conv2D()",
    "except": "from keras import layers\ntry: pass\nexcept E as layers: pass\nlayers.Conv2D()",
    "del": "from keras import layers\ndel layers\nlayers.Conv2D()",
    "del of several": "from keras import layers\ndel a, (b, layers)\nlayers.Conv2D()",
    "starred target": "from keras import layers\na, *layers = x\nlayers.Conv2D()",
    "augmented": "from keras import layers\nlayers += 1\nlayers.Conv2D()",
    "walrus": "from keras import layers\nf(layers := g())\nlayers.Conv2D()",
    "walrus in a comprehension": """
        from keras import layers
        [layers := i for i in x]
        layers.Conv2D()
        """,
    "match capture": "from keras import layers\nmatch v:\n  case layers: pass\nlayers.Conv2D()",
    "match as": "from keras import layers\nmatch v:\n  case [1] as layers: pass\nlayers.Conv2D()",
    "match star": "from keras import layers\nmatch v:\n  case [*layers]: pass\nlayers.Conv2D()",
    "match rest": "from keras import layers\nmatch v:\n  case {**layers}: pass\nlayers.Conv2D()",
    "match class": "from keras import layers\nmatch v:\n  case A(b=layers): pass\nlayers.Conv2D()",
    "function": "from keras import layers\ndef layers(): pass\nlayers.Conv2D()",
    "class": "from keras import layers\nclass layers: pass\nlayers.Conv2D()",
    "global in another function": """
        from keras import layers
        def g():
            global layers
            layers = 3
        def f():
            layers.Conv2D()
        """,
    "global in another function that is no assignment": """
        from keras import layers
        def g():
            global layers
            for layers in x: pass
        def f():
            layers.Conv2D()
        """,
    "global declared behind a local of the same name": """
        from keras import layers
        def f():
            layers = 3
            def g():
                global layers
                layers.Conv2D()
        """,
    "nonlocal": """
        def f():
            from keras import layers
            def g():
                nonlocal layers
                layers = 3
            layers.Conv2D()
        """,
    "nonlocal above the binding": """
        def f():
            def g():
                nonlocal layers
                layers = 3
            from keras import layers
            layers.Conv2D()
        """,
    "nonlocal two functions up": """
        def f():
            def g():
                def h():
                    nonlocal layers
                    layers = 3
            from keras import layers
            layers.Conv2D()
        """,
    "conditional alias": "import keras\nL = keras.layers\nL = L if a else b\nL.Conv2D()",
    "star import behind": "from keras import layers\nfrom mylib import *\nlayers.Conv2D()",
    "relative star import behind": "from keras import layers\nfrom .lib import *\nlayers.Conv2D()",
    "star import": "from keras.layers import *\nConv2D()",
    "star import, and an unknown one": "from keras.layers import *\nfrom mylib import *\nConv2D()",
    "star import behind a class": "class Conv2D: pass\nfrom keras.layers import *\nConv2D()",
}

# The call means nothing that padlint could know.
SILENT = {
    "own function": "def Conv2D(): pass\nConv2D()",
    "own class": "class Conv2D: pass\nConv2D()",
    "own class that overrides what its base does": """
        import keras
        class Conv2D(keras.layers.Conv2D):
            def call(self, x): return x
        Conv2D()
        """,
    "own class that sets a field of its base": """
        import keras
        class Conv2D(keras.layers.Conv2D): padding = "valid"
        Conv2D()
        """,
    "own class with two bases": """
        import keras
        class Conv2D(Mixin, keras.layers.Conv2D): pass
        Conv2D()
        """,
    "own class that is decorated": """
        import keras
        @register
        class Conv2D(keras.layers.Conv2D): pass
        Conv2D()
        """,
    "parameter": "from keras import layers\ndef f(layers): layers.Conv2D()",
    "parameter with a default": "from keras import layers\ndef f(layers=layers): layers.Conv2D()",
    "keyword-only parameter": "from keras import layers\ndef f(*, layers): layers.Conv2D()",
    "positional-only parameter": "from keras import layers\ndef f(layers, /): layers.Conv2D()",
    "args": "from keras import layers\ndef f(*layers): layers.Conv2D()",
    "kwargs": "from keras import layers\ndef f(**layers): layers.Conv2D()",
    "lambda parameter": "from keras import layers\nf = lambda layers: layers.Conv2D()",
    "parameter of an outer function": """
        from keras import layers
        def f(layers):
            def g():
                layers.Conv2D()
        """,
    "local of a function, bound further down": """
        from keras import layers
        def f():
            layers.Conv2D()
            layers = make()
        """,
    "comprehension variable": "from keras import layers\n[layers.Conv2D() for layers in x]",
    "dict comprehension variable": "from keras import layers\n{1: layers.Conv2D() for layers in x}",
    "generator variable": "from keras import layers\nf(layers.Conv2D() for layers in x)",
    "second comprehension variable": "from keras import layers\n[layers.Conv2D() for a in x for layers in a]",
    "class body": "from keras import layers\nclass A:\n  layers = make()\n  c = layers.Conv2D()",
    "type parameter of a function": "from keras import layers\ndef f[layers](): layers.Conv2D()",
    "type parameter of a class": "from keras import layers\nclass A[layers]:\n  def f(self): layers.Conv2D()",
    "type alias": "type layers = int\nlayers.Conv2D()",
    "conditional expression": "import keras\nL = keras.layers if a else keras.models\nL.Conv2D()",
    "relative import": "from . import layers\nlayers.Conv2D()",
    "relative import of a package": "from ..keras.layers import Conv2D\nConv2D()",
    "relative star import": "from .layers import *\nConv2D()",
    "unknown star import": "from mylib import *\nConv2D()",
    "never bound": "Conv2D()",
    "call of a call": "import keras\nkeras.layers().Conv2D()",
    "subscript": "import keras\nkeras['layers'].Conv2D()",
    "alias of itself": "L = L\nL.Conv2D()",
    "aliases in a ring": "K = L\nL = K\nL.Conv2D()",
    "walrus in a comprehension": """
        import keras
        M = keras.layers
        [L := M for M in x]
        L.Conv2D()
        """,
    "global with a value of the function": """
        import keras
        M = keras.layers
        def g(M):
            global L
            L = M
        def f():
            L.Conv2D()
        """,
    "global behind a local of the same name": """
        def f():
            from keras import layers
            def g():
                global layers
                def h():
                    layers.Conv2D()
        """,
    "attribute of self": "self.Conv2D()",
    "name in another file": "def f():\n  layers.Conv2D()",
}


def _rows(*tables: dict[str, str]) -> list[object]:
    return [pytest.param(text, id=name) for table in tables for name, text in table.items()]


def _meant(text: str) -> tuple[tuple[str, ...], bool]:
    """The paths that the call of Conv2D may mean, and whether it is nothing else. Both binders agree."""
    results = []
    for file in (opened(text), opened_whole(text)):
        unit, call = only_call(file, "Conv2D")
        found = resolve(unit.index.scope_of(call), call.func, lambda module: STARS.get(module, frozenset()))
        results.append((found.paths, not found.open and not found.unsure))
    assert results[0] == results[1]
    return results[0]


@pytest.mark.parametrize("text", _rows(SURE))
def test_surely_the_layer(text: str) -> None:
    assert _meant(text) == ((LAYER,), True)


@pytest.mark.parametrize("text", _rows(UNSURE))
def test_perhaps_the_layer(text: str) -> None:
    paths, sure = _meant(text)
    assert LAYER in paths
    assert not sure


@pytest.mark.parametrize("text", _rows(SILENT))
def test_not_the_layer(text: str) -> None:
    assert LAYER not in _meant(text)[0]
