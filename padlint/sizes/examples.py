"""Tensors that a file makes with literal sizes: `torch.randn(1, 3, 8, 8)`, `jnp.ones((1, 8, 8, 3))`."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from padlint.geometry import UNKNOWN, Exact, Size
from padlint.sizes.extent import Basis, Extent, describe
from padlint.sizes.steps import Step, Steps
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator

# Functions that make an array, with the position of its shape, in whose place some take each size by itself.
_TORCH = {f"torch.{name}": 0 for name in ("zeros", "ones", "rand", "randn", "empty", "full")}
_NUMPY = {
    f"{module}.{name}": 0 for module in ("numpy", "jax.numpy") for name in ("zeros", "ones", "empty", "full")
}
_RANDOM = {f"jax.random.{name}": 1 for name in ("normal", "uniform")}
_SPREAD = frozenset(
    {*(f"torch.{name}" for name in ("zeros", "ones", "rand", "randn", "empty")), "numpy.random.rand"}
) | {"numpy.random.randn"}
_OTHERS = {
    "torch.randint": 2,
    "torch.normal": 2,
    **dict.fromkeys(("numpy.random.rand", "numpy.random.randn"), 0),
}
_POSITIONS = {**_TORCH, **_NUMPY, **_RANDOM, **_OTHERS, "jax.ShapeDtypeStruct": 0}
_NAMES = frozenset({"size", "shape"})
LIKE = frozenset(
    {
        *(f"torch.{name}_like" for name in ("zeros", "ones", "rand", "randn", "empty", "full")),
        *(f"jax.numpy.{name}_like" for name in ("zeros", "ones", "empty", "full")),
        *("torch.from_numpy", "torch.as_tensor", "torch.tensor", "jax.numpy.asarray", "jax.numpy.array"),
    }
)
"""Functions that make a tensor of the same shape as another one."""


def example(evaluator: Evaluator, node: cst.Call) -> Extent | None:
    """The sizes of a tensor that a call makes from literals."""
    unit = evaluator.unit
    meant = resolve(unit.index.scope_of(node), node.func)
    if len(meant.paths) != 1 or meant.open or meant.unsure or meant.paths[0] not in _POSITIONS:
        return None
    path = meant.paths[0]
    entries = _entries(node, path)
    if entries is None or len(entries) < 3:
        return None
    values = [evaluator.value(entry) for entry in entries]
    shape = [_size(value.only) if value.known else UNKNOWN for value in values]
    torch = path.startswith("torch.")
    spatial = shape[2:] if torch else shape[1:-1]
    if not spatial or all(size is UNKNOWN for size in spatial):
        return None
    step = Step(describe(tuple(spatial)), f"{path.rpartition('.')[2]}, line {unit.row(node)}")
    if torch:
        return Extent(tuple(spatial), Basis.LITERAL, Steps([step]), channels_last=False)
    return Extent(tuple(shape[1:]), Basis.LITERAL, Steps([step]), channels=True)


def _entries(node: cst.Call, path: str) -> Sequence[cst.BaseExpression] | None:
    """The expressions of the sizes."""
    if any(arg.star for arg in node.args):
        return None
    named = [arg.value for arg in node.args if arg.keyword is not None and arg.keyword.value in _NAMES]
    plain = [arg.value for arg in node.args if arg.keyword is None]
    position = _POSITIONS[path]
    shape = named[0] if named else plain[position] if position < len(plain) else None
    if isinstance(shape, (cst.Tuple, cst.List)):
        starred = any(isinstance(element, cst.StarredElement) for element in shape.elements)
        return None if starred else [element.value for element in shape.elements]
    return plain if path in _SPREAD and not named else None


def _size(value: object) -> Size:
    return Exact(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else UNKNOWN
