"""Where a size can enter: declared inputs, signatures, and what the user promised."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import libcst as cst

from padlint.geometry import UNKNOWN, Exact, Size
from padlint.sites.site import Site
from padlint.sizes.extent import Basis, Chain, Extent, Known, Lost, describe
from padlint.sizes.operators import doubted
from padlint.sizes.promises import Promises
from padlint.sizes.steps import Step, Steps
from padlint.syntax.attributes import decorator_names
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator, Value

_SPECS = frozenset({"tensorflow.TensorSpec", "tensorflow.compat.v2.TensorSpec"})
_FUNCTION = frozenset({"tensorflow.function", "tensorflow.compat.v2.function"})
_MODELS = frozenset(
    {
        *("keras.Model", "keras.models.Model", "tensorflow.keras.Model", "tensorflow.keras.models.Model"),
        *("tf_keras.Model", "tf_keras.models.Model", "keras.src.models.model.Model"),
    }
)


class Sources:
    """Extents of declared and promised inputs in one unit."""

    def __init__(self, unit: Unit, promises: Promises) -> None:
        self.unit = unit
        self.promises = promises

    def whole_model(self, name: str, *, channels_last: bool) -> Extent | None:
        """The promise for the input of a class that no other one builds."""
        assumed = self._assumed(f"{name} is the whole model")
        return replace(assumed, channels_last=channels_last) if assumed is not None else None

    def _assumed(self, note: str) -> Extent | None:
        promise = self.promises.everywhere
        return promise.doubted(note) if promise is not None else None

    # -- declared inputs -------------------------------------------------------------------------------------

    def declared(self, site: Site, *, sequential: bool = False) -> Known:
        """The extent of `Input(shape=...)` or an InputLayer."""
        return doubted(site, self._declared(site, sequential))

    def _declared(self, site: Site, sequential: bool) -> Known:
        for role, skip in (("shape", 0), ("batch_shape", 1)):
            argument = site.argument(role)
            if argument is not None:
                return self._from_shape(site.value(role), skip, site, sequential)
        return (
            self._from_keywords(site, sequential)
            or self.promises.of(site.call)
            or Lost("the Input has no shape")
        )

    def _from_keywords(self, site: Site, sequential: bool) -> Known | None:
        for name, skip in (("input_shape", 0), ("batch_input_shape", 1), ("batch_shape", 1)):
            argument = site.bound.unknown.get(name) or site.bound.arguments.get(name)
            if argument is not None:
                value = Evaluator(self.unit, site.bindings).value(argument.value, site.scope)
                return self._from_shape(value, skip, site, sequential)
        return None

    def declared_by_layer(self, site: Site) -> Known | None:
        """The extent that `input_shape=` of a Keras layer declares, None if it has none."""
        if site.operator.framework != "keras" or not site.operator.var_keyword:
            return None
        return self._from_keywords(site, sequential=True)

    def _from_shape(self, value: Value, skip: int, site: Site, sequential: bool) -> Known:
        where = f"{site.operator.short}, line {self.unit.row(site.call)}"
        chain = Chain() if sequential else None
        promise = self.promises.of(site.call)
        if not value.options or not all(isinstance(option.value, tuple) for option in value.options):
            return promise or Lost(f"the shape of the {where} is not known")
        if not value.known:
            if promise is not None:
                return promise
            if len(value.options) != 1:
                return Lost(f"the shape of the {where} may be one of several")
        shape = value.options[0].value[skip:]
        sizes = _sizes(shape)
        if promise is not None and any(size is UNKNOWN for size in sizes[:-1]):
            return _filled(promise, sizes, where)
        if not sizes or all(size is UNKNOWN for size in sizes[:-1]):
            return Lost(f"the {where} leaves the size open", open=True)
        note = "" if value.known else f"the {value.origin} is {shape}"
        basis = Basis.LITERAL if value.known else Basis.ASSUMED
        step = Step(describe(sizes[:-1]), where)
        return Extent(sizes, basis, Steps([step]), note, channels=True, chain=chain)

    def container(self, site: Site) -> Known:
        """What a Sequential reads before any element has declared a size."""
        return self._assumed(f"this {site.operator.short} is the whole model") or Lost(
            "the model declares no input size"
        )

    # -- parameters ------------------------------------------------------------------------------------------

    def parameter(self, function: cst.FunctionDef, parameter: cst.Param) -> Known:
        """The extent of a function's parameter."""
        name = parameter.name.value
        names = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
        position = names.index(name) if name in names else -1
        in_class = self.unit.index.scope_of(function).kind == "class"
        bound = in_class and "staticmethod" not in decorator_names(
            function
        )  # tf.function does not count self
        spec = self._input_signature(function, position - bound)
        if spec is not None:
            return spec
        promise = self.promises.of_first(function) if position == int(bound) else None
        if promise is not None:
            return promise
        model = self._model_of(function)
        if model is not None and position == 1:
            assumed = self._assumed(f"{model} is the whole model")
            if assumed is not None:
                return assumed
        return Lost(f"{name} is a parameter of {function.name.value}()", parameter=True)

    def _model_of(self, function: cst.FunctionDef) -> str | None:
        """Name of the model class whose forward pass the function is, unless another class builds on it."""
        if function.name.value not in ("forward", "call", "__call__"):
            return None
        owner = self.unit.index.scope_of(function)
        node = owner.node
        if not isinstance(node, cst.ClassDef):
            return None
        scope = self.unit.index.scope_of(node)
        bases = {path for base in node.bases for path in resolve(scope, base.value).paths}
        nested = self.unit.facts.inside[node.name.value]
        return node.name.value if bases & _MODELS and not nested else None

    def _input_signature(self, function: cst.FunctionDef, position: int) -> Extent | None:
        """`@tf.function(input_signature=[tf.TensorSpec([1, 224, 224, 3], tf.float32)])`."""
        scope = self.unit.index.scope_of(function)
        for decorator in function.decorators:
            call = decorator.decorator
            if not isinstance(call, cst.Call) or not _FUNCTION & set(resolve(scope, call.func).paths):
                continue
            given = next(
                (a.value for a in call.args if a.keyword and a.keyword.value == "input_signature"), None
            )
            if given is None and call.args and call.args[0].keyword is None:
                continue
            if isinstance(given, (cst.List, cst.Tuple)) and 0 <= position < len(given.elements):
                return self._spec(given.elements[position].value, position)
        return None

    def _spec(self, node: cst.BaseExpression, position: int) -> Extent | None:
        scope = self.unit.index.scope_of(node)
        if not isinstance(node, cst.Call) or not _SPECS & set(resolve(scope, node.func).paths):
            return None
        shape = next((a.value for a in node.args if a.keyword is None or a.keyword.value == "shape"), None)
        value = Evaluator(self.unit).value(shape, scope)
        if not value.known or not isinstance(value.only, tuple) or len(value.only) < 3:
            return None
        sizes = _sizes(value.only[1:])
        if all(size is UNKNOWN for size in sizes[:-1]):
            return None
        step = Step(describe(sizes[:-1]), f"TensorSpec, line {self.unit.row(node)}")
        return Extent(sizes, Basis.LITERAL, Steps([step]), channels=True)


def _filled(promise: Extent, sizes: tuple[Size, ...], where: str) -> Known:
    """The promise for a shape that is open; axes whose size the file states keep it."""
    if any(_agrees(promise, spatial) for spatial in (sizes[:-1], sizes[1:])):
        return promise
    every_axis = promise.every_axis
    if every_axis is None:  # which axis is which depends on where the channels are
        return Lost(f"the {where} states another size than the promised one")
    filled = tuple(every_axis if size is UNKNOWN else size for size in sizes)
    steps = Steps([replace(promise.steps.last, size=describe(filled[:-1]))])
    return replace(promise, sizes=filled, steps=steps, channels=True, every_axis=None)


def _agrees(promise: Extent, sizes: tuple[Size, ...]) -> bool:
    if all(size is UNKNOWN for size in sizes):
        return True
    pairs = zip(promise.sizes, sizes, strict=False)
    return len(promise.sizes) == len(sizes) and all(size in (UNKNOWN, promised) for promised, size in pairs)


def _sizes(shape: tuple[Any, ...]) -> tuple[Size, ...]:
    return tuple(Exact(n) if isinstance(n, int) and n > 0 else UNKNOWN for n in shape)
