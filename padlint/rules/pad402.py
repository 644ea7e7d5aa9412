"""PAD402: a padding value that the operator does not accept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from padlint.catalogue.model import Family, Kind
from padlint.findings import Finding, Fix, Severity
from padlint.rewrites.calls import set_padding
from padlint.rewrites.model import Rewrite
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.proposal import propose
from padlint.sites.reading import readings
from padlint.sites.site import Site
from padlint.syntax.edits import same_style

_KERAS_WORDS = ("valid", "same")
# Keywords that every Keras layer takes besides its own.
_LAYER_KEYWORDS = frozenset(
    {
        *("name", "dtype", "trainable", "activity_regularizer", "autocast", "weights", "dynamic"),
        *("input_shape", "batch_input_shape", "batch_shape", "batch_size", "input_dim", "input_dtype"),
    }
)
_PAIRS_REFUSED = (
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "pool",
    "convolution",
    "conv1d",
    "conv3d",
)


class InvalidPaddingValue(Rule):
    """A padding argument has a value that the operator refuses.

    Why
        PyTorch knows "same" and "valid" in lower case only, tf.nn in upper case only; Keras convolutions take
        a word and no numbers; PyTorch's transposed convolutions and pools take numbers and no word. Some of
        these raise at once, some only at the first call: `nn.ConvTranspose2d(..., padding="same")` stores the
        letters as ("s", "a", "m", "e"). `ZeroPadding2D(mode="reflect")` does not exist either.

    Example
        from torch import nn

        conv = nn.Conv2d(1, 8, 3, padding="SAME")

    Use instead
        from torch import nn

        conv = nn.Conv2d(1, 8, 3, padding="same")

    Fix safety
        Unsafe: code that raises has no result to compare with. Only the case of a word is mended, and only
        where the mended call works.

    References
        https://pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
        https://keras.io/api/layers/convolution_layers/
    """

    code = "PAD402"
    name = "invalid-padding-value"
    severity = Severity.ERROR
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report paddings that raise whatever the input is."""
        for site in context.select(("torch", "keras", "tf")):
            found = _pad_keyword(site) if site.operator.family is Family.PAD else _padding(site)
            if found is not None:
                message, fix, value = found
                numbers = {"op": site.operator.name, "axes": [], "others": {"padding": value}}
                yield context.finding(type(self), site, message, fix, numbers)


def _pad_keyword(site: Site) -> tuple[str, Fix | str, Any] | None:
    """A keyword that no pad layer has."""
    if site.operator.kind is not Kind.LAYER:
        return None
    allowed = _LAYER_KEYWORDS if site.operator.framework == "keras" else frozenset()
    strange = [name for name in site.bound.unknown if name not in allowed]
    if not strange:
        return None
    message = f"{site.written} raises: it has no argument {strange[0]!r}"
    if strange[0] in ("mode", "padding_mode", "constant_values", "value"):
        message += "; it pads with zeros only"
    return message, "what is meant instead is open", strange[0]


def _padding(site: Site) -> tuple[str, Fix | str, Any] | None:
    family = site.operator.family
    if not (family.is_convolution or family.is_pooling) or "padding" not in site.operator.roles:
        return None
    value = site.value("padding")
    if not value.known:
        return None
    problem = {"torch": _torch, "keras": _keras, "tf": _tf}[site.operator.framework](site, value.only)
    if problem is None:
        return None
    message = f"{site.written} raises: {problem}"
    return message, _case_fix(site, value.only), value.only


def _torch(site: Site, padding: Any) -> str | None:
    family = site.operator.family
    if not isinstance(padding, str):
        return None
    if family is Family.CONV:
        if padding in ("same", "valid"):
            return None
        return f"{padding!r} is no padding; the words are 'same' and 'valid', in lower case"
    kind = "a transposed convolution" if family is Family.TRANSPOSED else "a pool"
    return f"{kind} of PyTorch takes numbers as padding, not {padding!r}"


def _keras(site: Site, padding: Any) -> str | None:
    if isinstance(padding, str):
        words = (*_KERAS_WORDS, "causal") if _takes_causal(site) else _KERAS_WORDS
        if padding.lower() in words:
            return None
        return f"{padding!r} is no padding here; Keras knows {' and '.join(map(repr, words))}"
    if isinstance(padding, (int, tuple)) and not isinstance(padding, bool):
        return f"Keras takes the words 'valid' and 'same', not {padding!r}; put a ZeroPadding layer in front"
    return None


def _takes_causal(site: Site) -> bool:
    return site.operator.short in ("Conv1D", "Convolution1D", "SeparableConv1D", "SeparableConvolution1D")


def _tf(site: Site, padding: Any) -> str | None:
    if isinstance(padding, str):
        if padding in ("SAME", "VALID", "EXPLICIT"):
            return None
        if padding == "CAUSAL":
            return None
        return f"{padding!r} is no padding; tf.nn knows 'SAME' and 'VALID', in upper case"
    if isinstance(padding, tuple) and site.operator.short in _PAIRS_REFUSED:
        return f"{site.operator.short} takes 'SAME' or 'VALID' and no amounts"
    return None


def _case_fix(site: Site, padding: Any) -> Fix | str:
    """The word in the case that works, where the call works then."""
    if not isinstance(padding, str) or padding.lower() not in ("same", "valid"):
        return "what is meant instead is open"
    word = padding.upper() if site.operator.framework == "tf" else padding.lower()
    works = site.operator.framework == "tf" or site.operator.family is Family.CONV
    if not works or word == padding:
        return "what is meant instead is open"
    found = readings(site)
    if site.operator.framework == "torch" and word == "same":
        if not found:
            return (
                "in lower case it may still raise: 'same' is not supported with a stride, which is not known"
            )
        if any(reading.strided for reading in found):
            return "in lower case it still raises: 'same' is not supported with a stride"
    argument = site.argument("padding")
    if argument is None:
        return "what is meant instead is open"
    content = _recased(site.unit.text(argument.value), word)
    return propose(site, Rewrite((set_padding(site, content),)), f"Write {content}", None)


def _recased(text: str, word: str) -> str:
    styled = same_style(text, word)
    return styled[0] + word + styled[-1] if styled[0] == styled[-1] else styled
