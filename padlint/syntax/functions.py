"""The functions that a file defines and calls: its own, those of a class through `self`, and local ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from padlint.syntax.attributes import owner_of, replaced
from padlint.syntax.binding import bind
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import File, Unit
from padlint.syntax.walk import code_children, descendants


@dataclass(frozen=True)
class Parameter:
    """A parameter as a call can give it."""

    name: str
    keyword_only: bool = False


@dataclass(frozen=True)
class Function:
    """A definition or lambda. `method` says that calls do not write its first parameter."""

    unit: Unit
    node: cst.FunctionDef | cst.Lambda
    method: bool = False

    @property
    def scope(self) -> Scope:
        """The scope of its body."""
        return self.unit.index.scopes[self.node]

    @cached_property
    def returns(self) -> list[cst.BaseExpression]:
        """The expressions that it returns."""
        body = self.node.body
        return [body] if isinstance(body, cst.BaseExpression) else [*_returns(body)]

    @cached_property
    def suspends(self) -> bool:
        """Whether it is a generator, or waits for something."""
        body = self.node.body
        return any(isinstance(inner, (cst.Yield, cst.Await)) for inner in descendants(body))

    def arguments(self, call: cst.Call) -> dict[cst.Param, cst.BaseExpression] | None:
        """What a call gives for the parameters; None where `*args` or `**kwargs` hide it."""
        params = self.node.params
        plain = [*params.posonly_params, *params.params][self.method :]
        names = {param.name.value: param for param in (*plain, *params.kwonly_params)}
        signature = [Parameter(param.name.value) for param in plain]
        signature += [Parameter(param.name.value, keyword_only=True) for param in params.kwonly_params]
        bound = bind(call, signature)
        if bound.star is not None or bound.double_star is not None:
            return None
        return {names[name]: argument.value for name, argument in bound.arguments.items()}


class Functions:
    """Finds the definition behind a call, parsing functions of the module that were left out so far."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._known: dict[cst.CSTNode | str, Function | None] = {}
        for unit in file.units:
            for node in unit.index.functions:
                if isinstance(unit.index.parents.get(node), cst.Module):
                    self._known[node.name.value] = Function(unit, node)

    def called(self, unit: Unit, call: cst.Call, scope: Scope) -> Function | None:
        """The function that a call runs, if it has one definition and that stands in the file."""
        func = call.func
        if isinstance(func, cst.Attribute):
            return self._method(unit, func)
        found = scope.lookup(func.value) if isinstance(func, cst.Name) else None
        if found is None or len(found[1]) != 1:
            return None
        owner, (binding,) = found
        if owner.kind == "module":
            return self._of_module(func, binding) if isinstance(func, cst.Name) else None
        return self._function(unit, binding)

    def _method(self, unit: Unit, func: cst.Attribute) -> Function | None:
        owner = owner_of(unit, func.value)
        if owner is None or replaced(unit, func.attr.value):
            return None
        bindings = unit.index.scopes[owner].bindings.get(func.attr.value, ())
        return self._function(unit, bindings[0], method=True) if len(bindings) == 1 else None

    def _function(self, unit: Unit, binding: Binding, *, method: bool = False) -> Function | None:
        node = binding.value if binding.kind is BindingKind.ASSIGN else binding.node
        if not isinstance(node, (cst.FunctionDef, cst.Lambda)):
            return None
        if node not in self._known:
            self._known[node] = Function(unit, node, method and not _is_static(node))
        return self._known[node]

    def _of_module(self, name: cst.Name, binding: Binding) -> Function | None:
        if binding.kind is not BindingKind.DEFINITION:
            return None
        if name.value not in self._known:
            unit = self._file.defining(binding.row)
            functions = unit.index.functions if unit is not None else []
            named = (node for node in functions if node.name.value == name.value)
            self._known[name.value] = next((Function(unit, node) for node in named if unit is not None), None)
        return self._known[name.value]


def _is_static(node: cst.FunctionDef | cst.Lambda) -> bool:
    decorators = node.decorators if isinstance(node, cst.FunctionDef) else ()
    names = (item.decorator for item in decorators)
    return any(isinstance(name, cst.Name) and name.value == "staticmethod" for name in names)


def _returns(body: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The values of all return statements below a body, those of definitions in it left out."""
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Return):
            if node.value is not None:
                yield node.value
        elif not isinstance(
            node, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression, cst.BaseSmallStatement)
        ):
            stack += code_children(node)
