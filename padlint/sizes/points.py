"""What the constants of a program are worth at one point of a run."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import libcst as cst

from padlint.sizes.environment import Environment, target_names
from padlint.sizes.extent import Lost
from padlint.sizes.held import Bound, Held, Instance, key, value_of
from padlint.syntax.scopes import Scope
from padlint.syntax.values import Value
from padlint.syntax.walk import descendants


class Point(Bound):
    """What the names of some scopes are worth at one point of a run."""

    def __init__(self, scopes: tuple[tuple[Scope, Environment], ...]) -> None:
        self._scopes = scopes

    @property
    def told(self) -> Hashable:
        """Equal where the same names hold the same."""
        return tuple(
            (id(scope), tuple((name, key(held)) for name, held in sorted(environment.flat().items())))
            for scope, environment in self._scopes
        )

    def __getitem__(self, key: tuple[Scope, str]) -> Value:
        scope, name = key
        if name.startswith("."):
            return _constant_of(scope, name[1:], self._scopes)
        for owner, environment in self._scopes:
            if owner is scope:
                held = environment.get(name)
                if held is None and owner.kind in ("module", "class"):
                    break
                if isinstance(held, Lost) and held.parameter:
                    break  # the file may tell its default
                return value_of(held)
        raise KeyError(key)

    def __iter__(self) -> Iterator[tuple[Scope, str]]:
        return iter(())

    def __len__(self) -> int:
        return len(self._scopes)

    def of(self, *nodes: cst.CSTNode) -> Point:
        """The same, as it is now, as far as some code asks."""
        asked = {
            name
            for node in nodes
            for part in descendants(node)
            if isinstance(part, (cst.Name, cst.Attribute))
            for name in target_names(part)
        }
        scopes: list[tuple[Scope, Environment]] = []
        for scope, environment in self._scopes:
            held = {name: environment.get(name) for name in asked}
            scopes.append((scope, Environment({name: h for name, h in held.items() if h is not None})))
        return Point(tuple(scopes))


def _constant_of(scope: Scope, name: str, scopes: Iterable[tuple[Scope, Environment]]) -> Value:
    """What a constant attribute of the object itself is worth; KeyError where the class alone tells."""
    for owner, environment in scopes:
        me = me_of(owner.node) if isinstance(owner.node, cst.FunctionDef) else ""
        held = environment.get(me)
        if isinstance(held, Instance) and held.blueprint.scope is scope:
            found = attribute_of(held, me, name, environment)
            if found is not None:
                return value_of(found)
    raise KeyError(name)


def me_of(method: cst.FunctionDef) -> str:
    """The name by which a method knows its object."""
    params = [*method.params.posonly_params, *method.params.params]
    return params[0].name.value if params else ""


def attribute_of(instance: Instance, name: str, attribute: str, environment: Environment) -> Held | None:
    """An attribute of an instance that a name holds."""
    if instance.building:
        return environment.get(f"{name}.{attribute}")
    return instance.attributes.get(attribute)
