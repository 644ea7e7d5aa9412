"""Whether a condition holds, as far as that is known at one point of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue import IMAGE_FORMAT
from padlint.sites.handed_over import handed_over
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Extent
from padlint.sizes.held import (
    ClassName,
    Closure,
    Constant,
    Graph,
    Held,
    Instance,
    Items,
    Layer,
    OperatorName,
    Stack,
)
from padlint.syntax.scopes import resolve

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions

_OBJECTS = (Closure, Graph, Layer, Instance, ClassName, OperatorName)


def truth_of(held: Held) -> bool | None:
    """Whether something counts as true, None where that is not known."""
    if isinstance(held, Constant):
        return bool(held.value.only) if held.value.known else None
    return True if isinstance(held, _OBJECTS) else None


def truth(body: Expressions, test: cst.BaseExpression, environment: Environment) -> bool | None:
    """Whether a test holds, None where that is not known."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = truth(body, test.expression, environment)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        decisive = isinstance(test.operator, cst.Or)
        sides = (truth(body, test.left, environment), truth(body, test.right, environment))
        return decisive if decisive in sides else None if None in sides else not decisive
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        none = isinstance(target.comparator, cst.Name) and target.comparator.value == "None"
        if none and isinstance(target.operator, (cst.Is, cst.IsNot)) and isinstance(test.left, cst.Name):
            held = environment.get(test.left.value)
            if isinstance(held, (Extent, Items, Stack, *_OBJECTS)):
                return isinstance(target.operator, cst.IsNot)
        return _compared(body, test, target, environment)
    value = body.value(test, environment)
    return bool(value.only) if value.known else None


def _compared(
    body: Expressions, test: cst.Comparison, target: cst.ComparisonTarget, environment: Environment
) -> bool | None:
    value = body.value(test, environment)
    if value.known:
        return bool(value.only)
    if _is_layout(body, test.left):
        other = body.value(target.comparator, environment)
        if other.known and isinstance(target.operator, (cst.Equal, cst.NotEqual)):
            return (other.only == "channels_last") is isinstance(target.operator, cst.Equal)
    return None


def _is_layout(body: Expressions, node: cst.BaseExpression) -> bool:
    """`keras.backend.image_data_format()`: layers without data_format are taken as channels_last too."""
    if not isinstance(node, cst.Call) or node.args:
        return False
    paths = resolve(body.scope, node.func).paths
    handed = handed_over(body.unit, body.scope, node.func)
    return any(IMAGE_FORMAT.fullmatch(path) for path in (*paths, handed))
