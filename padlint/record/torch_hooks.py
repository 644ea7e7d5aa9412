"""What is hooked into PyTorch: global hooks of modules, a mode for functions. Runs in the child process."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Kind, Operator
from padlint.record.recorder import FAMILIES, Recorder, operator_of
from padlint.record.tensors import tensors
from padlint.record.threads import enter_everywhere

_POINTWISE = frozenset(
    (
        *("abs", "add", "addcmul", "batch_norm", "celu", "clamp", "clamp_max", "clamp_min", "clone"),
        *("contiguous", "dropout", "div", "detach", "divide", "double", "elu", "exp", "float", "gelu"),
        *("group_norm", "half", "hardsigmoid", "hardswish", "hardtanh", "instance_norm", "leaky_relu"),
        *("logsigmoid", "mish", "mul", "multiply", "neg", "negative", "pow", "prelu", "relu", "relu6"),
        *("requires_grad", "rrelu", "selu", "sigmoid", "silu", "softplus", "softsign", "sqrt", "sub"),
        *("subtract", "tanh", "threshold", "to", "true_divide", "feature_dropout", "dropout1d"),
        *("dropout2d", "dropout3d", "alpha_dropout", "maximum", "minimum", "where", "type", "type_as"),
        *("bfloat16", "cpu", "cuda"),
    )
)
"""Functions and methods that make each element of what stands at its position, also with `_` behind."""
_OPERATORS = frozenset(
    f"__{prefix}{name}__"
    for prefix in ("", "r", "i")
    for name in ("add", "sub", "mul", "truediv", "div", "neg", "pow")
)
_JOINED = frozenset({"cat", "concat", "concatenate"})


def hook_torch(torch: Any, recorder: Recorder) -> None:
    """Hook into modules and functions."""
    _hook_modules(torch, recorder)
    _hook_compiling(torch, recorder)
    operators = _functions(torch)
    is_compiling = _compiling(torch)
    tensor = torch.Tensor

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]  # the class is known at run time only
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if is_compiling():
                return func(*args, **kwargs)
            operator = operators.get(func)
            if operator is None:
                made = func(*args, **kwargs)
                if isinstance(made, (tensor, tuple, list)) or func is tensor.__setitem__:
                    with _unseen(torch), recorder.guarded("a function of PyTorch"):
                        _follow(tensor, recorder, func, args, kwargs, made)
                return made
            with recorder.inside() as outermost:
                made = func(*args, **kwargs)
            if outermost and isinstance(made, (tensor, tuple)):  # torch.fx gives its own objects
                with _unseen(torch):
                    recorder.function(operator, args, kwargs, made)
            return made

    enter_everywhere(Mode)


def _follow(tensor: Any, recorder: Recorder, func: Any, args: Any, kwargs: Any, made: Any) -> None:
    """Say how a function made tensors of others."""
    name = getattr(func, "__name__", "")
    given = [t for t in tensors((args, kwargs)) if isinstance(t, tensor)]
    if name == "__setitem__":
        recorder.reach.unknown(given, args[:1])
        return
    results = [t for t in tensors(made) if isinstance(t, tensor)]
    if name in _OPERATORS or (name.rstrip("_") in _POINTWISE and not name.startswith("_")):
        recorder.reach.pointwise(given, results)
    elif name in _JOINED and (kwargs.get("dim") or [0, *args[1:]][-1]) == 1:
        recorder.reach.concatenated(given, results)
    else:
        recorder.reach.unknown(given, results)


def _compiling(torch: Any) -> Callable[[], bool]:
    compiler = getattr(torch, "compiler", None)
    return getattr(compiler, "is_compiling", lambda: False)


@contextmanager
def _unseen(torch: Any) -> Iterator[None]:
    """Neither the mode nor what torch.jit.trace writes down sees what is asked of tensors here."""
    get, set_ = torch._C._get_tracing_state, torch._C._set_tracing_state
    state = get()
    if state is not None:
        set_(None)
    try:
        with torch._C.DisableTorchFunction():
            yield
    finally:
        if state is not None:
            set_(state)


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
    is_compiling = _compiling(torch)

    @functools.wraps(init)
    def initialised(self: Any, *args: Any, **kwargs: Any) -> None:
        if not is_compiling():
            recorder.created(self)
        init(self, *args, **kwargs)

    def before(module: Any, args: Any) -> None:
        if is_compiling():
            return
        if names.get(module) is None:
            with recorder.guarded(type(module).__name__):
                for name, part in module.named_modules():
                    names.set(part, name or type(module).__name__)
        if isinstance(module, torch.jit.ScriptModule):
            recorder.miss("scripted modules", "what runs in them is not seen; trace the plain module")
        elif operator_of(module, "torch", "torch.nn") is not None:
            recorder.enter()

    def after(module: Any, args: Any, made: Any) -> None:
        if is_compiling():
            return
        operator = operator_of(module, "torch", "torch.nn")
        if operator is not None and recorder.leave() and isinstance(made, (torch.Tensor, tuple)):
            with _unseen(torch):
                recorder.layer(module, operator, args, made, names.get(module))

    module_class.__init__ = initialised
    torch.nn.modules.module.register_module_forward_pre_hook(before)
    torch.nn.modules.module.register_module_forward_hook(after, always_call=True)


def _hook_compiling(torch: Any, recorder: Recorder) -> None:
    """Say that compiled code is not seen."""
    # PyTorch warns of the hooks above, which do nothing there.
    warnings.filterwarnings("ignore", message=r"Using `torch\.compile\(module\)` when there are global hooks")
    for owner in (torch, torch.nn.Module):
        plain = getattr(owner, "compile", None)
        if plain is not None:
            setattr(owner, "compile", _announced(plain, recorder))  # noqa: B010 - of whatever owner


def _announced(plain: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    @functools.wraps(plain)
    def compile_(*args: Any, **kwargs: Any) -> Any:
        recorder.miss("torch.compile", "compiled code is not seen; TORCHDYNAMO_DISABLE=1 turns it off")
        return plain(*args, **kwargs)

    return compile_
