"""Kernel, stride and dilation of a call as texts that may be written a second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Kind
from padlint.rewrites.model import Refusal
from padlint.sites.reading import Axis, Reading, data_format
from padlint.sites.site import Site
from padlint.sites.weights import weight_shape
from padlint.syntax.repeating import leaves, repeatable
from padlint.syntax.scopes import BindingKind
from padlint.syntax.values import Value, constant

_SAMPLES = {"kernel": 3, "stride": 2, "dilation": 1}
_FIXED = (BindingKind.PARAMETER, BindingKind.ASSIGN, BindingKind.IMPORT)


@dataclass(frozen=True)
class Written:
    """One of the three, as a text.

    `node` is the expression that the text repeats, None for numbers; `shape` is the text of a weight's shape
    that the text takes a part of.
    """

    text: str
    node: cst.BaseExpression | None = None
    shape: str = ""


@dataclass(frozen=True)
class Geometry:
    """The texts of a call. `stride` and `dilation` are 1 where they are that on every axis."""

    site: Site
    kernel: Written
    stride: Written
    dilation: Written

    @property
    def written(self) -> dict[str, Written]:
        """The texts by role."""
        return {"kernel": self.kernel, "stride": self.stride, "dilation": self.dilation}

    @property
    def literal(self) -> bool:
        """Whether all of it is numbers."""
        return all(part.node is None for part in self.written.values())

    @property
    def stride_text(self) -> str:
        """The text of the stride; that of Flax may be None, which is 1."""
        text, node = self.stride.text, self.stride.node
        if node is None or self.site.operator.framework != "flax":
            return text
        return f"{text} or 1" if isinstance(node, (cst.Name, cst.Attribute)) else f"({text}) or 1"

    def sampled(self, axis: Axis) -> tuple[int, int, int]:
        """Kernel, stride and dilation on an axis, a sample for each that is no number."""
        parts = self.written.items()
        kernel, stride, dilation = (_SAMPLES[r] if part.node else getattr(axis, r) for r, part in parts)
        return kernel, stride, dilation

    def samples(self, numbers: Mapping[str, int] = _SAMPLES) -> tuple[str, ...]:
        """Assignments that give what the texts read a number for each role, for a layer proof."""
        unit, found = self.site.unit, dict[str, object]()
        for role, part in self.written.items():
            if part.shape:
                size = numbers[role]
                found[part.shape] = (size, size, size, size, size)
            elif part.node is not None:
                for leaf, tested in leaves(part.node):
                    found.setdefault(unit.text(leaf), 1 if tested else numbers[role])
        return tuple(f"{text} = {value}" for text, value in found.items())

    def changes(self) -> str:
        """Why the texts may be worth something else where the layer is applied; empty if they are not."""
        nodes = [part.node for part in self.written.values() if part.node is not None]
        for leaf in (leaf for node in nodes for leaf, _ in leaves(node)):
            found = self.site.scope.lookup(leaf.value) if isinstance(leaf, cst.Name) else None
            if found is None or len(found[1]) != 1 or found[1][0].kind not in _FIXED:
                return f"{self.site.unit.text(leaf)} may have another value where the layer is applied"
        return ""


def geometry_of(site: Site, reading: Reading) -> Geometry | Refusal:
    """The texts of a call's kernel, stride and dilation, numbers where the file shows them."""
    parts: list[Written] = []
    for role in ("kernel", "stride", "dilation"):
        of_weight = role == "kernel" and not site.has(role)
        part = _weight(site, reading) if of_weight else _part(site, reading, role)
        if isinstance(part, Refusal):
            return part
        parts.append(part)
    return Geometry(site, *parts)


def _part(site: Site, reading: Reading, role: str) -> Written | Refusal:
    value, argument = site.value(role), site.argument(role)
    known = not site.has(role) or value.known or reading.sure or reading.scoped
    if known and not (role == "stride" and _is_kernel(site, value) and not site.value("kernel").known):
        return Written(_numbers(site, reading, role))
    if known:
        return _part(site, reading, "kernel")
    if argument is None:
        return Refusal(f"its {role} is not written in the call, and *args or **kwargs may carry it")
    node = argument.value
    if not repeatable(site.unit, node):
        return Refusal(f"its {role} is computed in a way that a second time may not repeat")
    if role == "stride" and site.operator.stride_is_kernel:
        return Refusal("its stride may be None, which means the window")
    text = site.unit.text(node)
    if isinstance(node, (cst.Tuple, cst.List)):
        text = _display(site, node) or ""
    elif site.operator.framework == "tf":
        text = ""
    if not text:
        return Refusal(f"its {role} may hold entries for the batch and the channels")
    return Written(text, node)


def _is_kernel(site: Site, value: Value) -> bool:
    """Whether a stride is None, and that means the window."""
    return site.operator.stride_is_kernel and value.known and value.only is None


def _numbers(site: Site, reading: Reading, role: str) -> str:
    """The numbers of a role: one where a layer of Keras has it on all axes, else one per axis."""
    numbers = [getattr(axis, role) for axis in reading.axes]
    one = len(set(numbers)) == 1 and (role != "kernel" or site.operator.framework == "keras")
    if one:
        return str(numbers[0])
    return f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"


def _display(site: Site, node: cst.Tuple | cst.List) -> str | None:
    """The entries of the spatial axes of a list or tuple."""
    layout = data_format(site)
    texts = [site.unit.text(element.value) for element in node.elements]
    rank = site.operator.ndim
    if rank is None:
        return None
    last = None if layout is None else layout == "channels_last"
    entries: tuple[str, ...] | None = catalogue.spatial_entries(texts, rank, last)
    return f"({', '.join(entries)}{',' if len(entries) == 1 else ''})" if entries is not None else None


def _weight(site: Site, reading: Reading) -> Written | Refusal:
    """The kernel of a function that reads it from the shape of its weight.

    What a traced run showed of that may be another shape in another run.
    """
    if weight_shape(site) is not None:
        return Written(_numbers(site, reading, "kernel"))
    argument = site.argument("weight")
    if argument is None or not repeatable(site.unit, argument.value) or site.operator.kind is Kind.LAYER:
        return Refusal("the kernel size is in the shape of the weight, which is computed in the call")
    shape = f"{site.unit.text(argument.value)}.shape"
    if site.operator.framework == "torch":
        return Written(f"{shape}[2:]", argument.value, shape)
    if site.operator.framework == "tf":
        return Written(f"{shape}[:{len(reading.axes)}]", argument.value, shape)
    layout = _weight_layout(site)
    if layout is None:
        return Refusal("the kernel size is in the shape of the weight, whose layout is not known")
    return Written(f"{shape}[{layout}]", argument.value, shape)


def _weight_layout(site: Site) -> str | None:
    """Which part of the shape of a weight of JAX is its kernel."""
    value = site.value("data_format") if site.has("data_format") else constant(None)
    if not value.known:
        return None
    if value.only is None:
        return "2:"
    layout = value.only[1] if isinstance(value.only, tuple) and len(value.only) == 3 else ""
    if not isinstance(layout, str):
        return None
    return "2:" if layout[:2] in ("OI", "IO") else ":-2" if layout[-2:] in ("OI", "IO") else None
