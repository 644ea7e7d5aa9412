"""The measured behaviour of the frameworks: 8,085 configurations of operators, 58,133 probes.

`golden.json.gz` holds `{"versions": ..., "rows": [...]}`. A row is the operator's name `op`, its
arguments, and `r`, which maps each probe to its result. Nothing in it was computed by a formula:
convolutions ran with one weight set at a time on the ramp 1, 2, ..., n, so that each tap showed what it
read; pools ran on one impulse at a time and on an input of -5; pads ran on the ramp.

Arguments: `k` kernel, `s` stride, `d` dilation, `p` or `arg` padding as written, `mode` padding mode of
torch, `outpad` output padding, `ceil` ceil mode, `cip` count_include_pad, `norm` exponent of LP pools,
`ex` further attributes of ONNX, `df` data format, `kw` further keywords, `sp` spatial input size.

Probes: the input size of the first spatial axis (the others are 16 in 2-D, 8 and 9 in 3-D); or an axis
`D`, `H`, `W` of a row with `sp`; or `"n->m"`, input and requested output size of a transposed
convolution; or `*`, the operator fails as a whole.

Results: null raises, `"garbage"` is a tensor of impossible shape. Otherwise
 * convolution, max pool: `[out, before, after, kind]`; average pool: the same and the divisors of the
   first and the last output; LP pool: `[out, before, after]`. `before` is the pad that explains the
   taps, or a list if several do, and `after` follows from it. `kind` lists the padding modes that
   explain the taps: `z` zero, `r` reflect, `s` symmetric, `e` edge, `c` circular, and `n` if no tap
   reads a pad. In max pools it is `i` if the pad is ignored, `I` if some window also reads nothing else;
   in average pools `x` if the pad is excluded from the divisor, `k` if the divisor is always the kernel,
   `m` if neither. `?`: no regular grid explains the taps;
 * transposed convolution: `[out, crop before, crop after]`, in flax then `flip` if the taps are
   reversed;
 * pad: what each element of the result is, 1-based, with 0 for zero and 9 for the constant 9.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).with_name("golden.json.gz")
OTHER_SIZES = {1: (), 2: (16,), 3: (8, 9)}


@dataclass(frozen=True)
class Probe:
    """One call of one operator and what came of it."""

    op: str
    arguments: dict[str, Any]
    key: str
    result: Any

    @property
    def ndim(self) -> int:
        """Number of spatial axes."""
        return len(self.arguments["sp"]) if "sp" in self.arguments else _usual_ndim(self.op)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Spatial size of the input; ample where the row says that the operator fails as a whole."""
        if "sp" in self.arguments:
            return tuple(self.arguments["sp"])
        if self.key == "*":
            return (64,) * self.ndim
        return int(self.key.partition("->")[0]), *OTHER_SIZES[self.ndim]

    @property
    def axis(self) -> int:
        """The spatial axis that the result describes."""
        return "DHW"[-self.ndim :].index(self.key) if self.key in "DHW" else 0

    @property
    def n(self) -> int:
        """Input size on that axis."""
        return self.sizes[self.axis]

    @property
    def requested(self) -> int:
        """Requested output size of a transposed convolution."""
        return int(self.key.partition("->")[2])

    def per_axis(self, name: str) -> tuple[Any, ...]:
        """An argument for every spatial axis."""
        value = self.arguments[name]
        return tuple(value) if isinstance(value, list) else (value,) * self.ndim

    def at(self, name: str) -> int:
        """An argument for the axis of the result."""
        return int(self.per_axis(name)[self.axis])

    def __str__(self) -> str:
        return f"{self.op} {self.arguments} at {self.key}: {self.result}"


@cache
def _usual_ndim(op: str) -> int:
    digit = re.search(r"(\d)[dD]", op)
    return int(digit[1]) if digit else 2 if op.startswith("onnx") else 1


def _load() -> Iterator[Probe]:
    for row in json.loads(gzip.decompress(GOLDEN.read_bytes()))["rows"]:
        op, results = row.pop("op"), row.pop("r")
        for key, result in results.items():
            yield Probe(op, row, key, result)


PROBES = tuple(_load())
OPERATORS = tuple(dict.fromkeys(probe.op for probe in PROBES))
