"""One side's model in its child process, and what can be asked of it."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from padlint.verify.models.inputs import Array, in_layout, noise, perturbed, sample
from padlint.verify.models.model import Run, Tracer, unique
from padlint.verify.models.project import UserError, find, load
from padlint.verify.models.request import Case, Request, Side, decode_case
from padlint.verify.models.runs import write
from padlint.verify.models.wrapping import wrap

Message = Mapping[str, Any]


class Seat:
    """Builds the model, holds its weights, and runs it."""

    def __init__(self, side: Side, request: Request, dtype: str) -> None:
        self._side = side
        self._request = request
        self._dtype = dtype
        self._model: Any = None
        self._state: dict[str, Array] = {}
        self._layout = 1  # where the spatial axes of the inputs begin as they were asked for
        self._ranks = 4  # how many axes an input with channels has at least

    def answer(self, message: Message) -> Message:
        """Do what the message says; the user's code may raise anything."""
        action = getattr(self, f"_do_{message['do']}")
        answer: Message = action(message)
        return answer

    def _do_build(self, message: Message) -> Message:
        """Import the file and call the callable."""
        hooks = {
            "torch": self._start_torch,
            "keras": self._start_keras,
            "tf_keras": self._start_tf_keras,
        }
        _seed(self._request.seed)
        module = load(self._side, hooks)
        found = find(module, self._side.callable)
        _seed(self._request.seed)
        self._model = wrap(found, module, self._request, self._dtype)
        self._layout = message.get("first_axis") or self._model.first_axis
        self._ranks = message.get("ranks", self._ranks)
        self._model.prepare(self._inputs(Case("random")))
        free = message.get("free") or self._model.free(len(self._request.inputs))
        self._request = self._request.freed(free)
        self._state = self._model.state()
        weights = [
            vars(weight)
            | {"shape": list(weight.shape), "floating": self._state[weight.key].dtype.kind in "fV"}
            for weight in self._model.weights()
        ]
        return {
            "framework": self._model.framework,
            "first_axis": self._model.first_axis,
            "modes": list(self._model.modes),
            "weights": weights,
            "free": free,
        }

    def _do_save(self, message: Message) -> Message:
        """Move the weights away from their initial values, and write them."""
        trainable = frozenset(weight.key for weight in self._model.weights() if weight.trainable)
        self._model.load(perturbed(self._state, trainable, self._request.seed))
        self._state = self._model.state()  # tied weights have one value
        write(Path(message["path"]), self._state)
        return {"done": True}

    def _do_state(self, message: Message) -> Message:
        """Write the weights as they are."""
        write(Path(message["path"]), self._state)
        return {"done": True}

    def _do_load(self, message: Message) -> Message:
        """Take the weights of the other side, which go by order."""
        with np.load(message["path"]) as file:
            values = [file[key] for key in file.files]
        self._state = dict(zip(self._state, values, strict=True))
        self._model.load(self._state)
        self._state = self._model.state()
        return {"done": True}

    def _do_run(self, message: Message) -> Message:
        """Run a case, and write what came of it."""
        case = decode_case(message["case"])
        tracer = Tracer(**message["trace"]) if message.get("trace") else None
        state = self._state
        if case.jitter:
            state = {name: _jittered(name, values, case.jitter) for name, values in state.items()}
        self._model.load(state)
        _seed(self._request.seed)
        run: Run = self._model.run(self._inputs(case), case, tracer)
        parts = {"outputs": run.outputs, "gradients": run.gradients, "state": self._left(run, state)}
        if tracer is not None:
            parts |= {"layers": tracer.outputs, "given": tracer.given}
        write(
            Path(message["path"]),
            {f"{part}:{name}": a for part, found in parts.items() for name, a in found.items()},
        )
        return {part: list(found) for part, found in parts.items()} | {
            "kinds": tracer.kinds if tracer else {},
            "calls": tracer.calls if tracer else {},
        }

    def _left(self, run: Run, loaded: Mapping[str, Array]) -> dict[str, Array]:
        """What a run leaves behind, by what it is called, without the state that it did not change."""
        weights = self._model.weights()
        names = dict(zip([w.key for w in weights], unique([w.label for w in weights]), strict=True))
        return {
            names.get(key, key): array
            for key, array in run.state.items()
            if key not in loaded or not np.array_equal(array, loaded[key])
        }

    def _do_keras_save(self, message: Message) -> Message:
        """Write the files of Keras."""
        self._model.load(self._state)
        return {"problems": self._model.save(Path(message["folder"]))}

    def _do_keras_restore(self, message: Message) -> Message:
        """Load the files that the other side wrote; leaves the weights as they were loaded."""
        problems = self._model.restore(Path(message["folder"]), self._inputs(Case("random")))
        loaded = self._model.state()
        moved = [
            w.label for w in self._model.weights() if not np.array_equal(loaded[w.key], self._state[w.key])
        ]
        self._model.load(self._state)
        return {"problems": problems, "moved": moved}

    def _do_export(self, message: Message) -> Message:
        """Write an ONNX file, and describe it."""
        from padlint.verify.models.export import export

        self._model.load(self._state)
        inputs = self._inputs(Case("random", sizes=message.get("sizes", {})))
        return export(self._model, self._request.inputs, inputs, message["exporter"], Path(message["path"]))

    def _do_infer(self, message: Message) -> Message:
        """Run an ONNX file."""
        from padlint.verify.models.export import infer

        outputs = infer(Path(message["model"]), self._inputs(decode_case(message["case"])))
        write(Path(message["path"]), {f"outputs:{name}": array for name, array in outputs.items()})
        return {"outputs": list(outputs)}

    def _inputs(self, case: Case) -> dict[str, Array]:
        """The inputs of a case, by name or else by position. The first image is what a shift moves."""
        inputs = self._request.inputs
        moved = next((i for i, given in enumerate(inputs) if given.is_float and len(given.axes) > 2), None)
        still = replace(case, shift=(0, 0))
        found = {
            given.name or str(index): sample(
                given, index, case if index == moved else still, self._request.seed, self._layout
            )
            for index, given in enumerate(inputs)
        }
        return {
            name: in_layout(array, self._layout, self._model.first_axis, self._ranks)
            if inputs[index].is_float
            else array
            for index, (name, array) in enumerate(found.items())
        }

    def _start_torch(self, torch: ModuleType) -> None:
        torch.set_default_dtype(getattr(torch, self._dtype))
        torch.manual_seed(self._request.seed)

    def _start_keras(self, keras: ModuleType) -> None:
        if not hasattr(keras, "config"):
            raise UserError(f"Keras {keras.__version__} is too old; version 3 or tf_keras is needed")
        keras.config.disable_traceback_filtering()
        keras.config.set_floatx(self._dtype)
        keras.config.set_dtype_policy(self._dtype)
        keras.utils.set_random_seed(self._request.seed)

    def _start_tf_keras(self, keras: ModuleType) -> None:
        keras.backend.set_floatx(self._dtype)
        keras.utils.set_random_seed(self._request.seed)


def _seed(seed: int) -> None:
    """Seed every generator that is there."""
    random.seed(seed)
    np.random.seed(seed)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(seed)
    if tensorflow := sys.modules.get("tensorflow"):
        tensorflow.random.set_seed(seed)
    for name in ("keras", "tf_keras"):
        if keras := sys.modules.get(name):
            keras.utils.set_random_seed(seed)


def _jittered(name: str, values: Array, jitter: float) -> Array:
    if not np.issubdtype(values.dtype, np.floating):
        return values
    changed = values * (1.0 + jitter * noise(f"jitter {name}", values.shape))
    return np.asarray(changed.astype(values.dtype))
