"""PyTorch modules and functions. Imported in child processes only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from padlint.verify.models.inputs import Array
from padlint.verify.models.model import (
    Run,
    Tracer,
    Weight,
    arguments,
    changed,
    cotangent,
    leaves,
    plain,
    real,
)
from padlint.verify.models.request import Case


class TorchModel:
    """A module, or a function of tensors. Implements `Model`."""

    framework = "torch"
    first_axis = 2

    def __init__(
        self, function: Callable[..., Any], keywords: Mapping[str, Any], dtype: str, seed: int
    ) -> None:
        self._function = function
        self._keywords = keywords
        self._dtype = getattr(torch, dtype)
        self._seed = seed
        self._module = function if isinstance(function, torch.nn.Module) else None
        self.modes: tuple[bool, ...] = (False,) if self._module is None else (False, True)
        if self._module is not None:
            self._module.to(self._dtype)

    def prepare(self, inputs: Mapping[str, Array]) -> None:
        """Let lazy layers create their weights."""
        lazy = torch.nn.parameter.UninitializedTensorMixin
        if self._module is not None and any(isinstance(p, lazy) for p in self._module.parameters()):
            self._module.eval()
            with torch.no_grad():
                self._call({name: self._tensor(array) for name, array in inputs.items()})

    def free(self, inputs: int) -> list[list[int]]:
        """Nothing says so."""
        return [[] for _ in range(inputs)]

    def weights(self) -> Sequence[Weight]:
        """The entries of `state_dict`, in order."""
        trained = {name for name, parameter in self._parameters() if parameter.requires_grad}
        return [
            Weight(name, name, tuple(tensor.shape), name in trained, _owner(name))
            for name, tensor in self._entries().items()
        ]

    def state(self) -> dict[str, Array]:
        """The values of `state_dict`."""
        return {name: _array(tensor).copy() for name, tensor in self._entries().items()}

    def load(self, state: Mapping[str, Array]) -> None:
        """Load a `state_dict`, strictly."""
        if self._module is not None:
            tensors = {
                name: torch.as_tensor(state[name]).to(tensor.dtype)
                for name, tensor in self._entries().items()
            }
            others = {k: v for k, v in self._module.state_dict().items() if k not in tensors}
            self._module.load_state_dict(tensors | others, strict=True)

    def run(self, inputs: Mapping[str, Array], case: Case, tracer: Tracer | None = None) -> Run:
        """Outputs and gradients."""
        torch.manual_seed(self._seed)
        if self._module is not None:
            self._module.train(case.training)
        tensors = {name: self._tensor(array) for name, array in inputs.items()}
        wanted = {
            f"input {name}": tensor.requires_grad_()
            for name, tensor in tensors.items()
            if tensor.is_floating_point()
        } | dict(parameter for parameter in self._parameters() if parameter[1].requires_grad)
        with torch.set_grad_enabled(case.gradients), self._traced(tracer):
            # A clone, since an operator that works in place may not change a leaf.
            given = {name: tensor.clone() for name, tensor in tensors.items()}
            found = list(leaves(self._call(given), torch.is_tensor))
        outputs = {path: _array(leaf) if torch.is_tensor(leaf) else plain(leaf) for path, leaf in found}
        gradients = _gradients(found, wanted) if case.gradients else {}
        now = {name: _array(tensor) for name, tensor in given.items()}
        return Run(outputs, gradients, self.state() | changed(inputs, now))

    def exportable(self, inputs: Mapping[str, Array]) -> tuple[Any, dict[str, Any]]:
        """A module in eval mode, and the tensors to export it with."""
        tensors = {name: self._tensor(array) for name, array in inputs.items()}
        if self._module is not None and not self._keywords:
            return self._module.eval(), tensors
        return _Function(self._function, self._keywords).eval(), tensors

    def _call(self, tensors: Mapping[str, Any]) -> Any:
        positional, named = arguments(tensors, self._keywords)
        return self._function(*positional, **named)

    def _tensor(self, array: Array) -> Any:
        tensor = torch.as_tensor(array)
        return tensor.to(self._dtype) if array.dtype == "float64" else tensor

    def _parameters(self) -> Iterator[tuple[str, Any]]:
        return iter(()) if self._module is None else self._module.named_parameters()

    def _entries(self) -> dict[str, Any]:
        state = {} if self._module is None else self._module.state_dict()
        return {name: value for name, value in state.items() if torch.is_tensor(value)}

    @contextmanager
    def _traced(self, tracer: Tracer | None) -> Iterator[None]:
        """Hooks in every module while a call runs."""
        handles = []
        if tracer is not None and self._module is not None:
            for name, module in self._module.named_modules():
                handles.append(module.register_forward_pre_hook(_mover(tracer, name)))
                handles.append(module.register_forward_hook(_viewer(tracer, name)))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()


def _mover(tracer: Tracer, name: str) -> Callable[..., Any]:
    def move(module: Any, given: tuple[Any, ...]) -> Any:
        is_tensor = bool(given) and torch.is_tensor(given[0])
        moved = tracer.enter(name, module, _array(given[0]) if is_tensor else None)
        return None if moved is None else (torch.as_tensor(moved), *given[1:])

    return move


def _viewer(tracer: Tracer, name: str) -> Callable[..., None]:
    def view(module: Any, given: tuple[Any, ...], output: Any) -> None:
        if torch.is_tensor(output):
            tracer.see(name, type(module).__name__, _array(output).copy())

    return view


def _owner(name: str) -> tuple[str, str]:
    layer, _, leaf = name.rpartition(".")
    return layer, leaf


def _array(tensor: Any) -> Array:
    tensor = tensor.detach().cpu()
    if tensor.is_sparse or tensor.is_quantized:
        tensor = tensor.to_dense() if tensor.is_sparse else tensor.dequantize()
    return real((tensor.float() if tensor.dtype == torch.bfloat16 else tensor).resolve_conj().numpy())


def _gradients(found: Sequence[tuple[str, Any]], wanted: Mapping[str, Any]) -> dict[str, Array]:
    """Gradients of the sum of all outputs times their cotangents; zero for what nothing depends on."""
    outputs = [(path, leaf) for path, leaf in found if torch.is_tensor(leaf) and leaf.requires_grad]
    gradients: Sequence[Any] = [None] * len(wanted)
    if outputs and wanted:
        directions = [torch.as_tensor(cotangent(p, tuple(t.shape))).to(t.dtype) for p, t in outputs]
        gradients = torch.autograd.grad(
            [leaf for _, leaf in outputs], list(wanted.values()), directions, allow_unused=True
        )
    return {
        name: _array(torch.zeros_like(tensor) if gradient is None else gradient)
        for (name, tensor), gradient in zip(wanted.items(), gradients, strict=True)
    }


class _Function(torch.nn.Module):  # type: ignore[misc]
    """A function, or a module with keyword arguments, as a module that exporters take."""

    def __init__(self, function: Callable[..., Any], keywords: Mapping[str, Any]) -> None:
        super().__init__()
        self.function = function
        self.keywords = dict(keywords)

    def forward(self, *given: Any) -> Any:
        """Call it."""
        return self.function(*given, **self.keywords)
