"""Which names and expressions of a file that builds a model may be worth a tensor, or hold one."""

from __future__ import annotations

import sys

import libcst as cst

from padlint.syntax.binding import bind
from padlint.syntax.callers import signature_of
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.units import File, Unit
from padlint.syntax.walk import code_children

MODELS = frozenset({"Model", "Functional"})
ASKS = frozenset({"isinstance", "len", "print", "int_shape", "is_keras_tensor", "get_source_inputs", "shape"})
_CONFIGURATION = frozenset({BindingKind.IMPORT, BindingKind.DEFINITION, BindingKind.CLASS})
_CONSTANTS = (cst.BaseNumber, cst.BaseString, cst.Comparison, cst.Lambda)
_FRAMEWORKS = frozenset({"keras", "tensorflow", "tf_keras"})
_DEEPEST = 6  # names made of names
_NONE = sys.maxsize


class Tensors:
    """Asks what names may hold. What comes from nowhere known may be a tensor."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._asked: list[tuple[Scope, str]] = []
        self._lowest = _NONE  # the first name on the way that an answer leaves out

    def named(self, unit: Unit, name: str, scope: Scope) -> bool:
        """Whether a name of a scope may hold one. What it takes from itself says nothing new."""
        asked = (scope, name)
        if asked in self._asked:
            self._lowest = min(self._lowest, self._asked.index(asked))
            return False
        key = (Tensors, *asked)
        if key in unit.memo:
            return bool(unit.memo[key])
        depth = len(self._asked)
        if depth >= _DEEPEST:
            return True
        self._asked.append(asked)
        outer, self._lowest = self._lowest, _NONE
        found = any(self._bound(unit, name, binding, scope) for binding in scope.bindings.get(name, ()))
        self._asked.pop()
        if found or self._lowest >= depth:  # else a name on the way may be worth more in the end
            unit.memo[key] = found
            self._lowest = outer
        else:
            self._lowest = min(outer, self._lowest)
        return found

    def held(self, unit: Unit, node: cst.CSTNode, scope: Scope) -> bool:
        """Whether an expression may be worth a tensor that was made before, or hold one."""
        if isinstance(node, _CONSTANTS):
            return False
        if isinstance(node, cst.Name):
            found = scope.lookup(node.value)
            return found is not None and self.named(unit, node.value, found[0])
        if isinstance(node, cst.Attribute):
            return node.attr.value != "shape" and self.held(unit, node.value, scope)
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Call):
                return True  # a layer that is applied
            name = last_name(node.func)
            if name in ASKS or constructs(unit, node):
                return name == "Input"
            if "Input" in unit.facts.definitions.get(name, ()):
                return True  # what a function of the file makes
        return any(self.held(unit, child, scope) for child in code_children(node))

    def _bound(self, unit: Unit, name: str, binding: Binding, scope: Scope) -> bool:
        if binding.kind in _CONFIGURATION:
            return False
        value = binding.expression()
        if binding.kind is BindingKind.PARAMETER and (value is None or getattr(value, "value", "") == "None"):
            return self._given(unit, name, scope)
        return value is None or self.held(unit, value, scope)

    def _given(self, unit: Unit, name: str, scope: Scope) -> bool:
        """Whether a call of the file may give a tensor to a parameter; one that no call gives may be any."""
        function = scope.node
        if not isinstance(function, cst.FunctionDef) or scope.class_scope is not None:
            return True
        signature = signature_of(function.params).parameters
        seen = False
        for other, call in calls_of(self._file, function.name.value) or ():
            bound = bind(call, signature)
            given = bound.value(name)
            if given is None and bound.may_carry(name):
                return True
            if given is None or getattr(given, "value", "") == "None":
                continue
            seen = True
            if self.held(other, given, other.index.scope_of(call)):
                return True
        return not seen


def constructs(unit: Unit, call: cst.Call) -> bool:
    """Whether a call makes a layer, by its name; functions like `Block(x)` have such names, too."""
    name = last_name(call.func)
    if not name[:1].isupper() or name in MODELS:
        return False
    found = unit.index.scope_of(call).lookup(name) if isinstance(call.func, cst.Name) else None
    return found is None or not any(
        binding.kind is BindingKind.DEFINITION
        or (binding.kind is BindingKind.IMPORT and binding.path.partition(".")[0] not in _FRAMEWORKS)
        for binding in found[1]
    )


def calls_of(file: File, name: str) -> list[tuple[Unit, cst.Call]] | None:
    """The calls of whatever has a name in a file; None where a part of it cannot be read."""
    units = file.mentioning(name)
    if units is None:
        return None
    return [(unit, call) for unit in units for call in _by_name(unit).get(name, ())]


def _by_name(unit: Unit) -> dict[str, list[cst.Call]]:
    if _by_name not in unit.memo:
        found: dict[str, list[cst.Call]] = {}
        for call in unit.index.calls:
            found.setdefault(last_name(call.func), []).append(call)
        unit.memo[_by_name] = found
    named: dict[str, list[cst.Call]] = unit.memo[_by_name]
    return named


def last_name(node: cst.CSTNode) -> str:
    """The last word of a dotted name."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
