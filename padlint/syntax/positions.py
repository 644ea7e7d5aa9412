"""Where the nodes of a parsed piece stand, as character offsets.

LibCST trees hold no positions: they are found by generating the code again and counting characters. That
costs as much as parsing, so it is done only for pieces that have something to report.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import libcst as cst
from libcst._nodes.internal import CodegenState  # what libcst.metadata's PositionProvider builds on

Span = tuple[int, int]


@dataclass
class _CountingState(CodegenState):
    """Code generation that notes at which character each node starts and ends."""

    offset: int = 0
    outer: dict[cst.CSTNode, Span] = field(default_factory=dict)
    inner: dict[cst.CSTNode, Span] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.add_token(token)

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.offset += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.starts.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        self.outer[node] = (self.starts.pop(), self.offset)

    @contextmanager
    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Iterator[None]:
        start = self.offset
        yield
        self.inner[node] = (
            self.outer[start_node][0] if start_node is not None else start,
            self.outer[end_node][1] if end_node is not None else self.offset,
        )


class Positions:
    """Offsets of all nodes of one module tree, relative to its text."""

    def __init__(self, module: cst.Module) -> None:
        state = _CountingState(default_indent=module.default_indent, default_newline=module.default_newline)
        module._codegen(state)
        # LibCST may lose blank rows and comments behind the last statement: no node stands there.
        self.code = "".join(state.tokens)
        self._outer, self._inner = state.outer, state.inner

    def inner(self, node: cst.CSTNode) -> Span:
        """The node without brackets around it, separators and white space that it owns."""
        return self._inner.get(node) or self._outer[node]

    def outer(self, node: cst.CSTNode) -> Span:
        """The node with the brackets around it; for an expression nothing else."""
        return self._outer[node]
