"""PAD505: pads that are computed for one size and serve layers of other sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import libcst as cst

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.geometry import same_padding
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.handwritten import Part, Parts, parts_of, sides_in, sides_of, total
from padlint.sites.site import Site
from padlint.syntax.attributes import owner_of
from padlint.syntax.builds import Build, builds
from padlint.syntax.formulas import Formulas, Read, assigned
from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import Unit

_LAYERS = 5  # strided layers of a usual network, where the file does not show how many there are


class OneSizeForAllLayers(Rule):
    """SAME pads are computed from one stored size, and serve layers that read other sizes.

    Why
        SAME depends on the size that each layer reads. Pads that are computed once from the size of the image
        are right for the first layer: at 240 with kernel 3 and stride 2 that is (0, 1), but the fifth such
        layer reads 15 and needs (1, 1). Shapes may still fit, and nothing raises.

    Example
        import math
        from functools import partial

        from torch import nn
        from torch.nn import functional as F

        class Same(nn.Conv2d):
            def __init__(self, cin, cout, k, stride, size):
                super().__init__(cin, cout, k, stride)
                t = max((math.ceil(size / stride) - 1) * stride + k - size, 0)
                self.pads = (t // 2, t - t // 2, t // 2, t - t // 2)

            def forward(self, x):
                return super().forward(F.pad(x, self.pads))

        conv = partial(Same, k=3, stride=2, size=240)
        layers = [conv(c, 8) for c in (3, 8, 8, 8, 8)]

    Use instead
        import math
        from functools import partial

        from torch import nn
        from torch.nn import functional as F

        class Same(nn.Conv2d):
            def __init__(self, cin, cout, k, stride, size):
                super().__init__(cin, cout, k, stride)
                t = max((math.ceil(size / stride) - 1) * stride + k - size, 0)
                self.pads = (t // 2, t - t // 2, t // 2, t - t // 2)

            def forward(self, x):
                return super().forward(F.pad(x, self.pads))

        conv = partial(Same, k=3, stride=2)
        layers = [conv(c, 8, size=n) for c, n in ((3, 240), (8, 120), (8, 60), (8, 30), (8, 15))]

    Fix safety
        There is no fix: the sizes that the layers read are not in the file, and a model may have been trained
        as it is.

    References
        https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
    """

    code = "PAD505"
    name = "one-size-for-all-layers"
    severity = Severity.INFO
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report SAME pads that a constructor stores, where several layers are built with the same size."""
        for unit in context.file.units:
            sites = context.sites_of(unit)
            if not any(site.operator.family is Family.PAD for site in sites):
                continue
            for stored in _stored_pads(unit, sites):
                layers = list(builds(context.file.units, stored.init, stored.owner))
                groups = _of_one_size(layers, stored.parts)
                misfit = next(filter(None, (_misfit(group, stored.parts) for group in groups)), "")
                if misfit:
                    message = f"{unit.text(stored.attribute)} is SAME for one size, but {misfit}"
                    numbers: dict[str, Any] = {"op": None, "axes": [], "others": {}}
                    reason = "the sizes that the layers read are not in the file"
                    yield context.report(type(self), unit, stored.attribute, message, reason, numbers)


class _Stored(NamedTuple):
    """An attribute with the SAME pads for a size that a constructor of its class gets."""

    attribute: cst.Attribute
    init: cst.FunctionDef
    owner: cst.ClassDef
    parts: Parts


def _stored_pads(unit: Unit, sites: Sequence[Site]) -> Iterator[_Stored]:
    formulas = Formulas(unit)
    by_call: dict[cst.BaseExpression, Site] = {site.call: site for site in sites}
    for attribute in [node for nodes in unit.index.attributes.values() for node in nodes]:
        value, owner = assigned(unit, attribute), owner_of(unit, attribute.value)
        if value is None or owner is None:
            continue
        site = by_call.get(value)
        if site is None:
            sides = [*sides_in(formulas, value, flat=True), *sides_in(formulas, value, flat=False)]
        else:
            sides = sides_of(formulas, site) if site.operator.family is Family.PAD else []
        parts = next(filter(None, (_parts(formulas, *pair) for pair in sides)), None)
        init = parts.size.scope.node if parts is not None and isinstance(parts.size, Read) else None
        if parts is not None and isinstance(init, cst.FunctionDef) and init.name.value == "__init__":
            yield _Stored(attribute, init, owner, parts)


def _parts(formulas: Formulas, front: cst.BaseExpression, back: cst.BaseExpression) -> Parts | None:
    one, other = formulas.of(front), formulas.of(back)
    return parts_of(one.plus(other), total) if one is not None and other is not None else None


def _of_one_size(layers: Sequence[Build], parts: Parts) -> Iterator[list[Build]]:
    """The builds that get one and the same size, where they follow each other: in a loop, or in one list."""
    assert isinstance(parts.size, Read)
    groups: dict[tuple[cst.CSTNode, str], list[Build]] = {}
    for build in layers:
        size = build.arguments.get(parts.size.text)
        if size is not None and _is_fixed(build.unit, size):
            parents = build.unit.index.parents
            container = build.call if build.repeated else parents[parents[build.call]]
            groups.setdefault((container, build.unit.text(size)), []).append(build)
    return (group for group in groups.values() if len(group) > 1 or group[0].repeated)


def _is_fixed(unit: Unit, size: cst.BaseExpression) -> bool:
    """Whether an expression is a number, or a name that nothing rebinds."""
    if isinstance(size, cst.Name):
        found = unit.index.scope_of(size).lookup(size.value)
        kinds = [binding.kind for binding in found[1]] if found is not None else []
        return kinds in ([BindingKind.PARAMETER], [BindingKind.ASSIGN])
    return isinstance(size, cst.Integer)


def _misfit(group: Sequence[Build], parts: Parts) -> str:
    """Which layer needs other pads than it gets; empty if none is known to."""
    layers = [*group] * _LAYERS if group[0].repeated else group
    size = _number(layers[0], parts.size)
    shapes = [_shape(layer, parts) for layer in layers]
    known = [shape for shape in shapes if shape is not None]
    if size is None or len(known) < len(shapes):
        strides = [_number(layer, parts.stride) for layer in layers[:-1]]
        strided = any(stride is not None and stride > 1 for stride in strides)
        return "layers behind a stride, which read other sizes, share it" if strided else ""
    reads = size
    for kernel, stride, dilation in known:
        pads, needed = (same_padding(n, kernel, stride, dilation) for n in (size, reads))
        if pads != needed:
            return (
                f"layers share it: {pads} is right at {size}, and the one that reads {reads} needs {needed}"
            )
        reads = -(-reads // stride)
    return ""


def _shape(build: Build, parts: Parts) -> tuple[int, int, int] | None:
    kernel, stride, dilation = (_number(build, p) for p in (parts.kernel, parts.stride, parts.dilation))
    if kernel is None or stride is None or dilation is None:
        return None
    return kernel, stride, dilation


def _number(build: Build, part: Part) -> int | None:
    """What plays a part in a build."""
    value = build.value(part.text) if isinstance(part, Read) else None
    if value is None:
        return part if isinstance(part, int) else None
    return value.only if value.known and isinstance(value.only, int) and value.only > 0 else None
