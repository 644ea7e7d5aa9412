"""PAD105: the auto_pad attribute of an ONNX node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import libcst as cst

from padlint import catalogue
from padlint.catalogue.model import Family
from padlint.findings import Applicability, Finding, Fix, Proof, Severity
from padlint.geometry import UNKNOWN, Reduce, Same, Window, prove, same_pads_of
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.syntax.scopes import resolve
from padlint.syntax.units import Unit
from padlint.syntax.values import Evaluator

_WORDS = ("SAME_UPPER", "SAME_LOWER")


class OnnxAutoPad(Rule):
    """An ONNX node leaves its padding to the deprecated attribute auto_pad.

    Why
        `auto_pad` is deprecated, and its SAME depends on the input size like TensorFlow's. SAME_UPPER puts
        the odd element after the input as TensorFlow does, SAME_LOWER before it. ONNX Runtime refuses both
        for a convolution with dilations, ignores the dilation in pools, and does not clamp a negative total
        where the kernel is smaller than the stride.

    Example
        from onnx import helper

        node = helper.make_node(
            "Conv", ["x", "w"], ["y"], kernel_shape=[4, 4], strides=[2, 2], auto_pad="SAME_UPPER"
        )

    Use instead
        from onnx import helper

        node = helper.make_node(
            "Conv", ["x", "w"], ["y"], kernel_shape=[4, 4], strides=[2, 2], pads=[1, 1, 2, 2]
        )

    Fix safety
        Unsafe: runtimes differ in what they make of the attribute. Offered for convolutions and max pools
        whose kernel_shape is written and whose pads are the same at every input size.

    References
        https://onnx.ai/onnx/operators/onnx__Conv.html
        https://onnx.ai/onnx/operators/onnx__ConvTranspose.html
    """

    code = "PAD105"
    name = "onnx-auto-pad"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report nodes whose auto_pad is SAME_UPPER or SAME_LOWER."""
        for unit in context.file.units:
            for call in unit.index.calls:
                node = _node(unit, call)
                if node is None or node.word not in _WORDS:
                    continue
                side = "after" if node.word == "SAME_UPPER" else "before"
                message = (
                    f"{node.op_type} with auto_pad={node.word} pads by the input size, an odd element {side} "
                    "the input; the attribute is deprecated, and runtimes differ in it"
                )
                if node.word == "SAME_LOWER":
                    message += "; TensorFlow's SAME is SAME_UPPER"
                fix = _fix(unit, node)
                others = {"auto_pad": node.word, "strides": node.strides, "kernel_shape": node.kernel}
                numbers = {"op": f"onnx.{node.op_type}", "axes": [], "others": others}
                yield context.report(type(self), unit, node.argument, message, fix, numbers)


@dataclass(frozen=True)
class _Node:
    """A call of make_node; numbers per axis are None where they are not written as literals."""

    op_type: str
    word: str
    argument: cst.Arg
    kernel: tuple[int, ...] | None
    strides: tuple[int, ...] | None
    dilations: tuple[int, ...] | None
    opaque: bool


def _node(unit: Unit, call: cst.Call) -> _Node | None:
    given = {arg.keyword.value: arg for arg in call.args if arg.keyword is not None}
    if "auto_pad" not in given or not call.args:
        return None
    scope = unit.index.scope_of(call)
    if not any(map(catalogue.is_make_node, resolve(scope, call.func).paths)):
        return None
    evaluator = Evaluator(unit)

    def value(argument: cst.Arg | None) -> Any:
        found = evaluator.value(argument.value, scope) if argument is not None else None
        return found.only if found is not None and found.known else None

    first = call.args[0]
    op_type = value(given.get("op_type") or (first if first.keyword is None and not first.star else None))
    word = value(given["auto_pad"])
    if op_type not in catalogue.AUTO_PAD or not isinstance(word, str):
        return None
    kernel = value(given.get("kernel_shape"))
    ones = (1,) * len(kernel) if isinstance(kernel, tuple) else None
    strides, dilations = (value(given[k]) if k in given else ones for k in ("strides", "dilations"))
    opaque = any(arg.star for arg in call.args)
    return _Node(op_type, word, given["auto_pad"], kernel, strides, dilations, opaque)


def _are_sizes(found: Any) -> bool:
    return isinstance(found, tuple) and all(type(number) is int and number > 0 for number in found)


def _fix(unit: Unit, node: _Node) -> Fix | str:
    if catalogue.AUTO_PAD[node.op_type] not in (Family.CONV, Family.MAX_POOL):
        return f"explicit pads of {node.op_type} depend on the input size"
    if node.kernel is None or node.strides is None or node.dilations is None or node.opaque:
        return "kernel_shape, strides or dilations are not written as numbers"
    if not all(map(_are_sizes, (node.kernel, node.strides, node.dilations))):
        return "kernel_shape, strides or dilations are no lists of positive numbers"
    if not len(node.kernel) == len(node.strides) == len(node.dilations):
        return "kernel_shape, strides and dilations do not fit each other"
    lower = node.word == "SAME_LOWER"
    reduce: Reduce = "conv" if catalogue.AUTO_PAD[node.op_type] is Family.CONV else "max"
    pads: list[tuple[int, int]] = []
    for kernel, stride, dilation in zip(node.kernel, node.strides, node.dilations, strict=True):
        pair = same_pads_of(UNKNOWN, kernel, stride, dilation, lower=lower)
        if pair is None:
            return "the pads depend on the input size, which a node does not tell"
        before = (Same(kernel, stride, dilation, lower=lower, reduce=reduce),)
        after = (Window(kernel, stride, dilation, *pair, reduce=reduce),)
        if (difference := prove(before, after)) is not None:
            return f"explicit pads do not compute the same ({difference})"
        pads.append(pair)
    amounts = [before for before, _ in pads] + [after for _, after in pads]
    start, end = unit.span(node.argument)
    edit = unit.source.edit(start, end, f"pads={amounts}")
    message = f"Write pads={amounts} (unsafe: runtimes differ in what they make of auto_pad)"
    return Fix(Applicability.UNSAFE, message, (edit,), Proof("equal", "all"))
