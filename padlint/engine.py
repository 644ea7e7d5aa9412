"""From source text to findings, and from fixable findings to the fixed text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from padlint.findings import Finding, LayerPair, LayerProof
from padlint.options import Options

Prover = Callable[[Sequence[LayerPair]], Sequence[LayerProof]]
"""Runs layer proofs in real frameworks; one result per pair, in order."""


@dataclass(frozen=True)
class Fixed:
    """Outcome of fixing one file: the new text, what was applied, what is left, what a proof refuted."""

    text: str
    applied: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    refuted: tuple[Finding, ...]


def check(text: str, options: Options, filename: str = "<stdin>") -> list[Finding]:
    """Findings of one source text, sorted, without suppressed ones. Never raises for what the text holds."""
    raise NotImplementedError


def prove(findings: Sequence[Finding], prover: Prover) -> list[Finding]:
    """The findings with the layer proof of each fix filled in."""
    raise NotImplementedError


def fix(
    text: str,
    options: Options,
    *,
    unsafe: bool = False,
    fixable: Callable[[str], bool] = lambda code: True,
    prover: Prover | None = None,
    filename: str = "<stdin>",
) -> Fixed:
    """Apply fixes until none is left; a fix that `prover` refutes is not applied and is listed in `refuted`."""
    raise NotImplementedError
