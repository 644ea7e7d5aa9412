"""Collects what the hooks of all frameworks see. Runs in the child process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from padlint.catalogue import PADDED, Kind, Operator, lookup
from padlint.record.frames import Frames
from padlint.record.reach import Reach
from padlint.record.tensors import (
    ByIdentity,
    dtype_of,
    is_symbolic,
    plain,
    shape_of,
    spatial_axes,
    tensors,
    weight_kernel,
)
from padlint.traces.file import dumps
from padlint.traces.model import Layer, Place, Run, Trace, digest
from padlint.traces.reading import BadTrace, check_argument

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
_UNKNOWN_PLACE = "where it was built is not known: it is a copy, or built outside the project"


class Recorder:
    """`path` is where the trace goes, `root` the project.

    Whatever goes wrong here is not the program's problem: it is counted, and the program goes on.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self.frames = Frames(root)
        self.names = ByIdentity()
        self.reach = Reach()
        self.building_checks: list[Callable[[], bool]] = []
        self._path = path
        self._root = root
        self._hashes: dict[str, str] = {"": ""}
        self._active = threading.local()
        self._born = ByIdentity()
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def _begin(self) -> None:
        self._trace = Trace()
        self._lock = threading.RLock()
        self._written = time.monotonic()

    def _forked(self) -> None:
        """Record what a child sees for itself; locks may have been held when it was made."""
        self._path = self._path.with_name(f"{self._path.stem}-{os.getpid()}{self._path.suffix}")
        self._begin()

    # -- what hooks say --------------------------------------------------------------------------------------

    def created(self, layer: object) -> None:
        """Remember the user's call that built a layer."""
        with self.guarded(_class_name(layer)):
            place = self.frames.innermost()
            if place is not None and self._born.get(layer) is None:  # flax initialises a module again
                self._born.set(layer, place)

    def moved(self, old: object, new: object) -> None:
        """Let a copy of a layer stand for the one that the user built."""
        with self.guarded(_class_name(old)):
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

    @contextmanager
    def building(self) -> Iterator[None]:
        """What runs now builds a model, whatever it computes."""
        self._active.building = getattr(self._active, "building", 0) + 1
        try:
            yield
        finally:
            self._active.building -= 1

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
        with self.guarded(operator.name):
            arguments = {
                role: getattr(layer, parameter, None)
                for role, parameter in operator.roles.items()
                if role in _ROLES
            }
            born, used = self._born.get(layer), self.frames.innermost()
            if born is None:
                self.miss(operator.name, _UNKNOWN_PLACE)
            self._record(operator, arguments, (given, made), name, (born, used))

    def function(self, operator: Operator, args: Any, kwargs: Mapping[str, Any], made: Any) -> None:
        """A function has run."""
        with self.guarded(operator.name):
            place = self.frames.direct()
            names = [p.name for p in operator.signature if not p.keyword_only]
            written = (*zip(names, args, strict=False), *kwargs.items())
            bound = {operator.aliases.get(name, name): value for name, value in written}
            roles = {role: bound.get(parameter) for role, parameter in operator.roles.items()}
            if roles.get("input") is None:
                return
            if place is None:  # a library's call
                self.reach.unknown(tensors(roles["input"]), tensors(made))
                return
            arguments = {role: value for role, value in roles.items() if role in _ROLES}
            defaults = {p.name: p.default for p in operator.signature}
            for role in arguments:
                if operator.roles[role] not in bound and plain(defaults[operator.roles[role]])[0]:
                    arguments[role] = defaults[operator.roles[role]]
            weight = roles.get("weight")
            if arguments.get("kernel") is None and weight is not None:
                arguments["kernel"] = weight_kernel(operator, weight, roles["input"])
            self._record(operator, arguments, (roles["input"], made), operator.short, (place, None))

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """Let the program go on, and count what could not be recorded."""
        try:
            yield
        except Exception as error:
            reason = str(error) or type(error).__name__
            with self._lock:
                self._trace.miss(what, reason.splitlines()[0][:200])

    def miss(self, what: str, reason: str) -> None:
        """Count something that cannot be recorded."""
        with self._lock:
            self._trace.miss(what, reason)

    def attempt(self, what: str, install: Callable[[], object]) -> None:
        """Install a hook, or say that there is none."""
        with self.guarded(what):
            install()

    # -- what becomes of it ----------------------------------------------------------------------------------

    def _record(
        self,
        operator: Operator,
        arguments: Mapping[str, Any],
        tensors_: tuple[Any, Any],
        name: str,
        places: tuple[Place | None, Place | None],
    ) -> None:
        place, used = places
        place = place or _NOWHERE
        try:
            source, result = (next(tensors(value), None) for value in tensors_)
            if source is None or result is None:
                raise BadTrace("it takes or makes no tensor")
            run = _run(operator, arguments, source, result, used)
            layer = Layer(name, place, operator.name, run, *self.reach.behind(operator, run, source, result))
            with self._lock:
                symbolic = is_symbolic(source) or self._is_building()
                self._trace.add(layer, self._hash(place.file), symbolic=symbolic)
        except Exception:
            with self._lock:  # so that nobody takes what was recorded for everything
                file = self._trace.file(place.file, self._hash(place.file))
                file.call(place, operator.name).more += 1
            raise
        if time.monotonic() - self._written > _EVERY:
            self.write()

    def _is_building(self) -> bool:
        return getattr(self._active, "building", 0) > 0 or any(check() for check in self.building_checks)

    def _hash(self, name: str) -> str:
        if name not in self._hashes:
            self._hashes[name] = digest((self._root / name).read_bytes())
        return self._hashes[name]

    def write(self) -> None:
        """Write what was seen so far."""
        with self._lock:
            self._written = time.monotonic()
            if not (self._trace.files or self._trace.missed):
                return
            part = self._path.with_name(f"{self._path.name}.part")
            try:
                part.write_text(dumps(self._trace, "."), encoding="utf-8")
                part.replace(self._path)
            except OSError:  # whoever waited for it is gone
                return


def _run(
    operator: Operator, arguments: Mapping[str, Any], source: Any, result: Any, used: Place | None
) -> Run:
    layout, axes = spatial_axes(operator, arguments, source)
    plains = {role: value for role, raw in arguments.items() for ok, value in [plain(raw)] if ok}
    for role, value in plains.items():
        check_argument(role, value)
    sizes = shape_of(source)[axes], shape_of(result)[axes]
    where = (used.file, used.row) if used is not None else None
    return Run(tuple(plains.items()), layout, *sizes, dtype_of(source), where)


def _class_name(layer: object) -> str:
    return f"{type(layer).__module__}.{type(layer).__qualname__}"


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
