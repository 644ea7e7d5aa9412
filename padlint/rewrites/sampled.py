"""Layer proofs whose sample input has to be >= 0."""

from __future__ import annotations

from dataclasses import replace

from padlint.findings import Program
from padlint.rewrites.calls import SAMPLE
from padlint.rewrites.model import Rewrite

_RELU, _RESULT = "padlint_relu", "padlint_relu_output"


def behind_relu(rewrite: Rewrite, relu: str) -> Rewrite:
    """The rewrite, proved on what the function of the dotted path `relu` makes of a sample.

    The gradient that a zero pad takes away where it ties with a zero is one that ReLU stops.
    """
    if rewrite.before is None or rewrite.after is None:
        return rewrite
    added = (*rewrite.added, (_RELU, relu))
    return replace(rewrite, before=_behind(rewrite.before), after=_behind(rewrite.after), added=added)


def _behind(program: Program) -> Program:
    text = program.input
    if text.isidentifier() and text != SAMPLE:
        return Program((f"{text} = {_RELU}({SAMPLE})", *program.setup), program.output, SAMPLE)
    setup = (f"{_RESULT} = {_RELU}({SAMPLE})", *(part.replace(text, _RESULT) for part in program.setup))
    return Program(setup, program.output.replace(text, _RESULT), SAMPLE)
