"""How many elements each framework pads, or crops from a transposed convolution, along one spatial axis.

Every amount is a pair `(before, after)` in elements of that axis. Sizes, kernels, strides and dilations are
integers >= 1; anything else raises ValueError.
"""

from __future__ import annotations

from typing import Literal

Pads = tuple[int, int]
TransposedPadding = Literal["same", "valid"]


def effective_kernel(kernel: int, dilation: int = 1) -> int:
    """Elements from the first to the last tap of a dilated kernel: (kernel - 1) * dilation + 1."""
    require_positive(kernel=kernel, dilation=dilation)
    return (kernel - 1) * dilation + 1


def same_padding(n: int, kernel: int, stride: int = 1, dilation: int = 1, *, lower: bool = False) -> Pads:
    """Padding of TensorFlow, Keras, JAX and ONNX `SAME` for an input of `n` elements.

    The total makes exactly ceil(n / stride) windows fit; an odd total puts the extra element after the input,
    or before it for `SAME_LOWER` (`lower`).
    """
    require_positive(n=n)
    return split(same_total(n, kernel, stride, dilation), lower=lower)


def same_total(n: int, kernel: int, stride: int, dilation: int) -> int:
    """Sum of both `SAME` pads: max((ceil(n / stride) - 1) * stride + k_eff - n, 0).

    Written so that it shows what it depends on: the size enters through its residue modulo the stride only.
    """
    require_positive(stride=stride)
    return max(effective_kernel(kernel, dilation) - stride + -n % stride, 0)


def split(total: int, *, lower: bool = False) -> Pads:
    """Halves `total`; the extra element of an odd total goes after, or before if `lower`."""
    before = (total + lower) // 2
    return before, total - before


def causal_padding(kernel: int, dilation: int = 1) -> Pads:
    """Padding of Keras `causal` and flax `CAUSAL`: everything before the input, whatever the stride."""
    return effective_kernel(kernel, dilation) - 1, 0


def torch_same_padding(kernel: int, dilation: int = 1) -> Pads:
    """Padding of torch `padding='same'`, at its only stride, 1: an odd total puts the extra after."""
    return split(effective_kernel(kernel, dilation) - 1)


def flax_wrap_padding(kernel: int, dilation: int = 1) -> Pads:
    """Padding of flax `CIRCULAR` and `REFLECT` convolutions, which ignores the stride."""
    reach = effective_kernel(kernel, dilation)
    return (reach - 1) // 2, reach // 2


def residue_table(kernel: int, stride: int = 1, dilation: int = 1) -> dict[int, Pads]:
    """The `SAME` pads for every residue of the input size modulo the stride."""
    require_positive(stride=stride)
    least = effective_kernel(kernel, dilation) - stride
    return {residue: split(max(least + -residue % stride, 0)) for residue in range(stride)}


def same_totals(kernel: int, stride: int = 1, dilation: int = 1) -> range:
    """Every total that `SAME` pads at some size: consecutive numbers, however long the stride.

    It is least at multiples of the stride, and one element behind them greatest.
    """
    return range(same_total(0, kernel, stride, dilation), same_total(1, kernel, stride, dilation) + 1)


def symmetric_residues(kernel: int, stride: int = 1, dilation: int = 1) -> dict[int, int | None]:
    """The one number `p` that, padded on both sides, computes `SAME`, for every residue modulo the stride.

    None where no such number exists: `before` must agree, so `p` is half the total, and an odd total padded
    with one element less loses its last window.
    """
    table = residue_table(kernel, stride, dilation)
    return {residue: before if before == after else None for residue, (before, after) in table.items()}


def keras_transposed_length(
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    padding: TransposedPadding = "same",
    output_padding: int | None = None,
) -> int:
    """Outputs of a Keras or flax transposed convolution for one input; each further input adds `stride`.

    Without `output_padding`, `same` yields n * stride outputs in all and `valid` max(k_eff - stride, 0) more.
    """
    require_positive(stride=stride)
    reach = effective_kernel(kernel, dilation)
    if padding not in ("same", "valid"):
        raise ValueError(f"padding must be 'same' or 'valid', not {padding!r}")
    if output_padding is None:
        return stride if padding == "same" else max(reach, stride)
    return reach + output_padding - (2 * (reach // 2) if padding == "same" else 0)


def keras_transposed_crop(
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    padding: TransposedPadding = "same",
    output_padding: int | None = None,
) -> Pads:
    """What a Keras or flax transposed convolution cuts off the full output of (n - 1) * stride + k_eff.

    A negative second number stands for outputs after the full one, which no input reaches.
    """
    length = keras_transposed_length(kernel, stride, dilation, padding, output_padding)
    surplus = effective_kernel(kernel, dilation) - length
    before = max(surplus, 0) // 2 if padding == "same" else 0
    return before, surplus - before


def torch_transposed_crop(padding: int = 0, output_padding: int = 0) -> Pads:
    """What torch `ConvTranspose` cuts off the full output; `padding` crops, `output_padding` crops less."""
    return padding, padding - output_padding


def tf_transposed_crop(
    n: int,
    output: int,
    kernel: int,
    stride: int = 1,
    dilation: int = 1,
    padding: TransposedPadding = "same",
) -> Pads:
    """What `tf.nn.conv2d_transpose` cuts off the full output to return `output` elements, as requested.

    ValueError if the forward convolution would not map `output` elements to `n`, which TensorFlow refuses.
    """
    require_positive(n=n, output=output, stride=stride)
    reach = effective_kernel(kernel, dilation)
    room = output if padding == "same" else output - reach + 1
    forward = -(-room // stride)
    if forward != n:
        raise ValueError(f"a {padding} convolution maps {output} elements to {forward}, not to {n}")
    surplus = (n - 1) * stride + reach - output
    before = max(surplus, 0) // 2 if padding == "same" else 0
    return before, surplus - before


def require_positive(**numbers: int) -> None:
    """Raise ValueError that names the first number below 1."""
    for name, value in numbers.items():
        if value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
