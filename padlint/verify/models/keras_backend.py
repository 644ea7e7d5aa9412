"""Keras models and layers, on any backend. Imported in child processes only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from padlint.verify.compare import TOLERANCES, largest, worst
from padlint.verify.errors import describe
from padlint.verify.models.inputs import Array
from padlint.verify.models.keras_engines import Engine, engine
from padlint.verify.models.model import Run, Tracer, Weight, arguments, leaves, plain, real, unique
from padlint.verify.models.project import UserError
from padlint.verify.models.request import Case


class KerasModel:
    """A model or layer of Keras 3 or of tf_keras. Implements `Model`."""

    framework = "keras"
    modes: tuple[bool, ...] = (False, True)

    def __init__(self, layer: Any, keras: Any, keywords: Mapping[str, Any], dtype: str, seed: int) -> None:
        self.layer = layer
        self.keras = keras
        self._keywords = keywords
        self._dtype = dtype
        self._seed = seed
        self._engine: Engine = engine(keras)
        self._start: list[tuple[Any, Array]] = []
        self.first_axis = 2 if keras.backend.image_data_format() == "channels_first" else 1

    def prepare(self, inputs: Mapping[str, Array]) -> None:
        """Let the layers create their weights, and remember the seeds of those that are random."""
        self._call(self._tensors(inputs), training=False)
        known = {id(weight) for weight in self.layer.weights}
        others = [v for v in getattr(self.layer, "variables", ()) if id(v) not in known]
        self._start = [(variable, np.asarray(self._engine.array(variable)).copy()) for variable in others]

    def free(self, inputs: int) -> list[list[int]]:
        """The sizes that are None, but that of the batch."""
        known = getattr(self.layer, "inputs", None)
        if not isinstance(known, list) or len(known) != inputs:
            return [[] for _ in range(inputs)]
        return [[i for i, size in enumerate(given.shape) if size is None and i] for given in known]

    def weights(self) -> Sequence[Weight]:
        """The weights in the order of `get_weights`, which is how they are set."""
        trained = {id(weight) for weight in self.layer.trainable_weights}
        names = self._names()
        owners = {  # the innermost layer comes last
            id(weight): names[id(layer)] for layer in self.layer._flatten_layers() for weight in layer.weights
        }
        return [
            Weight(
                str(index),
                getattr(weight, "path", weight.name),
                tuple(weight.shape),
                id(weight) in trained,
                (owners.get(id(weight), ""), weight.name.rpartition("/")[2].partition(":")[0]),
            )
            for index, weight in enumerate(self.layer.weights)
        ]

    def state(self) -> dict[str, Array]:
        """What `get_weights` gives."""
        return {str(index): array.copy() for index, array in enumerate(self.layer.get_weights())}

    def load(self, state: Mapping[str, Array]) -> None:
        """Set all weights."""
        self.layer.set_weights([state[str(index)] for index in range(len(state))])

    def run(self, inputs: Mapping[str, Array], case: Case, tracer: Tracer | None = None) -> Run:
        """Outputs and gradients."""
        self.keras.utils.set_random_seed(self._seed)
        for variable, value in self._start:
            variable.assign(value)
        found: list[tuple[str, Any]] = []

        def call(tensors: Mapping[str, Any]) -> list[tuple[str, Any]]:
            found[:] = leaves(self._call(tensors, training=case.training), self._engine.is_tensor)
            return found

        tensors = self._tensors(inputs)
        trained = self.layer.trainable_weights
        with self._traced(tracer):
            if case.gradients:
                gradients = self._engine.differentiate(call, tensors, trained)
            else:
                gradients = []
                call(tensors)
        outputs = {
            path: real(np.asarray(self._engine.array(leaf))) if self._engine.is_tensor(leaf) else plain(leaf)
            for path, leaf in found
        }
        labels = [f"input {name}" for name in tensors if inputs[name].dtype.kind == "f"]
        labels += [getattr(weight, "path", weight.name) for weight in trained]
        named = dict(zip(unique(labels), gradients, strict=True)) if case.gradients else {}
        losses = {
            f"losses[{index}]": np.asarray(self._engine.array(loss))
            for index, loss in enumerate(self.layer.losses)
        }
        return Run(outputs, named, self.state() | losses)

    def save(self, folder: Path) -> dict[str, str]:
        """Write files of both kinds. Says per kind what went wrong."""
        problems = {}
        for suffix, write in ((".weights.h5", "save_weights"), (".keras", "save")):
            try:
                getattr(self.layer, write)(str(folder / f"model{suffix}"))
            except Exception as error:  # whatever the layers of the user raise; a layer has neither
                problems[suffix] = describe(error)
        return problems

    def restore(self, folder: Path, inputs: Mapping[str, Array]) -> dict[str, str]:
        """Load the files that there are. Says per kind what went wrong."""
        problems: dict[str, str] = {}
        for suffix, load in ((".keras", self._compare_archive), (".weights.h5", self._load_weights)):
            file = folder / f"model{suffix}"
            try:
                if file.exists():
                    load(file, inputs)
            except Exception as error:
                problems[suffix] = str(error) if isinstance(error, UserError) else describe(error)
        return problems

    def _load_weights(self, file: Path, inputs: Mapping[str, Array]) -> None:
        self.load({name: np.zeros_like(values) for name, values in self.state().items()})
        self.layer.load_weights(str(file))

    def _compare_archive(self, file: Path, inputs: Mapping[str, Array]) -> None:
        """A `.keras` file holds its own layers: it must load here, with the classes of this side, and run."""
        loaded = self.keras.models.load_model(str(file), compile=False)
        mine = [tuple(weight.shape) for weight in self.layer.weights]
        theirs = [tuple(weight.shape) for weight in loaded.weights]
        if mine != theirs:
            raise UserError(f"its {len(theirs)} weights are not the {len(mine)} of the code after")
        model = KerasModel(loaded, self.keras, self._keywords, self._dtype, self._seed)
        self.load(model.state())
        expected, found = (side.run(inputs, Case("random")).outputs for side in (self, model))
        allowed = TOLERANCES["float32"]
        for (path, old), new in zip(expected.items(), found.values(), strict=True):
            if old.shape != new.shape or worst(old, new, allowed * largest(old).max(initial=0.0)) is not None:
                raise UserError(f"what is loaded computes something else than the code after: {path} differs")

    def _call(self, tensors: Mapping[str, Any], *, training: bool) -> Any:
        positional, named = arguments(tensors, self._keywords)
        expected = getattr(self.layer, "inputs", None)
        if isinstance(expected, list) and len(expected) > 1 and len(positional) == len(expected):
            positional = (list(positional),)
        elif isinstance(getattr(self.layer, "_inputs_struct", None), dict) and not positional:
            positional, named = ({name: named.pop(name) for name in tensors},), named
        try:
            return self.layer(*positional, **named, training=training)
        except TypeError as error:
            if "training" not in str(error):
                raise
        return self.layer(*positional, **named)

    def _names(self) -> dict[int, str]:
        """What each layer is called here, by identity; two in different models may have one name."""
        layers = list({id(layer): layer for layer in self.layer._flatten_layers()}.values())
        names = unique([layer.name for layer in layers])
        return {id(layer): name for layer, name in zip(layers, names, strict=True)}

    def _tensors(self, inputs: Mapping[str, Array]) -> dict[str, Any]:
        return {
            name: self._engine.tensor(array.astype(self._dtype) if array.dtype == "float64" else array)
            for name, array in inputs.items()
        }

    @contextmanager
    def _traced(self, tracer: Tracer | None) -> Iterator[None]:
        """Every layer's call is seen while the model runs."""
        if tracer is None:
            yield
            return
        cls, engine, names = self.keras.layers.Layer, self._engine, self._names()
        original: Callable[..., Any] = cls.__call__

        def call(layer: Any, *given: Any, **keywords: Any) -> Any:
            name = names.get(id(layer), layer.name)
            is_tensor = bool(given) and engine.is_tensor(given[0])
            moved = tracer.enter(name, layer, np.asarray(engine.array(given[0])) if is_tensor else None)
            if moved is not None:
                given = (engine.tensor(moved), *given[1:])
            output = original(layer, *given, **keywords)
            if engine.is_tensor(output):
                tracer.see(name, type(layer).__name__, np.asarray(engine.array(output)))
            return output

        cls.__call__ = call
        try:
            yield
        finally:
            cls.__call__ = original
