"""PAD504: the geometry of a layer is changed after it was built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from padlint.catalogue.model import Operator
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.instances import Instances
from padlint.sites.site import Site
from padlint.syntax.attributes import owner_of
from padlint.syntax.units import Unit

_READ = "every call reads it, whatever the constructor says"
_TORCH = {
    "padding": f"{_READ}, but only with padding_mode='zeros': other pads were computed when it was built",
    "padding_mode": f"{_READ}, for the pads that were computed when it was built, if there are any",
    "stride": f"{_READ}; with padding='same', a stride above 1 then raises",
    "dilation": f"{_READ}; numbers given as padding do not follow",
    "output_padding": _READ,
}
_KERAS = f"{_READ}, but a model that was built with it keeps the shapes that it had"
_ROLES = ("padding", "padding_mode", "stride", "dilation", "kernel", "output_padding")
_ATTRIBUTES = (
    *("padding", "padding_mode", "stride", "strides", "dilation", "dilation_rate"),
    *("kernel_size", "pool_size", "output_padding"),
)


class LateGeometryChange(Rule):
    """The padding, stride or another geometry of a layer is assigned after it was built.

    Why
        What a constructor says is then not what runs, and what was computed from it may stay: PyTorch
        computes the pads of reflect, replicate and circular modes once, so `.padding` has no effect on them;
        a dilation does not adapt the padding; `.kernel_size` has no effect at all. padlint offers no safe fix
        that trusts the constructors of a file which does this.

    Example
        from torch import nn

        def tile(model):
            for m in model.modules():
                if isinstance(m, nn.Conv2d):
                    m.padding_mode = "circular"

    Use instead
        from torch import nn

        def conv(channels):
            return nn.Conv2d(channels, channels, 3, padding=1, padding_mode="circular")

    Fix safety
        There is no fix: which layers are reached is not seen in the file.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    code = "PAD504"
    name = "late-geometry-change"
    severity = Severity.INFO
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report assignments to the geometry of what is known to be a convolution or pool."""
        for unit in context.file.units:
            instances = Instances(unit, context.sites_of(unit))
            changes: dict[cst.CSTNode, _Change] = {}  # one for each statement: `m.padding, m.stride = 1, 1`
            for change in _changes(unit, instances):
                changes.setdefault(change.statement, change)
            for change in changes.values():
                effect = _Effect.of(change)
                message = (
                    f"{change.written} is changed after {change.operator.short} was built: {effect.text}"
                )
                numbers = {"op": change.operator.name, "axes": [], "others": {"role": change.role}}
                reason = "it belongs into the constructor; which layers it reaches here is not seen"
                yield context.report(
                    type(self), unit, change.statement, message, reason, numbers, severity=effect.severity
                )


class _Change(NamedTuple):
    """An assignment to the attribute that plays a role in an operator; `built` is the call that made it."""

    statement: cst.CSTNode
    operator: Operator
    role: str
    written: str
    built: Site | None


class _Effect(NamedTuple):
    """What a change does, and how bad that is if it is worse than the rule's severity."""

    text: str
    severity: Severity | None = None

    @classmethod
    def of(cls, change: _Change) -> _Effect:
        """The effect of one change."""
        operator, role, built = change.operator, change.role, change.built
        if operator.family.is_pooling:
            return cls(_KERAS if operator.framework == "keras" else _READ)
        if role == "kernel":
            return cls("it has no effect, since the weight has its size already", Severity.WARNING)
        if operator.framework == "keras":
            return cls(_KERAS)
        if role == "padding" and built is not None and built.has("padding_mode"):
            mode = built.value("padding_mode")
            if mode.known and mode.only != "zeros":
                text = f"it has no effect, since the pads for {mode.only!r} were computed when it was built"
                return cls(text, Severity.WARNING)
        return cls(_TORCH[role])


def _changes(unit: Unit, instances: Instances) -> Iterator[_Change]:
    """Every assignment to the geometry of a layer, but of `self`: that is its own class's business."""
    for name in _ATTRIBUTES:
        for node in unit.index.attributes.get(name, ()):
            statement = _stores(unit, node)
            if statement is None or owner_of(unit, node.value) is not None:
                continue
            for operator in instances.kinds(node.value):
                roles = [role for role in _ROLES if operator.roles.get(role) == name]
                shaped = operator.family.is_convolution or operator.family.is_pooling
                if roles and shaped and operator.framework in ("torch", "keras"):
                    built = instances.built(node.value)
                    yield _Change(statement, operator, roles[0], unit.text(node), built)
                    break


def _stores(unit: Unit, node: cst.Attribute) -> cst.CSTNode | None:
    """The statement that assigns to an attribute."""
    parents = unit.index.parents
    parent: cst.CSTNode = parents[node]
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List)):
        parent = parents[parent]
    if isinstance(parent, cst.AssignTarget):
        return parents[parent]
    if isinstance(parent, cst.AnnAssign) and parent.value is None:
        return None
    changes = isinstance(parent, (cst.AugAssign, cst.AnnAssign)) and parent.target is node
    return parent if changes else None
