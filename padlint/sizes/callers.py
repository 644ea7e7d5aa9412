"""Which functions of a file call which, and whether all calls of one are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from padlint.syntax.functions import Function
from padlint.syntax.scopes import Scope
from padlint.syntax.units import File, Unit

_BY_NAME = ("globals", "locals", "vars", "eval", "exec")  # that may reach a function by its text


@dataclass
class Runs:
    """What was followed so far.

    `entered` are the functions that were run by a followed call, `refused` those that also have a call that
    was not. `escaped` are functions that were handed on, so that their calls are not known; the value names
    the function that another file would have to call for that, if there is one.
    """

    followed: set[cst.Call] = field(default_factory=set)
    entered: set[cst.CSTNode] = field(default_factory=set)
    refused: set[cst.CSTNode] = field(default_factory=set)
    escaped: dict[cst.CSTNode, str] = field(default_factory=dict)

    def escape(self, node: cst.CSTNode, outside: str) -> None:
        """Note that a function is handed on."""
        self.escaped[node] = outside if self.escaped.get(node, outside) == outside else ""


@dataclass
class _Uses:
    """The calls of a function, and the functions that they stand in.

    It is `returned` by one of these, and `hidden` if there may be calls that do not show.
    """

    calls: list[cst.Call] = field(default_factory=list)
    around: list[cst.FunctionDef] = field(default_factory=list)
    returned: bool = False
    hidden: bool = False


class Callers:
    """The functions of the units that matter and of those that call them.

    `besides` names those whose calls are found in other ways.
    """

    def __init__(self, file: File, besides: Callable[[cst.CSTNode], bool]) -> None:
        self._file = file
        self._besides = besides
        self.units: list[Unit] = []
        self._uses: dict[cst.FunctionDef, _Uses] = {}
        self._functions: dict[cst.FunctionDef, Function] = {}
        self._by_name: dict[str, list[tuple[Scope, cst.FunctionDef]]] = {}
        waiting = list(file.units)
        while waiting:  # a function matters that calls one which matters
            unit = waiting.pop(0)
            if unit not in self.units:
                self.units.append(unit)
                for node in unit.index.functions:
                    waiting += self._enter(unit, node)
        for unit in self.units:
            self._read(unit)

    def _enter(self, unit: Unit, node: cst.FunctionDef) -> list[Unit]:
        """Note a function; the units that may call it."""
        self._functions[node] = Function(unit, node)
        self._uses[node] = _Uses()
        if self._besides(node):
            return []
        owner = unit.index.scope_of(node)
        self._by_name.setdefault(node.name.value, []).append((owner, node))
        if owner.kind != "module":
            return []
        found = self._file.mentioning(node.name.value)
        self._uses[node].hidden = found is None
        return found or []

    def _read(self, unit: Unit) -> None:
        """Note every use of a function in a unit."""
        index = unit.index
        for text in self._by_name.keys() & (index.names.keys() | index.attributes.keys()):
            for owner, node in self._by_name[text]:
                if owner.kind == "class":
                    for attribute in index.attributes.get(text, ()):
                        self._use(unit, node, attribute)
                    continue
                for name in index.names.get(text, ()):
                    found = index.scope_of(name).lookup(text)
                    if found is not None and found[0] is owner:
                        self._use(unit, node, name)

    def _use(self, unit: Unit, node: cst.FunctionDef, read: cst.BaseExpression) -> None:
        uses, parent = self._uses[node], unit.index.parents[read]
        if isinstance(parent, cst.Call) and parent.func is read:
            uses.calls.append(parent)
        elif isinstance(parent, cst.Return):
            uses.returned = True
        else:
            uses.hidden = True
        around = next((a for a in unit.ancestors(parent) if isinstance(a, cst.FunctionDef)), None)
        if around is not None:
            uses.around.append(around)

    @property
    def ordered(self) -> Iterator[Function]:
        """All functions, those that call one before it as far as they do not call each other."""
        done: set[cst.FunctionDef] = set()
        for start in self._functions:
            stack = [(start, iter(self._uses[start].around))]
            if start in done:
                continue
            done.add(start)
            while stack:
                node, callers = stack[-1]
                following = next((c for c in callers if c in self._functions and c not in done), None)
                if following is not None:
                    done.add(following)
                    stack.append((following, iter(self._uses[following].around)))
                else:
                    stack.pop()
                    yield self._functions[node]

    def outside(self, function: Function, runs: Runs) -> str | None:
        """How a function runs besides the calls that were followed.

        None: not at all. Empty: it does, or no call of it is known. A name: only if another file calls that.
        """
        node, uses = function.node, self._uses[function.node]  # type: ignore[index]
        assert isinstance(node, cst.FunctionDef)
        name = node.name.value
        owner = function.unit.index.scope_of(node)
        if uses.hidden or node in runs.refused or not all(call in runs.followed for call in uses.calls):
            return ""
        if node not in runs.entered or runs.escaped.get(node) == "":
            return ""
        facts = function.unit.facts
        if any(facts.mentions[word] for word in _BY_NAME):
            return ""
        if owner.kind == "class" and (facts.attributes[name] > len(uses.calls) or self._is_base(owner)):
            return ""
        if owner.kind == "module" and facts.mentions[name] > len(uses.calls) + 1:
            return ""
        private = owner.kind == "function" or (name.startswith("_") and not name.startswith("__"))
        return runs.escaped.get(node) if private else name

    def unfollowed(self, function: Function, runs: Runs) -> list[tuple[Unit, cst.Call]] | None:
        """The calls of a function that were not followed; None if there may be calls that do not show."""
        uses = self._uses[function.node]  # type: ignore[index]
        left = [call for call in uses.calls if call not in runs.followed]
        found = [(unit, call) for call in left for unit in self.units if call in unit.index.parents]
        return None if uses.hidden else found

    def _is_base(self, owner: Scope) -> bool:
        node = owner.node
        return isinstance(node, cst.ClassDef) and bool(self._file.facts.bases[node.name.value])
