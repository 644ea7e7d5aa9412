"""Whether tensors are quantised to 8 bits, which have no -inf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import File

if TYPE_CHECKING:
    from padlint.rules.context import FileContext

# What calibrates every tensor between the layers; PyTorch's eager mode quantises the pad's input instead.
_QUANTISES = frozenset(
    {
        *("prepare_fx", "prepare_qat_fx", "prepare_pt2e", "prepare_qat_pt2e"),
        *("quantize_static", "representative_dataset", "TFLITE_BUILTINS_INT8", "quantize_apply"),
        *("quantize_fx", "quantize_pt2e", "tensorflow_model_optimization"),
    }
)


def quantises(file: File) -> bool:
    """Whether a file mentions a function or module that calibrates for 8 bits."""
    facts = file.facts
    if any(facts.mentions[name] or facts.attributes[name] for name in _QUANTISES):
        return True
    imports = (b.path for bs in file.module.bindings.values() for b in bs if b.kind is BindingKind.IMPORT)
    return any(not _QUANTISES.isdisjoint(path.split(".")) for path in imports)


def no_infinity(context: FileContext) -> str:
    """Why no fix may write -inf; empty if one may."""
    if "tflite" in context.options.targets:
        return "int8 has no -inf to pad with"
    return "the file quantises to 8 bits, which have no -inf to pad with" if quantises(context.file) else ""
