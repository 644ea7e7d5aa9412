"""Lambda layers of Keras that are built from a lambda and applied at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from padlint.catalogue import LAMBDA
from padlint.sites.handed_over import handed_over
from padlint.sizes.environment import Environment
from padlint.sizes.extent import Extent, Known, Lost
from padlint.sizes.following import enter
from padlint.sizes.held import Closure, Held
from padlint.syntax.functions import Function
from padlint.syntax.scopes import resolve

if TYPE_CHECKING:
    from padlint.sizes.expressions import Expressions


def applied(body: Expressions, node: cst.Call, environment: Environment) -> Known | None:
    """What such a layer gives: what its function makes of the argument. None for any other call."""
    layer = node.func
    if not isinstance(layer, cst.Call) or len(node.args) != 1 or node.args[0].star or not layer.args:
        return None
    first = layer.args[0]
    if not isinstance(first.value, cst.Lambda) or first.keyword is not None:
        return None
    meant = resolve(body.scope, layer.func)
    paths = set(meant.paths)
    sure = bool(paths) and not meant.open and not meant.unsure and all(map(LAMBDA.fullmatch, paths))
    if not any(map(LAMBDA.fullmatch, {*paths, handed_over(body.unit, body.scope, layer.func)})):
        return None
    params = first.value.params
    plain = [*params.posonly_params, *params.params]
    if not plain or isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None:
        return None
    for arg in layer.args[1:]:
        body.visit(arg, environment)
    given: dict[str, Held] = {
        param.name.value: Lost(f"{param.name.value} is given by the Lambda layer")
        for param in (*plain, *params.kwonly_params)
    }
    given[plain[0].name.value] = body.held(node.args[0].value, environment)
    held = enter(body, Closure(Function(body.unit, first.value)), given, environment)
    if not isinstance(held, Extent):
        return held if isinstance(held, Lost) else Lost("what a Lambda layer gives is not followed")
    body.flow.runs.followed.add(node)
    return held if sure else held.doubted(f"{body.unit.text(layer.func)} is keras.layers.Lambda")
