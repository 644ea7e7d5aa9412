"""A module of PyTorch as an ONNX graph with dynamic sizes, run at others than it was exported at."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = (15, 18)
SIZES = ((33, 35), (34, 37))


class Exported:
    """What `made` evaluates to after a source has run, exported by the default or the TorchScript exporter."""

    def __init__(self, source: str, made: str, path: Path, *, dynamo: bool) -> None:
        torch, onnx, onnxruntime, _ = (
            pytest.importorskip(name) for name in ("torch", "onnx", "onnxruntime", "onnxscript")
        )
        names: dict[str, Any] = {}
        exec(source, names)
        torch.manual_seed(0)
        self.module = eval(made, names).eval()
        example = (torch.zeros(1, 3, *EXAMPLE),)
        with contextlib.redirect_stdout(io.StringIO()):
            if dynamo:
                sizes = {2: torch.export.Dim("h", min=4, max=99), 3: torch.export.Dim("w", min=4, max=99)}
                torch.onnx.export(self.module, example, path, dynamo=True, dynamic_shapes=(sizes,))
            else:
                axes = {"x": {2: "h", 3: "w"}}
                torch.onnx.export(
                    self.module, example, path, dynamo=False, input_names=["x"], dynamic_axes=axes
                )
        self.operators = [node.op_type for node in onnx.load(path).graph.node]
        self._session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])

    def run(self, image: Any) -> Any:
        """The output of the graph."""
        (given,) = self._session.get_inputs()
        return self._session.run(None, {given.name: image.numpy()})[0]

    def agrees(self) -> Iterator[bool]:
        """Whether the graph computes what the module does, size by size."""
        import numpy as np
        import torch

        for size in SIZES:
            image = torch.randn(1, 3, *size)
            expected, actual = self.module(image).detach().numpy(), self.run(image)
            yield expected.shape == actual.shape and np.allclose(expected, actual, atol=1e-5)
