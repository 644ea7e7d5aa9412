"""What the proof needs of a framework. Each backend module has a class that implements `Backend`."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Protocol

from numpy.typing import NDArray

from padlint.catalogue.model import Operator

Array = NDArray[Any]


@dataclass(frozen=True)
class Evaluation:
    """A program's output for one input, and the weights that took part, by the names that checkpoints use."""

    output: Any
    weights: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """What one side computed: its output, and the gradients of `sum(output * cotangent)` by name."""

    output: Array
    gradients: Mapping[str, Array]


Function = Callable[[Any], Evaluation]
"""A program as a function of its input tensor."""

Forward = Callable[[Any, Any], Any]
"""`forward(module, tensor)` of a layer class that a program defines."""


def free_name(name: str, taken: Container[str]) -> str:
    """`name`, numbered if it is taken."""
    return next(free for free in chain([name], (f"{name}_{n}" for n in count(1))) if free not in taken)


class Backend(Protocol):
    """One framework, in the words of the proof."""

    frameworks: frozenset[str]  # of the catalogue's operators that it runs
    channels_first: bool  # where the channels are unless a call says otherwise
    modes: tuple[str, ...]  # ways to run a program, the preferred one first

    def start(self, dtype: str) -> None:
        """Build and run in `dtype` from now on."""

    def find(self, path: str) -> Any:
        """The framework's object of a public dotted path."""

    def resolve(self, operator: Operator) -> Callable[..., Any]:
        """The framework's object of that name."""

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""

    def is_layer(self, value: object) -> bool:
        """True for layers, which are called with a tensor."""

    def tensor(self, array: Array) -> Any:
        """A constant."""

    def weight(self, array: Array) -> Any:
        """A tensor to differentiate for."""

    def sequential(self, operator: Operator, layers: list[Any] | dict[str, Any]) -> Any:
        """A container that calls `layers` in turn."""

    def subclass(self, operator: Operator, forward: Forward) -> Callable[..., Any]:
        """A class of layers that computes `forward` with the parameters of `operator`."""

    def padded(self, module: Any, tensor: Any) -> Any:
        """What a subclass of a convolution computes with its parameters and no padding of its own."""

    def parameters(self, layer: Any) -> Mapping[str, Any]:
        """Weights and buffers of a layer, in order, by their names inside it; empty before it is built."""

    def shape(self, weight: Any) -> tuple[int, ...]:
        """Shape of a weight."""

    def assign(self, weight: Any, array: Array) -> None:
        """Set a weight."""

    def build(self, function: Function, array: Array) -> Mapping[str, Any]:
        """Let the layers create their weights for inputs like `array`, and return them."""

    def run(
        self, function: Function, array: Array, cotangent: Callable[[tuple[int, ...]], Array], mode: str
    ) -> Run:
        """Output and gradients; the gradient for the input is called `input`."""
