"""Sizes that are claimed of random torch modules are those that arrive when the modules run."""

from __future__ import annotations

import pytest

from padlint.geometry import Size, residue_class
from padlint.options import Options
from padlint.rules.context import FileContext
from padlint.sites import interesting_names
from padlint.sizes.extent import Extent
from padlint.syntax.units import open_file
from tests.sizes.torch_modules import Writer, sizes_when_run

SIZE = (40, 37)

# What models raise that let a size vanish or add two that differ, and one that applies a ModuleList.
_EXPECTED = ("size", "Pad", "pad", "cond must be", "forward")


def claims(text: str) -> dict[int, tuple[Size, ...]]:
    """The sizes that reach the operators of each row, as far as they are claimed."""
    context = FileContext(open_file(text, interesting_names()), Options(frozenset(), input_size=SIZE))
    found: dict[int, tuple[Size, ...]] = {}
    for site in context.sites:
        known = context.input_of(site)
        if isinstance(known, Extent):
            found[site.unit.row(site.call)] = known.sizes
    return found


def holds(claimed: tuple[Size, ...], real: tuple[int, ...]) -> bool:
    """Whether sizes are what is claimed of them."""
    classes = [residue_class(size) for size in claimed]
    return len(classes) == len(real) and all(
        n % modulus == remainder if modulus else n == remainder
        for (remainder, modulus), n in zip(classes, real, strict=True)
    )


@pytest.mark.parametrize("seed", range(50))
def test_claims_hold_when_the_model_runs(seed: int) -> None:
    text = Writer(seed).file()
    claimed = claims(text)
    for run in range(2):
        try:
            real = sizes_when_run(text, SIZE, run)
        except (RuntimeError, TypeError) as error:
            if not any(word in str(error) for word in _EXPECTED):
                raise
            continue
        for row, sizes in real.items():
            if row in claimed:
                assert all(holds(claimed[row], size) for size in sizes), f"row {row} of\n{text}"
