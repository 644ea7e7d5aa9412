"""Methods of tensors, slices of them, and functions that are no layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from padlint.geometry import UNKNOWN, Exact, Size, pad_output, same_output
from padlint.sizes.examples import LIKE
from padlint.sizes.extent import Extent, Known, Lost, describe
from padlint.sizes.held import Constant, Held
from padlint.sizes.steps import Step
from padlint.syntax.scopes import Scope, resolve
from padlint.syntax.values import Evaluator, Value

KEEP = frozenset(
    {
        *(
            "to",
            "cuda",
            "cpu",
            "float",
            "half",
            "double",
            "bfloat16",
            "type",
            "type_as",
            "contiguous",
            "clone",
        ),
        *("detach", "requires_grad_", "astype", "abs", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "round"),
        *("relu", "relu_", "sigmoid", "sigmoid_", "tanh", "tanh_", "clamp", "clamp_", "clip", "softmax"),
        *(
            "log_softmax",
            "neg",
            "detach_",
            "zero_",
            "fill_",
            "normal_",
            "uniform_",
            "masked_fill",
            "int",
            "long",
        ),
        *("cumsum", "flip", "copy", "block_until_ready"),
    }
)
"""Methods that return a tensor of the same shape, whatever they are given."""

# Methods that do so if their other operand is a number.
_WITH_NUMBERS = frozenset(
    {f"{name}{end}" for name in ("add", "sub", "mul", "div", "pow") for end in ("", "_")}
)
_FUNCTIONS = (
    LIKE
    | {
        f"{module}.{name}"
        for module in ("torch", "jax.numpy")
        for name in (
            "abs",
            "exp",
            "log",
            "sqrt",
            "sin",
            "cos",
            "clip",
            "sign",
            "square",
            "round",
            "floor",
            "ceil",
        )
    }
    | {"torch.clamp", "torch.rsqrt", "torch.neg", "jax.lax.stop_gradient", "jax.lax.rsqrt", "jax.lax.erf"}
)


def method(node: cst.Call, extent: Extent, given: Sequence[Held], evaluator: Evaluator) -> Known | None:
    """What a method of a tensor returns; None if it is none that is followed."""
    if not isinstance(node.func, cst.Attribute):
        return None
    name = node.func.attr.value
    if name in KEEP:
        return extent
    if name in _WITH_NUMBERS:
        return extent if len(given) == 1 and is_number(given[0]) else None
    if name in ("transpose", "swapaxes", "permute"):
        return _permuted(name, extent, [evaluator.value(arg.value) for arg in node.args])
    return None


def is_same_shape(scope: Scope, node: cst.Call) -> bool:
    """Whether a function returns a tensor of the shape of its first argument."""
    meant = resolve(scope, node.func)
    return bool(meant.paths) and not meant.open and set(meant.paths) <= _FUNCTIONS and bool(node.args)


def is_number(held: Held) -> bool:
    """Whether something is a number."""
    return isinstance(held, Constant) and held.value.known and isinstance(held.value.only, (int, float))


def _permuted(name: str, extent: Extent, values: Sequence[Value]) -> Known | None:
    """The spatial axes after an exchange among themselves."""
    if extent.channels or extent.every_axis is not None or not all(value.known for value in values):
        return None
    given = [value.only for value in values]
    axes = len(extent.sizes) + 2
    if not all(isinstance(axis, int) and -axes <= axis < axes for axis in given):
        return None
    order = [axis % axes for axis in given]
    if name != "permute":
        if len(order) != 2:
            return None
        a, b = order
        order = [b if axis == a else a if axis == b else axis for axis in range(axes)]
    first = 1 if extent.channels_last else 2
    spatial = range(first, first + len(extent.sizes))
    if sorted(order) != list(range(axes)) or any(
        (order[i] in spatial) != (i in spatial) for i in range(axes)
    ):
        return None
    return replace(extent, sizes=tuple(extent.sizes[order[i] - first] for i in spatial))


def sliced(node: cst.Subscript, extent: Extent, evaluator: Evaluator) -> Known:
    """A part of a tensor, where no axis is taken away or added."""
    lost = Lost("it is a part of a tensor that is not followed")
    if extent.every_axis is not None or (extent.channels_last is None and not extent.channels):
        return lost
    axes: list[Size | None] = [
        None,
        *extent.sizes,
    ]  # the batch and, unless they are among the sizes, the channels
    if not extent.channels:
        axes = [None, *extent.sizes, None] if extent.channels_last else [None, None, *extent.sizes]
    items = [element.slice for element in node.slice]
    dots = [i for i, item in enumerate(items) if _is_ellipsis(item)]
    if len(dots) > 1 or len(items) - len(dots) > len(axes):
        return lost
    before = dots[0] if dots else len(items)
    placed = dict(enumerate(items[:before]))
    placed.update({len(axes) - len(items) + i: items[i] for i in range(before + 1, len(items))})
    for axis, item in placed.items():
        if not isinstance(item, cst.Slice):
            return lost
        size = axes[axis]
        if size is not None:
            axes[axis] = _part(size, item, evaluator)
    sizes = tuple(size for size in axes if size is not None)
    if sizes == extent.sizes:
        return extent
    spatial = sizes if not extent.channels else sizes[:-1] if extent.channels_last is not False else sizes[1:]
    step = Step(describe(spatial), f"line {evaluator.unit.row(node)}")
    return replace(extent, sizes=sizes, steps=extent.steps.then(step))


def _is_ellipsis(item: cst.BaseSlice) -> bool:
    return isinstance(item, cst.Index) and isinstance(item.value, cst.Ellipsis)


def _part(size: Size, item: cst.Slice, evaluator: Evaluator) -> Size:
    bounds: list[int | None] = []
    for node in (item.lower, item.upper, item.step):
        value = evaluator.value(node) if node is not None else None
        if value is not None and not (value.known and (value.only is None or type(value.only) is int)):
            return UNKNOWN
        bounds.append(value.only if value is not None else None)
    lower, upper, step = bounds
    if step is not None and step < 1:
        return UNKNOWN
    if isinstance(size, Exact):
        count = len(range(size.n)[lower:upper:step])
        return Exact(count) if count else UNKNOWN
    if (lower or 0) < 0 or (upper is not None and upper >= 0):
        return UNKNOWN
    return same_output(pad_output(size, -(lower or 0), upper or 0), step or 1)
