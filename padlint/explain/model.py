"""What is said of one call: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from padlint.findings import Location


@dataclass(frozen=True)
class Way:
    """One way in which a call may run.

    `geometry` is that of its arguments, `here` what it pads or crops itself, `input` and `output` the sizes;
    each is empty if nothing is known. `others` are other conventions and what they would do. `axes` has the
    numbers, as in a finding, and the output size too.
    """

    geometry: str
    here: str
    input: str
    output: str
    others: tuple[tuple[str, str], ...]
    axes: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Explanation:
    """A call of a convolution, pool or pad: how the file writes it, what it is, and how it may run."""

    written: str
    operator: str
    family: str
    location: Location
    end_location: Location
    ways: tuple[Way, ...]
