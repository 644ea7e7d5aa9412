"""Collects what the hooks of all frameworks see. Runs in the child process."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from padlint.catalogue import PADDED, Family, Kind, Operator, geometry, is_channels_last, lookup, rank_of
from padlint.record.frames import Frames
from padlint.traces.file import dumps
from padlint.traces.model import Layer, Place, Run, Sizes, Trace, digest

_EVERY = 3.0  # seconds between two writes, for the case that the process is killed
_ROLES = (
    *("kernel", "stride", "dilation", "padding", "padding_mode", "data_format", "output_padding"),
    *("ceil_mode", "count_include_pad", "input_dilation", "value", "mode", "groups"),
)
"""The arguments that are recorded."""
FAMILIES = PADDED
"""The operators that are recorded."""
_PASSES = frozenset({"forward", "call", "__call__"})
_NOWHERE = Place("", 0)


class Recorder:
    """`path` is where the trace goes, `root` the project."""

    def __init__(self, path: Path, root: Path) -> None:
        self.frames = Frames(root)
        self._path = path
        self._root = root
        self._trace = Trace()
        self._hashes: dict[str, str] = {"": ""}
        self._lock = threading.RLock()
        self._active = threading.local()
        self.names = ByIdentity()
        self._born = ByIdentity()
        self._reach = ByIdentity()
        self._latest: dict[Sizes, tuple[Sizes, Sizes]] = {}
        self._pid = os.getpid()
        self._written = time.monotonic()

    # -- what hooks say --------------------------------------------------------------------------------------

    def created(self, layer: object) -> None:
        """Remember the user's call that built a layer."""
        with suppress(Exception):  # whatever goes wrong here is not the user's problem
            place = self.frames.innermost()
            if place is not None and self._born.get(layer) is None:  # flax initialises a module again
                self._born.set(layer, place)

    def moved(self, old: object, new: object) -> None:
        """Let a copy of a layer stand for the one that the user built."""
        place = self._born.get(old)
        if place is not None:
            self._born.set(new, place)

    @contextmanager
    def inside(self) -> Iterator[bool]:
        """While an operator runs, others that it is made of are not recorded; whether this one is."""
        outermost = self.enter()
        try:
            yield outermost
        finally:
            self.leave()

    def enter(self) -> bool:
        """An operator begins; whether it is part of no other."""
        self._active.depth = getattr(self._active, "depth", 0) + 1
        return bool(self._active.depth == 1)

    def leave(self) -> bool:
        """An operator ends; whether it was part of no other."""
        self._active.depth -= 1
        return bool(self._active.depth == 0)

    def layer(self, layer: Any, operator: Operator, given: Any, made: Any, name: str) -> None:
        """A layer has run. Its arguments are attributes of it."""
        with suppress(Exception):
            arguments = {
                role: getattr(layer, parameter, None)
                for role, parameter in operator.roles.items()
                if role in _ROLES
            }
            born, used = self._born.get(layer), self.frames.innermost()
            self._record(operator, arguments, given, made, name, (born, used))

    def function(self, operator: Operator, args: Any, kwargs: Mapping[str, Any], made: Any) -> None:
        """A function has run."""
        with suppress(Exception):
            place = self.frames.direct()
            names = [p.name for p in operator.signature if not p.keyword_only]
            written = (*zip(names, args, strict=False), *kwargs.items())
            bound = {operator.aliases.get(name, name): value for name, value in written}
            roles = {role: bound.get(parameter) for role, parameter in operator.roles.items()}
            if place is None or roles.get("input") is None:
                return
            arguments = {role: value for role, value in roles.items() if role in _ROLES}
            defaults = {p.name: p.default for p in operator.signature}
            for role in arguments:
                if operator.roles[role] not in bound and _plain(defaults[operator.roles[role]])[0]:
                    arguments[role] = defaults[operator.roles[role]]
            weight = roles.get("weight")
            if arguments.get("kernel") is None and weight is not None:
                arguments["kernel"] = _weight_kernel(operator, weight, roles["input"])
            self._record(operator, arguments, roles["input"], made, operator.short, (place, None))

    def passed(self, given: Any, made: Any) -> None:
        """Something else made one tensor of others: what one of its elements sees is what the widest sees."""
        with suppress(Exception):
            seen = [reach for tensor in tensors(given) if (reach := self._reach.get(tensor))]
            if seen:
                widest = max(seen, key=lambda reach: [size or 0 for size in reach[0]])
                for tensor in tensors(made):
                    self._reach.set(tensor, widest)

    # -- what becomes of it ----------------------------------------------------------------------------------

    def _record(
        self,
        operator: Operator,
        arguments: Mapping[str, Any],
        given: Any,
        made: Any,
        name: str,
        places: tuple[Place | None, Place | None],
    ) -> None:
        source, result = next(iter(tensors(given))), next(iter(tensors(made)))
        layout, axes = _axes(operator, arguments, source)
        came, went = _sizes(source, axes), _sizes(result, axes)
        plain = {role: value for role, raw in arguments.items() for ok, value in [_plain(raw)] if ok}
        place, used = places
        where = (used.file, used.row) if used is not None else None
        run = Run(tuple(plain.items()), layout, came, went, _dtype(source), where)
        reach = self._after(operator, run, source)
        self._reach.set(result, reach)
        self._latest[went] = reach
        with self._lock:
            place = place or _NOWHERE
            layer = Layer(name, place, operator.name, run, *reach)
            self._trace.add(layer, self._hash(place.file))
        if time.monotonic() - self._written > _EVERY:
            self.write()

    def _after(self, operator: Operator, run: Run, source: Any) -> tuple[Sizes, Sizes]:
        """The receptive field and total stride behind an operator."""
        rank = len(run.input)
        start = self._reach.get(source) or self._latest.get(run.input) or ((1,) * rank, (1,) * rank)
        if operator.family is Family.PAD or operator.family is Family.UNFOLD:
            return start
        field, step = start
        numbers = geometry(operator, run.get, rank, run.layout)
        if operator.family is Family.TRANSPOSED or numbers is None or len(field) != rank:
            return (None,) * rank, (None,) * rank
        fields, steps = [], []
        for f, j, k, s, d in zip(field, step, *numbers, strict=True):
            known = f is not None and j is not None
            fields.append(f + (k - 1) * d * j if known else None)
            steps.append(j * s if known else None)
        return tuple(fields), tuple(steps)

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            self._hashes[name] = digest((self._root / name).read_bytes())
        return self._hashes[name]

    def write(self) -> None:
        """Write what was seen so far; not from processes that the user's program has forked."""
        if os.getpid() != self._pid:
            return
        with self._lock, suppress(OSError):
            self._written = time.monotonic()
            part = self._path.with_name(f"{self._path.name}.part")
            part.write_text(dumps(self._trace, "."), encoding="utf-8")
            part.replace(self._path)


def operator_of(layer: Any, package: str, public: str) -> Operator | None:
    """The operator that a layer is, by the first class of it that stands in the package."""
    cls: Any = type(layer)
    return _operator_of(cls, package, public)


@cache
def _operator_of(cls: Any, package: str, public: str) -> Operator | None:
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] == package:
            operator = lookup(f"{public}.{base.__name__}")
            if operator is not None and operator.kind is Kind.LAYER:
                return operator if operator.family in FAMILIES else None
        elif _PASSES & vars(base).keys():
            return None  # a class of the user's that computes something else
    return None


class ByIdentity:
    """A value for each object, as long as that lives; nothing is changed in the object."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def set(self, key: object, value: Any) -> None:
        """Remember a value."""
        number = id(key)
        with suppress(TypeError):  # not every object can be referred to
            self._values[number] = (
                weakref.ref(key, lambda reference: self._forget(number, reference)),
                value,
            )

    def _forget(self, number: int, reference: weakref.ref[Any]) -> None:
        if number in self._values and self._values[number][0] is reference:
            del self._values[number]

    def get(self, key: object) -> Any:
        """The value of an object, None if there is none."""
        found = self._values.get(id(key))
        return found[1] if found is not None and found[0]() is key else None


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in the arguments or the result of a call."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors(item)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()))
    elif hasattr(value, "shape"):
        yield value


def _shape(tensor: Any) -> Sizes:
    shape = tensor.shape
    if getattr(shape, "rank", 0) is None:  # TensorFlow knows nothing
        return ()
    return tuple(_size(size) for size in shape)


def _size(size: Any) -> int | None:
    try:
        return int(size)
    except (TypeError, ValueError):
        return None


def _axes(operator: Operator, arguments: Mapping[str, Any], tensor: Any) -> tuple[str, slice]:
    """Which axes of a tensor are spatial."""
    last = is_channels_last(_plain(arguments.get("data_format"))[1], operator.channels_last)
    rank = rank_of(operator, lambda role: _plain(arguments.get(role))[1])
    if rank is None and arguments.get("kernel") is not None and operator.family is not Family.PAD:
        rank = len(_shape(tensor)) - 2
    if rank is None or last is None:
        if operator.framework == "torch" and len(_shape(tensor)) > 2:
            return "channels_first", slice(2, None)
        return "all", slice(None)
    return ("channels_last", slice(-rank - 1, -1)) if last else ("channels_first", slice(-rank, None))


def _sizes(tensor: Any, axes: slice) -> Sizes:
    return _shape(tensor)[axes]


def _weight_kernel(operator: Operator, weight: Any, tensor: Any) -> Sizes | None:
    shape, rank = _shape(weight), len(_shape(tensor)) - 2
    if len(shape) != rank + 2:
        return None
    if operator.framework == "torch":
        return shape[2:]
    return shape[:rank] if operator.framework == "tf" else None


def _dtype(tensor: Any) -> str:
    dtype = getattr(tensor, "dtype", "")
    return str(getattr(dtype, "name", dtype)).rpartition(".")[2]


def _plain(value: Any) -> tuple[bool, Any]:
    """The value as JSON can hold it, and whether it can."""
    if value is None or isinstance(value, (bool, int, str)):
        return True, value
    if isinstance(value, float):
        return value == value and abs(value) != float("inf"), value
    if isinstance(value, (list, tuple)):
        items = [_plain(item) for item in value]
        return all(ok for ok, _ in items), tuple(item for _, item in items)
    if hasattr(value, "numpy") or hasattr(value, "tolist"):
        try:
            found = (value.numpy() if hasattr(value, "numpy") else value).tolist()
        except Exception:
            return False, None
        return _plain(found) if not hasattr(found, "tolist") else (False, None)
    return False, None
