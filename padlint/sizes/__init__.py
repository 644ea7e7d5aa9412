"""How spatial sizes flow through the code of a file, and where they were learned."""

from padlint.sizes.extent import Basis, Extent, Lost
from padlint.sizes.flow import Flow
from padlint.sizes.steps import Step

__all__ = ["Basis", "Extent", "Flow", "Lost", "Step"]
