"""Program texts as syntax trees: parsing within limits, names, and what the trees say about sample inputs."""

from __future__ import annotations

import ast
import contextlib
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from padlint.catalogue import lookup
from padlint.catalogue.model import Operator
from padlint.findings import Program
from padlint.verify.arguments import DEFAULT_CHANNELS, Facts, bind
from padlint.verify.values import Unsupported, literal, sample

MAX_LENGTH = 20_000
MAX_NODES = 4_000
MAX_DEPTH = 100
MAX_CHANNELS = 8192


def parse(program: Program) -> tuple[list[ast.stmt], ast.expr, str]:
    """The statements, the output expression and the input's text in normal form."""
    statements = [statement for text in program.setup for statement in _parse(text)]
    return statements, _expression(program.output), ast.unparse(_expression(program.input))


def _expression(text: str) -> ast.expr:
    match _parse(f"(\n{text}\n)"):
        case [ast.Expr(value=value)]:
            return value
    raise Unsupported("a program's output and input are one expression each")


def _parse(text: str) -> list[ast.stmt]:
    if len(text) > MAX_LENGTH:
        raise Unsupported("the program is too long")
    try:
        body = ast.parse(textwrap.dedent(text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unsupported(f"the program cannot be parsed ({type(error).__name__})") from None
    level: list[ast.AST] = [*body]
    nodes = 0
    for _ in range(MAX_DEPTH):
        nodes += len(level)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level or nodes > MAX_NODES:
        raise Unsupported("the program is nested too deeply or too long")
    return body


class Names:
    """Resolves names of the file to operators of the catalogue."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def dotted(self, node: ast.expr) -> str | None:
        """The dotted path that a name or attribute chain stands for."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return base and f"{base}.{node.attr}"
        return None

    def operator(self, node: ast.expr) -> Operator | None:
        """The operator that an expression names."""
        dotted = self.dotted(node)
        return lookup(dotted) if dotted else None


def survey(program: Program, names: Names, kernel: tuple[int, ...] | None, channels_first: bool) -> Facts:
    """What the sample input of a program must look like, from the literal arguments of its operators."""
    statements, output, _ = parse(program)
    constants: dict[str, Any] = {}

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.Name | ast.Attribute):
            return constants.get(ast.unparse(node), sample(node))
        return literal(node, value)

    channels: int | None = None
    groups = 1
    for statement in statements:
        if isinstance(statement, ast.Assign):
            constants[ast.unparse(statement.targets[0])] = value(statement.value)
    for operator, bound in _calls([*statements, output], names, value):
        given = {role: bound.get(parameter) for role, parameter in operator.roles.items()}
        if channels is None and _is_count(count := given.get("in_channels")):
            channels = count
        if _is_count(count := given.get("groups")):
            groups = math.lcm(groups, count)
        if isinstance(layout := given.get("data_format"), str):
            channels_first = layout == "channels_first" or layout.startswith("NC")
    return Facts(channels or math.lcm(DEFAULT_CHANNELS, groups), groups, channels_first, kernel)


def _calls(
    trees: list[ast.AST], names: Names, value: Callable[[ast.expr], Any]
) -> Iterator[tuple[Operator, dict[str, Any]]]:
    """The operator calls in `trees` in the order in which a tensor meets them, with their bound arguments."""
    for tree in trees:
        children = list(ast.iter_child_nodes(tree))
        if isinstance(tree, ast.Call):
            children.reverse()  # the arguments before what is called with them
        yield from _calls(children, names, value)
        if isinstance(tree, ast.Call) and (operator := names.operator(tree.func)):
            args = [value(argument) for argument in tree.args if not isinstance(argument, ast.Starred)]
            keywords = {keyword.arg: value(keyword.value) for keyword in tree.keywords if keyword.arg}
            with contextlib.suppress(TypeError):  # the run will say so
                yield operator, bind(operator, args, keywords)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and 0 < value <= MAX_CHANNELS
