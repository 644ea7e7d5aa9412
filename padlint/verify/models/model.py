"""What a comparison needs of a model. Each backend module has classes that implement `Model`."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from padlint.verify.models.inputs import Array, shifted, spatial
from padlint.verify.models.project import UserError
from padlint.verify.models.request import Case


@dataclass(frozen=True)
class Weight:
    """A parameter or buffer: its key in the state, what the user calls it, and whether it is trained.

    `owner` is the layer that has it, as a tracer calls it, and what it is called there.
    """

    key: str
    label: str
    shape: tuple[int, ...]
    trainable: bool
    owner: tuple[str, str]


@dataclass(frozen=True)
class Run:
    """What a model computed: its outputs and their gradients, by name, and what the call leaves behind.

    That is the state by key, losses that layers add, and inputs that were changed in place.
    """

    outputs: Mapping[str, Array]
    gradients: Mapping[str, Array] = field(default_factory=dict)
    state: Mapping[str, Array] = field(default_factory=dict)


@dataclass
class Tracer:
    """Sees the output of every layer, and its input if told; moves the input of one of them if told."""

    layer: str = ""
    shift: tuple[int, int] = (0, 0)
    only: bool = False
    first_axis: int = 2
    inputs: bool = False
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)
    given: dict[str, Array] = field(default_factory=dict)
    outputs: dict[str, Array] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def enter(self, name: str, layer: Any, array: Array | None) -> Array | None:
        """A layer is called with this; what goes into it instead, or None for the same."""
        self.calls.setdefault(
            name,
            {
                "classes": [cls.__name__ for cls in type(layer).__mro__],
                "epsilon": getattr(layer, "epsilon", getattr(layer, "eps", None)),
                # The transposed convolutions of Flax are no gradients of convolutions, unless told.
                "flipped": not getattr(layer, "transpose_kernel", True),
            },
        )
        if array is None:
            return None
        if self.inputs:
            self.given.setdefault(name, array.copy())
        return self.moved(name, array)

    def moved(self, name: str, array: Array) -> Array | None:
        """What goes into the layer instead; None for the same."""
        if name != self.layer or not any(self.shift):
            return None
        return shifted(array, self.shift, spatial(array.ndim, self.first_axis))

    def see(self, name: str, kind: str, array: Array) -> None:
        """Keep the output of a layer; that of its first call, if there are several."""
        if not self.only or name == self.layer:
            self.outputs.setdefault(name, array)
            self.kinds.setdefault(name, kind)


class Model(Protocol):
    """A model, or a function without weights."""

    framework: str
    first_axis: int  # where the spatial axes of an input begin
    modes: tuple[bool, ...]  # which values of `training` make sense

    def free(self, inputs: int) -> list[list[int]]:
        """The axes of each input whose size the model leaves open, as far as it says so itself."""

    def weights(self) -> Sequence[Weight]:
        """All parameters and buffers, in the order of a checkpoint."""

    def state(self) -> dict[str, Array]:
        """Their values by key."""

    def load(self, state: Mapping[str, Array]) -> None:
        """Set all of them."""

    def run(self, inputs: Mapping[str, Array], case: Case, tracer: Tracer | None = None) -> Run:
        """Outputs, and gradients if the case wants them. The state is as it was loaded before each run."""


def cotangent(name: str, shape: tuple[int, ...]) -> Array:
    """What an output is multiplied by before all are summed up and differentiated."""
    seed = zlib.crc32(f"cotangent {name}:{shape}".encode())
    return np.random.default_rng(seed).standard_normal(shape)


def arguments(
    values: Mapping[str, Any], keywords: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and keyword arguments of a call: inputs whose name is a number are positional."""
    positional = tuple(value for name, value in values.items() if name.isdigit())
    named = {name: value for name, value in values.items() if not name.isdigit()}
    return positional, named | dict(keywords)


def leaves(value: Any, is_tensor: Callable[[Any], bool], path: str = "output") -> Iterator[tuple[str, Any]]:
    """The tensors of a nested output with their paths; numbers and None as well."""
    if value is None or isinstance(value, str):
        yield f"{path} = {value!r}", np.zeros(0)  # part of the structure
    elif isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)) or is_tensor(value):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, is_tensor, f"{path}[{key!r}]")
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for name, item in zip(value._fields, value, strict=True):
            yield from leaves(item, is_tensor, f"{path}.{name}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from leaves(item, is_tensor, f"{path}[{index}]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for entry in dataclasses.fields(value):
            yield from leaves(getattr(value, entry.name), is_tensor, f"{path}.{entry.name}")
    else:
        raise UserError(f"{path} is an object of {type(value).__qualname__}, which cannot be compared")


def changed(given: Mapping[str, Array], now: Mapping[str, Array]) -> dict[str, Array]:
    """The inputs that a call has written into."""
    return {
        f"input {name}, changed in place": array
        for name, array in now.items()
        if not np.array_equal(array, given[name].astype(array.dtype), equal_nan=array.dtype.kind == "f")
    }


def plain(value: Any) -> Array:
    """An array of a leaf that is no tensor."""
    return real(np.asarray(value))


def real(array: Array) -> Array:
    """Complex numbers as pairs."""
    if np.iscomplexobj(array):
        return np.stack([array.real, array.imag], axis=-1)
    return array


def unique(labels: Sequence[str]) -> list[str]:
    """Labels, numbered where they repeat."""
    seen: dict[str, int] = {}
    result = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        result.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return result
