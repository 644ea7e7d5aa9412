"""A new layer shifts the others: whatever in a file reads the list of layers makes such a fix unsafe."""

from __future__ import annotations

import pytest

from padlint.engine import check
from padlint.options import Options

STEM = '\ndef stem(x):\n    return keras.layers.Conv2D(8, 4, 2, padding="same")(x)\n'

NONE = (
    "import keras",
    "import keras\nimport keras.layers as L",
    "import keras\nL = keras.layers",
    "import keras\nimport tensorflow as tf\nlayers = tf.keras.layers",
    "import keras\nfrom .layers import Conv",
    "import keras\nfrom project.layers import Conv",
    "import keras\nfrom tensorflow.python.keras.layers import Conv2D",
    "import keras\nimport tensorflow as tf\nL = tf.compat.v1.layers",
    "import keras\nclass Net:\n  def __init__(self):\n    self.layers = 3",
    "import keras\ndef freeze(m): m.get_layer('conv').trainable = False",
    "import keras\ndef other(m): return m.layers.Conv2D(3)",
    "import keras\ndef cam(m): return keras.Model(m.input, [m.get_layer('a').output, m.output])",
    "import keras\ndef cam(m):\n  last = m.get_layer('a')\n  return keras.Model(m.inputs, last.output)",
)
READ = (
    "def f(m): return m.layers[3]",
    "def f(m): return m.layers [3]",
    "def f(m):\n  found = m.layers\n  for layer in found: layer.trainable = False",
    "def f(m):\n  for layer in m.layers: layer.trainable = False",
    "def f(m): return list(enumerate(m.layers))",
    "def f(m, n): return zip(m.layers, n.layers)",
    "def f(m): return len(m.layers)",
    "def f(m): m.layers.pop()",
    "def f(m): return m.layers.copy()",
    "def f(m): return {'all': m.layers}",
    "def f(m): return m.layers",
    "def f(m): return build().layers[0], models[0].layers[1]",
    "def f(m): return 3 if m.layers == [] else 4",
    "def f(m): return getattr(m, 'layers')",
    "def f(m): return m.get_layer(index=3)",
    "def f(m): return m.get_layer(None, index=3)",
    "def f(m): return m._flatten_layers()",
    "def f(m): return keras.Model(m.get_layer('a').input, m.output)",
    "def f(m): return m.get_layer(name(3)).input_shape",
    "def f(m):\n  last = m.get_layer('a')\n  return keras.Model(last.input, m.output)",
)


def applicability(text: str) -> str:
    (finding,) = check(text + STEM, Options(codes=frozenset({"PAD101"})))
    assert finding.fix is not None
    return finding.fix.applicability.value


@pytest.mark.parametrize("text", NONE)
def test_modules_and_names_are_no_lists_of_layers(text: str) -> None:
    assert applicability(text) == "safe"


@pytest.mark.parametrize("text", READ)
def test_what_reads_the_layers(text: str) -> None:
    assert applicability(f"import keras\n{text}") == "unsafe"
