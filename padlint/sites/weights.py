"""The kernel sizes of functions, which the shape of their weight says."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.catalogue.pads import GREATEST
from padlint.sites.site import Site
from padlint.syntax.scopes import BindingKind, Scope, resolve
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator, combine

# Functions that make an array from a shape, and the parameter that takes it.
_MAKERS = frozenset(
    {
        *("torch.zeros", "torch.ones", "torch.rand", "torch.randn", "torch.empty"),
        *("tensorflow.zeros", "tensorflow.ones", "tensorflow.fill", "tensorflow.random.normal"),
        *("tensorflow.random.uniform", "tensorflow.random.truncated_normal", "tensorflow.random_normal"),
        *("tensorflow.random_uniform", "tensorflow.truncated_normal", "tensorflow.compat.v1.zeros"),
        *("tensorflow.compat.v1.random_normal", "tensorflow.compat.v1.truncated_normal"),
    }
)
_WRAPPERS = frozenset({"tensorflow.Variable", "tensorflow.compat.v1.Variable"})
_SHAPE_NAMES = frozenset({"shape", "dims", "size", "initial_value"})


def weight_shape(site: Site) -> tuple[int, ...] | None:
    """The kernel sizes of a weight that the file makes with a literal shape; None if it does not show."""
    argument = site.argument("weight")
    if argument is None or site.operator.kind is not Kind.FUNCTION:
        return None
    shape = _Shapes(site.unit).of(argument.value, site.scope)
    if shape is None or len(shape) < 3:
        return None
    kernel = shape[2:] if site.operator.framework == "torch" else shape[:-2]
    return kernel if max(kernel) <= GREATEST else None


@dataclass
class _Shapes:
    """Finds the shape of an array that the file makes. `names` are those on the way."""

    unit: Unit
    names: set[str] = field(default_factory=set)

    def of(self, node: cst.BaseExpression, scope: Scope) -> tuple[int, ...] | None:
        """The shape of what an expression in a scope is worth, None where it is not certain."""
        if isinstance(node, cst.Name):
            return self._named(node.value, scope)
        if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
            return None
        meant = resolve(scope, node.func)
        if len(meant.paths) != 1 or meant.open:
            return None
        given = _argument(node, _SHAPE_NAMES)
        if meant.paths[0] in _WRAPPERS:
            return self.of(given, scope) if given is not None else None
        if meant.paths[0] not in _MAKERS or given is None:
            return None
        evaluator = Evaluator(self.unit)
        plain = [arg.value for arg in node.args if arg.keyword is None]
        if meant.paths[0].startswith("torch.") and len(plain) > 1:  # torch.zeros(8, 3, 5, 5)
            value = combine([evaluator.value(size, scope) for size in plain], lambda *sizes: sizes)
        else:
            value = evaluator.value(given, scope)
        shape = value.only if value.known else None
        if isinstance(shape, tuple) and all(isinstance(n, int) and n > 0 for n in shape):
            return shape
        return None

    def _named(self, name: str, scope: Scope) -> tuple[int, ...] | None:
        found = scope.lookup(name)
        if found is None or len(found[1]) != 1 or name in self.names:
            return None
        (binding,) = found[1]
        value = binding.expression() if binding.kind is BindingKind.ASSIGN else None
        self.names.add(name)
        return self.of(value, found[0]) if value is not None else None


def _argument(call: cst.Call, names: frozenset[str]) -> cst.BaseExpression | None:
    """The argument with one of these names, or else the first one."""
    for arg in call.args:
        if arg.keyword is not None and arg.keyword.value in names:
            return arg.value
    first = next(iter(call.args), None)
    return first.value if first is not None and first.keyword is None else None
