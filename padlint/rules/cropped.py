"""Max pools of PyTorch that imitate SAME: a zero pad in front, and a slice that cuts off what reads it."""

from __future__ import annotations

from padlint.geometry import NEGATIVE_INFINITY, Crop, Form, Pad, Same, Window, equal_residues, prove
from padlint.rules import wording
from padlint.rules.folding import known_axes
from padlint.rules.padded import ZeroPadded
from padlint.sites.reading import Axis, readings
from padlint.sites.slices import sliced_off
from padlint.sizes.operators import explicit_pads


def same_by_crop(found: ZeroPadded) -> str | None:
    """At which sizes that equals SAME, empty if at all or none; None if zeros reach the output."""
    pool = found.reader
    axes = known_axes(pool)
    cuts = sliced_off(pool, len(axes)) if axes is not None and pool.operator.framework == "torch" else None
    if axes is None or cuts is None:
        return None
    reading = readings(pool)[0]
    residues = set(range(axes[0].stride))
    for i, (axis, pair, cut) in enumerate(zip(axes, found.pads, cuts, strict=True)):
        own = explicit_pads(pool, reading, i)
        if own is None:
            return None
        behind = (Window(*_shape(axis), *own, reduce="max"), Crop(*cut))
        zeros: Form = (Pad(*pair), *behind)
        if prove(zeros, (Pad(*pair, fill=NEGATIVE_INFINITY), *behind)) is not None:
            return None
        same: Form = (Same(*_shape(axis), reduce="max"),)
        residues &= equal_residues(zeros, same, axis.stride) or set()
    return _text(axes[0].stride, residues) if len({axis.stride for axis in axes}) == 1 else ""


def _shape(axis: Axis) -> tuple[int, int, int]:
    return axis.kernel or 1, axis.stride, axis.dilation


def _text(stride: int, residues: set[int]) -> str:
    if not residues or len(residues) == stride:
        return ""
    names = " and ".join(wording.residue_name(residue, stride) for residue in sorted(residues))
    where = f"at {names} sizes" if stride == 2 else f"where {names}"
    return f"this is TensorFlow's SAME {where}, and something else at others"
