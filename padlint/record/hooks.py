"""What is hooked into each framework once it has been imported. Runs in the child process.

No framework is imported here: a hook gets the module that the user's program has imported. Results stay as
they are, since whatever is wrapped is called as it was, and exceptions pass. Two things show that Python runs
a frame more: a warning that PyTorch raises in C++ names this package as its place, and the graphs of
torch.jit.trace number values that are else named after local variables.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from types import ModuleType
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.record.functions import follow_functions, wrap_functions
from padlint.record.keras_hooks import hook_keras, hook_layers_1, hook_layers_of_graphs
from padlint.record.recorder import FAMILIES, Recorder, operator_of
from padlint.record.tensors import tensors
from padlint.record.threads import enter_everywhere
from padlint.record.torch_hooks import hook_torch
from padlint.verify.models.project import Hook, Hooked


def install(recorder: Recorder) -> None:
    """Hook into every framework that is imported from now on."""
    hooks: Mapping[str, Callable[[ModuleType, Recorder], None]] = {
        "torch": hook_torch,
        "keras": hook_keras,
        "tf_keras": hook_keras,
        "tf_keras.src.engine.base_layer_v1": hook_layers_of_graphs,
        "keras.src.engine.base_layer_v1": hook_layers_of_graphs,
        "tensorflow": _hook_tensorflow,
        # What tf.compat.v1.layers leads to when it is used first.
        "tf_keras.api._v1.keras.__internal__.legacy.layers": hook_layers_1,
        "tf_slim": _hook_functions,
        "jax": _hook_jax,
        "jax.nn": lambda module, recorder: follow_functions(recorder, module),
        "flax.linen": _hook_linen,
        "flax.nnx": _hook_classes,
        "haiku": _hook_haiku,
    }
    sys.meta_path.insert(
        0, _Finder({n: functools.partial(_run, hook, recorder) for n, hook in hooks.items()})
    )


def _run(hook: Callable[[ModuleType, Recorder], None], recorder: Recorder, module: ModuleType) -> None:
    recorder.attempt(f"everything in {module.__name__}", lambda: hook(module, recorder))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds what the other finders do, and runs a hook behind the import of some modules."""

    def __init__(self, hooks: Mapping[str, Hook]) -> None:
        self._hooks = hooks
        self._is_asking = False

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        hook = self._hooks.get(name)
        if hook is None or self._is_asking:  # another finder asks this one back
            return None
        self._is_asking = True
        try:
            for finder in sys.meta_path:
                spec = finder.find_spec(name, path, target) if finder is not self else None
                if spec is not None and spec.loader is not None:
                    spec.loader = Hooked(spec.loader, hook)
                    return spec
            return None
        finally:
            self._is_asking = False


# -- functions -----------------------------------------------------------------------------------------------


def _hook_functions(module: ModuleType, recorder: Recorder) -> None:
    wrap_functions(recorder, module, module.__name__)


def _hook_tensorflow(tensorflow: ModuleType, recorder: Recorder) -> None:
    wrap_functions(recorder, tensorflow, "tensorflow")
    for path in ("nn", "compat.v1.nn", "compat.v1", "compat.v2.nn"):
        module: Any = tensorflow
        for name in path.split("."):
            module = getattr(module, name, None)
        wrap_functions(recorder, module, f"tensorflow.{path}")
    follow_functions(recorder, tensorflow.nn)
    api: Any = sys.modules.get("tensorflow.python.autograph.impl.api")
    convert = getattr(api, "_convert_actual", None)
    if convert is not None:

        @functools.wraps(convert)
        def converted(*args: Any, **kwargs: Any) -> Any:
            made = convert(*args, **kwargs)
            with recorder.guarded("tf.function"):
                for at, origin in made.ag_source_map.items():
                    from_ = origin.loc.filename, origin.loc.lineno
                    recorder.frames.generated[at.filename, at.lineno] = from_
            return made

        api._convert_actual = converted


def _hook_jax(jax: Any, recorder: Recorder) -> None:
    wrap_functions(recorder, jax.lax, "jax.lax")
    wrap_functions(recorder, jax.numpy, "jax.numpy")


# -- layers --------------------------------------------------------------------------------------------------


def _hook_linen(linen: Any, recorder: Recorder) -> None:
    wrap_functions(recorder, linen, "flax.linen")
    module_class = linen.Module
    post_init, clone = module_class.__post_init__, module_class.clone

    @functools.wraps(post_init)
    def initialised(self: Any, *args: Any, **kwargs: Any) -> None:
        recorder.created(self)
        post_init(self, *args, **kwargs)

    @functools.wraps(clone)
    def cloned(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = clone(self, *args, **kwargs)
        recorder.moved(self, made)
        return made

    module_class.__post_init__, module_class.clone = initialised, cloned

    reach = recorder.reach

    def intercept(function: Any, args: Any, kwargs: Any, context: Any) -> Any:
        with recorder.building() if context.module.is_initializing() else nullcontext():
            return called(function, args, kwargs, context)

    def called(function: Any, args: Any, kwargs: Any, context: Any) -> Any:
        module = context.module
        operator = operator_of(module, "flax", "flax.linen")
        if operator is None or context.method_name != "__call__":
            made = function(*args, **kwargs)
            with recorder.guarded(type(module).__name__):
                is_pointwise = isinstance(module, (linen.BatchNorm, linen.GroupNorm, linen.Dropout))
                follow = reach.pointwise if is_pointwise else functools.partial(reach.unknown, is_whole=True)
                follow(tensors((args, kwargs)), tensors(made))
            return made
        with recorder.inside() as outermost:
            made = function(*args, **kwargs)
        if outermost:
            recorder.layer(module, operator, (args, kwargs), made, "/".join(module.path))
        return made

    enter_everywhere(lambda: linen.intercept_methods(intercept))


def _hook_classes(module: ModuleType, recorder: Recorder) -> None:
    """Layers without a common place to hook into: each class for itself."""
    wrap_functions(recorder, module, module.__name__)
    for name in dir(module):
        operator = catalogue.lookup(f"{module.__name__}.{name}")
        cls = getattr(module, name, None)
        if operator is None or not inspect.isclass(cls) or operator.family not in FAMILIES:
            continue
        if operator.kind is Kind.LAYER:
            _hook_class(cls, operator, recorder)


def _hook_haiku(haiku: Any, recorder: Recorder) -> None:
    def is_initialising() -> bool:
        try:
            return bool(haiku.running_init())
        except ValueError:  # outside of a transformed function
            return False

    recorder.building_checks.append(is_initialising)
    _hook_classes(haiku, recorder)


def _hook_class(cls: Any, operator: Operator, recorder: Recorder) -> None:
    init, call = cls.__init__, cls.__call__

    @functools.wraps(init)
    def initialised(self: Any, *args: Any, **kwargs: Any) -> None:
        recorder.created(self)
        init(self, *args, **kwargs)

    @functools.wraps(call)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        with recorder.inside() as outermost:
            made = call(self, *args, **kwargs)
        if outermost:
            recorder.layer(self, operator, (args, kwargs), made, operator.short)
        return made

    cls.__init__, cls.__call__ = initialised, called
