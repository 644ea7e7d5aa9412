"""Code that is there to raise: the body of `with pytest.raises(...)` and of `with self.assertRaises(...)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from padlint.syntax.positions import Span
from padlint.syntax.units import Unit

_EXPECTS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"})


def provoked(unit: Unit) -> Iterator[Span]:
    """Source offsets of every block that is expected to raise."""
    parents = unit.index.parents
    for call in unit.index.calls:
        func = call.func
        name = func.attr if isinstance(func, cst.Attribute) else func
        if not isinstance(name, cst.Name) or name.value not in _EXPECTS:
            continue
        item = parents[call]
        block = parents[item] if isinstance(item, cst.WithItem) else None
        if isinstance(block, cst.With):
            yield unit.span(block.body)
