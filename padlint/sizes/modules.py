"""Modules of torch and Flax applied to tensors, one by one or in containers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

import libcst as cst

from padlint.sites.site import Site
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Basis, Extent, Lost
from padlint.sizes.following import arguments, default, enter
from padlint.sizes.held import (
    MODULES,
    Chained,
    Closure,
    Constant,
    Held,
    Instance,
    Items,
    Layer,
    Listed,
    OneOf,
    either,
    tensor,
)
from padlint.syntax.attributes import class_around
from padlint.syntax.binding import bind
from padlint.syntax.functions import Function
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Value

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

FLUENT = frozenset(
    {"to", "cuda", "cpu", "eval", "train", "half", "float", "double", "bfloat16", "requires_grad_"}
)
"""Methods of a module that return it."""

WRAPPERS = frozenset(
    {
        *("torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm", "torch.compile", "torch.jit.script"),
        *("torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrizations.spectral_norm"),
        *("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"),
    }
)
"""Functions that return a module which computes the same sizes as the one that they are given."""


# -- containers --------------------------------------------------------------------------------------------


def container(body: Expressions, site: Site, environment: Environment) -> Held:
    """A Sequential, ModuleList or ModuleDict with what its call holds."""
    found: list[tuple[str, Held]] = []
    complete = True
    for arg in site.call.args:
        if arg.keyword is not None and arg.keyword.value not in ("layers", "modules"):
            body.visit(arg, environment)
            continue
        more = _held_by(body, site, arg, environment)
        complete = complete and more is not None
        found += more or [("", Lost("what is unpacked into a Sequential is not known"))]
    held = tuple(module for _, module in found)
    if site.operator.short == "Sequential":
        body.flow.parts.whole(body, site, Chained(held))
        return Chained(held)
    names = tuple(name for name, _ in found if name) if site.operator.short == "ModuleDict" else ()
    if not complete or (names and len(names) < len(held)):
        return Lost(f"what {site.written} in line {site.unit.row(site.call)} holds is not known")
    return Listed(held, names)


def _held_by(
    body: Expressions, site: Site, arg: cst.Arg, environment: Environment
) -> list[tuple[str, Held]] | None:
    """The modules in one argument, with their names if it has any."""
    value = arg.value
    pairs = _pairs(site, value)
    if pairs is not None:
        return [(name, body.held(module, environment)) for name, module in pairs]
    # A name is looked at without handing on what it holds, since containers change nothing.
    held = body.peek(value, environment) if isinstance(value, cst.Name) else body.held(value, environment)
    several = arg.star or isinstance(held, Items) or site.operator.short != "Sequential"
    if not several:
        return [("", held)]
    found = items(held)
    return [("", module) for module in found] if found is not None else None


def _pairs(site: Site, node: cst.BaseExpression) -> list[tuple[str, cst.BaseExpression]] | None:
    """The names and modules in a dict or an OrderedDict; None for anything else."""
    if isinstance(node, cst.Dict):
        entries = [e for e in node.elements if isinstance(e, cst.DictElement)]
        named = [(_text(e.key), e.value) for e in entries]
        return named if len(entries) == len(node.elements) and all(name for name, _ in named) else None
    if not isinstance(node, cst.Call) or len(node.args) != 1 or node.args[0].star or node.args[0].keyword:
        return None
    if resolve(site.scope, node.func).paths != ("collections.OrderedDict",):
        return None
    pairs = node.args[0].value
    if not isinstance(pairs, (cst.List, cst.Tuple)):
        return _pairs(site, pairs)
    found: list[tuple[str, cst.BaseExpression]] = []
    for element in pairs.elements:
        pair = element.value
        if isinstance(element, cst.StarredElement) or not isinstance(pair, (cst.Tuple, cst.List)):
            return None
        if len(pair.elements) != 2 or not _text(pair.elements[0].value):
            return None
        found.append((_text(pair.elements[0].value), pair.elements[1].value))
    return found


def _text(node: cst.BaseExpression) -> str:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else ""
    return value if isinstance(value, str) else ""


def items(held: Held | None) -> tuple[Held, ...] | None:
    """The modules that one gets by going through something; None where they are not known."""
    if isinstance(held, Items):
        return held.items
    if isinstance(held, Listed) and held.names:
        return None
    return held.modules if isinstance(held, (Listed, Chained)) else None


def element(held: Held, index: Value) -> Held:
    """One module of a list, Sequential or dict; one of all of them where the index is not known."""
    found = items(held)
    if isinstance(held, Listed) and held.names:
        found = held.modules
        if index.known and index.only in held.names:
            return found[held.names.index(index.only)]
    if not found:
        return Lost("it is an element of something that is not known")
    if index.known and isinstance(index.only, int) and not (isinstance(held, Listed) and held.names):
        inside = -len(found) <= index.only < len(found)
        return found[index.only] if inside else Lost("the list has fewer modules")
    if all(isinstance(module, MODULES) for module in found):
        return OneOf(found)
    return Lost("which module of a list it is is not known")


# -- application -------------------------------------------------------------------------------------------


def applied(
    body: Expressions,
    node: cst.Call,
    module: Held,
    environment: Environment,
    given_on: Sequence[cst.Arg] | None = None,
) -> Held:
    """What the call of a module gives; `given_on` as in `arguments`."""
    example = class_around(body.scope) is None and not isinstance(module, Layer)
    if isinstance(module, Instance):
        blueprint = module.blueprint
        method = blueprint.method(blueprint.protocol.run)
        if method is None:
            _visit(body, node, environment)
            return Lost(f"what {blueprint.name} does is not followed")
        closure = Closure(Function(blueprint.unit, method, method=True), me=replace(module, me=True))
        given = arguments(body, node, closure, environment, given_on)
        if given is not None and example:
            given = {name: _as_example(held, body, node, blueprint.name) for name, held in given.items()}
        if example and body.flow.parts.has_promise(blueprint):
            return Lost("the promised size counts, not that of one call")
        body.flow.runs.followed.add(node)
        return run(body, module, given, environment)
    held = [body.held(arg.value, environment) for arg in node.args]
    if len(held) != 1 or node.args[0].star:
        return Lost("a model is given more than its input")
    body.flow.runs.followed.add(node)
    if example:
        if body.flow.options.promises:
            return Lost("the promised size counts, not that of one call")
        held = [_as_example(held[0], body, node, "the model")]
    return apply(body, module, held[0], environment)


def _visit(body: Expressions, node: cst.Call, environment: Environment) -> None:
    for arg in node.args:
        body.visit(arg, environment)


def _as_example(held: Held, body: Expressions, node: cst.Call, name: str) -> Held:
    """A tensor that a model is tried on: others may be given to it elsewhere."""
    if not isinstance(held, Extent) or held.effective_basis is not Basis.LITERAL:
        return held
    return replace(held, basis=Basis.ASSUMED, note=f"{name} is called as in line {body.unit.row(node)} only")


def apply(body: Expressions, module: Held, given: Held, environment: Environment) -> Held:
    """What a module makes of one tensor."""
    if isinstance(module, Layer):
        return body.flow.reach(body, module.site, tensor(given))
    if isinstance(module, Chained):
        for part in module.modules:
            given = apply(body, part, given, environment)
        return given
    if isinstance(module, OneOf):
        results = [
            apply(body, one, given, environment) for one in module.options if not isinstance(one, Constant)
        ]
        result = results[0]
        for other in results[1:]:
            result = either(result, other)
        return result
    if isinstance(module, Instance):
        given = body.flow.parts.promised(module.blueprint) or given
        return run(body, module, _positional(module, given), environment)
    return module if isinstance(module, Lost) else Lost("it is no module that padlint knows")


def _positional(instance: Instance, given: Held) -> dict[str, Held] | None:
    """The parameters of a forward pass that is given one tensor."""
    method = instance.blueprint.method(instance.blueprint.protocol.run)
    if (
        method is None
        or isinstance(method.params.star_arg, cst.Param)
        or method.params.star_kwarg is not None
    ):
        return None
    first, *others = [*method.params.posonly_params, *method.params.params]
    if not others:
        return None
    function = Function(instance.blueprint.unit, method, method=True)
    nothing = bind(cst.Call(cst.Name("forward")), [])
    values: dict[str, Held] = {first.name.value: replace(instance, me=True), others[0].name.value: given}
    for param in (*others[1:], *method.params.kwonly_params):
        values[param.name.value] = default(function, param, nothing)
    return values


def run(
    body: Expressions, instance: Instance, given: dict[str, Held] | None, environment: Environment
) -> Held:
    """What the forward pass of an instance returns."""
    blueprint = instance.blueprint
    method = blueprint.method(blueprint.protocol.run)
    lost = Lost(f"what {blueprint.name} does is not followed")
    if method is None or given is None:
        return lost
    closure = Closure(Function(blueprint.unit, method, method=True), me=replace(instance, me=True))
    note = f"{blueprint.name} is used as in this file only"
    known = body.flow.parts.promised(blueprint) is not None or instance.call is None
    sure = [held for held in given.values() if _is_sure(held) and not known]
    if sure:
        given = {name: held.doubted(note) if _is_sure(held) else held for name, held in given.items()}
    held = enter(body, closure, given, environment)
    if held is None:
        return lost
    if sure and isinstance(held, Extent) and held.note == note:
        # Inside of the class that built it, a part is what it is.
        worst = max(sure, key=lambda extent: extent.basis)
        held = replace(held, basis=worst.basis, note=worst.note)
    if instance.call is not None:
        body.flow.parts.applied.add(instance.call)
    return held


def start(body: Expressions, instance: Instance, promise: Extent) -> None:
    """Run a model on the size that is promised for it."""
    run(body, replace(instance, call=None), _positional(instance, promise), Environment())


def _is_sure(held: Held) -> TypeGuard[Extent]:
    """Whether a size is enforced or promised."""
    return isinstance(held, Extent) and held.effective_basis is not Basis.ASSUMED
