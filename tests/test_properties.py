"""Generated modules: a fix is valid code, comes with a proof, keeps comments, and leaves nothing to fix.

The amounts are checked by a formula of their own, so that the tap maps are not their only witness.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from padlint.engine import Fixed, check, fix
from padlint.findings import Applicability
from padlint.options import Options
from padlint.rules import ALL

OPTIONS = Options(codes=frozenset(rule.code for rule in ALL if not rule.targets))
"""The rules that are on without a target."""
RAISING = frozenset({"PAD201", "PAD401", "PAD402"})
"""Rules about code that raises: there is no result to compare a fix with."""

EVERY_SIZE = range(1, 30)
small = settings(max_examples=80, deadline=None)
kernels = st.integers(1, 5)
strides = st.integers(1, 3)
comments = st.sampled_from(["", "  # note", "  # 'same' (1, 2)"])
newlines = st.sampled_from(["\n", "\r\n"])
indents = st.sampled_from(["    ", "\t", "  "])


def same(n: int, kernel: int, stride: int) -> tuple[int, int]:
    """What SAME pads at size `n`."""
    total = max((-(-n // stride) - 1) * stride + kernel - n, 0)
    return total // 2, total - total // 2


def covers(sizes: Sequence[int], kernel: int, stride: int, pads: tuple[int, ...]) -> bool:
    """Whether explicit pads read what SAME reads at every size; what no window reaches does not count.

    SAME may leave out the end of the input, so that only the pads in front have to agree.
    """
    return all(
        pads[0] == same(n, kernel, stride)[0] and (n + sum(pads) - kernel) // stride + 1 == -(-n // stride)
        for n in sizes
    )


@dataclass(frozen=True)
class Module:
    """A generated source with the geometry of its one SAME convolution, and its input size where known."""

    text: str
    kernel: tuple[int, int]
    stride: tuple[int, int]
    sizes: tuple[int, int] | None

    @property
    def axes(self) -> list[tuple[int, int, Sequence[int]]]:
        """Kernel, stride and the sizes for which pads have to do, per axis."""
        sizes = [(n,) for n in self.sizes] if self.sizes is not None else [EVERY_SIZE] * 2
        return list(zip(self.kernel, self.stride, sizes, strict=True))

    @property
    def fixable(self) -> bool:
        """Whether there is something to report, and pads that do."""
        reported = max(self.kernel) > 1 if max(self.stride) > 1 else any(k % 2 == 0 for k in self.kernel)
        return reported and all(
            any(covers(sizes, kernel, stride, pads) for pads in product(range(4), repeat=2))
            for kernel, stride, sizes in self.axes
        )

    def check(self, pads: Sequence[tuple[int, int]]) -> None:
        for (kernel, stride, sizes), pair in zip(self.axes, pads, strict=True):
            assert covers(sizes, kernel, stride, pair)


@st.composite
def call(draw: st.DrawFn, name: str, arguments: Sequence[str]) -> str:
    """A call, in one row or with an argument and a comment in each."""
    if draw(st.booleans()):
        return f"{name}({', '.join(arguments)})"
    rows = "".join(f"\n        {argument},{draw(comments)}" for argument in arguments)
    return f"{name}({rows}\n    )"


IMPORTS = (
    ("from keras import Input, Model, Sequential, layers", "layers."),
    ("import keras\nfrom keras import Input, Sequential", "keras.layers."),
    ("from keras.layers import Conv2D, Input  # layers\nfrom keras import Sequential", ""),
    ("from keras.layers import (\n    Conv2D,\n    Input,\n)\nfrom keras.models import Sequential", ""),
    ("import tensorflow as tf\nfrom tensorflow.keras import Input, Sequential", "tf.keras.layers."),
)


@st.composite
def keras_modules(draw: st.DrawFn) -> Module:
    imports, prefix = draw(st.sampled_from(IMPORTS))
    kernel = draw(st.tuples(kernels, kernels))
    stride = draw(st.one_of(strides.map(lambda s: (s, s)), st.tuples(strides, strides)))
    sizes = draw(st.tuples(st.integers(6, 40), st.integers(6, 40)))
    word = draw(st.sampled_from(["'same'", '"same"', '"SAME"']))
    conv = draw(call(f"{prefix}Conv2D", ["8", f"{kernel}", f"strides={stride}", f"padding={word}"]))
    shape = f"Input(({sizes[0]}, {sizes[1]}, 3))"
    known: tuple[int, int] | None = sizes
    match draw(st.sampled_from(["functional", "nested", "parameter", "attribute", "sequential", "local"])):
        case "functional":
            body = f"def build():\n    x = {shape}\n    x = {conv}(x){draw(comments)}\n    return x\n"
        case "nested":
            body = f"def build():\n    return [{conv}({shape})]{draw(comments)}\n"
        case "parameter":
            body, known = f"def build(x):\n    return {conv}(x){draw(comments)}\n", None
        case "attribute":
            body, known = (
                f"class Net(object):\n    def build(self):\n        self.a = {conv}{draw(comments)}\n\n"
                f"    def call(self, x):\n        return self.a(x)\n",
                None,
            )
        case "sequential":
            body = f"model = Sequential([{shape}, {conv}])\n"
        case _:
            body = f"def build():\n    layer = {conv}\n    return layer({shape}){draw(comments)}\n"
    text = f"{imports}\n\n\n{body}".replace("    ", draw(indents)).replace("\n", draw(newlines))
    return Module(text, kernel, stride, known)


@given(keras_modules())
@small
def test_keras(module: Module) -> None:
    done = fixed_soundly(module.text)
    assert bool(done.applied) == module.fixable
    if done.applied:
        module.check(_keras_pads(done.text))


def _keras_pads(text: str) -> Sequence[tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("ZeroPadding2D"):
            pads: Sequence[tuple[int, int]] = ast.literal_eval(node.args[0])
            return pads
    return [(0, 0)] * 2


@st.composite
def tensorflow_modules(draw: st.DrawFn) -> Module:
    kernel = draw(st.tuples(kernels, kernels))
    stride = draw(st.tuples(strides, strides))
    sizes = draw(st.one_of(st.none(), st.tuples(st.integers(6, 40), st.integers(6, 40))))
    first = draw(st.booleans())
    order = [1, 1, *stride] if first else [1, *stride, 1]
    spec: list[int | None] = [1, 3, *sizes] if first and sizes else [1, *(sizes or (None, None)), 3]
    weight = f"tf.zeros([{kernel[0]}, {kernel[1]}, 3, 8])"
    arguments = [
        "x",
        weight,
        f"strides={order}",
        "padding='SAME'",
        f"data_format='{'NCHW' if first else 'NHWC'}'",
    ]
    function = draw(st.sampled_from(["tf.nn.conv2d", "tf.compat.v1.nn.conv2d"]))
    decorator = f"@tf.function(input_signature=[tf.TensorSpec({spec}, tf.float32)])\n" if sizes else ""
    text = (
        f"import tensorflow as tf\n\n\n{decorator}def run(x):\n    return {draw(call(function, arguments))}\n"
    )
    return Module(text.replace("\n", draw(newlines)), kernel, stride, sizes)


@given(tensorflow_modules())
@small
def test_tensorflow(module: Module) -> None:
    done = fixed_soundly(module.text)
    assert bool(done.applied) == module.fixable
    if not done.applied:
        return
    (padding,) = [
        ast.literal_eval(keyword.value)
        for node in ast.walk(ast.parse(done.text))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "padding"
    ]
    spatial = padding[2:] if "NCHW" in module.text else padding[1:-1]
    module.check([(0, 0)] * 2 if padding == "VALID" else [(before, after) for before, after in spatial])


PADS = st.tuples(
    st.integers(-1, 3), st.integers(-1, 3), st.integers(-1, 3), st.integers(-1, 3)
) | st.integers(0, 3).map(lambda p: (p, p, p, p))


@st.composite
def torch_modules(draw: st.DrawFn) -> tuple[str, tuple[int, ...], tuple[int, int]]:
    pads, own = draw(PADS), draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    spelled = draw(st.sampled_from([f"{pads}", f"({pads[0]}, {pads[1]}, {pads[2]}, {pads[3]})"]))
    if len(set(pads)) == 1 and draw(st.booleans()):
        spelled = f"{pads[0]}"
    arguments = [
        "3",
        "8",
        f"{draw(kernels)}",
        *([f"padding={own}"] if any(own) or draw(st.booleans()) else []),
    ]
    conv = draw(call("nn.Conv2d", arguments))
    if draw(st.booleans()):
        pad = f"nn.ZeroPad2d({spelled}),{draw(comments)}"
        body = f"net = nn.Sequential(\n    {pad}\n    {conv},\n    nn.ReLU(),\n)\n"
    else:
        forward = draw(
            st.sampled_from(
                [
                    "return self.conv(F.pad(x, PADS))",
                    "x = F.pad(x, PADS)\n        x = self.conv(x)\n        return x",
                    "p = F.pad(\n            x,\n            PADS,\n        )\n        return self.conv(p)",
                ]
            )
        ).replace("PADS", f"{pads}")
        body = (
            f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            f"        self.conv = {conv}{draw(comments)}\n\n    def forward(self, x):\n        {forward}\n"
        )
    head = "import torch.nn.functional as F\nfrom torch import nn\n\n\n"
    return (head + body).replace("    ", draw(indents)).replace("\n", draw(newlines)), pads, own


@given(torch_modules())
@small
def test_torch_pads(generated: tuple[str, tuple[int, ...], tuple[int, int]]) -> None:
    text, (left, right, top, bottom), own = generated
    done = fixed_soundly(text)
    foldable = left == right >= 0 and top == bottom >= 0 and left + top > 0
    assert bool(done.applied) == foldable
    if foldable:
        assert _torch_padding(done.text) == (own[0] + top, own[1] + left)
        assert "ZeroPad2d" not in done.text
        assert "F.pad" not in done.text


def _torch_padding(text: str) -> tuple[int, int]:
    (call,) = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "nn.Conv2d"
    ]
    value = ast.literal_eval(next(keyword.value for keyword in call.keywords if keyword.arg == "padding"))
    return value if isinstance(value, tuple) else (value, value)


@st.composite
def torch_words(draw: st.DrawFn) -> tuple[str, int, int, int]:
    kernel, stride, dilation = draw(kernels), draw(st.sampled_from([1, 1, 2])), draw(st.integers(1, 2))
    arguments = ["3", "8", f"{kernel}", f"stride={stride}", f"dilation={dilation}", "padding='same'"]
    conv = draw(call("nn.Conv1d", arguments))
    return f"from torch import nn\n\nconv = {conv}{draw(comments)}\n", kernel, stride, dilation


@given(torch_words())
@small
def test_torch_words(generated: tuple[str, int, int, int]) -> None:
    text, kernel, stride, dilation = generated
    codes = [finding.code for finding in check(text, OPTIONS)]
    done = fixed_soundly(text)
    total = (kernel - 1) * dilation
    if stride == 1:
        assert codes == ([] if total == 0 else ["PAD104"] if total % 2 else ["PAD305"])
        assert [f.code for f in done.applied] == (["PAD305"] if total and total % 2 == 0 else [])
    else:
        assert codes == ["PAD401"]


def fixed_soundly(text: str) -> Fixed:
    """Fix a source, and check what holds for every fix."""
    for finding in check(text, OPTIONS):
        assert (finding.fix is None) == bool(finding.no_fix_reason)
        if finding.fix is not None and finding.code not in RAISING:
            assert finding.fix.proof is not None
            assert finding.fix.proof.taps == "equal"
        if finding.fix is not None and finding.fix.proof is None:
            assert finding.fix.applicability is Applicability.UNSAFE
    done = fix(text, OPTIONS, unsafe=True)
    ast.parse(done.text)
    assert fix(done.text, OPTIONS, unsafe=True).text == done.text
    assert _comments(done.text) == _comments(text)
    assert done.text.count("\r") == (done.text.count("\n") if "\r" in text else 0)
    return done


def _comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted(token.string.strip() for token in tokens if token.type == tokenize.COMMENT)
