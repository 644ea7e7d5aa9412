"""Which argument of a call goes to which parameter of a known signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import libcst as cst


class ParameterLike(Protocol):
    """What binding needs to know of a parameter."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def keyword_only(self) -> bool:
        """Whether it cannot be given by position."""


@dataclass
class Bound:
    """Arguments by parameter name. `star` and `splats` hold `*args` and every `**kwargs` of the call."""

    arguments: dict[str, cst.Arg] = field(default_factory=dict)
    unknown: dict[str, cst.Arg] = field(default_factory=dict)  # keywords that the signature lacks
    star: cst.Arg | None = None
    splats: list[cst.Arg] = field(default_factory=list)
    surplus: bool = False  # more positional arguments than the signature takes

    @property
    def double_star(self) -> cst.Arg | None:
        """The last `**kwargs` of the call."""
        return self.splats[-1] if self.splats else None

    def value(self, name: str) -> cst.BaseExpression | None:
        """The expression given for a parameter, or None."""
        argument = self.arguments.get(name)
        return argument.value if argument is not None else None

    def may_carry(self, name: str) -> bool:
        """Whether a parameter that is not written may be in `*args` or `**kwargs`."""
        return name not in self.arguments and (self.star is not None or self.double_star is not None)


def bind(call: cst.Call, signature: Sequence[ParameterLike]) -> Bound:
    """Bind a call's arguments; after `*args` positions are unknown and positional arguments are dropped."""
    bound = Bound()
    positional = iter([parameter.name for parameter in signature if not parameter.keyword_only])
    names = {parameter.name for parameter in signature}
    for arg in call.args:
        if arg.star == "*":
            bound.star = arg
        elif arg.star == "**":
            bound.splats.append(arg)
        elif arg.keyword is not None:
            target = bound.arguments if arg.keyword.value in names else bound.unknown
            target.setdefault(arg.keyword.value, arg)
        elif bound.star is None:
            name = next(positional, None)
            if name is None:
                bound.surplus = True
            else:
                bound.arguments[name] = arg
    return bound
