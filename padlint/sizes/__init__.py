"""How spatial sizes flow through the code of a file, and where they were learned."""

from padlint.sizes.extent import Basis, Extent, Lost, Step
from padlint.sizes.flow import Flow

__all__ = ["Basis", "Extent", "Flow", "Lost", "Step"]
