"""What the amounts of a pad are computed from, part by part, through names and helper functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from padlint.sizes.origins import Origin, Origins, source_of, tests_around
from padlint.syntax.functions import Function
from padlint.syntax.reaching import assignment_of
from padlint.syntax.scopes import Scope
from padlint.syntax.units import Unit
from padlint.syntax.walk import code_children

_ENDS = frozenset({"shape", "ndim", "dtype", "device"})  # nothing behind these of a tensor is arithmetic


@dataclass(frozen=True)
class Part:
    """One expression on the way."""

    unit: Unit
    node: cst.CSTNode


class Trail:
    """Follows expressions backwards. Each part of the file is walked once, whatever leads to it."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._seen: set[cst.CSTNode] = set()
        self._names: set[tuple[Scope, str]] = set()
        self._given: dict[cst.Param, list[Origin]] = {}
        self._sized: set[cst.Param] | None = None

    def follow(self, unit: Unit, *nodes: cst.CSTNode) -> Iterator[Part]:
        """The expressions that these are made of and that have not been met before."""
        stack = [Part(unit, node) for node in nodes]
        while stack:
            part = stack.pop()
            if part.node in self._seen:
                continue
            self._seen.add(part.node)
            yield part
            stack += reversed([*self._behind(part)])

    def is_sized(self, part: Part) -> bool:
        """Whether an expression depends on a tensor's size, after all that was followed so far."""
        if self._sized is None:
            self._sized = self._sized_parameters()
        origin = self._origins.of(part.unit, part.node)
        return bool(origin.sizes or origin.values & self._sized)

    def is_whole(self, part: Part) -> bool:
        """Whether an expression is an int for certain."""
        return self._origins.of(part.unit, part.node).whole

    def _sized_parameters(self) -> set[cst.Param]:
        """The parameters of helpers to which some call hands a size."""
        handed_on: dict[cst.Param, list[cst.Param]] = {}
        for param, given in self._given.items():
            for root in {root for origin in given for root in origin.values}:
                handed_on.setdefault(root, []).append(param)
        waiting = [param for param, given in self._given.items() if any(origin.sizes for origin in given)]
        sized: set[cst.Param] = set()
        while waiting:
            param = waiting.pop()
            if param not in sized:
                sized.add(param)
                waiting += handed_on.get(param, ())
        return sized

    def _behind(self, part: Part) -> Iterator[Part]:
        unit, node = part.unit, part.node
        if isinstance(node, cst.Name):
            yield from self._assigned(unit, node)
        elif isinstance(node, cst.Attribute):
            if node.attr.value not in _ENDS:
                yield Part(unit, node.value)
        elif isinstance(node, cst.Arg):
            yield Part(unit, node.value)
        elif isinstance(node, cst.Call):
            yield from self._called(unit, node)
        elif not isinstance(node, cst.Lambda):
            yield from (Part(unit, child) for child in code_children(node))

    def _assigned(self, unit: Unit, name: cst.Name) -> Iterator[Part]:
        """What is assigned to a name of a function, and the conditions that decide which."""
        statement = assignment_of(unit, name)
        if statement is not None:
            yield Part(unit, statement.value)
            return
        found = unit.index.scope_of(name).lookup(name.value)
        if found is None or found[0].kind in ("module", "class") or (found[0], name.value) in self._names:
            return
        self._names.add((found[0], name.value))
        for binding in found[1]:
            value = source_of(binding)
            if value is not None and binding.node is not None:
                yield Part(unit, value)
                yield from (Part(unit, test) for test in tests_around(unit, binding.node))

    def _called(self, unit: Unit, call: cst.Call) -> Iterator[Part]:
        """What a call gets, and what the function behind it returns."""
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "size":
            return
        yield from (Part(unit, arg) for arg in call.args)
        if isinstance(call.func, cst.Attribute):
            yield Part(unit, call.func.value)
        called = self._origins.functions.called(unit, call, unit.index.scope_of(call))
        if called is not None:
            self._hand_over(unit, call, called)
            for value in called.returns:
                yield Part(called.unit, value)
                yield from (Part(called.unit, test) for test in tests_around(called.unit, value))

    def _hand_over(self, unit: Unit, call: cst.Call, called: Function) -> None:
        self._sized = None
        for param, value in (called.arguments(call) or {}).items():
            self._given.setdefault(param, []).append(self._origins.of(unit, value))
