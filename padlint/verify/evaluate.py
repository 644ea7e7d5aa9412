"""Interprets program texts: literals and operators of the catalogue run, other texts become samples."""

from __future__ import annotations

import ast
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from padlint.catalogue.model import Family, Kind, Operator
from padlint.findings import Program
from padlint.verify.arguments import Facts, bind, fill
from padlint.verify.backend import Backend, Evaluation, free_name
from padlint.verify.helpers import Defined, define
from padlint.verify.programs import Names, parse
from padlint.verify.samples import Samples
from padlint.verify.subclass import PaddedClass, recognise
from padlint.verify.values import Placeholder, Sample, Unsupported, infinity, items, literal, sample

# A pad has no weights, and its constructor arguments besides the amounts are copies of the operator's.
_UNCOMPARED = {Family.PAD, Family.CROP, Family.CONTAINER, Family.INPUT}
_INPUTS = ("input", "inputs", "x")
_ROUNDINGS: dict[str, Callable[[float], float]] = {
    "int": int,
    "float": float,
    "math.ceil": math.ceil,
    "numpy.ceil": math.ceil,
}


@dataclass(frozen=True)
class _Reference:
    """An operator that is named but not called, perhaps with the arguments that `partial` gives it."""

    operator: Operator
    args: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.operator.name


class Evaluator:
    """One side of a pair as a function of its input tensor.

    Layers are built at the first call and kept, so that later calls use the same weights.
    """

    def __init__(
        self, program: Program, names: Names, facts: Facts, backend: Backend, samples: Samples
    ) -> None:
        self._statements, self._output, self._input_text = parse(program)
        self._names = names
        self._facts = facts
        self._backend = backend
        self._samples = samples
        self._layers: dict[ast.AST, Any] = {}
        self._shorts: dict[int, str] = {}
        self._environment: dict[str, Any] = {}
        self._used: dict[str, Any] = {}
        self._input: Any = None
        self._defined: dict[ast.AST, Defined | PaddedClass] = {}
        self._carried: dict[ast.Call, list[tuple[str, str, str]]] = {}
        self.notes: list[str] = []

    def __call__(self, tensor: Any) -> Evaluation:
        """Run the program on `tensor`."""
        self._environment, self._used, self._input = {}, {}, tensor
        self._samples.restart(tensor)
        for statement in self._statements:
            self._execute(statement)
        output = self._value(self._output)
        if not self._backend.is_tensor(output):
            raise Unsupported(f"'{ast.unparse(self._output)}' is no result of a framework operator")
        weights = dict(self._samples.weights)
        for name, layer in self._used.items():
            weights |= {f"{name}.{key}": weight for key, weight in self._backend.parameters(layer).items()}
        return Evaluation(output, weights)

    @property
    def carried(self) -> Counter[tuple[str, str, str]]:
        """Operator, parameter and text of all arguments that were not run as they stand."""
        return Counter(entry for entries in self._carried.values() for entry in entries)

    def _execute(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() | ast.Subscript() as target], value=value):
                self._environment[ast.unparse(target)] = self._value(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._environment[ast.unparse(target)] = self._value(value)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                self._environment[name] = self._define(statement)
            case _:
                raise Unsupported(f"'{ast.unparse(statement)}' cannot be run here")

    def _define(self, statement: ast.ClassDef | ast.FunctionDef) -> Defined | PaddedClass:
        """A helper that fixes write, or the class of a convolution that pads its own input."""
        if statement not in self._defined:
            helper = define(statement, self._names, self._backend.find)
            self._defined[statement] = helper or recognise(statement)
        return self._defined[statement]

    def _value(self, node: ast.expr) -> Any:
        """The value of an expression: what the texts allow to run, a Sample for the rest."""
        text = ast.unparse(node)
        if text in self._environment:
            return self._environment[text]
        if text == self._input_text:
            return self._input
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            return literal(node, self._value)
        if (infinite := infinity(text, self._names.dotted(node))) is not None:
            return infinite
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            return self._shape(node, node.value)
        operator = self._names.operator(node)
        return _Reference(operator) if operator else Sample(text)

    def _shape(self, node: ast.expr, of: ast.expr) -> Any:
        """The shape of a tensor as numbers, for pads that are computed when the model runs."""
        value = self._value(of)
        return tuple(int(n) for n in value.shape) if self._backend.is_tensor(value) else sample(node)

    def _subscript(self, node: ast.Subscript) -> Any:
        value = self._value(node.value)
        if isinstance(value, Sample):
            return sample(node)
        index = self._index(node.slice)
        if not self._backend.is_tensor(value) and not isinstance(value, tuple | list):
            return sample(node)
        return value[index]

    def _index(self, node: ast.expr) -> Any:
        match node:
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(*(part and self._index(part) for part in (lower, upper, step)))
            case ast.Tuple(elts=elements):
                return tuple(self._index(element) for element in elements)
        value = self._value(node)
        if value is None or value is Ellipsis or isinstance(value, int):
            return value
        raise Unsupported(f"the index '{ast.unparse(node)}' is unknown")

    def _call(self, node: ast.Call) -> Any:
        function = self._value(node.func)
        if isinstance(function, _Reference):
            if function.operator.family is Family.INPUT:
                return Placeholder(ast.unparse(node))
            if function.operator.kind is Kind.LAYER:
                return self._build(node, function)
            values = self._fill(node, function)
            return self._backend.resolve(function.operator)(**values)
        if isinstance(function, PaddedClass):
            return self._build(node, _Reference(self._base(function)), function)
        if isinstance(function, Defined):
            return self._call_helper(node, function)
        if self._backend.is_layer(function):
            return self._apply_layer(node, function)
        match self._names.dotted(node.func) or ast.unparse(node.func), node.args:
            case "keras.ops.shape" | "tensorflow.shape", [tensor]:
                return self._shape(node, tensor)
            case name, [] if name.endswith(".image_data_format"):
                return "channels_first" if self._facts.channels_first else "channels_last"
            case "max" | "min" as name, [_, _]:
                numbers = self._arguments(node)[0]
                if all(isinstance(number, int) for number in numbers):
                    return max(numbers) if name == "max" else min(numbers)
            case "int" | "float" | "math.ceil" | "numpy.ceil" as name, [_]:
                numbers = self._arguments(node)[0]
                if isinstance(numbers[0], int | float):
                    return _ROUNDINGS[name](numbers[0])
            case "collections.OrderedDict", [ast.List() as pairs]:
                return self._ordered(pairs)
            case "functools.partial", [first, *_] if isinstance(target := self._value(first), _Reference):
                (_, *args), keywords = self._arguments(node)
                return _Reference(target.operator, (*target.args, *args), {**target.keywords, **keywords})
        return sample(node)

    def _call_helper(self, node: ast.Call, helper: Defined) -> Any:
        """What a helper makes of a tensor, or the layer that it is, which is built once."""
        if node in self._layers:
            return self._layers[node]
        args, keywords = self._arguments(node)
        if not helper.is_layer and isinstance(args[0], Sample):
            args[0] = self._samples.input(args[0].text)
        for value in (*args, *keywords.values()):
            if isinstance(value, Sample):
                raise Unsupported(f"'{value.text}' in a call of {helper.name} is unknown")
        made = helper.made(*args, **keywords)
        if helper.is_layer:
            self._layers[node] = made
            self._shorts[id(made)] = helper.name
        return made

    def _ordered(self, pairs: ast.List) -> Any:
        """The layers of `OrderedDict([("name", layer), ...])`."""
        value = self._value(pairs)
        return sample(pairs) if isinstance(value, Sample) else OrderedDict(value)

    def _base(self, defined: PaddedClass) -> Operator:
        operator = self._names.operator(defined.base)
        if operator is None or operator.family is not Family.CONV or operator.kind is not Kind.LAYER:
            raise Unsupported(f"'{ast.unparse(defined.base)}' is no convolution layer")
        return operator

    def _arguments(self, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value)
            given = {keyword.arg: value} if keyword.arg else value
            if not isinstance(given, dict):
                raise Unsupported(f"what '**{ast.unparse(keyword.value)}' carries is unknown")
            keywords |= given
        return items(node.args, self._value), keywords

    def _fill(self, node: ast.Call, reference: _Reference) -> dict[str, Any]:
        """The call's arguments, ready for the framework."""
        operator = reference.operator
        if operator.framework not in self._backend.frameworks:
            raise Unsupported(f"{operator.name} cannot be run together with this framework")
        args, keywords = self._arguments(node)
        bound = bind(operator, (*reference.args, *args), {**reference.keywords, **keywords})
        filled = fill(operator, bound, self._facts, self._samples)
        if operator.family not in _UNCOMPARED:
            self._carried[node] = [(operator.short, name, text) for name, text in filled.carried]
        self.notes += (note for note in filled.notes if note not in self.notes)
        for name, value in filled.values.items():
            if isinstance(value, _Reference):
                filled.values[name] = self._backend.resolve(value.operator)
        return filled.values

    def _build(self, node: ast.Call, reference: _Reference, defined: PaddedClass | None = None) -> Any:
        """The layer that this call constructs: once, or at each run if it has no weights but amounts."""
        operator = reference.operator
        if node not in self._layers or operator.family in (Family.PAD, Family.CROP):
            if operator.family is Family.CONTAINER:
                layer = self._container(operator, *self._arguments(node))
            else:
                values = self._fill(node, reference)
                made = self._subclass(operator, defined) if defined else self._backend.resolve(operator)
                layer = made(**values)
            self._layers[node] = layer
            self._shorts[id(layer)] = operator.short
        return self._layers[node]

    def _container(self, operator: Operator, args: list[Any], keywords: dict[str, Any]) -> Any:
        if operator.short != "Sequential":
            raise Unsupported(f"{operator.name} cannot be run here")
        if operator.var_positional:
            layers = args[0] if len(args) == 1 and isinstance(args[0], dict) else args
        else:
            layers = bind(operator, args, keywords).get("layers") or []
        if isinstance(layers, Sample):
            raise Unsupported(f"the elements of {operator.short} are unknown ('{layers.text}')")
        elements = list(layers.values() if isinstance(layers, dict) else layers)
        for element in elements:
            if not self._backend.is_layer(element) and not isinstance(element, Placeholder):
                raise Unsupported(f"an element of {operator.short} is unknown")
        if isinstance(layers, dict):
            return self._backend.sequential(operator, layers)
        return self._backend.sequential(operator, [e for e in elements if not isinstance(e, Placeholder)])

    def _subclass(self, operator: Operator, defined: PaddedClass) -> Any:
        def forward(module: Any, tensor: Any) -> Any:
            outer = self._environment
            self._environment = {**outer, defined.argument: tensor}
            try:
                padded = self._value(defined.padded)
            finally:
                self._environment = outer
            if not self._backend.is_tensor(padded):
                raise Unsupported(f"'{ast.unparse(defined.padded)}' is no result of a framework operator")
            return self._backend.padded(module, padded)

        return self._backend.subclass(operator, forward)

    def _apply_layer(self, node: ast.Call, layer: Any) -> Any:
        args, keywords = self._arguments(node)
        args += (keywords[name] for name in _INPUTS if name in keywords)
        if len(args) != 1:  # other keywords (`training=`, `mask=`) change nothing at inference
            raise Unsupported(f"'{ast.unparse(node)}' does not call the layer with one tensor")
        tensor = self._samples.input(args[0].text) if isinstance(args[0], Sample) else args[0]
        self._use(layer)
        return layer(tensor)

    def _use(self, layer: Any) -> None:
        """Remember a layer whose weights take part, under the name that it is assigned to."""
        if any(layer is other for other in self._used.values()):
            return
        owners = (name for name, value in self._environment.items() if value is layer)
        name = next(owners, None) or free_name(self._shorts[id(layer)], self._used)
        self._used[name] = layer
