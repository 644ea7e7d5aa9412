"""What in a file may notice a new layer beside another one."""

from __future__ import annotations

import re

from padlint.rewrites.model import Rewrite
from padlint.rewrites.order import CAVEAT, may_reorder_weights
from padlint.sites.site import Site
from padlint.syntax.source import Source
from padlint.syntax.units import File

# Whatever reads the list of a model's layers. `L = keras.layers`, `from .layers import Conv` and an attribute
# that is assigned are none, nor is `x.layers.Conv2D`.
_BY_INDEX = re.compile(
    r"(?<=[\w)\]])(?<!\bkeras)(?<!_keras)(?<!\btf)(?<!\btensorflow)(?<!\bslim)(?<!\bpython)(?<!\bv1)(?<!\bv2)"
    r"\.layers\b(?!\s*(?:\.\s*[A-Z]|=[^=]|import\b))"
    r"|\.(?:_layers|_flatten_layers|_self_tracked_trackables)\b"
    r"|getattr\s*\([^()]*[\"'](?:layers|_layers)[\"']"
    r"|\bget_layer\s*\([^()]*\bindex\b"
)
# `get_layer("a").input`, also through a name: what the pad hands on, from then on.
_LAYER = re.compile(r"\b(\w+)\s*=[^=\n][^\n]*\bget_layer\s*\([^\n]*\)[^\S\n]*$", re.M)
_INPUT = r"\s*\.\s*(?:input|input_shape|input_spec|get_input_at|get_input_shape_at)\b"
_INPUT_OF_LAYER = re.compile(rf"\bget_layer\s*\([^\n]*?\){_INPUT}")
_CHECKPOINT = re.compile(r"\bCheckpoint\s*\(")


def with_caveats(file: File, site: Site, rewrite: Rewrite, named: re.Pattern[str]) -> Rewrite:
    """The rewrite, with what in the file may notice a layer beside the site.

    `named` matches strings that may be the automatic name of a layer of its class.
    """
    caveats = list(rewrite.caveats)
    if may_reorder_weights(file, site):
        caveats.append(CAVEAT)
    if file.source.holds(named):
        caveats.append("the file writes a name that Keras gives to such layers, and a new one shifts them")
    if file.source.holds(_BY_INDEX):
        caveats.append("the file reaches layers by index, and a new layer shifts them")
    if _asks_for_inputs(file.source):
        caveats.append("the file reads the input of a layer that it finds by name, which may be padded now")
    if file.source.holds(_CHECKPOINT):
        caveats.append("tf.train.Checkpoint finds layers by index, and a new layer shifts them")
    if site.carries("dtype") or site.carries("data_format"):
        caveats.append("**kwargs may carry dtype or data_format, which the pad layer would need too")
    return Rewrite(rewrite.edits, rewrite.before, rewrite.after, tuple(caveats), rewrite.added)


def _asks_for_inputs(source: Source) -> bool:
    """Whether the code asks a layer that it found by its name what it reads."""
    if source.holds(_INPUT_OF_LAYER):
        return True
    names = set(_LAYER.findall(source.text)) if source.holds(_LAYER) else set()
    return any(source.holds(re.compile(rf"\b{name}{_INPUT}")) for name in names)
