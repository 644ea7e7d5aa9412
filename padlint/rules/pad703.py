"""PAD703: a pad of -inf in a model that is quantised."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.catalogue.model import Family
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.int8 import quantises
from padlint.sites.site import Site
from padlint.syntax.formulas import Formulas
from padlint.syntax.scopes import resolve
from padlint.syntax.values import Evaluator

_INFINITIES = frozenset({f"{module}.inf" for module in ("math", "numpy", "torch", "jax.numpy")})
_HUGE = -1e4  # from here on, one step of 8 bits is wider than what activations usually span


class InfinitePadInInt8(Rule):
    """A pad writes -inf, and the file quantises to 8 bits.

    Why
        8 bits have to span everything that calibration sees. With -inf in the tensor, the scale of PyTorch's
        MinMaxObserver is infinite, quantisation-aware training gives NaN, ONNX Runtime's results are wrong by
        more than their size or its calibration raises, and TFLite's interpreter refuses the model; -1e9
        leaves one step for all real values. The padding of a max pool itself costs nothing.

    Example
        from onnxruntime.quantization import quantize_static
        from torch.nn import functional as F

        def pool(x):
            return F.max_pool2d(F.pad(x, (1, 1, 1, 1), value=float("-inf")), 3, 2)

        def quantise(path, reader):
            quantize_static(path, "int8.onnx", reader)

    Use instead
        from onnxruntime.quantization import quantize_static
        from torch.nn import functional as F

        def pool(x):
            return F.max_pool2d(x, 3, 2, padding=1)

        def quantise(path, reader):
            quantize_static(path, "int8.onnx", reader)

    Fix safety
        There is no fix: an asymmetric pad has no equal in a pool, and zeros are equal behind ReLU only.

    References
        https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
        https://pytorch.org/docs/stable/quantization.html
    """

    code = "PAD703"
    name = "infinite-pad-in-int8"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report pads of -inf, or of a number nearly as bad, in files that calibrate for 8 bits."""
        if not quantises(context.file):
            return
        for site in context.sites:
            value = _lowest(site) if site.operator.family is Family.PAD else ""
            if value:
                message = (
                    f"{site.written} pads with {value}, which calibration takes for a value of the tensor: "
                    "8 bits that span it cannot tell the real values apart"
                )
                reason = "a pool's own padding, or zeros behind ReLU, may take its place"
                yield context.finding(type(self), site, message, reason)


def _lowest(site: Site) -> str:
    """The value of a pad as the file writes it, if that is -inf or far below all activations."""
    argument = site.argument("value")
    if argument is None:
        return ""
    value = Evaluator(site.unit).value(argument.value, site.scope)
    if value.known:
        below = isinstance(value.only, (int, float)) and value.only <= _HUGE
    else:
        node = Formulas(site.unit).resolved(argument.value)
        below = _is_infinite(site, node, negative=True) or _is_smallest(site, node)
    return site.unit.text(argument.value) if below else ""


def _is_infinite(site: Site, node: cst.BaseExpression, *, negative: bool) -> bool:
    """Whether an expression is `float("-inf")`, `-math.inf` and the like; or the same without the sign."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        return _is_infinite(site, node.expression, negative=not negative)
    if isinstance(node, cst.Call) and len(node.args) == 1:
        word = node.args[0].value
        text = word.raw_value.lower() if isinstance(word, cst.SimpleString) else ""
        named = isinstance(node.func, cst.Name) and node.func.value == "float"
        return named and text in (("-inf", "-infinity") if negative else ("inf", "infinity"))
    paths = resolve(site.scope, node).paths
    return not negative and bool(paths) and _INFINITIES.issuperset(paths)


def _is_smallest(site: Site, node: cst.BaseExpression) -> bool:
    """Whether an expression is `torch.finfo(x.dtype).min`."""
    if (
        not isinstance(node, cst.Attribute)
        or node.attr.value != "min"
        or not isinstance(node.value, cst.Call)
    ):
        return False
    paths = resolve(site.scope, node.value.func).paths
    return bool(paths) and all(path.endswith(".finfo") for path in paths)
