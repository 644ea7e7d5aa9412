"""PyTorch for the proof. Imported in the torch worker only."""

from __future__ import annotations

import operator as operators
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from padlint.catalogue.model import Operator
from padlint.verify.backend import Array, Forward, Function, Run


class TorchBackend:
    """Implements `Backend`."""

    frameworks = frozenset({"torch"})
    channels_first = True
    modes: tuple[str, ...] = ("eager",)

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        torch.set_num_threads(
            1
        )  # the tensors are small: threads that wait for each other take most of the time

    def start(self, dtype: str) -> None:
        """Build and run in `dtype` from now on."""
        torch.set_default_dtype(getattr(torch, dtype))

    def find(self, path: str) -> Any:
        """The object of a public dotted path."""
        return operators.attrgetter(path.removeprefix("torch."))(torch)

    def resolve(self, operator: Operator) -> Callable[..., Any]:
        """The framework's object of that name; modules come in evaluation mode."""
        found: Callable[..., Any] = self.find(operator.name)
        if isinstance(found, type) and issubclass(found, torch.nn.Module):
            return lambda **arguments: found(**arguments).eval()
        return found

    def is_tensor(self, value: object) -> bool:
        """True for tensors."""
        return isinstance(value, torch.Tensor)

    def is_layer(self, value: object) -> bool:
        """True for layers."""
        return isinstance(value, torch.nn.Module)

    def tensor(self, array: Array) -> Any:
        """A constant."""
        return torch.tensor(array, dtype=torch.get_default_dtype())

    def weight(self, array: Array) -> Any:
        """A tensor to differentiate for."""
        return self.tensor(array).requires_grad_()

    def sequential(self, operator: Operator, layers: list[Any] | dict[str, Any]) -> Any:
        """A container that calls `layers` in turn."""
        container = torch.nn.Sequential()
        for name, layer in layers.items() if isinstance(layers, dict) else enumerate(layers):
            container.add_module(str(name), layer)
        return container.eval()

    def subclass(self, operator: Operator, forward: Forward) -> Callable[..., Any]:
        """A class of layers that computes `forward` with the parameters of `operator`."""
        made: Callable[..., Any] = type(operator.short, (self.find(operator.name),), {"forward": forward})
        return made

    def padded(self, module: Any, tensor: Any) -> Any:
        """What a subclass of a convolution makes of the tensor that it has padded."""
        return module._conv_forward(tensor, module.weight, module.bias)

    def parameters(self, layer: Any) -> Mapping[str, Any]:
        """Weights and buffers of a layer, as `state_dict` orders and calls them."""
        state: Mapping[str, Any] = layer.state_dict(keep_vars=True)
        return state

    def shape(self, weight: Any) -> tuple[int, ...]:
        """Shape of a weight."""
        return tuple(weight.shape)

    def assign(self, weight: Any, array: Array) -> None:
        """Set a weight; counters (`num_batches_tracked`) keep their value."""
        if weight.is_floating_point():
            with torch.no_grad():
                weight.copy_(self.tensor(array))

    def build(self, function: Function, array: Array) -> Mapping[str, Any]:
        """Let lazy layers create their weights."""
        with torch.no_grad():
            return function(self.tensor(array)).weights

    def run(
        self, function: Function, array: Array, cotangent: Callable[[tuple[int, ...]], Array], mode: str
    ) -> Run:
        """Output and gradients."""
        torch.manual_seed(0)
        leaf = self.weight(array)
        evaluation = function(leaf.clone())  # an operator that works in place may not change a leaf
        wanted = {
            "input": leaf,
            **{name: weight for name, weight in evaluation.weights.items() if weight.requires_grad},
        }
        output = evaluation.output
        gradients = torch.autograd.grad(
            output, list(wanted.values()), self.tensor(cotangent(tuple(output.shape))), allow_unused=True
        )
        named = {
            name: np.zeros(tuple(wanted[name].shape)) if gradient is None else gradient.numpy()
            for name, gradient in zip(wanted, gradients, strict=True)
        }
        return Run(output.detach().numpy(), named)
