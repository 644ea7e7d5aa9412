"""The two outcomes of trying a rewrite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from padlint.findings import Edit, Program


@dataclass(frozen=True)
class Rewrite:
    """Edits that turn one form into an equal one.

    `before` and `after` are the texts that the layer proof runs; None where no text stands for the change.
    `caveats` are reasons why the edit is not safe although it computes the same. `added` maps names that the
    edits import to their dotted paths.
    """

    edits: tuple[Edit, ...]
    before: Program | None = None
    after: Program | None = None
    caveats: tuple[str, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Refusal:
    """No rewrite, and why."""

    reason: str


def unique(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits in order, each once."""
    return tuple(dict.fromkeys(edits))
