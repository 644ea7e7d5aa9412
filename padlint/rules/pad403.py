"""PAD403: a stride together with a dilation, where TensorFlow cannot do both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from padlint import catalogue
from padlint.catalogue.model import Family, Kind, Operator
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.defaults import depends_on_parameters
from padlint.sites.reading import AXIS_NAMES, data_format
from padlint.sites.site import BY_DEFAULT, Site
from padlint.syntax.values import Value


class StrideWithDilation(Rule):
    """A convolution has a stride and a dilation above 1, which TensorFlow refuses or computes wrongly.

    Why
        Keras raises ValueError when `Conv1D/2D/3D` or `Conv1D/2D/3DTranspose` is built with both, even on
        different axes; so do `tf.nn.convolution`, slim and `tf.layers`. `tf.nn.depthwise_conv2d` and
        `separable_conv2d` only warn: their windows are no longer one stride apart, so values differ from
        those of `tf.nn.conv2d`, Keras's DepthwiseConv2D and PyTorch, and at some sizes the shape too. With
        SAME, values differ even if stride and dilation are on different axes.

    Example
        from keras import layers

        conv = layers.Conv2D(64, 3, strides=2, dilation_rate=2, padding="same")

    Use instead
        from keras import layers

        conv = layers.Conv2D(64, 3, dilation_rate=2, padding="same")

    Fix safety
        There is no fix: whether the stride or the dilation is meant, only the author knows.

    References
        https://keras.io/api/layers/convolution_layers/convolution2d/
        https://www.tensorflow.org/api_docs/python/tf/nn/depthwise_conv2d
    """

    code = "PAD403"
    name = "stride-with-dilation"
    severity = Severity.ERROR
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report calls whose stride and dilation are above 1 in all that the file shows of them."""
        for site in context.sites:
            operator = site.operator
            if operator.retired:
                continue
            stride, dilation = site.value("stride"), site.value("dilation")
            if not (_above_1(stride) and _above_1(dilation)):
                continue
            if not (stride.known and dilation.known) and depends_on_parameters(site):
                continue
            if _raises(operator):
                message = f"{_both(site, stride, dilation)} raises: it does not support both together"
                reason = "which of the two is meant is open"
            elif _is_irregular(operator) and (what := _irregularity(site, stride, dilation)):
                message = f"{_both(site, stride, dilation)} is silently wrong: {what}"
                reason = "a model may have been trained with what it computes"
            else:
                continue
            others = {"stride": stride.options[0].value, "dilation": dilation.options[0].value}
            numbers = {"op": operator.name, "axes": [], "others": others}
            yield context.finding(type(self), site, message, reason, numbers)


def _raises(operator: Operator) -> bool:
    framework, family = operator.framework, operator.family
    if framework == "tf" or operator.short == "pool":
        return operator.short in ("convolution", "pool")
    if framework == "keras":  # its functions may run on JAX or PyTorch, which can do both
        return operator.kind is Kind.LAYER and family in (Family.CONV, Family.TRANSPOSED)
    return family is Family.CONV and framework in ("slim", "tf_layers")


def _is_irregular(operator: Operator) -> bool:
    if operator.framework not in ("tf", "slim") or operator.short.endswith("_native"):
        return False
    return operator.family in (Family.DEPTHWISE, Family.SEPARABLE)


def _above_1(value: Value) -> bool:
    """Whether every value that the file shows is above 1 on some axis; one that it cannot show is ignored."""
    return bool(value.options) and all(
        any(isinstance(n, int) and n > 1 for n in _entries(option.value)) for option in value.options
    )


def _entries(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _irregularity(site: Site, stride: Value, dilation: Value) -> str:
    """What differs from tf.nn.conv2d: the windows along an axis with both; else the pads of SAME."""
    layout = data_format(site)
    strides, dilations = (
        catalogue.spatial_entries(value.options[0].value, 2, layout == "channels_last")
        for value in (stride, dilation)
    )
    if layout is None or strides is None or dilations is None:
        return ""
    axes = zip(AXIS_NAMES[2], strides, dilations, strict=True)
    if shared := " and ".join(name for name, s, d in axes if min(s, d) > 1):
        return f"along {shared} its windows are not one stride apart, unlike those of tf.nn.conv2d"
    padding = site.value("padding")
    if padding.known and padding.only == "SAME":
        return "its SAME padding ignores the stride, unlike that of tf.nn.conv2d"
    return ""


def _both(site: Site, stride: Value, dilation: Value) -> str:
    roles = site.operator.roles
    amounts = (
        f"{roles['stride']}={stride.options[0].value} and {roles['dilation']}={dilation.options[0].value}"
    )
    origins = dict.fromkeys(o.origin for value in (stride, dilation) for o in value.options)
    learned = ", ".join(str(origin) for origin in origins if origin not in (None, BY_DEFAULT))
    return f"{site.written} with {amounts}{f' ({learned})' if learned else ''}"
