"""PAD702: a quantised layer where one is needed that can be trained."""

from __future__ import annotations

import re
from collections.abc import Iterator

from padlint.catalogue.model import Kind, Operator
from padlint.findings import Finding, Severity
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.sites.site import Site
from padlint.syntax.attributes import class_around

_TRAINS = re.compile(r"QAT|Qat(?![a-z])|qat(?![a-z])|[Tt]rain")
_FILLED = frozenset({"set_weight_bias", "from_float", "from_reference"})


class UntrainableQuantisedLayer(Rule):
    """A layer of `nn.quantized` stands in a model that is trained.

    Why
        `nn.quantized.Conv2d` holds packed integers and no parameters: an optimiser gets nothing of it, and
        its output has no gradient, so nothing in front of it learns either. It is what `convert` makes at the
        end. Quantisation-aware training keeps float layers and fakes the rounding.

    Example
        from torch import nn

        class QATConv(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.quantized.Conv2d(3, 64, 3, padding=1)

            def forward(self, x):
                return self.conv(x)

    Use instead
        from torch import nn
        from torch.ao import quantization

        class QATConv(nn.Module):
            def __init__(self):
                super().__init__()
                self.quant = quantization.QuantStub()
                self.conv = nn.Conv2d(3, 64, 3, padding=1)
                self.dequant = quantization.DeQuantStub()

            def forward(self, x):
                return self.dequant(self.conv(self.quant(x)))

    Fix safety
        There is no fix: preparing and converting the model is part of the program around it.

    References
        https://pytorch.org/docs/stable/quantization.html
        https://pytorch.org/docs/stable/generated/torch.ao.nn.quantized.Conv2d.html
    """

    code = "PAD702"
    name = "untrainable-quantised-layer"
    severity = Severity.WARNING
    fix = "none"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report quantised layers in classes that say that they are trained, or that the file trains."""
        for site in context.sites:
            if _is_packed(site.operator) and _is_trained(site):
                message = (
                    f"{site.written} has no parameters to train and passes no gradient on: train the float "
                    "layer with torch.ao.quantization and convert it afterwards"
                )
                reason = "preparing and converting the model is up to the program"
                yield context.finding(type(self), site, message, reason)


def _is_packed(operator: Operator) -> bool:
    """Whether an operator is a layer with a packed weight; those for training and reference have floats."""
    parts = operator.name.split(".")
    return operator.quantized and operator.kind is Kind.LAYER and not {"qat", "reference"} & set(parts)


def _is_trained(site: Site) -> bool:
    """Whether the class around a layer is named after training, or is used in a file that trains."""
    owner = class_around(site.scope)
    if owner is None or not _FILLED.isdisjoint(site.unit.index.attributes):
        return False
    facts = site.unit.facts
    trains = facts.attributes["backward"] > 0 and facts.attributes["parameters"] > 0
    used = facts.mentions[owner.name.value] > 1  # the class statement itself is one
    return _TRAINS.search(owner.name.value) is not None or (trains and used)
