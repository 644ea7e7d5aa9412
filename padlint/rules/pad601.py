"""PAD601: tensors whose sizes do not fit each other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sizes.extent import Basis, describe
from padlint.sizes.operands import Mismatch


class SizeMismatch(Rule):
    """Tensors are added, multiplied or concatenated whose sizes do not fit each other.

    Why
        Arithmetic on tensors needs equal sizes, or a size of 1 that is repeated; concatenation needs equal
        sizes on every other axis. A layer without padding on one of two branches, or an odd size that was
        halved and doubled again (25 to 13 to 26), breaks that, at this input size or at some of them.

    Example
        import keras
        from keras import layers

        inputs = keras.Input((50, 50, 3))
        skip = layers.MaxPooling2D(2)(inputs)
        x = layers.Conv2D(8, 3, strides=2, padding="same")(skip)
        x = layers.UpSampling2D(2)(x)
        x = layers.Concatenate()([skip, x])

    Use instead
        import keras
        from keras import layers

        inputs = keras.Input((48, 48, 3))
        skip = layers.MaxPooling2D(2)(inputs)
        x = layers.Conv2D(8, 3, strides=2, padding="same")(skip)
        x = layers.UpSampling2D(2)(x)
        x = layers.Concatenate()([skip, x])

    Fix safety
        There is no fix: another input size, a crop, a pad and other strides are all possible.

    References
        https://keras.io/api/layers/merging_layers/concatenate/
        https://numpy.org/doc/stable/user/basics.broadcasting.html
    """

    code = "PAD601"
    name = "size-mismatch"
    severity = Severity.ERROR
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report every operation with two tensors of known sizes that it cannot put together."""
        for mismatch in context.mismatches:
            sides = (mismatch.first, mismatch.second)
            # Behind a guess, the guess is what is wrong; and what is tried may fail.
            if any(side.effective_basis is Basis.ASSUMED for side in sides) or _is_tried(mismatch):
                continue
            shown = [describe(sizes) for sizes in mismatch.sizes]
            others = {"sizes": shown, "chains": [side.story for side in sides]}
            numbers = {"op": _operation(mismatch), "axes": [], "others": others}
            reason = "another input size, a crop, a pad and other strides are all possible"
            message = _message(mismatch, *shown)
            yield context.report(type(self), mismatch.unit, mismatch.node, message, reason, numbers)


def _is_tried(mismatch: Mismatch) -> bool:
    child = mismatch.node
    for ancestor in mismatch.unit.ancestors(child):
        if isinstance(ancestor, (cst.Try, cst.TryStar)) and child is ancestor.body and ancestor.handlers:
            return True
        child = ancestor
    return False


def _operation(mismatch: Mismatch) -> str:
    node = mismatch.node
    if isinstance(node, cst.Call):
        func = node.func.func if isinstance(node.func, cst.Call) else node.func
        return cst.Module([]).code_for_node(func)
    return cst.Module([]).code_for_node(node.operator).strip() if isinstance(node, _OPERATIONS) else ""


_OPERATIONS = (cst.BinaryOperation, cst.AugAssign)


def _message(mismatch: Mismatch, first: str, second: str) -> str:
    rule = "sizes must be equal, or one of them 1"
    if mismatch.joined:
        rule = f"it joins the {mismatch.joined}; the other sizes must be equal"
    chains = "; ".join(side.story for side in (mismatch.first, mismatch.second) if side.steps)
    what = f"{_operation(mismatch)} puts tensors of {first} and {second} together, which do not fit ({rule})"
    return f"{what}: {chains}" if chains else what
