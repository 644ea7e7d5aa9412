"""What the statements of one function do to what its names hold, as it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import libcst as cst

from padlint.sizes import models
from padlint.sizes.assignments import Assignments
from padlint.sizes.environment import Environment, bound_names, leaves, target_names
from padlint.sizes.extent import Lost
from padlint.sizes.following import captured
from padlint.sizes.held import Closure, Constant, Held, either
from padlint.sizes.loops import ends_early, iterated
from padlint.sizes.truths import truth
from padlint.syntax.functions import Function
from padlint.syntax.values import UNKNOWN, Value

# Managers of `with` that may swallow an exception, and with it the rest of the block.
_SUPPRESSING = re.compile(r"suppress|raises", re.I)
_MOST_LOOPS = 2  # nested loops of which no count is known that are run twice to see what they keep


class Body(Assignments):
    """One run of the code of a function, a class or the module."""

    _loops = 0

    @cached_property
    def _returned(self) -> list[Held]:
        """What the code returns, even where only compiling it would refuse to: outside a function."""
        return []

    def run(self, function: cst.FunctionDef | cst.Lambda, environment: Environment) -> Held:
        """Run a function whose parameters are bound, and tell what it returns."""
        if isinstance(function, cst.Lambda):
            return self.held(function.body, environment)
        if self.block(function.body.body, environment):
            self._returned.append(Constant(Value((), complete=False)))
        if not self._returned:
            return Lost("it returns nothing")
        result = self._returned[0]
        for other in self._returned[1:]:
            result = either(result, other)
        return result

    # Each method tells whether the program may go on behind the statement.

    def block(self, body: Iterable[cst.CSTNode], environment: Environment) -> bool:
        """Run the statements of a block."""
        return all(self.statement(statement, environment) for statement in body)

    def statement(self, node: cst.CSTNode, environment: Environment) -> bool:
        """Run one statement."""
        self.flow.spent += 1
        kind = type(node)
        if kind in _LINES:
            return self.block(getattr(node, "body"), environment)  # noqa: B009 - which both types have
        compound = _COMPOUND.get(kind)
        if compound is not None:
            return compound(self, node, environment)
        simple = _SIMPLE.get(kind)
        if simple is not None:
            simple(self, node, environment)
        else:
            self.visit(node, environment)
            if kind in _REBINDING:
                environment.lose(bound_names(node), "{} is imported or deleted")
        return kind not in _LEAVING

    def _return(self, node: cst.Return, environment: Environment) -> None:
        value = node.value
        held: Held = Constant(UNKNOWN)
        if isinstance(value, cst.Name):
            held = self.peek(value, environment)
            if isinstance(held, Closure):
                held = captured(self, held, environment)
        elif value is not None:
            held = self.held(value, environment)
        self._returned.append(held)

    def _define(self, node: cst.FunctionDef | cst.ClassDef, environment: Environment) -> None:
        if isinstance(node, cst.ClassDef):
            self.flow.body_of(self.unit, self.unit.index.scopes[node], self.around, self.outside).block(
                node.body.body, Environment()
            )
        else:
            self.visit(node.params, environment)
        environment.lose(bound_names(node), "{} is a definition")
        name = node.name.value
        if isinstance(node, cst.FunctionDef) and not models.bound_elsewhere(self.unit, name, self.scope):
            environment.bind(name, Closure(Function(self.unit, node)))

    def _if(self, node: cst.If, environment: Environment) -> bool:
        holds = truth(self, node.test, environment)
        self.visit(node.test, environment)
        other_body = node.orelse
        if holds is True:
            return self.block(node.body.body, environment)
        taken, other = environment.branch(), environment.branch()
        goes_on = holds is None and self.block(node.body.body, taken)
        other_goes_on = True
        if isinstance(other_body, cst.If):
            other_goes_on = self._if(other_body, other)
        elif other_body is not None:
            other_goes_on = self.block(other_body.body.body, other)
        if goes_on and other_goes_on:
            environment.become_either(taken, other)
        else:
            environment.become(taken if goes_on else other)
        return goes_on or other_goes_on

    def _loop(self, node: cst.For | cst.While, environment: Environment) -> bool:
        early = ends_early(node)
        if isinstance(node, cst.For):
            items = iterated(self, node, environment)
            if items is not None and self.flow.afford(self.unit, len(items)):
                return self._unrolled(node, items, environment)
            self.visit(node.iter, environment)
        reason = f"{{}} is assigned in the loop of line {self.unit.row(node)}"
        names = bound_names(node)
        if not early and self._loops < _MOST_LOOPS:
            names = [
                *bound_names(node.target if isinstance(node, cst.For) else None),
                *self._changed(node, environment, reason),
            ]
        environment.lose(names, reason)
        inside, behind = environment.branch(), environment.branch()
        self._once(node, inside, reason)
        if node.orelse is not None:
            self.block(node.orelse.body.body, behind)
        environment.keep_objects((inside, behind))
        environment.lose(bound_names(node.orelse), reason)
        for name, held in inside.own.items():
            if environment.get(name) is None:
                environment.bind(name, held)
        return True

    def _changed(self, node: cst.For | cst.While, environment: Environment, reason: str) -> list[str]:
        """The names that one round of a loop changes, if it is left at its end only."""
        round_ = environment.branch()
        self._loops += 1
        self._once(node, round_, reason)
        self._loops -= 1
        if environment.changed_by(round_):
            return bound_names(node)
        return target_names(node.target) if isinstance(node, cst.For) else []

    def _once(self, node: cst.For | cst.While, environment: Environment, reason: str) -> None:
        if isinstance(node, cst.For):
            environment.lose(target_names(node.target), reason)
        else:
            self.visit(node.test, environment)
        self.block(node.body.body, environment)

    def _unrolled(self, node: cst.For, items: tuple[Held, ...], environment: Environment) -> bool:
        for item in items:
            self.store(node.target, item, environment)
            if not self.block(node.body.body, environment):
                return False
        return node.orelse is None or self.block(node.orelse.body.body, environment)

    def _try(self, node: cst.Try | cst.TryStar, environment: Environment) -> bool:
        reason = "{} depends on a try statement"
        interrupted = environment.branch()
        interrupted.lose(bound_names(node.body), reason)
        self.block(node.body.body, environment)
        if node.orelse is not None:
            self.block(node.orelse.body.body, environment)
        for handler in node.handlers:
            inside = interrupted.branch()
            inside.lose(bound_names(handler.name), reason)
            self.block(handler.body.body, inside)
            environment.keep_objects([inside])
        if any(not leaves(handler.body) for handler in node.handlers):
            environment.lose(bound_names(node.body, node.orelse, *node.handlers), reason)
        if node.finalbody is not None:
            interrupted.lose(bound_names(node.orelse, *node.handlers), reason)
            self.block(node.finalbody.body.body, interrupted)
            environment.lose(bound_names(node.finalbody), reason)
            environment.keep_objects([interrupted])
        return True

    def _with(self, node: cst.With, environment: Environment) -> bool:
        for item in node.items:
            self.visit(item.item, environment)
            environment.lose(bound_names(item.asname), "{} is what a with statement gives")
        goes_on = self.block(node.body.body, environment)
        printer = cst.Module([])
        if any(_SUPPRESSING.search(printer.code_for_node(item.item)) for item in node.items):
            environment.lose(bound_names(node.body), "{} depends on what a with statement suppresses")
            return True
        return goes_on

    def _match(self, node: cst.Match, environment: Environment) -> None:
        self.visit(node.subject, environment)
        reason = "{} depends on a match statement"
        for case in node.cases:
            inside = environment.branch()
            inside.lose(bound_names(case.pattern), reason)
            if case.guard is not None:
                self.visit(case.guard, inside)
            self.block(case.body.body, inside)
            environment.keep_objects([inside])
        environment.lose(bound_names(*node.cases), reason)


# By the type as it is: `isinstance` takes a while for nodes, since they have an abstract base. Each function
# takes the node type that is its key.
_LINES = frozenset({cst.SimpleStatementLine, cst.SimpleStatementSuite})
_REBINDING = frozenset({cst.Import, cst.ImportFrom, cst.Del})
_LEAVING = frozenset({cst.Return, cst.Raise, cst.Continue, cst.Break})
_COMPOUND: dict[type, Callable[[Body, Any, Environment], bool]] = {
    cst.If: Body._if,
    cst.For: Body._loop,
    cst.While: Body._loop,
    cst.Try: Body._try,
    cst.TryStar: Body._try,
    cst.With: Body._with,
}
_SIMPLE: dict[type, Callable[[Body, Any, Environment], None]] = {
    cst.Return: Body._return,
    cst.Assign: Body.assign,
    cst.AnnAssign: Body.assign,
    cst.AugAssign: Body.augment,
    cst.Match: Body._match,
    cst.FunctionDef: Body._define,
    cst.ClassDef: Body._define,
}
