"""Short notation for layer pairs: a program is a text whose last expression is its output."""

from __future__ import annotations

import ast
import textwrap

from padlint.findings import LayerPair, Program

NAMES = {
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "torch": "torch",
    "layers": "keras.layers",
    "keras": "keras",
    "tf": "tensorflow",
    "math": "math",
    "partial": "functools.partial",
    "OrderedDict": "collections.OrderedDict",
}
EVEN = ((8, 10), (6, 12))
ODD = ((9, 7), (11, 13))


def program(text: str, input: str = "x") -> Program:
    """The statements of `text` as the setup, its last expression as the output."""
    text = textwrap.dedent(text).strip()
    lines = text.splitlines()
    *setup, output = ast.parse(text).body
    starts = [0, *(node.end_lineno or 0 for node in setup)]
    ends = [*starts[1:], output.end_lineno]
    segments = ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return Program(tuple(segments[:-1]), segments[-1], input)


def make(
    framework: str,
    before: str,
    after: str,
    sizes: tuple[tuple[int, ...], ...] = EVEN,
    kernel: tuple[int, ...] | None = None,
    input: str = "x",
) -> LayerPair:
    return LayerPair(framework, program(before, input), program(after, input), NAMES, sizes, kernel)
