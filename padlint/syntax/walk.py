"""The child nodes that matter, and how deep they go.

`CSTNode.visit` rebuilds every node and visits white space and commas too; visiting only the fields that can
hold code is about ten times faster.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypeGuard

import libcst as cst

# Fields that never hold code: white space, punctuation, comments.
_TRIVIA = frozenset(
    {
        *("leading_lines", "lines_after_decorators", "lines_before_body", "header", "footer", "empty_lines"),
        *("lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "colon", "equal"),
        *("dot", "star", "operator", "newline", "trailing_whitespace", "indent", "encoding"),
        *("default_indent", "default_newline", "has_trailing_newline"),
    }
)
_CODE_FIELDS: dict[type, tuple[str, ...]] = {}
# What `isinstance` takes a while to find out, since all nodes have an abstract base.
_IS_NODE: dict[type, bool] = {list: False, tuple: False, str: False, type(None): False}
_IS_EXPRESSION: dict[type, bool] = {}


def code_children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The child nodes that can hold code, in source order."""
    children: list[cst.CSTNode] = []
    fields = _CODE_FIELDS.get(type(node))
    for name in _code_fields(type(node)) if fields is None else fields:
        child = getattr(node, name)
        if child is None:
            continue
        kind = type(child)
        is_node = _IS_NODE.get(kind)
        if is_node is None:
            is_node = _IS_NODE[kind] = issubclass(kind, cst.CSTNode)
        if is_node:
            children.append(child)
        elif kind is list or kind is tuple:
            children += [item for item in child if isinstance(item, cst.CSTNode)]
    return children


def _code_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a node's type that can hold code, in the order in which they are written."""
    fields = tuple(
        field.name
        for field in dataclasses.fields(kind)
        if field.name not in _TRIVIA and not field.name.startswith("whitespace")
    )
    if kind is cst.IfExp:  # declared as test, body, orelse; written as body, test, orelse
        fields = ("body", "test", "orelse")
    elif kind is cst.FunctionDef:
        fields = ("decorators", "name", "type_parameters", "params", "returns", "body")
    elif kind is cst.ClassDef:
        fields = ("decorators", "name", "type_parameters", "bases", "keywords", "body")
    elif kind in (cst.ListComp, cst.SetComp, cst.GeneratorExp):
        fields = ("for_in", "elt")
    elif kind in (cst.ExceptHandler, cst.ExceptStarHandler):
        fields = ("type", "name", "body")
    elif kind is cst.MatchCase:
        fields = ("pattern", "guard", "body")
    elif kind is cst.DictComp:
        fields = ("for_in", "key", "value")
    _CODE_FIELDS[kind] = fields
    return fields


def is_expression(node: object) -> TypeGuard[cst.BaseExpression]:
    """`isinstance(node, cst.BaseExpression)`, quicker."""
    kind = type(node)
    known = _IS_EXPRESSION.get(kind)
    if known is None:
        known = _IS_EXPRESSION[kind] = issubclass(kind, cst.BaseExpression)
    return known


def descendants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all below it that can hold code, in source order."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed([*code_children(current)])


def depth(node: cst.CSTNode) -> int:
    """The number of levels in a tree."""
    level, levels = [node], 0
    while level:
        levels += 1
        level = [child for parent in level for child in code_children(parent)]
    return levels


def holds_list(node: cst.CSTNode) -> bool:
    """Whether an expression makes a list, which can be changed in place."""
    if isinstance(node, cst.List) or (isinstance(node, cst.Name) and node.value == "list"):
        return True
    return any(holds_list(child) for child in code_children(node))
