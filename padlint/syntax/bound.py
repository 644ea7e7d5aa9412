"""What names and attributes are worth, by what the file binds them to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import libcst as cst

from padlint.syntax.attributes import owner_of, reached_elsewhere
from padlint.syntax.bindings import At, Bindings, Called, Case, Code, Frame, Looped, Open, Row, Several
from padlint.syntax.formulas import assigned
from padlint.syntax.possible import UNKNOWN, Origin, Value, constant, learned_from, union
from padlint.syntax.reaching import MOST, Reaching, left_out
from padlint.syntax.scopes import Binding, BindingKind, Scope, resolve
from padlint.syntax.splats import NOTHING, present
from padlint.syntax.truths import Truths, is_stored
from padlint.syntax.units import Unit
from padlint.syntax.walk import holds_list

_MAX_DEPTH = 20  # names made of names
_WORDS = {"True": True, "False": False, "None": None}


class Names(Truths):
    """Looks up names. A subclass evaluates the expressions that they are bound to."""

    def __init__(self, unit: Unit, bindings: Bindings | Case | None = None, open: Open | None = None) -> None:
        self.unit = unit
        self.case = bindings if isinstance(bindings, Case) else Case(names=bindings or {})
        self._open = open
        self._seen: set[Hashable] = set()
        self._tests = {}

    def at(self, unit: Unit) -> Names:
        """The same evaluation in another unit of the file."""
        raise NotImplementedError

    # -- names -----------------------------------------------------------------------------------------------

    def _name(self, node: cst.Name, scope: Scope) -> Value:
        if node.value in _WORDS:
            return constant(_WORDS[node.value])
        found = scope.lookup(node.value)
        if found is None:
            return UNKNOWN
        owner, bindings = found
        given = self.case.names.get((owner, node.value))
        if given is not None:
            return given
        reached = self._reaching(node, owner, bindings)
        if len(reached) > MOST:
            return UNKNOWN
        value = union(self._bound(node.value, binding, owner) for binding in reached)
        return value.open if self._may_change(node.value, owner) else value

    def _reaching(self, node: cst.Name, owner: Scope, bindings: list[Binding]) -> list[Binding]:
        """The bindings that a read may see."""
        if len(bindings) == 1 or node not in self.unit.index.parents:
            return bindings
        key = (owner, node.value)
        if key not in self.unit.memo:
            self.unit.memo[key] = Reaching(self.unit, node.value, owner)
        reaching: Reaching = self.unit.memo[key]
        noted, self._open = self._open, Open()
        found = reaching.at(node, self.truth)
        if found is None:  # what it asked for does not matter
            self._open = noted
            self._tests.clear()
        else:
            self._open = noted and noted.including(self._open)
        return found or bindings

    def _bound(self, name: str, binding: Binding, owner: Scope) -> Value:
        """What one binding makes of a name. A name that is made of itself is not followed."""
        if binding in self._seen or len(self._seen) > _MAX_DEPTH:
            return UNKNOWN
        self._seen.add(binding)
        try:
            if binding.kind is BindingKind.PARAMETER:
                return self._parameter(name, binding, owner)
            if binding.kind is BindingKind.LOOP:
                return self._loop(name, binding, owner)
            expression = binding.expression()
            if binding.kind is BindingKind.ELEMENT and expression is not None:
                value = self.pick(expression, owner, binding.element)
            elif binding.kind is BindingKind.ASSIGN:
                value = self.value(expression, owner)
            else:
                return UNKNOWN
        finally:
            self._seen.discard(binding)
        return value.learned(lambda option: option.origin or Origin(name, passing=True))

    # -- parameters ------------------------------------------------------------------------------------------

    def _parameter(self, name: str, binding: Binding, owner: Scope) -> Value:
        given = self.case.values.get(binding)
        if given is not None:
            return self._settled(binding, given)
        if isinstance(binding.node, cst.Param) and isinstance(binding.node.star, str) and binding.node.star:
            return UNKNOWN
        default = self.value(binding.expression(), owner.parent or owner)
        origin = Origin(f"default of {name} in {_function_name(owner)}")
        return self._passed(name, owner, default.learned(lambda option: origin))

    def _passed(self, name: str, function: Scope, default: Value) -> Value:
        """What a parameter is worth in the call that runs its function, or over all calls."""
        frame = self._frame(function, name)
        if frame is None:
            return default.open
        if frame.unknown:
            return UNKNOWN
        code = frame.arguments.get(name)
        return (
            present(self._carried(name, frame), default) if code is None else self._handed(name, code, frame)
        )

    def _frame(self, function: Scope, name: str) -> Frame | None:
        """The call that runs a function, if it is chosen with regard to this parameter."""
        frame = self.case.frames.get(function)
        if frame is not None and name in frame.names:
            return frame
        if self._open is not None:
            self._open.parameter(Called(self.unit, function), name)
        return None

    def _surplus(self, owner: Scope, key: str) -> Value:
        """What a function's `**kwargs` got under a key."""
        frame = self._frame(owner, key)
        if frame is None or frame.unknown:
            return UNKNOWN
        if key in frame.surplus:
            return self._handed(key, frame.surplus[key], frame)
        return self._carried(key, frame)

    def _carried(self, key: str, frame: Frame) -> Value:
        """What `*args` and `**kwargs` of a call carry for a parameter that it does not write."""
        entry = NOTHING
        for splat in frame.splats:
            entry = present(self.at(splat.unit).entry(splat.node, splat.scope, key), entry)
        return entry.open if frame.hidden else entry

    def _handed(self, name: str, code: Code, frame: Frame) -> Value:
        """What a call gives, with the line of the call where it is written there."""
        value = self.at(code.unit).value(code.node, code.scope)
        return value.learned(
            lambda option: (
                option.origin
                if option.origin is not None and not option.origin.passing
                else learned_from(f"{name}={option.value!r}", frame.calls)
            )
        )

    def _settled(self, key: Binding | tuple[Scope, str], value: Value) -> Value:
        if value.options and not value.known and self._open is not None:
            self._open.add(key, Several(key, value))
        return value

    # -- loops -----------------------------------------------------------------------------------------------

    def _loop(self, name: str, binding: Binding, owner: Scope) -> Value:
        expression, node = binding.expression(), binding.node
        if expression is None:
            return UNKNOWN
        outermost = isinstance(node, cst.CompFor) and self.unit.index.parents.get(node) is owner.node
        items = self.items(expression, (owner.parent or owner) if outermost else owner)
        if items is None:
            return UNKNOWN
        if binding.loop not in self.case.items:
            if self._open is not None:
                self._open.add(binding.loop, Looped(binding.loop, len(items)))
            value = union(item(binding.element) for item in items)
        else:
            index = self.case.items[binding.loop]
            value = items[index](binding.element) if index < len(items) else UNKNOWN
        place = At(self.unit, node) if node is not None else Row(binding.row)
        return value.learned(lambda option: Origin(f"{name}={option.value!r}", (place,)))

    # -- attributes ------------------------------------------------------------------------------------------

    def _attribute(self, node: cst.Attribute, scope: Scope) -> Value:
        """`self.strides`: what the class assigns to it, or the default that its body gives."""
        class_node = owner_of(self.unit, node.value)
        if class_node is None:
            return UNKNOWN
        owner, name = self.unit.index.scopes[class_node], node.attr.value
        key = (owner, f".{name}")
        given = self.case.names.get(key)
        if given is not None:
            return given
        if key in self.case.values:
            return self.case.values[key]
        if key in self._seen or len(self._seen) > _MAX_DEPTH:
            return UNKNOWN
        self._seen.add(key)
        try:
            value = self._held(class_node, owner, name)
        finally:
            self._seen.discard(key)
        return self._settled(key, value)

    def _held(self, class_node: cst.ClassDef, owner: Scope, name: str) -> Value:
        index = self.unit.index
        of_class = owner.bindings.get(name, [])
        if any(binding.kind is not BindingKind.ASSIGN for binding in of_class):
            return UNKNOWN  # a method, or a property
        stores = [
            attribute
            for attribute in index.attributes.get(name, ())
            if is_stored(self.unit, attribute) and owner_of(self.unit, attribute.value) is class_node
        ]
        values = [
            self.value(assigned(self.unit, store), index.scope_of(store))
            for store in stores
            if not left_out(self.unit, store, self.truth)
        ]
        if len(stores) == 1 and not reached_elsewhere(self.unit, name, class_node):
            return values[0] if values else UNKNOWN
        values += [self._field(class_node, owner, name)]
        return union(value for value in values if value.options).open

    def _field(self, class_node: cst.ClassDef, owner: Scope, name: str) -> Value:
        """A name of the class body: the default of all instances, or what a call gives a dataclass for it."""
        bindings = owner.bindings.get(name, [])
        default = union(self.value(binding.expression(), owner) for binding in bindings[-1:])
        origin = Origin(f"{class_node.name.value}.{name}")
        default = default.learned(lambda option: origin) if bindings else UNKNOWN
        if name not in fields_of(class_node) or "__init__" in owner.bindings:
            return default
        return self._passed(name, owner, default)

    # -- changes ---------------------------------------------------------------------------------------------

    def _may_change(self, name: str, owner: Scope) -> bool:
        """Whether a name may be bound anew, or its list changed, where none of its bindings shows it."""
        key = ("may change", owner, name)
        if key not in self.unit.memo:
            self.unit.memo[key] = self._changes_unseen(name, owner)
        changes: bool = self.unit.memo[key]
        return changes

    def _changes_unseen(self, name: str, owner: Scope) -> bool:
        if owner.kind == "module":
            mentions = self.unit.facts.mentions
            if owner.later_stars(name) or mentions["exec"] or mentions["globals"]:
                return True
        bound = [b.expression() for b in owner.bindings[name] if b.kind is BindingKind.ASSIGN]
        lists = [value for value in bound if value is not None and holds_list(value)]
        if not lists:
            return False
        nested = any(holds_list(child) for value in lists for child in value.children)
        return owner.kind != "function" or not all(
            self._leaves_alone(read, nested) for read in self.unit.index.names.get(name, ())
        )

    def _leaves_alone(self, name: cst.Name, nested: bool) -> bool:
        """Whether a list is bound here, run through, or given to an imported function, which reads it."""
        parent = self.unit.index.parents[name]
        if isinstance(parent, (cst.AssignTarget, cst.AnnAssign)):
            return True
        if isinstance(parent, (cst.For, cst.CompFor)) and parent.iter is name:
            return not nested
        call = self.unit.index.parents[parent] if isinstance(parent, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return False
        scope = self.unit.index.scope_of(call)
        if isinstance(call.func, cst.Name) and call.func.value in _READERS:
            return not nested and scope.lookup(call.func.value) is None
        meant = resolve(scope, call.func)
        return bool(meant.paths) and not meant.open


_READERS = frozenset({"enumerate", "zip", "len", "reversed", "tuple", "max", "min", "sum"})


def fields_of(node: cst.ClassDef) -> dict[str, None]:
    """The names that a class body annotates, which a dataclass takes as arguments in this order."""
    return dict.fromkeys(_annotated(node))


def _annotated(node: cst.ClassDef) -> Iterator[str]:
    for line in node.body.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
                yield statement.target.value


def _function_name(scope: Scope) -> str:
    return f"{scope.node.name.value}()" if isinstance(scope.node, cst.FunctionDef) else "a lambda"
