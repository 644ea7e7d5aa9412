"""What the module classes of a file are built of, and whether all that runs a part has been followed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.sites.site import Site
from padlint.sizes import building, modules
from padlint.sizes.attributes import Attributes
from padlint.sizes.blueprints import FRAMEWORKS, Blueprint, blueprints
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Extent, Lost
from padlint.sizes.held import (
    MODULES,
    Chained,
    Held,
    Instance,
    Items,
    calls_in,
    keys,
)
from padlint.sizes.roots import Roots
from padlint.syntax.attributes import class_around, owner_of
from padlint.syntax.functions import Function
from padlint.syntax.units import File

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions
    from padlint.sizes.flow import Flow

# Attributes that torch's layers compute with: a file that assigns them from outside may change any layer.
_GEOMETRY = frozenset(
    {
        *("kernel_size", "stride", "padding", "dilation", "output_padding", "ceil_mode", "return_indices"),
        *("output_size", "size", "scale_factor", "upscale_factor", "padding_mode", "weight", "data"),
        *("", "forward", "__call__", "__class__", "transposed", "start_dim", "end_dim", "_conv_forward"),
    }
)
_HOOKS = ("register_forward_hook", "register_forward_pre_hook", "register_module_forward_hook")

Home = tuple[Blueprint, str]
"""An attribute of a class."""


class Parts:
    """The instances that were built, and where their parts are used."""

    def __init__(self, file: File, flow: Flow) -> None:
        self.flow = flow
        self.blueprints = blueprints(file)
        self.attributes = Attributes()
        self.roots = Roots(file)
        facts = file.facts
        self.touched = not _GEOMETRY.isdisjoint(facts.stored) or any(facts.attributes[h] for h in _HOOKS)
        self.explained: set[cst.Attribute] = set()  # reads of modules that were followed
        self.refused: set[cst.Attribute] = set()  # and those that were not, in some run
        self.applied: set[cst.Call] = set()  # that build an instance whose forward pass was followed
        self.known: dict[Hashable, Instance] = {}
        self._file = file
        self._homes: dict[cst.Call, set[Home]] = {}
        self._roots: dict[Blueprint, dict[Hashable, Instance]] = {}
        self._seen: dict[Blueprint, bool] = {}

    # -- for the bodies --------------------------------------------------------------------------------------

    def key_of(self, blueprint: Blueprint, given: Mapping[str, Held]) -> Hashable:
        """Equal for instances that are built alike."""
        told = {name: held for name, held in given.items() if not isinstance(held, Instance) or not held.me}
        return blueprint, tuple(told), keys(told.values())

    def sealed(self, blueprint: Blueprint, found: Mapping[str, Held]) -> dict[str, Held]:
        """The attributes that an instance has when it is built, without those that may change later."""
        result: dict[str, Held] = {}
        frozen = blueprint.field_names if blueprint.protocol.fields else ()
        for name, held in found.items():
            if name in frozen and not isinstance(held, (*MODULES, Items)):
                result[name] = held
                continue
            attribute = self.attributes.of(blueprint, name)
            module = isinstance(held, (*MODULES, Items))
            reason = attribute.open if module else attribute.changed
            if module and self.touched:
                reason = reason or "the file changes layers from outside"
            result[name] = Lost(reason) if reason else held
            for call in calls_in(held):
                self._homes.setdefault(call, set()).add((blueprint, name))
        return result

    def built(self, body: Expressions, instance: Instance) -> Instance:
        """Note an instance that code outside of classes builds."""
        if class_around(body.scope) is None:
            self._roots.setdefault(instance.blueprint, {})[instance.told] = instance
        return instance

    def has_promise(self, blueprint: Blueprint) -> bool:
        """Whether the user has promised what size the instances of a class are given."""
        return self._promise(blueprint) is not None

    def promised(self, blueprint: Blueprint) -> Extent | None:
        """What a comment at a class, or at its forward pass, promises of every input; None without one."""
        method = blueprint.method(blueprint.protocol.run)
        found = self.flow.sources(blueprint.unit).promises.of_first(method) if method is not None else None
        return replace(found, channels_last=blueprint.protocol.framework != "torch") if found else None

    def _promise(self, blueprint: Blueprint) -> Extent | None:
        """What is promised of the input of a class: by a comment, or of all models."""
        found = self.promised(blueprint)
        if found is not None or not self.roots.is_root(blueprint.name):
            return found
        last = blueprint.protocol.framework != "torch"
        return self.flow.sources(blueprint.unit).whole_model(blueprint.name, channels_last=last)

    def whole(self, body: Expressions, site: Site, model: Chained) -> None:
        """Give a Sequential that is no part of anything the promised size."""
        scope, parent = site.scope, site.unit.index.parents[site.call]
        alone = isinstance(parent, (cst.Assign, cst.AnnAssign, cst.Expr, cst.Return))
        if alone and class_around(scope) is None and not self._helper_around(site):
            promise = self.flow.sources(site.unit).container(site)
            if isinstance(promise, Extent):
                modules.apply(body, model, promise, Environment())

    def _helper_around(self, site: Site) -> str:
        """The function that builds a layer for some class, empty if there is none."""
        around = (s.node.name.value for s in site.scope.chain() if isinstance(s.node, cst.FunctionDef))
        return next(filter(self.roots.helps, around), "")

    # -- the end of the run ----------------------------------------------------------------------------------

    def is_method(self, node: cst.CSTNode) -> bool:
        """Whether a function is a method of one of these classes."""
        return node in self._methods

    @cached_property
    def _methods(self) -> dict[cst.CSTNode, Blueprint]:
        return {
            function: blueprint
            for blueprint in self.blueprints.values()
            for function in blueprint.unit.index.functions
            if blueprint.unit.index.parents.get(function) is blueprint.node.body
        }

    def finish(self) -> None:
        """Run the models on the promised size, and then the methods that nothing has entered."""
        for blueprint in self.blueprints.values():
            if self.has_promise(blueprint):
                self._run_root(blueprint)
        for method, blueprint in self._methods.items():
            if method not in self.flow.runs.entered and isinstance(method, cst.FunctionDef):
                self.flow.alone(Function(blueprint.unit, method, method=True), "")

    def _run_root(self, blueprint: Blueprint) -> None:
        promise = self._promise(blueprint)
        body = self.flow.body_of(blueprint.unit, blueprint.unit.scope, (), "")
        if promise is None:
            return
        built = list(self._roots.get(blueprint, {}).values())
        if built and blueprint.takes_arguments:
            promise = promise.doubted(f"{blueprint.name} is built as in this file only")
        for instance in built or [*self._unknown(body, blueprint)]:
            modules.start(body, instance, promise)

    def _unknown(self, body: Expressions, blueprint: Blueprint) -> Iterator[Instance]:
        """An instance of which the arguments are not seen."""
        method = blueprint.method(blueprint.protocol.build)
        if method is None and blueprint.protocol.build in blueprint.methods:
            return
        params = method.params if method is not None else cst.Parameters()
        names = [p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)]
        if blueprint.protocol.fields:
            given: dict[str, Held] = {}
        else:
            given = {
                name: Lost(f"{name} is a parameter of {blueprint.name}", parameter=True) for name in names
            }
        instance = building.construct(body, blueprint, method, given)
        if instance is not None:
            yield instance

    # -- what may be claimed ---------------------------------------------------------------------------------

    def doubt(self, site: Site) -> str:
        """Why more may reach a layer or function than what was followed; empty if nothing does."""
        if site.operator.framework not in FRAMEWORKS:
            return ""
        helper = self._helper_around(site) if site.operator.kind is Kind.LAYER else ""
        if helper:
            return f"{helper}() builds it for several modules"
        owner = class_around(site.scope)
        blueprint = self.blueprints.get(owner.name.value) if owner is not None else None
        if blueprint is None or blueprint.node is not owner:
            return ""
        method = next((m for m in site.unit.ancestors(site.call) if m in self._methods), None)
        if isinstance(method, cst.FunctionDef) and method in self.flow.runs.entered:
            if not self._is_seen(blueprint):
                return f"{blueprint.name} is also used where its input is not followed"
            if not self._calls_seen(method, blueprint):
                return f"{method.name.value}() is also called where its input is not followed"
        for home in self._homes.get(site.call, ()):
            reason = self._home_doubt(*home)
            if reason:
                return reason
        return ""

    def in_attribute(self, site: Site) -> bool:
        """Whether a layer is a part of an instance."""
        return site.call in self._homes

    def _home_doubt(self, blueprint: Blueprint, name: str) -> str:
        """Why what an attribute holds may also be run unseen."""
        attribute = self.attributes.of(blueprint, name)
        if attribute.open:
            return attribute.open
        reads = set(attribute.reads)
        if not reads <= self.explained or reads & self.refused:
            return f"self.{name} is also used where its input is not followed"
        for read in reads:
            method = next((m for m in blueprint.unit.ancestors(read) if m in self._methods), None)
            if not isinstance(method, cst.FunctionDef) or not self._calls_seen(method, blueprint):
                return f"self.{name} is used in a method that is also called where its input is not followed"
        return ""

    def _is_seen(self, blueprint: Blueprint) -> bool:
        """Whether the file shows all that its classes do with a class."""
        if blueprint not in self._seen:
            self._seen[blueprint] = False  # for classes that build each other
            self._seen[blueprint] = self._all_seen(blueprint)
        return self._seen[blueprint]

    def _all_seen(self, blueprint: Blueprint) -> bool:
        if self.roots.is_root(blueprint.name) or self.promised(blueprint) is not None:
            return True
        builders = self.roots.builders(blueprint.name)
        if builders is None:
            return False
        homes = [self.blueprints.get(name) for name in builders]
        return all(
            home is not None and self._is_seen(home) and self._parts_seen(home, blueprint) for home in homes
        )

    def _parts_seen(self, home: Blueprint, blueprint: Blueprint) -> bool:
        """Whether all that a class does with another one is to build parts, whose runs were followed."""
        unit = home.unit
        for node in unit.index.names.get(blueprint.name, ()):
            if class_around(unit.index.scope_of(node)) is not home.node:
                continue
            call = unit.index.parents[node]
            if not isinstance(call, cst.Call) or call.func is not node:
                return False
            if call not in self.applied and call not in self._homes:
                return False
            method = next((m for m in unit.ancestors(call) if m in self._methods), None)
            if isinstance(method, cst.FunctionDef) and not self._calls_seen(method, home):
                return False
            if any(self._home_doubt(*place) for place in self._homes.get(call, ())):
                return False
        return True

    def _calls_seen(self, method: cst.FunctionDef, blueprint: Blueprint) -> bool:
        """Whether every call of a method was followed that the file shows."""
        runs, name = self.flow.runs, method.name.value
        if method in runs.refused:
            return False
        protocol = blueprint.protocol
        if name not in (protocol.run, protocol.build) and self._file.facts.foreign[name]:
            return False
        unit = blueprint.unit
        for node in unit.index.attributes.get(name, ()):
            if owner_of(unit, node.value) is not blueprint.node:
                continue
            call = unit.index.parents[node]
            if not isinstance(call, cst.Call) or call.func is not node or call not in runs.followed:
                return False
        return True
