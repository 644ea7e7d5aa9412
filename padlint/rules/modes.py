"""In which mode an operator pads, and how much: what is not constant has rules of its own."""

from __future__ import annotations

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family, Kind
from padlint.geometry import PadMode, torch_same_padding
from padlint.sites.reading import Axis, data_format
from padlint.sites.site import Site
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator, Value

Pads = list[tuple[int, int]]

MODES: dict[str, PadMode] = {
    "reflect": "reflect",
    "replicate": "edge",
    "circular": "circular",
    "symmetric": "symmetric",
}
"""The modes by their names in PyTorch and TensorFlow, as geometry calls them."""

_OF_FRAMEWORK = {
    "torch": frozenset({"reflect", "replicate", "circular"}),
    "tf": frozenset({"reflect", "symmetric"}),
    "keras": frozenset({"reflect", "symmetric"}),
}
_LAYERS = {"ReflectionPad": "reflect", "ReplicationPad": "replicate", "CircularPad": "circular"}


def mode_of(site: Site) -> str | None:
    """The name of the mode in which a pad or a convolution pads; None for constants and what is not known."""
    operator = site.operator
    if operator.family is Family.PAD and operator.kind is Kind.LAYER:
        return _LAYERS.get(operator.short[:-2])
    role = "mode" if operator.family is Family.PAD else "padding_mode"
    value = site.value(role) if role in operator.roles else None
    if value is None or not value.known or not isinstance(value.only, str):
        return None
    word = value.only.lower() if operator.framework == "tf" else value.only
    return word if word in _OF_FRAMEWORK.get(operator.framework, ()) else None


def amounts_of_pad(site: Site) -> Pads | None:
    """(before, after) per spatial axis of a pad that is no convolution."""
    value, style = _written(site), site.operator.pads
    if not value.known or style is None:
        return None
    rank = site.operator.ndim
    if rank is None:
        if not isinstance(value.only, tuple):
            return None
        rank = len(value.only) // 2 if site.operator.framework == "torch" else len(value.only) - 2
    return (
        catalogue.read_pads(style, value.only, rank, data_format(site) != "channels_first") if rank else None
    )


def _written(site: Site) -> Value:
    """The amounts, also where tf.constant makes a tensor of them."""
    argument = site.argument("padding")
    node = argument.value if argument is not None else None
    if not isinstance(node, cst.Call) or not node.args or node.args[0].star:
        return site.value("padding")
    made = resolve(site.scope, node.func).paths == ("tensorflow.constant",)
    return Evaluator(site.unit).value(node.args[0].value if made else node, site.scope)


def amounts_of_conv(site: Site, axes: tuple[Axis, ...]) -> Pads | None:
    """(before, after) per axis of a convolution of PyTorch with these axes."""
    padding = site.value("padding")
    if not padding.known:
        return None
    if padding.only == "same":
        return [torch_same_padding(axis.kernel or 1, axis.dilation) for axis in axes]
    entries = catalogue.spatial_entries(0 if padding.only == "valid" else padding.only, len(axes))
    if entries is None or not all(type(amount) is int for amount in entries):
        return None
    return [(amount, amount) for amount in entries]
