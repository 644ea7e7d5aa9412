"""Proofs in words."""

from __future__ import annotations

from padlint.findings import Proof

_SHOWN = 4


def described(proof: Proof | None) -> str:
    """What was compared, at which sizes, and with which result."""
    if proof is None:
        return "no proof: there is nothing that the result could be compared with"
    text = f"taps {proof.taps} at {_sizes(proof.sizes)}"
    layer = proof.layer
    if layer is None:
        return text
    text += f"; {layer.result} in {layer.framework}"
    if layer.max_abs is not None:
        text += f" ({layer.dtype}, differs by up to {layer.max_abs:.3g}, at {_sizes(layer.sizes)})"
    return text


def _sizes(sizes: str | tuple[tuple[int, ...], ...]) -> str:
    if isinstance(sizes, str):
        return f"{sizes} sizes"
    shown = ", ".join("x".join(map(str, size)) for size in sizes[:_SHOWN])
    more = f" and {len(sizes) - _SHOWN} more" if len(sizes) > _SHOWN else ""
    return f"size{'s' * (len(sizes) != 1)} {shown}{more}"
