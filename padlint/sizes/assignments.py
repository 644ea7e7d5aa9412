"""What assignments do to what names hold."""

from __future__ import annotations

import libcst as cst

from padlint.sizes import building, models
from padlint.sizes.environment import Environment, target_names
from padlint.sizes.expressions import Expressions
from padlint.sizes.extent import Extent, Lost
from padlint.sizes.held import Constant, Held, Items, Stack, value_of
from padlint.syntax.arithmetic import BINARY
from padlint.syntax.values import UNKNOWN, Option, Value, combine
from padlint.syntax.walk import holds_list

_AUGMENTED = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
    cst.PowerAssign: cst.Power,
}


class Assignments(Expressions):
    """One run of the code of a function, a class or the module: its expressions and assignments."""

    def assign(self, node: cst.Assign | cst.AnnAssign, environment: Environment) -> None:
        """Run an assignment."""
        if node.value is None:
            return
        targets = [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]
        value = self.held(node.value, environment)
        if isinstance(value, Constant) and holds_list(node.value):
            value = _as_list(value)
        if isinstance(value, Stack):
            self._assign_model(targets, value, environment)
            return
        if isinstance(value, Items) and value.changes and not self._is_own(targets, environment):
            value = Lost("it is a list that other code may change")
        for target in targets:
            self.store(target, value, environment)

    def _is_own(self, targets: list[cst.BaseAssignTargetExpression], environment: Environment) -> bool:
        """Whether the only target is a name that no other code reaches."""
        target = targets[0]
        if len(targets) == 1 and building.builds(target, environment):
            return True
        return (
            len(targets) == 1
            and isinstance(target, (cst.Name, cst.Tuple, cst.List))
            and all(models.is_private(self.unit, name, self.scope) for name in target_names(target))
        )

    def _assign_model(
        self, targets: list[cst.BaseAssignTargetExpression], stack: Stack, environment: Environment
    ) -> None:
        for target in targets:
            self.store(target, Lost("it is a model"), environment)
        target = targets[0]
        if len(targets) > 1 or not isinstance(target, cst.Name):
            stack.record.escapes = True
        elif models.is_private(self.unit, target.value, self.scope):
            stack.record.names |= {target.value}
            environment.bind(target.value, stack)
        else:
            stack.record.escapes = True

    def store(self, target: cst.BaseExpression, value: Held, environment: Environment) -> None:
        """Give a target a value."""
        self.flow.applications.named(target, value)
        if isinstance(target, cst.Name):
            self.bind(target.value, value, environment)
        elif building.builds(target, environment):
            for name in target_names(target):
                environment.bind(name, value)
        elif isinstance(target, cst.Attribute):
            self.visit(target.value, environment)
            environment.lose(target_names(target.value), "an attribute of {} is assigned")
        elif isinstance(target, cst.Subscript):
            self._store_item(target, environment)
        elif isinstance(target, (cst.Tuple, cst.List)):
            self._unpack(target, value, environment)
        else:
            environment.lose(target_names(target), "{} is unpacked from something")

    def _store_item(self, target: cst.Subscript, environment: Environment) -> None:
        inner = target.value
        for child in target.slice:
            self.visit(child, environment)
        if not isinstance(inner, cst.Name):
            self.visit(inner, environment)
        elif not isinstance(environment.get(inner.value), Extent):  # whose size stays
            environment.lose([inner.value], "an item of {} is assigned")

    def _unpack(self, target: cst.Tuple | cst.List, value: Held, environment: Environment) -> None:
        items = value.items if isinstance(value, Items) else _parts(value_of(value))
        starred = any(isinstance(element, cst.StarredElement) for element in target.elements)
        if items is None or starred or len(items) != len(target.elements):
            environment.lose(target_names(target), "{} is unpacked from something")
            return
        for element, item in zip(target.elements, items, strict=True):
            self.store(element.value, item, environment)

    def augment(self, node: cst.AugAssign, environment: Environment) -> None:
        """Run an assignment like `x += y`."""
        target = node.target
        if not isinstance(target, cst.Name) and not building.builds(target, environment):
            self.visit(node.value, environment)
            self.store(target, Lost("it is changed in place"), environment)
            return
        (name,) = target_names(target)
        before = self.peek(target, environment) if isinstance(target, cst.Name) else environment.get(name)
        value = self.held(node.value, environment)
        before = before or Lost(f"{name} is not made in this function")
        operation = _AUGMENTED.get(type(node.operator))
        if isinstance(before, Constant) and isinstance(value, Constant):
            function = BINARY.get(operation) if operation is not None else None
            known = combine([before.value, value.value], function) if function is not None else UNKNOWN
            result: Held = Constant(known)
        elif isinstance(before, Items) and isinstance(value, Items) and operation is cst.Add:
            result = Items((*before.items, *value.items), before.changes)
        elif isinstance(before, (Items, Stack)) or operation is None:
            result = Lost(f"{name} is changed in place")
        else:
            result = self.arithmetic(node, before, value)
        if isinstance(target, cst.Name):
            self.bind(name, result, environment)
        else:
            environment.bind(name, result)


def _as_list(constant: Constant) -> Held:
    parts = _parts(constant.value)
    return constant if parts is None else Items(tuple(parts), changes=True)


def _parts(value: Value) -> list[Held] | None:
    """The items of a tuple that is a constant."""
    if not value.known or not isinstance(value.only, tuple):
        return None
    origin = value.options[0].origin
    return [Constant(Value((Option(item, origin),), True)) for item in value.only]
