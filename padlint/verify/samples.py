"""Sample tensors: random, and the same for the same text on both sides of a pair."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from padlint.verify.backend import Array, Backend
from padlint.verify.values import Unsupported

BATCH = 3
"""Every batch holds a random input, a negative one, and one that is zero inside its border."""


def noise(text: str, shape: tuple[int, ...]) -> Array:
    """Normal noise that depends on nothing but `text` and `shape`."""
    seed = zlib.crc32(f"{text}:{shape}".encode())
    return np.random.default_rng(seed).standard_normal(shape)


def weight(name: str, shape: tuple[int, ...]) -> Array:
    """A weight of moderate scale, without zeros; positive for what is a variance."""
    values = noise(name, shape)
    if "var" in name.rpartition(".")[2]:
        return np.asarray(np.abs(values) + 0.5)
    fan_in = max(np.prod(shape) / max(shape, default=1), 1.0)
    return np.asarray(values / np.sqrt(fan_in))


def batch(text: str, size: tuple[int, ...], channels: int, channels_first: bool) -> Array:
    """The three inputs of a spatial size: they tell zero from -inf and expose what is shifted at a border."""
    values = noise(text, (BATCH, channels, *size))
    values[1] = -np.abs(values[1]) - 0.1
    values[2][(slice(None),) + (slice(1, -1),) * len(size)] = 0.0
    return values if channels_first else np.ascontiguousarray(np.moveaxis(values, 1, -1))


class Samples:
    """Makes the sample tensors of one program."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._shape: tuple[int, ...] = ()
        self._inputs: dict[str, Any] = {}
        self.weights: dict[str, Any] = {}

    def restart(self, tensor: Any) -> None:
        """Begin a run for an input like `tensor`; weights stay."""
        self._shape = tuple(tensor.shape)
        self._inputs = {}

    def input(self, text: str) -> Any:
        """A tensor like the input, for other text than that of the input."""
        if text not in self._inputs:
            self._inputs[text] = self._backend.tensor(noise(text, self._shape))
        return self._inputs[text]

    def weight(self, text: str, shape: tuple[int, ...]) -> Any:
        """A weight or bias, to be differentiated."""
        if text not in self.weights:
            self.weights[text] = self._backend.weight(weight(text, shape))
        if self._backend.shape(self.weights[text]) != shape:
            raise Unsupported(f"'{text}' stands for tensors of two shapes")
        return self.weights[text]
