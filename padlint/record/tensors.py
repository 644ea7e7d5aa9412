"""What a tensor of any framework tells, without changing anything in it. Runs in the child process."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

from padlint.catalogue import Family, Operator, is_channels_last, rank_of
from padlint.traces.model import Sizes


class ByIdentity:
    """A value for each object, as long as that lives; nothing is changed in the object."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def set(self, key: object, value: Any) -> None:
        """Remember a value."""
        number = id(key)
        with suppress(TypeError):  # not every object can be referred to
            self._values[number] = (
                weakref.ref(key, lambda reference: self._forget(number, reference)),
                value,
            )

    def _forget(self, number: int, reference: weakref.ref[Any]) -> None:
        if number in self._values and self._values[number][0] is reference:
            del self._values[number]

    def get(self, key: object) -> Any:
        """The value of an object, None if there is none."""
        found = self._values.get(id(key))
        return found[1] if found is not None and found[0]() is key else None


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in the arguments or the result of a call."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))
    elif hasattr(value, "shape"):
        yield value


def is_symbolic(tensor: Any) -> bool:
    """Whether a tensor has no numbers: a framework builds or traces a model with it."""
    cls = type(tensor)
    package = cls.__module__.partition(".")[0]
    if package == "torch":
        return bool(tensor.is_meta) or cls.__name__ in ("FakeTensor", "FunctionalTensor")
    if package in ("tensorflow", "keras", "tf_keras"):
        return not hasattr(cls, "numpy")
    if "Tracer" in cls.__name__ and package == "jax":
        is_concrete = getattr(sys.modules.get("jax._src.core"), "is_concrete", None)
        return is_concrete is None or not is_concrete(tensor)
    return False


def shape_of(tensor: Any) -> Sizes:
    """Its shape, None for an open size; empty where not even the number of axes is known."""
    shape = tensor.shape
    if getattr(shape, "rank", 0) is None:  # TensorFlow knows nothing
        return ()
    return tuple(_size(size) for size in shape)


def _size(size: Any) -> int | None:
    """A size that is a number. To ask one of those that stand for many (PyTorch, JAX) would fix it."""
    if isinstance(size, int):
        return size
    if type(size).__name__ == "Dimension":  # of TensorFlow 1
        return size.value  # type: ignore[no-any-return]
    return int(size) if type(size).__module__ == "numpy" else None


def spatial_axes(operator: Operator, arguments: Mapping[str, Any], tensor: Any) -> tuple[str, slice]:
    """The layout of a tensor, and which of its axes are spatial."""
    last = is_channels_last(plain(arguments.get("data_format"))[1], operator.channels_last)
    rank = rank_of(operator, lambda role: plain(arguments.get(role))[1])
    if rank is None and arguments.get("kernel") is not None and operator.family is not Family.PAD:
        rank = len(shape_of(tensor)) - 2
    if rank is None or last is None:
        if operator.framework == "torch" and len(shape_of(tensor)) > 2:
            return "channels_first", slice(2, None)
        return "all", slice(None)
    return ("channels_last", slice(-rank - 1, -1)) if last else ("channels_first", slice(-rank, None))


def weight_kernel(operator: Operator, weight: Any, tensor: Any) -> Sizes | None:
    """The kernel size that the shape of a weight tells."""
    shape, rank = shape_of(weight), len(shape_of(tensor)) - 2
    if len(shape) != rank + 2:
        return None
    if operator.framework == "torch":
        return shape[2:]
    return shape[:rank] if operator.framework == "tf" else None


def dtype_of(tensor: Any) -> str:
    """The name of its dtype."""
    dtype = getattr(tensor, "dtype", "")
    return str(getattr(dtype, "name", dtype)).rpartition(".")[2]


def plain(value: Any) -> tuple[bool, Any]:
    """The value as JSON can hold it, and whether it can."""
    if value is None or isinstance(value, (bool, int, str)):
        return True, value
    if isinstance(value, float):
        return isfinite(value), value
    if isinstance(value, (list, tuple)):
        items = [plain(item) for item in value]
        return all(ok for ok, _ in items), tuple(item for _, item in items)
    if hasattr(value, "numpy") or hasattr(value, "tolist"):
        try:
            found = (value.numpy() if hasattr(value, "numpy") else value).tolist()
        except Exception:
            return False, None
        return plain(found) if not hasattr(found, "tolist") else (False, None)
    return False, None
