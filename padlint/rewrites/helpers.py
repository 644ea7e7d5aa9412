"""The definitions that are written into a file whose pads are computed.

Text only. A name in braces stands for what `needs` maps it to, spelled as the file spells it. All but the
last run at call time, one per framework, and pad as SAME does at the size that arrives, for any kernel,
stride and dilation, stride 1 included. Sizes may be tensors or symbols of a trace, so that the amounts are
arithmetic alone: no `max` and no branch on a size. ONNX rounds quotients towards zero, and PyTorch takes
apart those of sums with a multiple of the divisor, so that none here is of anything that could become
negative.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from padlint.catalogue.keras import KERAS, KERAS_2

KERAS_ROOT = rf"({KERAS}|{KERAS_2})(?=\.)"
"""The package of Keras that a dotted path begins with."""


def in_package(path: str, package: str) -> str:
    """The path of something of Keras (`keras.layers.Layer`) in another package of it."""
    if package == "keras.src" and path == "keras.KerasTensor":
        path = "keras.backend.KerasTensor"
    return re.sub(r"^keras(?=\.)", package, path)


def in_keras(path: str) -> str:
    """The other way round: the public path of Keras 3; also of `tensorflow.compat.v1` that of TensorFlow."""
    path = re.sub(rf"^{KERAS_ROOT}", "keras", path)
    path = re.sub(r"^tensorflow\.compat\.v[12](?=\.)", "tensorflow", path)
    return "keras.KerasTensor" if path == "keras.backend.KerasTensor" else path


@dataclass(frozen=True, eq=False)
class Helper:
    """A class or function to be written once into a file.

    `needs` maps the placeholders of `text` to dotted paths, in the package that the operators come from where
    the path begins with `keras`.
    """

    name: str
    text: str
    needs: Mapping[str, str]

    def written(self, name: str, spelled: Mapping[str, str]) -> str:
        """The definition under a name, with the words of a file for the placeholders."""
        return self.text.format(name=name, **spelled)


# Where the stride exceeds the window, the last one may end before the input does: then the factor is 0.
_AMOUNT = """\
reach = (k - 1) * d + 1
            over = (n - 1) % s
            total = reach - 1 - over
            if reach < s:
                total = total * (1 - (over + s - reach) // s)"""

_CLASS = (
    '''\
@{register}(package="padlint")
class {name}({layer}):
    """Pads as SAME does for this kernel, stride and dilation, by the size of the input."""

    def __init__(self, kernel_size, strides=1, dilation_rate=1, data_format=None, value=0, **kwargs):
        super().__init__(autocast=False, **kwargs)
        self.kernel_size, self.strides, self.dilation_rate = kernel_size, strides, dilation_rate
        self.data_format, self.value = data_format or {data_format}(), value

    def amounts(self, shape):
        pads = [(0, 0)] * len(shape)
        for i in range(len(shape) - 2):
            numbers = (self.kernel_size, self.strides, self.dilation_rate)
            k, s, d = (number if isinstance(number, int) else number[i] for number in numbers)
            axis = i + (1 if self.data_format == "channels_last" else 2)
            n = shape[axis]
            '''
    + _AMOUNT
    + """
            pads[axis] = (total // 2, total - total // 2)
        return pads
"""
)
_SHAPE = """
    def compute_output_shape(self, input_shape):
        pads = self.amounts([n or 1 for n in input_shape])
        return tuple(n and n + before + after for n, (before, after) in zip(input_shape, pads))
"""
_CONFIG = """
    def get_config(self):
        names = ("kernel_size", "strides", "dilation_rate", "data_format", "value")
        return {{**super().get_config(), **{{name: getattr(self, name) for name in names}}}}
"""

LAYER = Helper(
    "SamePadding",
    _CLASS
    + """
    def call(self, inputs):
        return {pad}(inputs, self.amounts({shape}(inputs)), constant_values=self.value)
"""
    + _SHAPE
    + """
    def compute_output_spec(self, inputs):
        return {tensor}(self.compute_output_shape(inputs.shape), inputs.dtype)
"""
    + _CONFIG,
    {
        "register": "keras.saving.register_keras_serializable",
        "layer": "keras.layers.Layer",
        "data_format": "keras.backend.image_data_format",
        "pad": "keras.ops.pad",
        "shape": "keras.ops.shape",
        "tensor": "keras.KerasTensor",
    },
)
"""A layer for Keras 3 on every backend."""

LAYER_OF_KERAS_2 = Helper(
    "SamePadding",
    _CLASS
    + """
    def call(self, inputs):
        known, dynamic = inputs.shape.as_list(), {shape}(inputs)
        pads = self.amounts([dynamic[axis] if n is None else n for axis, n in enumerate(known)])
        outputs = {pad}(inputs, pads, constant_values={cast}(self.value, inputs.dtype))
        outputs.set_shape(self.compute_output_shape(known))
        return outputs
"""
    + _SHAPE
    + _CONFIG,
    {
        "register": "keras.utils.register_keras_serializable",
        "layer": "keras.layers.Layer",
        "data_format": "keras.backend.image_data_format",
        "pad": "tensorflow.pad",
        "shape": "tensorflow.shape",
        "cast": "tensorflow.cast",
    },
)
"""A layer for `tf.keras` and Keras 2, which have no operators but TensorFlow's."""

_FUNCTION = (
    '''\
def {name}(x, kernel, stride, dilation=1, value=0PARAMETERS):
    """Pads as SAME does for this kernel, stride and dilation, by the size of `x`."""
START
    for i, k in enumerate(kernel):
        s, d = (number if isinstance(number, int) else number[i] for number in (stride, dilation))
SIZE
        '''
    + _AMOUNT.replace("\n    ", "\n")
    + """
STORE
RESULT
"""
)


def _function(needs: Mapping[str, str], **parts: str) -> Helper:
    text = _FUNCTION
    for place, part in parts.items():
        text = text.replace(place.upper(), part)
    return Helper("pad_same", text, needs)


def _of_any_layout(needs: Mapping[str, str], start: str, result: str) -> Helper:
    """A function for tensors with the channels last, or in front of the spatial axes."""
    return _function(
        needs,
        parameters=", channels_last=True",
        start=start + "\n    pads = [(0, 0)] * len(sizes)",
        size="""\
        axis = len(sizes) - len(kernel) - (1 if channels_last else 0) + i
        n = sizes[axis]""",
        store="        pads[axis] = (total // 2, total - total // 2)",
        result=result,
    )


TENSORFLOW = _of_any_layout(
    {
        "tensor": "tensorflow.convert_to_tensor",
        "pad": "tensorflow.pad",
        "shape": "tensorflow.shape",
        "cast": "tensorflow.cast",
    },
    start="""\
    x = {tensor}(x)
    known, dynamic = x.shape.as_list(), {shape}(x)
    sizes = [dynamic[axis] if n is None else n for axis, n in enumerate(known)]""",
    result="""\
    padded = {pad}(x, pads, constant_values={cast}(value, x.dtype))
    padded.set_shape([n and n + sum(pair) for n, pair in zip(known, pads)])
    return padded""",
)
JAX = _of_any_layout(
    {"pad": "jax.numpy.pad"},
    start="    sizes = x.shape",
    result="    return {pad}(x, pads, constant_values=value)",
)
TORCH = _function(
    {"pad": "torch.nn.functional.pad"},
    parameters="",
    start="    pads = []",
    size="        n = x.shape[i - len(kernel)]",
    store="        pads = [total // 2, total - total // 2, *pads]",
    result="    return {pad}(x, pads, value=value)",
)

SAME_PADS = Helper(
    "same_pads",
    '''\
def {name}(rank, kernel, stride, dilation=1, over=0):
    """The pads of SAME per axis, where sizes are a multiple of the stride, or `over` more than one."""
    pads = []
    for i in range(rank):
        numbers = (kernel, stride, dilation, over)
        k, s, d, rest = (number if isinstance(number, int) else number[i] for number in numbers)
        total = max((k - 1) * d + 1 - s + -rest % s, 0)
        pads.append((total // 2, total - total // 2))
    return pads
''',
    {},
)
"""The amounts alone, of numbers only: where all sizes have the same remainder, no size is asked."""

ALL = (LAYER, LAYER_OF_KERAS_2, TENSORFLOW, JAX, TORCH, SAME_PADS)
