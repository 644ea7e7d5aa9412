"""ONNX files of a model: written by its framework, counted, and run by onnxruntime. In child processes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from padlint.verify.models.inputs import Array
from padlint.verify.models.project import UserError
from padlint.verify.models.request import Input

DYNAMO, LEGACY = "torch", "torch-legacy"
"""PyTorch's exporters: the default one, and that by TorchScript."""


def export(
    model: Any, given: Sequence[Input], inputs: Mapping[str, Array], exporter: str, path: Path
) -> dict[str, Any]:
    """Write the ONNX file, with free axes as dynamic ones, and count its nodes."""
    if model.framework == "keras":
        try:
            model.layer.export(str(path), format="onnx", verbose=False)
        except ImportError as error:  # which names the converter of its backend
            raise UserError(f"{error}; with KERAS_BACKEND=torch, the extra 'onnx' is enough") from error
    elif model.framework == "torch":
        module, tensors = model.exportable(inputs)
        (_by_torchscript if exporter == LEGACY else _by_dynamo)(module, given, tensors, path)
    else:
        raise UserError(f"there is no ONNX exporter for {model.framework}")
    return _counts(path)


def infer(path: Path, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """What onnxruntime makes of the inputs."""
    onnxruntime = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    feeds = {}
    for known, array in zip(session.get_inputs(), inputs.values(), strict=False):
        feeds[known.name] = array.astype("float32") if known.type == "tensor(float)" else array
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, feeds), strict=True))


def _by_dynamo(module: Any, given: Sequence[Input], tensors: Mapping[str, Any], path: Path) -> None:
    torch = import_module("torch")
    positional = [name for name in tensors if name.isdigit()]
    named = {name: tensor for name, tensor in tensors.items() if not name.isdigit()}
    dims: dict[str, Any] = {}
    axes = [
        {
            i: dims.setdefault(axis.free, torch.export.Dim(f"s_{axis.free}"))
            for i, axis in enumerate(g.axes)
            if axis.free
        }
        for g in given
    ]
    parameters = list(inspect.signature(module.forward).parameters)
    keys = [
        parameters[number] if name in positional and number < len(parameters) else name
        for number, name in enumerate(tensors)
    ]
    shapes: Any = dict(zip(keys, axes, strict=True)) if named else tuple(axes)
    torch.onnx.export(
        module,
        tuple(tensors[name] for name in positional),
        str(path),
        kwargs=named or None,
        dynamo=True,
        dynamic_shapes=shapes if dims else None,
        verbose=False,
    )


def _by_torchscript(module: Any, given: Sequence[Input], tensors: Mapping[str, Any], path: Path) -> None:
    torch = import_module("torch")
    names = [f"input_{name}" for name in tensors]
    axes = {
        name: {i: axis.free for i, axis in enumerate(g.axes) if axis.free}
        for name, g in zip(names, given, strict=True)
    }
    named = {name: tensor for name, tensor in tensors.items() if not name.isdigit()}
    positional = tuple(tensor for name, tensor in tensors.items() if name.isdigit())
    torch.onnx.export(
        module,
        (*positional, named) if named else positional,
        str(path),
        dynamo=False,
        input_names=names,
        dynamic_axes={name: found for name, found in axes.items() if found} or None,
        verbose=False,
    )


def _counts(path: Path) -> dict[str, Any]:
    """Numbers of nodes: all but constants, pads, and those that only compute shapes."""
    onnx = import_module("onnx")
    model = onnx.load(str(path), load_external_data=False)
    graph = model.graph
    constant = {tensor.name for tensor in graph.initializer}
    shapes: set[str] = set()
    counts = {"nodes": 0, "pads": 0, "shape_nodes": 0}
    for node in graph.node:
        if node.op_type == "Constant":
            constant.update(node.output)
            continue
        moving = [name for name in node.input if name and name not in constant]
        counts["nodes"] += 1
        counts["pads"] += node.op_type == "Pad"
        if node.op_type in ("Shape", "Size") or (moving and shapes.issuperset(moving)):
            counts["shape_nodes"] += 1
            shapes.update(node.output)
    return counts
