"""PAD406: a layer in the place of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.site import Site
from padlint.syntax.reaching import assignment_of


class LayerAsInput(Rule):
    """A layer is applied to another layer instead of a tensor.

    Why
        `ZeroPadding2D(1)(Conv2D(8, 3))` reads as if it put one layer behind the other. It calls the pad with
        an object that is no tensor, which raises in Keras and in PyTorch. Besides, what stands inside runs
        first: the pad would come behind the convolution.

    Example
        from keras import Input, layers

        x = Input(shape=(32, 32, 3))
        y = layers.ZeroPadding2D(1)(layers.Conv2D(8, 3))

    Use instead
        from keras import Input, layers

        x = Input(shape=(32, 32, 3))
        y = layers.Conv2D(8, 3)(layers.ZeroPadding2D(1)(x))

    Fix safety
        There is no fix: the tensor that is meant, and the order of the two layers, are open.

    References
        https://keras.io/guides/functional_api/
    """

    code = "PAD406"
    name = "layer-as-input"
    severity = Severity.ERROR
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report applications of operators whose input is a layer that was only built."""
        layers = {site.call: site for site in context.sites if _is_layer(site)}
        for site in context.sites:
            if not _needs_tensor(site):
                continue
            for call in site.applications:
                layer = _layer(layers, site, site.input_of(call))
                if layer is not None:
                    message = (
                        f"{site.written} raises: its input is {layer.written}, a layer that was built and "
                        "not applied; call it on a tensor first"
                    )
                    yield context.finding(type(self), site, message, "the tensor that is meant is open")


def _is_layer(site: Site) -> bool:
    """Whether a call builds a layer; what Keras's Input returns is a tensor."""
    return site.operator.kind is Kind.LAYER and site.operator.family is not Family.INPUT


def _needs_tensor(site: Site) -> bool:
    """Whether an operator raises for a layer; the Identity of PyTorch hands it on."""
    operator = site.operator
    return operator.family not in (Family.CONTAINER, Family.INPUT) and operator.name != "torch.nn.Identity"


def _layer(layers: dict[cst.Call, Site], site: Site, node: cst.BaseExpression | None) -> Site | None:
    """The layer that an expression is, itself or under a name, or one of the layers in a list."""
    if isinstance(node, (cst.List, cst.Tuple)):
        return next(filter(None, (_layer(layers, site, element.value) for element in node.elements)), None)
    if isinstance(node, cst.Name):
        statement = assignment_of(site.unit, node)
        node = statement.value if statement is not None else None
    return layers.get(node) if isinstance(node, cst.Call) else None
