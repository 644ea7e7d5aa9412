"""The cases that a file shows for a piece of code: which call runs its function, what a test around it says.

In one case everything that the code is computed from has one value, so that what belongs together stays so: a
kernel and a stride from the same call, a padding and the stride that it was chosen for.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import libcst as cst

from padlint.syntax.bindings import At, Bindings, Called, Case, Frame, Looped, Open, Root, Tested
from padlint.syntax.callers import Callers
from padlint.syntax.possible import Value
from padlint.syntax.reaching import left_out
from padlint.syntax.scopes import Scope
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator

_MOST = 48  # cases of one piece of code
_MOST_CALLS = 24  # different calls of one function
_MOST_LOOKS = 100  # that find something open
_MOST_TESTS = 5  # in one case
_MOST_FRAMES = 4  # in one case
_MOST_EXITS = 16  # in one block
_PRINTER = cst.Module([])

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Worlds(Generic[Seen]):
    """The cases of a piece of code, and what was seen in them. `complete` says that there are no others."""

    cases: Sequence[tuple[Case, Seen]]
    complete: bool


class Cases:
    """Finds the cases in one file."""

    def __init__(self, callers: Callers) -> None:
        self.callers = callers
        self._groups: dict[tuple[Scope, frozenset[str]], list[Frame]] = {}

    def of(
        self,
        unit: Unit,
        node: cst.CSTNode,
        look: Callable[[Evaluator], Seen],
        bindings: Bindings | None = None,
    ) -> Worlds[Seen]:
        """The cases in which a node runs, as far as `look` asks for them, which looks at all that matters."""
        waiting, done, complete, looked = [Case(names=bindings or {})], list[tuple[Case, Seen]](), True, 0
        while waiting:
            case = waiting.pop()
            left_open = Open()
            if not case.free and not _runs(At(unit, node), case):
                continue
            seen = look(Evaluator(unit, case, left_open))
            root = _next(case, left_open)
            if root is None:
                done.append((case, seen))
                continue
            split, exhaustive = self._split(case, root, left_open)
            room, looked = _MOST - len(done) - len(waiting), looked + 1
            complete = complete and exhaustive and len(split) <= room and looked < _MOST_LOOKS
            if looked < _MOST_LOOKS:
                waiting += reversed(split[: max(room, 0)])
        return Worlds(done, complete)

    def _split(self, case: Case, root: Root, left_open: Open) -> tuple[list[Case], bool]:
        """The case once for every possibility of a root, and whether these are all."""
        if isinstance(root, Called):
            return [case.with_frame(root.scope, frame) for frame in self._frames(case, root, left_open)], True
        if isinstance(root, Looped):
            return [case.with_item(root.loop, index) for index in range(root.length)], True
        if isinstance(root, Tested):
            return [case.with_truth(root.test, truth) for truth in (True, False)], True
        single = [Value((option,), True) for option in root.value.options]
        return [case.with_value(root.key, value) for value in single], root.value.complete

    def _frames(self, case: Case, called: Called, left_open: Open) -> list[Frame]:
        """The calls that may run a function in a case."""
        known, names = case.frames.get(called.scope), frozenset(left_open.parameters[called.scope])
        if known is None:
            return self._calls(called, names)
        names |= known.names
        if not known.calls:
            return [replace(known, names=names)]
        # Its calls differ in more than was asked for so far.
        return [f for f in self._calls(called, names) if f.calls and {*f.calls} <= {*known.calls}]

    def _calls(self, called: Called, names: frozenset[str]) -> list[Frame]:
        """The calls of a function that differ in these parameters."""
        key = (called.scope, names)
        if key not in self._groups:
            self._groups[key] = self._group(called, names)
        return self._groups[key]

    def _group(self, called: Called, names: frozenset[str]) -> list[Frame]:
        calls = self.callers.of(called)
        groups: dict[Hashable, Frame] = {}
        closed = calls.closed and bool(calls.frames)
        for unit, call, frame in calls.frames:
            if any(unit.index.scopes.get(a) is called.scope for a in unit.ancestors(call)):
                closed = False  # a recursive call gives on what it got, or something made of that
                continue
            given = tuple(self._given(frame, name) for name in sorted(names))
            known = groups.get(given)
            groups[given] = frame if known is None else replace(known, calls=known.calls + frame.calls)
        frames = [replace(frame, names=names) for frame in groups.values()]
        if len(frames) > _MOST_CALLS:
            frames, closed = frames[:_MOST_CALLS], False  # the unknown call stands for the others
        if not closed:
            frames += [Frame(names=names), Frame(names=names, unknown=True)]
        return frames

    @staticmethod
    def _given(frame: Frame, name: str) -> Hashable:
        """What tells the calls apart: the value for a parameter, or else the text of it and its function."""
        code = frame.arguments.get(name) or frame.surplus.get(name)
        if code is None:
            if not frame.splats and not frame.hidden:
                return None
            splats = (_PRINTER.code_for_node(splat.node) for splat in frame.splats)
            return (
                frame.hidden,
                *((text, splat.scope) for text, splat in zip(splats, frame.splats, strict=True)),
            )
        left_open = Open()
        value = Evaluator(code.unit, open=left_open).value(code.node, code.scope)
        if value.known and not left_open.roots:
            return (type(value.only), value.only)
        return (_PRINTER.code_for_node(code.node), code.scope)


def _next(case: Case, left_open: Open) -> Root | None:
    """What to decide next; only so many tests are told apart, and calls that lead to each other followed."""
    limits: tuple[type, ...] = (Tested,) if len(case.truths) >= _MOST_TESTS else ()
    if len(case.frames) >= _MOST_FRAMES:
        limits += (Called,)
    for root in left_open.roots.values():
        again = isinstance(root, Called) and root.scope in case.frames
        if again or not isinstance(root, limits):
            return root
    return None


def _runs(place: At, case: Case) -> bool:
    """Whether a place may be reached in a case, by one of the calls that it takes for granted."""
    if not _may_run(place, case):
        return False
    return all(any(_may_run(call, case) for call in f.calls) for f in case.frames.values() if f.calls)


def _may_run(place: At, case: Case) -> bool:
    truth = Evaluator(place.unit, case).truth  # asks for nothing that is not decided yet
    return not left_out(place.unit, place.node, truth) and not left_before(place.unit, place.node, truth)


_LEAVES = (cst.Return, cst.Raise, cst.Continue, cst.Break)


def left_before(unit: Unit, node: cst.CSTNode, truth: Callable[[cst.BaseExpression], bool | None]) -> bool:
    """Whether an `if` above, in one of the blocks around a node, is known to leave before it."""
    child = node
    for block in unit.ancestors(node):
        if isinstance(block, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return False
        exits = _exits(unit, block)
        here = _place(unit, block, child) if exits else 0
        above = bisect_left(exits, here, key=operator.itemgetter(0))
        if any(truth(test) is True for _, test in exits[max(above - _MOST_EXITS, 0) : above]):
            return True
        child = block
    return False


def _exits(unit: Unit, block: cst.CSTNode) -> list[tuple[int, cst.BaseExpression]]:
    """The statements `if test: return` in a block: their places and tests."""
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return []
    key = ("exits", block)
    if key not in unit.memo:
        unit.memo[key] = [
            (i, line.test)
            for i, line in enumerate(block.body)
            if isinstance(line, cst.If) and line.orelse is None and _leaves(line.body)
        ]
    found: list[tuple[int, cst.BaseExpression]] = unit.memo[key]
    return found


def _place(unit: Unit, block: cst.CSTNode, child: cst.CSTNode) -> int:
    key = ("statements", block)
    if key not in unit.memo:
        unit.memo[key] = {line: i for i, line in enumerate(getattr(block, "body", ()))}
    place: int = unit.memo[key].get(child, -1)
    return place


def _leaves(body: cst.BaseSuite) -> bool:
    last = body.body[-1] if body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, _LEAVES)
