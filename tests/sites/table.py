"""Short sources, read as operator calls."""

from __future__ import annotations

from textwrap import dedent

from padlint.sites import Site, collect, interesting_names
from padlint.syntax.units import open_file

KERAS = "from keras import layers as L\n"
TENSORFLOW = "import tensorflow as tf\n"
TORCH = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"


def sites(text: str) -> list[Site]:
    return collect(open_file(dedent(text), interesting_names()))


def only_site(text: str) -> Site:
    """The only site whose operator pads."""
    (found,) = [site for site in sites(text) if "stride" in site.operator.roles or site.operator.pads]
    return found
