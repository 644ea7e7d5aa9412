"""What is to be compared: plain data that goes from the command line to the child processes as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

FREE_SIZE = 64
"""Size of a free axis that is given as a letter alone."""
_HIGH = 10
_INPUT = re.compile(
    r"(?:(?P<name>[A-Za-z_]\w*)=)?(?:(?P<dtype>[a-z]+\d*):)?(?P<axes>[^:=]+)(?::(?P<high>\d+))?"
)
_AXIS = re.compile(r"(?P<free>[A-Z]*)(?P<size>\d*)")
DTYPES = ("float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint8", "bool")


@dataclass(frozen=True)
class Axis:
    """One axis of an input: its size, and its name if other sizes are to be tried."""

    size: int
    free: str = ""


@dataclass(frozen=True)
class Input:
    """One input of a model. Floating-point inputs take the precision of the comparison unless `fixed`."""

    axes: tuple[Axis, ...]
    dtype: str = "float32"
    fixed: bool = False
    high: int = _HIGH
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Input:
        """An input of the command line: `1x3x224x224`, `int64:1x16:1000`, `mask=bool:1x16`, `1x3xH64xW64`."""
        match = _INPUT.fullmatch(text)
        axes = [_AXIS.fullmatch(axis) for axis in match["axes"].split("x")] if match else []
        dtype = (match and match["dtype"]) or "float32"
        if not match or not all(axis and axis[0] for axis in axes) or dtype not in DTYPES:
            raise ValueError(
                f"{text!r} is no input such as 1x3x224x224, float32:1x3x64x64, int64:1x16:1000 (below 1000), "
                f"mask=bool:1x16 (by name) or 1x3xH64xW64 (free sizes)"
            )
        sized = (Axis(int(axis["size"] or FREE_SIZE), axis["free"]) for axis in axes if axis)
        fixed = match["dtype"] is not None
        return cls(tuple(sized), dtype, fixed, int(match["high"] or _HIGH), match["name"] or "")

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The shape, with other sizes for free axes."""
        return tuple(sizes.get(axis.free, axis.size) if axis.free else axis.size for axis in self.axes)

    @property
    def is_float(self) -> bool:
        """Whether gradients exist for it."""
        return self.dtype.startswith("float")


@dataclass(frozen=True)
class Case:
    """One run: what kind of numbers go in, at which free sizes, and what is computed from them."""

    kind: str
    training: bool = False
    gradients: bool = False
    sizes: Mapping[str, int] = field(default_factory=dict)
    shift: tuple[int, int] = (0, 0)
    jitter: float = 0.0

    def shifted(self, shift: tuple[int, int]) -> Case:
        """The same input, moved by (rows, columns)."""
        return replace(self, shift=shift, gradients=False)


@dataclass(frozen=True)
class Side:
    """One of the two pieces of code.

    `file` is run in `folder` as module `module`, whose packages lie in `paths`; `root` holds the project. A
    file that `overlay` lists is read from elsewhere. What lies in `instead_of` is imported from `root`.
    """

    label: str
    file: Path
    module: str
    root: Path
    paths: tuple[Path, ...]
    callable: str
    folder: Path
    overlay: Mapping[Path, Path] = field(default_factory=dict)
    instead_of: Path | None = None


@dataclass(frozen=True)
class Request:
    """How to call both sides."""

    inputs: tuple[Input, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    call_kwargs: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def freed(self, free: Sequence[Sequence[int]]) -> Request:
        """With these axes of each input free, besides those that are so already."""
        inputs = (
            replace(
                given, axes=tuple(_freed(axis, f"{i}_{j}", j in axes) for j, axis in enumerate(given.axes))
            )
            for i, (given, axes) in enumerate(zip(self.inputs, free, strict=True))
        )
        return replace(self, inputs=tuple(inputs))


def _freed(axis: Axis, name: str, is_free: bool) -> Axis:
    return replace(axis, free=axis.free or name) if is_free else axis


def encode(side: Side, request: Request, dtype: str, memory: int) -> dict[str, Any]:
    """All that a child process must know, as JSON can hold it."""
    data = asdict(side) | {"overlay": {str(key): str(value) for key, value in side.overlay.items()}}
    return {"side": data, "request": asdict(request), "dtype": dtype, "memory": memory}


def decode(data: Mapping[str, Any]) -> tuple[Side, Request]:
    """The side and the request of what `encode` made."""
    side, request = data["side"], data["request"]
    instead_of = side["instead_of"]
    inputs = (
        Input(**given | {"axes": tuple(Axis(**axis) for axis in given["axes"])})
        for given in request["inputs"]
    )
    return (
        Side(
            **side
            | {
                "file": Path(side["file"]),
                "root": Path(side["root"]),
                "folder": Path(side["folder"]),
                "paths": tuple(map(Path, side["paths"])),
                "overlay": {Path(key): Path(value) for key, value in side["overlay"].items()},
                "instead_of": Path(instead_of) if instead_of else None,
            }
        ),
        Request(**request | {"inputs": tuple(inputs)}),
    )


def decode_case(data: Mapping[str, Any]) -> Case:
    """A case from JSON."""
    return Case(**{**data, "shift": tuple(data["shift"])})
