"""The calls in a file that run one of its functions, or build one of its classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import libcst as cst

from padlint.syntax.attributes import decorator_names, owner_of
from padlint.syntax.binding import bind
from padlint.syntax.bindings import At, Called, Code, Frame
from padlint.syntax.bound import fields_of
from padlint.syntax.functions import Parameter
from padlint.syntax.scopes import BindingKind, Scope, resolve
from padlint.syntax.units import File, Unit
from padlint.syntax.uses import is_store

_BY_TEXT = frozenset({"eval", "exec", "globals", "locals", "vars"})  # may reach a function by its name


class Signature(NamedTuple):
    """The parameters that a call may write, and whether others go to `**kwargs`."""

    parameters: Sequence[Parameter]
    open: bool = False


@dataclass
class Calls:
    """The calls of a definition, and what each gives. `closed` says that there can be no other."""

    frames: list[tuple[Unit, cst.Call, Frame]] = field(default_factory=list)
    closed: bool = False


class Callers:
    """Finds the calls in one file, once per definition."""

    def __init__(self, file: File) -> None:
        self.file = file
        self._known: dict[Scope, Calls] = {}

    def of(self, called: Called) -> Calls:
        """The calls of the function or class with this scope."""
        if called.scope not in self._known:
            self._known[called.scope] = self._find(called.unit, called.scope)
        return self._known[called.scope]

    def _find(self, unit: Unit, scope: Scope) -> Calls:
        node = scope.node
        around = scope.parent
        while around is not None and around.kind == "types":
            around = around.parent
        if around is None:
            return Calls()
        if isinstance(node, cst.ClassDef):
            signature = Signature([Parameter(name) for name in fields_of(node)])
            return self._named(unit, node.name.value, around, signature)
        if isinstance(node, cst.Lambda):
            name = _name_of_lambda(unit, node)
            return self._named(unit, name, around, signature_of(node.params)) if name else Calls()
        if not isinstance(node, cst.FunctionDef):
            return Calls()
        if not isinstance(around.node, cst.ClassDef):
            return self._named(
                unit, node.name.value, around, signature_of(node.params), decorated=bool(node.decorators)
            )
        if node.name.value == "__init__":
            return self._built(unit, node, around)
        return self._method(unit, node, around)

    # -- by name ---------------------------------------------------------------------------------------------

    def _named(
        self, unit: Unit, name: str, owner: Scope, signature: Signature, *, decorated: bool = False
    ) -> Calls:
        """The calls of what the scope `owner` binds a name to."""
        hidden = decorated or not _BY_TEXT.isdisjoint(unit.index.names)
        calls = Calls(closed=owner.kind in ("function", "lambda") and not hidden)
        if len(owner.bindings.get(name, ())) != 1:
            return Calls()
        units = self.file.mentioning(name) if owner.kind == "module" else [unit]
        for other in units or ():
            for node in other.index.names.get(name, ()):
                found = other.index.scope_of(node).lookup(name)
                if found is None or found[0] is not owner or is_store(other, node):
                    continue
                self._mention(other, node, signature, calls)
        return calls

    def _mention(self, unit: Unit, node: cst.Name, signature: Signature, calls: Calls) -> None:
        parent = unit.index.parents[node]
        if isinstance(parent, cst.Call) and parent.func is node:
            calls.frames.append((unit, parent, _frame(unit, parent, signature)))
            return
        call = unit.index.parents[parent] if isinstance(parent, cst.Arg) else None
        bound = (
            list(partial_calls(unit, call)) if isinstance(call, cst.Call) and call.args[0] is parent else []
        )
        for user in bound:
            assert isinstance(call, cst.Call)
            calls.frames.append((unit, user, _partial_frame(unit, call, user, signature)))
        calls.closed = False

    # -- of classes ------------------------------------------------------------------------------------------

    def _built(self, unit: Unit, init: cst.FunctionDef, owner: Scope) -> Calls:
        """The calls that run a constructor: those of the class, and of `super().__init__` in subclasses."""
        node, around = owner.node, owner.parent
        signature = signature_of(init.params, skip=1)
        if not isinstance(node, cst.ClassDef) or around is None:
            return Calls()
        calls = self._named(unit, node.name.value, around, signature)
        calls.closed = False
        units = self.file.mentioning(node.name.value) if around.kind == "module" else [unit]
        for other in units or ():
            for child in other.index.classes:
                if any(_means(other, base, node.name.value, around) for base in child.bases):
                    for call in _super_calls(other, child):
                        calls.frames.append((other, call, _frame(other, call, signature)))
        return calls

    @staticmethod
    def _method(unit: Unit, method: cst.FunctionDef, owner: Scope) -> Calls:
        """The calls through `self` in the class of a method."""
        static = "staticmethod" in decorator_names(method)
        signature = signature_of(method.params, skip=0 if static else 1)
        calls = Calls()
        for attribute in unit.index.attributes.get(method.name.value, ()):
            call = unit.index.parents[attribute]
            if not isinstance(call, cst.Call) or call.func is not attribute:
                continue
            if owner_of(unit, attribute.value) is owner.node:
                calls.frames.append((unit, call, _frame(unit, call, signature)))
        return calls


def signature_of(params: cst.Parameters, skip: int = 0) -> Signature:
    """The parameters of a definition; `skip` are filled in before what a call writes."""
    plain = [*params.posonly_params, *params.params][skip:]
    found = [Parameter(param.name.value) for param in plain]
    found += [Parameter(param.name.value, keyword_only=True) for param in params.kwonly_params]
    return Signature(found, params.star_kwarg is not None)


def _frame(unit: Unit, call: cst.Call, signature: Signature) -> Frame:
    bound = bind(call, signature.parameters)
    scope = unit.index.scope_of(call)
    surplus = bound.unknown if signature.open else {}
    return Frame(
        (At(unit, call),),
        {name: Code(arg.value, scope, unit) for name, arg in bound.arguments.items()},
        {name: Code(arg.value, scope, unit) for name, arg in surplus.items()},
        tuple(Code(arg.value, scope, unit) for arg in call.args if arg.star == "**"),
        bound.star is not None,
    )


def _partial_frame(unit: Unit, made: cst.Call, user: cst.Call, signature: Signature) -> Frame:
    """What a call of `functools.partial(function, ...)` gives: what it writes itself goes first."""
    first = _frame(unit, made.with_changes(args=made.args[1:]), signature)
    positions = sum(arg.keyword is None and not arg.star for arg in made.args[1:])
    rest = Signature(signature.parameters[positions:], signature.open)
    scope = unit.index.scope_of(made)
    bound = bind(made.with_changes(args=made.args[1:]), signature.parameters)
    given = {name: Code(arg.value, scope, unit) for name, arg in bound.arguments.items()}
    surplus = (
        {name: Code(a.value, scope, unit) for name, a in bound.unknown.items()} if signature.open else {}
    )
    frame = _frame(unit, user, rest)
    return Frame(
        frame.calls,
        {**given, **frame.arguments},
        {**surplus, **frame.surplus},
        (*first.splats, *frame.splats),
        frame.hidden or first.hidden,
    )


def is_partial(unit: Unit, call: cst.Call) -> bool:
    """Whether a call is `functools.partial(...)`."""
    return bool(call.args) and resolve(unit.index.scope_of(call), call.func).paths == ("functools.partial",)


def partial_calls(unit: Unit, call: cst.Call) -> Iterator[cst.Call]:
    """The calls of the only name that a `functools.partial` is assigned to."""
    statement = unit.index.parents[call]
    if not is_partial(unit, call) or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return
    target = statement.targets[0].target
    found = unit.index.scope_of(target).lookup(target.value) if isinstance(target, cst.Name) else None
    if not isinstance(target, cst.Name) or found is None or len(found[1]) != 1:
        return
    for name in unit.index.names[target.value]:
        parent = unit.index.parents[name]
        reader = unit.index.scope_of(name).lookup(name.value)
        if isinstance(parent, cst.Call) and parent.func is name and reader == found:
            yield parent


def _name_of_lambda(unit: Unit, node: cst.Lambda) -> str:
    statement = unit.index.parents[node]
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return ""
    target = statement.targets[0].target
    return target.value if isinstance(target, cst.Name) else ""


def _means(unit: Unit, base: cst.Arg, name: str, owner: Scope) -> bool:
    """Whether a base class is the one that a scope binds to a name."""
    if not isinstance(base.value, cst.Name) or base.value.value != name:
        return False
    found = unit.index.scope_of(base).lookup(name)
    return found is not None and found[0] is owner and [b.kind for b in found[1]] == [BindingKind.CLASS]


def _super_calls(unit: Unit, node: cst.ClassDef) -> Iterator[cst.Call]:
    """The calls of `super().__init__` in a class."""
    for attribute in unit.index.attributes.get("__init__", ()):
        call, value = unit.index.parents[attribute], attribute.value
        if not isinstance(call, cst.Call) or not isinstance(value, cst.Call):
            continue
        if isinstance(value.func, cst.Name) and value.func.value == "super":
            owner = unit.index.scope_of(call).class_scope
            if owner is not None and owner.node is node:
                yield call
