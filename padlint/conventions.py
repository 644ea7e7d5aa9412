"""What each framework pads along one axis, or crops of a transposed convolution, for one geometry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Any

from padlint.geometry import (
    UNKNOWN,
    Pads,
    Size,
    causal_padding,
    effective_kernel,
    flax_wrap_padding,
    keras_transposed_crop,
    residue_class,
    residue_table,
    same_output,
    symmetric_residues,
    torch_same_padding,
    torch_transposed_crop,
    transposed_output,
    window_output,
)


@dataclass(frozen=True)
class Convention:
    """One way to pad one axis; `who` are the frameworks and how each of them writes it.

    `pads` are (before, after) at the size that was asked for, None where that does not decide them; they then
    depend on the size by `by_residue`, its residue modulo the stride. `refused` says why the frameworks do
    not run it, `equals_same` for which residues it is SAME too.
    """

    who: str
    pads: Pads | None = None
    output: Size = UNKNOWN
    by_residue: Mapping[int, Pads] = field(default_factory=dict)
    refused: str = ""
    equals_same: frozenset[int] | None = None


def window_conventions(kernel: int, stride: int, dilation: int, size: Size) -> list[Convention]:
    """What a convolution or a pool pads in each framework."""
    reach = effective_kernel(kernel, dilation)
    symmetric = (reach - 1) // 2
    alike = symmetric_residues(kernel, stride, dilation)
    table = residue_table(kernel, stride, dilation)
    lower = {residue: (after, before) for residue, (before, after) in table.items()}
    same = same_output(size, stride)

    def explicit(who: str, before: int, after: int, *, ceil: bool = False) -> Convention:
        out = window_output(size, kernel, stride, dilation, before, after, ceil_mode=ceil)
        return Convention(who, (before, after), out)

    return [
        Convention("SAME of Keras, TensorFlow, JAX; SAME_UPPER of ONNX", at_size(table, size), same, table),
        Convention("SAME_LOWER of ONNX, JAX", at_size(lower, size), same, lower),
        replace(
            explicit(f"padding={symmetric} of PyTorch", symmetric, symmetric),
            equals_same=frozenset(residue for residue, pad in alike.items() if pad == symmetric),
        ),
        explicit("padding='same' of PyTorch", *torch_same_padding(kernel, dilation))
        if stride == 1
        else Convention("padding='same' of PyTorch", refused="raises with a stride above 1"),
        explicit(f"padding={symmetric}, ceil_mode=True of PyTorch's pools", symmetric, symmetric, ceil=True),
        explicit("causal of Keras, Flax (1-D)", *causal_padding(kernel, dilation)),
        explicit("CIRCULAR, REFLECT of Flax", *flax_wrap_padding(kernel, dilation)),
        explicit("VALID, padding=0", 0, 0),
    ]


def at_size(table: Mapping[int, Pads], size: Size) -> Pads | None:
    """The pads at a size, from those per residue modulo the stride; None if it does not decide them."""
    remainder, modulus = residue_class(size)
    step = gcd(modulus, len(table))
    found = {pads for residue, pads in table.items() if (residue - remainder) % step == 0}
    return found.pop() if len(found) == 1 else None


def transposed_conventions(kernel: int, stride: int, dilation: int, size: Size) -> list[Convention]:
    """What a transposed convolution crops of its full output in each framework; negative: what it adds."""

    def crop(who: str, crop: Pads, output: Size, **more: Any) -> Convention:
        return Convention(who, crop, output, {0: crop}, **more)

    def torch(padding: int, extra: int, **more: Any) -> Convention:
        arguments = f"padding={padding}" + f", output_padding={extra}" * bool(extra)
        out = transposed_output(size, kernel, stride, dilation, (padding, padding), extra)
        if extra >= max(stride, dilation):
            more["refused"] = "raises: output_padding is not below the stride"
        return crop(f"{arguments} of PyTorch", torch_transposed_crop(padding, extra), out, **more)

    same = keras_transposed_crop(kernel, stride, dilation, "same")
    valid = keras_transposed_crop(kernel, stride, dilation, "valid")
    before, extra = same[0], same[0] - same[1]
    if extra >= 0:
        nearest = torch(before, extra, equals_same=frozenset({0}))
    else:  # as many outputs, each of them one further on
        nearest = torch(same[1], same[1] - before, equals_same=frozenset())
    return [
        crop("SAME of Keras, Flax", same, transposed_output(size, kernel, stride, dilation, "same")),
        crop("VALID of Keras, Flax", valid, transposed_output(size, kernel, stride, dilation, "valid")),
        nearest,
        torch(0, 0),
    ]
