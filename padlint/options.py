"""What an analysis of one file depends on besides its text. Built by the configuration, read by sizes and rules."""

from __future__ import annotations

from dataclasses import dataclass

TARGETS = ("keras", "torch", "jax", "onnx", "onnx-legacy", "tflite", "coreml", "tensorrt", "ncnn")


@dataclass(frozen=True)
class Options:
    """Immutable and picklable, so that worker processes and caches can use it as it is.

    `codes` holds the full codes of the rules that run. `input_size` is the user's promise about every model
    input: spatial sizes in axis order, or a single number for all axes. `input_multiple` promises that every
    spatial size of every model input is a multiple of that number. `keras_pad` is `layer` or `ops`.
    """

    codes: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    input_size: tuple[int, ...] | None = None
    input_multiple: int | None = None
    keras_pad: str = "layer"
