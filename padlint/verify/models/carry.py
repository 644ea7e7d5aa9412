"""Weights from a model of one framework to its port in another: which belongs where, and in which layout."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from padlint.verify.models.inputs import Array

_ROLES = {
    "gamma": "scale",
    "beta": "bias",
    "running_mean": "mean",
    "moving_mean": "mean",
    "running_var": "variance",
    "moving_variance": "variance",
    "var": "variance",
    "alpha": "scale",
    "embeddings": "kernel",
    "embedding": "kernel",
    "depthwise_kernel": "kernel",
    **{name: name for name in ("kernel", "bias", "scale", "mean", "variance")},
}
"""What the weights of all frameworks are, by name; PyTorch's `weight` goes by its rank."""
_TABLES = {"Embed", "Embedding"}
_NEUTRAL = {"scale": 1.0, "bias": 0.0}
"""What a layer computes with that lacks one."""

Form = tuple[str, frozenset[str], bool]
"""The framework of a kernel, the classes of its layer, and whether a transposed one is stored flipped."""


class NoMatch(Exception):
    """Weights that have no counterpart, in a sentence."""


@dataclass
class Unit:
    """The weights of one layer by role, each with its key, label and shape. `step` counts the calls.

    `reads` is the layer whose output goes into it, if that is known.
    """

    layer: str
    form: Form
    weights: dict[str, tuple[str, str, tuple[int, ...]]] = field(default_factory=dict)
    step: int = 0
    is_whole: bool = True
    reads: str = ""

    @property
    def signature(self) -> tuple[Any, ...]:
        """What must agree on both sides: the shape of the kernel, or else the size of a normalisation."""
        if "kernel" in self.weights:
            return ("kernel", *_stripped(self.common_shape("kernel")))
        shapes = [shape for _, _, shape in self.weights.values()]
        return ("mean" in self.weights, int(np.prod(shapes[0])))

    @property
    def channels(self) -> int:
        """How many channels it gives."""
        if "kernel" not in self.weights:
            return int(self.signature[-1])
        is_transposed = _has(self.form[1], "Transpose")
        return self.common_shape("kernel")[-2 if is_transposed else -1]

    @property
    def label(self) -> str:
        """What its first weight is called."""
        return next(iter(self.weights.values()))[1]

    def common_shape(self, role: str) -> tuple[int, ...]:
        """The shape in the layout that all frameworks share here."""
        shape = self.weights[role][2]
        return common(np.broadcast_to(np.zeros(()), shape), role, self.form).shape


Group = list[Unit]
"""A layer with a kernel, and the normalisations that belong to it."""


def units(built: Mapping[str, Any], run: Mapping[str, Any]) -> list[Unit]:
    """The layers with weights in the order of their first calls; what was never called comes last."""
    calls = run["calls"]
    outputs = {_print(array): name for name, array in run["layers"].items()}
    reads = {name: outputs.get(_print(array), "") for name, array in run["given"].items()}
    steps = {name: number for number, name in enumerate(calls)}
    found: dict[tuple[str, str], Unit] = {}
    for weight in built["weights"]:
        layer, leaf = weight["owner"]
        shape = tuple(weight["shape"])
        if not weight["floating"]:
            continue  # counters
        called = calls.get(layer, {})
        form = (built["framework"], frozenset(called.get("classes", ())), bool(called.get("flipped")))
        role = _ROLES.get(leaf) or {"weight": "kernel" if len(shape) > 1 else "scale"}.get(leaf, leaf)
        is_separable = any(name.startswith("SeparableConv") for name in form[1])
        part = "depthwise" if is_separable and leaf == "depthwise_kernel" else ""
        if leaf == "pointwise_kernel":
            role = "kernel"
        unit = found.setdefault((layer, part), Unit(layer, form, {}, steps.get(layer, len(steps)), not part))
        if part:
            unit.form = (form[0], frozenset({"DepthwiseConv"}), False)
        unit.weights[role] = (weight["key"], weight["label"], shape)
        unit.reads = reads.get(layer, "")
    return sorted(found.values(), key=lambda unit: unit.step)


def pairs(before: Sequence[Unit], after: Sequence[Unit]) -> list[tuple[Group, Group]]:
    """Which layers of one side are which of the other: by order, or else by shapes that occur once."""
    old, new = _groups(before), _groups(after)
    if [signature(group) for group in old] == [signature(group) for group in new]:
        return list(zip(old, new, strict=True))
    counts, others = (Counter(map(signature, side)) for side in (old, new))
    if counts != others:
        for left, right in zip(before, after, strict=False):
            if left.signature != right.signature:
                raise NoMatch(f"in the order of the calls, {_shown(left)} would become {_shown(right)}")
        longer = before if len(before) > len(after) else after
        raise NoMatch(f"{_shown(longer[min(len(before), len(after))])} has no counterpart")
    several = [[group for group in side if counts[signature(group)] > 1] for side in (old, new)]
    for left, right in zip(*several, strict=True):
        if signature(left) != signature(right):
            raise NoMatch(
                f"the layers are called in another order, and {_shown(left[0])} could be one of "
                f"{counts[signature(left)]}"
            )
    unique = {signature(group): group for group in new if counts[signature(group)] == 1}
    rest = iter(several[1])
    return [(group, unique.get(signature(group)) or next(rest)) for group in old]


def members(groups: Sequence[tuple[Group, Group]]) -> list[tuple[Unit, Unit]]:
    """The layers of such groups in the order of the calls on the first side."""
    found = [pair for left, right in groups for pair in zip(left, right, strict=True)]
    return sorted(found, key=lambda pair: pair[0].step)


def carried(
    matched: Sequence[tuple[Unit, Unit]], state: Mapping[str, Array], start: Mapping[str, Array]
) -> dict[str, Array]:
    """The state of the side after: `start` with the values of `state`, in its own layouts."""
    result = dict(start)
    for old, new in matched:
        for role, (_, label, _) in old.weights.items():
            if role not in new.weights:
                raise NoMatch(f"{label!r} has no counterpart in {new.layer!r}")
        for role, (key, label, shape) in new.weights.items():
            if role not in old.weights:
                if role not in _NEUTRAL:
                    raise NoMatch(f"{label!r} has no counterpart in {old.layer!r}")
                result[key] = np.full(shape, _NEUTRAL[role], start[key].dtype)
                continue
            value = common(state[old.weights[role][0]], role, old.form)
            target = new.common_shape(role)
            if value.size != np.prod(target):
                raise NoMatch(f"{old.weights[role][1]!r} is {value.shape}, but {label!r} {target}")
            result[key] = own(value.reshape(target), role, new.form, shape).astype(start[key].dtype)
    return result


def common(array: Array, role: str, form: Form) -> Array:
    """A kernel as (space, in, out), a transposed one as (space, out, in); all else as it is."""
    framework, classes, is_flipped = form
    if role != "kernel" or classes & _TABLES:
        return array
    if framework == "torch":
        return np.transpose(array, (*range(2, array.ndim), 1, 0))
    if _has(classes, "DepthwiseConv"):
        return array.reshape(*array.shape[:-2], 1, -1)
    if is_flipped:
        return np.swapaxes(np.flip(array, tuple(range(array.ndim - 2))), -1, -2)
    return array


def own(array: Array, role: str, form: Form, shape: tuple[int, ...]) -> Array:
    """The reverse of `common`."""
    framework, classes, is_flipped = form
    if role != "kernel" or classes & _TABLES:
        return array.reshape(shape)
    if framework == "torch":
        return np.transpose(array, (array.ndim - 1, array.ndim - 2, *range(array.ndim - 2)))
    if is_flipped:
        return np.flip(np.swapaxes(array, -1, -2), tuple(range(array.ndim - 2)))
    return array.reshape(shape)


def _print(array: Array) -> tuple[Any, ...]:
    """What tells an array from others."""
    return (array.shape, zlib.crc32(np.ascontiguousarray(array).data))


def _has(classes: frozenset[str], part: str) -> bool:
    return any(part in name for name in classes)


def _stripped(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Without spatial axes of size 1: a dense layer may be ported as such a convolution."""
    return shape[-2:] if all(size == 1 for size in shape[:-2]) else shape


def _groups(found: Sequence[Unit]) -> list[Group]:
    """Each layer with a kernel, and the normalisation that reads it, or is next and has its channels."""
    groups: list[Group] = []
    for unit in found:
        free = [group for group in reversed(groups) if len(group) == 1 and group[0].channels == unit.channels]
        if "kernel" in unit.weights or not free:
            groups.append([unit])
        else:
            next((group for group in free if group[0].layer == unit.reads), free[0]).append(unit)
    return groups


def signature(group: Group) -> tuple[Any, ...]:
    """What must agree of two groups."""
    return tuple(unit.signature for unit in group)


def _shown(unit: Unit) -> str:
    return f"{unit.label!r} {next(iter(unit.weights.values()))[2]}"
