"""Whether the defaults of parameters are what reaches a call."""

from __future__ import annotations

import libcst as cst

from padlint.sites.site import Site
from padlint.syntax.scopes import BindingKind
from padlint.syntax.walk import descendants


def depends_on_parameters(site: Site) -> bool:
    """Whether a call stands in a branch that asks for a parameter, whose default may not lead there."""
    child: cst.CSTNode = site.call
    for ancestor in site.unit.ancestors(site.call):
        if isinstance(ancestor, cst.FunctionDef):
            return False
        if isinstance(ancestor, (cst.If, cst.IfExp)):
            asks = any(_is_parameter(site, node) for node in descendants(ancestor.test))
            if asks and child is not ancestor.test:
                return True
        child = ancestor
    return False


def _is_parameter(site: Site, node: cst.CSTNode) -> bool:
    found = site.scope.lookup(node.value) if isinstance(node, cst.Name) else None
    return found is not None and any(binding.kind is BindingKind.PARAMETER for binding in found[1])
