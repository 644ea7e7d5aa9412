"""Text of the file under check is never executed, whatever it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.findings import LayerPair, Program
from padlint.verify import LayerProver
from tests.verify.pairs import EVEN, NAMES, make

_NEW = "self.conv = nn.Conv2d(3, 8, 3, padding=1)\nself.conv(x)"
_CREATE = "open(@, 'w')"
_SYSTEM = "__import__('os').system('touch ' + @)"
# `@` is the path of the file that must not come into being.
TEXTS = {
    "argument": f"self.conv = nn.Conv2d(3, 8, 3, padding={_SYSTEM})\nself.conv(x)",
    "dropped argument": f"self.conv = nn.Conv2d(3, 8, 3, padding=1, device={_SYSTEM})\nself.conv(x)",
    "channels": f"self.conv = nn.Conv2d(3, {_SYSTEM}, 3, padding=1)\nself.conv(x)",
    "input": f"self.conv = nn.Conv2d(3, 8, 3, padding=1)\nself.conv({_CREATE})",
    "callee": f"{_SYSTEM}(x)",
    "index": f"F.relu(x)[{_CREATE}]",
    "index of something unknown": f"F.conv2d(x, weights[{_CREATE}])",
    "setup": f"y = {_CREATE}\nF.relu(x)",
    "bare statement": f"{_CREATE}\nF.relu(x)",
    "import": "import os\nF.relu(x)",
    "element": f"nn.Sequential(nn.ReLU(), {_SYSTEM})(x)",
    "comprehension": f"nn.Sequential(*[{_CREATE} for _ in range(3)])(x)",
    "lambda": f"F.pad(x, (lambda: {_CREATE})())",
    "format string": "F.pad(x, (1, 1), mode=f\"{open(@, 'w')}\")".replace("@, 'w'", "path, mode"),
    "walrus": f"F.pad(x, (y := {_CREATE}))",
    "class body": f"class Conv(nn.Conv2d):\n    {_CREATE}\nConv(3, 8, 3)(x)",
    "class method": (
        "class Conv(nn.Conv2d):\n    def forward(self, x):\n"
        f"        return self._conv_forward({_CREATE}, self.weight, self.bias)\nConv(3, 8, 3)(x)"
    ),
    "class decorator": (
        f"@{_CREATE}\nclass Conv(nn.Conv2d):\n    def forward(self, x):\n"
        "        return self._conv_forward(x, self.weight, self.bias)\nConv(3, 8, 3)(x)"
    ),
    "default of a method": (
        f"class Conv(nn.Conv2d):\n    def forward(self, x={_CREATE}):\n"
        "        return self._conv_forward(x, self.weight, self.bias)\nConv(3, 8, 3)(x)"
    ),
    "splat": f"F.pad(**{_CREATE})",
    "partial": f"f = partial({_CREATE})\nf(x)",
    "framework function": "torch.save(x, @)",
    "framework module": "torch.serialization.os.system('touch ' + @)",
    "through a layer": "nn.ReLU().__class__.__init__.__globals__['os'].system('touch ' + @)",
    "through a function": "F.pad.__globals__['__builtins__']['open'](@, 'w')",
    "method of a tensor": "F.relu(x).detach().numpy().tofile(@)",
    "method of a tensor as an argument": "F.pad(x, F.relu(x).detach().numpy().tofile(@))",
    "inside a string": "F.pad(x, (1, 1), mode=\"');open(@, 'w')#\")",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_nothing_is_executed(prover: LayerProver, tmp_path: Path, text: str) -> None:
    trace = tmp_path / "trace"
    text = text.replace("@class", "\0").replace("@open", "\1").replace("@", repr(str(trace)))
    text = text.replace("\0", "@class").replace("\1", "@open")
    prover([make("torch", text, text), make("torch", _NEW, text), make("torch", text, _NEW)])
    assert not trace.exists()


def test_nothing_is_executed_by_keras(prover: LayerProver, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    description = {"module": "builtins", "class_name": "open", "config": {"file": str(trace), "mode": "w"}}
    texts = [
        f"layers.Conv2D(8, 3, activation={description!r})(x)",
        f"layers.Conv2D(8, 3, kernel_initializer={description!r})(x)",
        f"layers.Conv2D(8, 3, activation=lambda x: open({str(trace)!r}, 'w'))(x)",
        f"layers.Lambda(lambda x: open({str(trace)!r}, 'w'))(x)",
        f"keras.Sequential([layers.Lambda(lambda x: open({str(trace)!r}, 'w'))])(x)",
        f"tf.io.write_file({str(trace)!r}, 'x')",
        f"tf.nn.relu(tf.py_function(open, [{str(trace)!r}, 'w'], tf.float32))",
    ]
    proofs = prover([make("keras", text, text) for text in texts])
    assert not trace.exists()
    assert "dictionary" in proofs[0].detail


def test_names_lead_to_operators_only(prover: LayerProver, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    program = Program((), f"nn.system('touch {trace}')", "x")
    for target in ("os", "torch.serialization.os", "keras.src.layers.os", "tensorflow.os", "builtins.exec"):
        prover([LayerPair("torch", program, program, {"nn": target}, EVEN)])
    assert not trace.exists()


@pytest.mark.parametrize(
    "text",
    [
        "F.pad(x, (9 ** 9 ** 9, 1))",
        "F.pad(x, (2 ** 10 ** 6, 1))",
        "F.pad(x, [1] * 10 ** 9)",
        "F.pad(x, 10 ** 9 * (1, 1))",
        "F.pad(x, (((1,) * 1000) + ((1,) * 1000)))",
        "F.pad(x, (1 << 10 ** 9, 1))",
        "F.pad(x, ('a' * 10 ** 9, 1))",
        "F.pad(x, ('%999999999d' % 1, 1))",
        f"F.pad(x, ({'-' * 5000}1, 1))",
        f"F.pad(x, {'(' * 5000}1{')' * 5000})",
        f"F.pad(x, ({'+'.join('1' * 5000)}, 1))",
        f"{'F.relu(' * 120}x{')' * 120}",
        f"F.pad(x, ({'1, ' * 30000}))",
        f"F.pad(x, ({'9' * 6000}, 1))",
        "F.pad(x, (1, 1)",
        "F.pad(x, \0)",
        "x\nF.relu(x)",
        "",
    ],
    ids=lambda text: text[:24].strip() or "empty",
)
def test_excess_is_refused(prover: LayerProver, text: str) -> None:
    program = Program((), text, "x")
    (proof,) = prover([LayerPair("torch", program, program, NAMES, EVEN)])
    assert proof.result == "no reference", proof.detail
    assert len(proof.detail) < 1000


@pytest.mark.parametrize(
    ("framework", "text"),
    [
        ("torch", "F.pad(x, (10 ** 6, 10 ** 6, 10 ** 6, 10 ** 6))"),
        ("torch", "self.conv = nn.Conv2d(10 ** 6, 10 ** 6, 3)\nself.conv(x)"),
        ("keras", "layers.Conv2D(8, 3)(layers.ZeroPadding2D(10 ** 6)(x))"),
        ("keras", "layers.Conv2D(10 ** 6, 10 ** 3)(x)"),
    ],
)
def test_memory_is_limited(prover: LayerProver, framework: str, text: str) -> None:
    huge, after = prover([make(framework, text, text), make("torch", _NEW, _NEW)])
    assert huge.result == "no reference"
    assert after.result == "equal"
