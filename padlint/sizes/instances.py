"""Instances of the file's module classes: their attributes are read, and their methods entered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from padlint.sites.site import Site
from padlint.sizes import building, modules, tensors
from padlint.sizes.environment import Environment
from padlint.sizes.examples import example
from padlint.sizes.extent import Extent, Lost
from padlint.sizes.held import (
    MODULES,
    ClassName,
    Closure,
    Constant,
    Held,
    Instance,
    Items,
    Layer,
    OperatorName,
)
from padlint.sizes.points import attribute_of
from padlint.syntax.attributes import replaced
from padlint.syntax.functions import Function
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator

# Methods of a linen module that run it with its variables, or to make them.
_BINDING = frozenset({"init", "apply", "init_with_output", "tabulate", "lazy_init"})

_OTHER_WAYS = frozenset({"method", "capture_intermediates"})
_TAKEN = frozenset({"rngs", "mutable"})

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions


def _holder(body: Expressions, node: cst.Attribute, environment: Environment) -> tuple[Instance, str] | None:
    """The instance that an attribute is read of, and the name that holds it."""
    value = node.value
    if isinstance(value, cst.Name):
        held = environment.get(value.value)
        return (held, value.value) if isinstance(held, Instance) else None
    if isinstance(value, (cst.Attribute, cst.Subscript)):
        inner = callee(body, value, environment)
        return (inner, "") if isinstance(inner, Instance) else None
    return None


def _read(body: Expressions, node: cst.Attribute, environment: Environment) -> Held | None:
    holder = _holder(body, node, environment)
    return attribute_of(*holder, node.attr.value, environment) if holder is not None else None


def attribute(body: Expressions, node: cst.Attribute, environment: Environment) -> Held | None:
    """What an attribute of an instance holds where it is not applied; None if it is no module."""
    held = _read(body, node, environment)
    if held is None or isinstance(held, Constant):
        return None
    holder = _holder(body, node, environment)
    if holder is not None and not holder[0].building and isinstance(held, (*MODULES, Items)):
        body.flow.parts.refused.add(node)
    return held


def callee(body: Expressions, func: cst.BaseExpression, environment: Environment) -> Held | None:
    """The module or method that a call runs."""
    if isinstance(func, cst.Subscript):
        return _element(body, func, environment)
    if not isinstance(func, cst.Attribute):
        return None
    if func.attr.value == "forward":
        module = _module(body, func.value, environment)
        if module is not None:
            return module
    holder = _holder(body, func, environment)
    if holder is None:
        return None
    instance, name = holder
    word = func.attr.value
    held = attribute_of(instance, name, word, environment)
    if held is not None:
        (body.flow.parts.explained if isinstance(held, MODULES) else body.flow.parts.refused).add(func)
        return held
    method = instance.blueprint.method(word)
    if method is None or replaced(instance.blueprint.unit, word):
        return None
    return Closure(Function(instance.blueprint.unit, method, method=True), me=replace(instance, me=True))


def _module(body: Expressions, node: cst.BaseExpression, environment: Environment) -> Held | None:
    """The module whose forward pass is run by its name."""
    if isinstance(node, cst.Name):
        held = environment.get(node.value)
        if isinstance(held, Instance) and held.me:
            return None  # a method like any other
    else:
        held = callee(body, node, environment)
    return held if isinstance(held, MODULES) else None


def _element(body: Expressions, node: cst.Subscript, environment: Environment) -> Held | None:
    """A module out of a list or Sequential."""
    inner = node.value
    held: Held | None = None
    if isinstance(inner, cst.Attribute):
        held = _read(body, inner, environment)
    elif isinstance(inner, cst.Name):
        held = environment.get(inner.value)
    elif isinstance(inner, cst.Subscript):
        held = _element(body, inner, environment)
    index = node.slice[0].slice
    if held is None or len(node.slice) != 1 or not isinstance(index, cst.Index):
        return None
    body.visit(index.value, environment)
    found = modules.element(held, body.value(index.value, environment))
    if isinstance(inner, cst.Attribute):
        known = isinstance(found, MODULES)
        (body.flow.parts.explained if known else body.flow.parts.refused).add(inner)
    return found


def listed(
    body: Expressions, node: cst.Attribute | cst.Subscript, environment: Environment
) -> tuple[Held, ...] | None:
    """The modules that a loop over an attribute goes through."""
    if not isinstance(node, cst.Attribute):
        return None
    found = modules.items(_read(body, node, environment))
    if found is not None:
        body.flow.parts.explained.add(node)
    return found


def named(body: Expressions, node: cst.Name) -> Held | None:
    """A module class of the file by its name."""
    found = body.scope.lookup(node.value)
    if found is None or found[0].kind != "module":
        return None
    blueprint = body.flow.parts.blueprints.get(node.value)
    return ClassName(blueprint) if blueprint is not None else None


def called(body: Expressions, node: cst.Call, found: Held | None, environment: Environment) -> Held | None:
    """What a call of a class, a module or a method of a constructor gives; None for anything else."""
    if isinstance(found, ClassName):
        return building.build(body, found.blueprint, node, environment)
    if isinstance(found, OperatorName):
        for arg in node.args:
            body.visit(arg, environment)
        if body.flow.cases is None:
            return Lost("the file shows no operator")
        site = Site(body.unit, node, found.operator, body.scope, sure=True, cases=body.flow.cases)
        return Layer(site.at(body.point(environment).of(*node.args)))
    if isinstance(found, Closure) and found.me is not None:
        if found.me.building:
            return building.step(body, node, found, environment) or Lost(
                "it is built in a way that is not followed"
            )
        return None
    bound = _bound(body, node, environment)
    if bound is not None:
        return bound
    if found is not None and isinstance(found, MODULES):
        return modules.applied(body, node, found, environment)
    return None


def _bound(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """`model.init(key, x)` and `model.apply(variables, x)` of Flax, which run the module on what follows."""
    func = node.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in _BINDING:
        return None
    holder = _holder(body, func, environment)
    module: Held | None = holder[0] if holder is not None else None
    if holder is None and isinstance(func.value, cst.Call):
        module = body.held(func.value, environment)
    if not isinstance(module, Instance) or module.me or not module.blueprint.protocol.fields:
        return None
    named = {arg.keyword.value for arg in node.args if arg.keyword is not None}
    if not node.args or node.args[0].keyword is not None or node.args[0].star or named & _OTHER_WAYS:
        return Lost(f"what .{func.attr.value} runs is not known")
    handed = (arg for arg in node.args[1:] if arg.keyword is None or arg.keyword.value not in _TAKEN)
    given_on = [*handed]
    result = modules.applied(body, node, module, environment, given_on)
    several = func.attr.value != "apply" or "mutable" in named
    return Lost(f".{func.attr.value} returns more than a tensor") if several else result


def tensor_call(body: Expressions, node: cst.Call, environment: Environment) -> Held | None:
    """A method of a tensor, a call that makes one from literals, or one that hands on a module."""
    evaluator = Evaluator(body.unit, bindings=body.point(environment))
    func, subject = node.func, None
    if isinstance(func, cst.Attribute) and not body.harmless(func, environment):
        subject = body.held(func.value, environment)
    fluent = isinstance(func, cst.Attribute) and func.attr.value in modules.FLUENT
    if fluent and isinstance(func, cst.Attribute) and isinstance(func.value, cst.Name) and subject is None:
        subject = environment.get(func.value.value)
    paths = set(resolve(body.scope, func).paths)
    given: list[Held] = []
    for arg in node.args:
        inner = arg.value
        peeked = (
            environment.get(inner.value) if isinstance(inner, cst.Name) and paths & modules.WRAPPERS else None
        )
        given.append(peeked or body.held(inner, environment))
    if isinstance(subject, MODULES):
        return subject if fluent else None
    if given and isinstance(given[0], MODULES) and paths & modules.WRAPPERS:
        return given[0]
    if isinstance(subject, Lost) and isinstance(func, cst.Attribute) and func.attr.value in tensors.KEEP:
        return subject
    if isinstance(subject, Extent):
        return tensors.method(node, subject, given, evaluator)
    if tensors.is_same_shape(body.scope, node) and isinstance(given[0], Extent):
        return given[0]
    return example(evaluator, node)
