"""What is hooked into PyTorch: global hooks of modules, a mode for functions. Runs in the child process."""

from __future__ import annotations

import functools
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.record.recorder import FAMILIES, Recorder, operator_of


def hook_torch(torch: Any, recorder: Recorder) -> None:
    """Hook into modules and functions."""
    _hook_modules(torch, recorder)
    operators = _functions(torch)

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]  # the class is known at run time only
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            operator = operators.get(func)
            if operator is None:
                made = func(*args, **kwargs)
                recorder.passed((args, kwargs), made)
                return made
            with recorder.inside() as outermost:
                made = func(*args, **kwargs)
            if outermost:
                recorder.function(operator, args, kwargs, made)
            recorder.passed((args[:1], kwargs.get("input")), made if not outermost else ())
            return made

    Mode().__enter__()  # for the rest of the program


def _functions(torch: Any) -> dict[Any, Operator]:
    found: dict[Any, Operator] = {}
    for module, path in ((torch.nn.functional, "torch.nn.functional"), (torch, "torch")):
        for name in dir(module):
            operator = catalogue.lookup(f"{path}.{name}")
            if operator is not None and operator.kind is Kind.FUNCTION and operator.family in FAMILIES:
                found[getattr(module, name)] = operator
    return found


def _hook_modules(torch: Any, recorder: Recorder) -> None:
    module_class = torch.nn.Module
    init = module_class.__init__
    names = recorder.names

    @functools.wraps(init)
    def initialised(self: Any, *args: Any, **kwargs: Any) -> None:
        recorder.created(self)
        init(self, *args, **kwargs)

    def before(module: Any, args: Any) -> None:
        if names.get(module) is None:
            for name, part in module.named_modules():
                names.set(part, name or type(module).__name__)
        if operator_of(module, "torch", "torch.nn") is not None:
            recorder.enter()

    def after(module: Any, args: Any, made: Any) -> None:
        operator = operator_of(module, "torch", "torch.nn")
        if operator is not None and recorder.leave() and made is not None:
            recorder.layer(module, operator, args, made, names.get(module))

    module_class.__init__ = initialised
    torch.nn.modules.module.register_module_forward_pre_hook(before)
    torch.nn.modules.module.register_module_forward_hook(after, always_call=True)
