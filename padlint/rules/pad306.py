"""PAD306: padding with something else than a constant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from padlint.catalogue.model import Family
from padlint.findings import Finding, Fix, Severity
from padlint.geometry import UNKNOWN, Form, Pad, Window
from padlint.rewrites.filled import explicit_mode
from padlint.rules.base import Rule
from padlint.rules.behind import padded_reads
from padlint.rules.context import FileContext
from padlint.rules.folding import known_axes
from padlint.rules.modes import MODES, amounts_of_conv, amounts_of_pad, mode_of
from padlint.rules.proposal import Claim, propose
from padlint.sites.site import Site

_IN_TORCH = ("reflect", "replicate", "circular")

# What becomes of such a pad in front of a convolution of PyTorch, by target; by mode where that matters.
_NOT_IN_KERAS = "the pads of Keras have no such mode with TensorFlow"
_EFFECTS: dict[str, dict[str, str]] = {
    "keras": {
        "reflect": 'Keras needs keras.ops.pad(mode="reflect") in front of the convolution',
        "replicate": _NOT_IN_KERAS,
        "circular": _NOT_IN_KERAS,
    },
    "onnx": dict.fromkeys(_IN_TORCH, "ONNX keeps a separate Pad"),
    "onnx-legacy": {
        **dict.fromkeys(_IN_TORCH, "the TorchScript exporter keeps a separate Pad with its helper nodes"),
        "circular": "the TorchScript exporter writes Slices and Concats",
    },
    "coreml": {**dict.fromkeys(_IN_TORCH, "CoreML keeps a separate pad"), "circular": "CoreML refuses it"},
    "tensorrt": {
        **dict.fromkeys(_IN_TORCH, "TensorRT reads it since 8.2"),
        "circular": "TensorRT reads it since 10.0",
    },
    "ncnn": {
        **dict.fromkeys(_IN_TORCH, "older converters to ncnn drop it"),
        "circular": "ncnn pads zeros instead, without an error",
    },
}
_BROKEN = frozenset({"coreml", "ncnn"})  # by circular


class NonZeroPaddingMode(Rule):
    """A convolution reads a reflected, replicated or circular pad, which few targets can do themselves.

    Why
        Only zeros can be folded into a convolution: every other mode stays an operation of its own in an
        exported graph. Circular padding is refused by CoreML, and ncnn's converter silently turns it into
        zeros. Keras has no convolution with a padding mode. TensorFlow's SYMMETRIC, which repeats the border,
        exists in no padding of PyTorch.

    Example
        from torch import nn

        stem = nn.Sequential(nn.ReflectionPad2d(3), nn.Conv2d(3, 64, 7))

    Use instead
        from torch import nn

        stem = nn.Sequential(nn.Conv2d(3, 64, 7, padding=3))

    Fix safety
        No mode computes what another one does, so the zeros above need retraining. For converters that know
        pads but no `padding_mode`, an unsafe fix writes the mode of a convolution that is an attribute as an
        F.pad in front of its calls: the same numbers, but `.padding` and `.padding_mode` change.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.functional.pad.html
        https://www.tensorflow.org/api_docs/python/tf/pad
    """

    code = "PAD306"
    name = "non-zero-padding-mode"
    severity = Severity.WARNING
    fix = "sometimes"
    targets = frozenset({*_EFFECTS, "torch"})

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report such pads before convolutions of PyTorch, its padding modes, and TensorFlow's own pads."""
        for pad, _ in padded_reads(context, lambda family: family is Family.CONV):
            if (mode := mode_of(pad)) is not None:
                yield from self._torch(context, pad, mode, _ALREADY)
        for site in context.select(("torch", "tf", "keras")):
            mode = mode_of(site)
            if mode is not None and site.operator.framework != "torch":
                yield from self._mirrored(context, site, mode)
            elif mode is not None and site.operator.family is Family.CONV and _pads_something(site):
                yield from self._torch(context, site, mode, _fix(context, site, mode))

    def _torch(self, context: FileContext, site: Site, mode: str, fix: Fix | str) -> Iterator[Finding]:
        targets = context.options.targets
        effects = [effects[mode] for target, effects in _EFFECTS.items() if target in targets]
        if targets and not effects:
            return
        what = "; ".join(effects) or "no exporter can fold that into the convolution"
        message = f"{site.written} pads in mode {mode}: {what}"
        severity = Severity.ERROR if mode == "circular" and targets & _BROKEN else None
        yield context.finding(type(self), site, message, fix, _numbers(site, mode), severity=severity)

    def _mirrored(self, context: FileContext, site: Site, mode: str) -> Iterator[Finding]:
        """A pad of TensorFlow in a mode of its own, for those who port to PyTorch."""
        targets, pads = context.options.targets, amounts_of_pad(site)
        if pads is None or (targets and "torch" not in targets):
            return  # amounts that are not seen are those of a signal more often than not
        message = f'{site.written} pads in mode {mode}: that is F.pad(mode="reflect") in PyTorch'
        if mode == "symmetric":
            message = (
                f"{site.written} pads in mode {mode}, which repeats the border: PyTorch has no such mode"
            )
            if max(map(max, pads)) == 1:
                message += ', but where it pads 1, F.pad(mode="replicate") is the same'
        severity = Severity.INFO if mode == "reflect" else None
        yield context.finding(type(self), site, message, _ALREADY, _numbers(site, mode), severity=severity)


_ALREADY = "it is a pad of its own already, and another mode computes something else"


def _numbers(site: Site, mode: str) -> dict[str, Any]:
    return {"op": site.operator.name, "axes": [], "others": {"mode": mode}}


def _pads_something(site: Site) -> bool:
    axes = known_axes(site)
    pads = amounts_of_conv(site, axes) if axes is not None else None
    if pads is not None:
        return any(map(any, pads))
    padding = site.value("padding")
    if not padding.known:
        return True
    return any(padding.only) if isinstance(padding.only, tuple) else padding.only not in (0, "valid")


def _fix(context: FileContext, site: Site, mode: str) -> Fix | str:
    if mode == "circular" and context.options.targets & _BROKEN:
        return "F.pad has the same mode, and what the target lacks is the mode"
    axes = known_axes(site)
    pads = amounts_of_conv(site, axes) if axes is not None else None
    if axes is None or pads is None or min(map(min, pads)) < 0:
        return "its arguments are not known"
    forms: list[Form] = [
        (Pad(*pair, MODES[mode]), Window(axis.kernel or 1, axis.stride, axis.dilation))
        for pair, axis in zip(pads, axes, strict=True)
    ]
    doubts = ["the attributes .padding and .padding_mode change"]
    claim = Claim(forms, forms, [UNKNOWN] * len(axes), doubts, kernel=tuple(a.kernel or 1 for a in axes))
    return propose(
        site, explicit_mode(site, pads, mode), "Pad with F.pad and convolve without padding", claim
    )
