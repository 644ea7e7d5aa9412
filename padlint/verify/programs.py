"""Program texts as syntax trees: parsing within limits, names, and what the trees say about sample inputs."""

from __future__ import annotations

import ast
import contextlib
import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from padlint.catalogue import lookup
from padlint.catalogue.model import Operator
from padlint.findings import Program
from padlint.verify.arguments import CHANNELS, DEFAULT_CHANNELS, Facts, bind, role_of
from padlint.verify.values import Sample, Unsupported, literal, sample

MAX_LENGTH = 20_000
MAX_NODES = 4_000
MAX_DEPTH = 100
MAX_CHANNELS = 8192
SMALL = 16

_UNKNOWN = Sample("")


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

    def with_alias(self, name: str, node: ast.expr) -> Names:
        """These names and one that is bound to an expression (`Conv = nn.Conv2d`)."""
        dotted = self.dotted(node)
        return Names({**self._names, name: dotted}) if dotted else self

    def operator(self, node: ast.expr) -> Operator | None:
        """The operator that an expression names."""
        dotted = self.dotted(node)
        return lookup(dotted) if dotted else None


class Calls:
    """The operator calls of a program with their arguments, in the order in which a tensor meets them."""

    def __init__(self, program: Program, names: Names) -> None:
        statements, output, _ = parse(program)
        self._constants: dict[str, Any] = {}
        for statement in statements:
            match statement:
                case ast.Assign(targets=[target], value=assigned):
                    self._constants[ast.unparse(target)] = self._value(assigned)
                    names = names.with_alias(ast.unparse(target), _without_partial(assigned, names))
                case ast.ClassDef(name=name, bases=[base]):
                    names = names.with_alias(name, base)
        self._names = names
        self._roles = [
            {role_of(operator, name): value for name, value in bound.items()}
            for operator, bound in self._find([*statements, output])
        ]

    def values(self, role: str) -> list[Any]:
        """The known arguments of that role."""
        return [given[role] for given in self._roles if not isinstance(given.get(role, _UNKNOWN), Sample)]

    def counts(self, *roles: str) -> list[int]:
        """The arguments of these roles that are numbers of channels or groups."""
        values = [value for role in roles for value in self.values(role)]
        return [value for value in values if isinstance(value, int) and 0 < value <= MAX_CHANNELS]

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name | ast.Attribute):
            return self._constants.get(ast.unparse(node), sample(node))
        return literal(node, self._value)

    def _find(self, trees: list[ast.AST]) -> Iterator[tuple[Operator, dict[str, Any]]]:
        for tree in trees:
            if isinstance(tree, ast.Call):  # the arguments before what is called with them
                yield from self._find([*tree.args, *tree.keywords, tree.func])
            else:
                yield from self._find(list(ast.iter_child_nodes(tree)))
            if isinstance(tree, ast.Call) and (operator := self._names.operator(tree.func)):
                with contextlib.suppress(TypeError, Unsupported):  # the run will say so
                    args = [self._value(node) for node in tree.args if not isinstance(node, ast.Starred)]
                    keywords = {
                        keyword.arg: self._value(keyword.value) for keyword in tree.keywords if keyword.arg
                    }
                    yield operator, bind(operator, args, keywords)


def _without_partial(node: ast.expr, names: Names) -> ast.expr:
    """What a `partial` calls; other expressions as they are."""
    match node:
        case ast.Call(func=function, args=[called, *_]) if names.dotted(function) == "functools.partial":
            return called
    return node


def survey(
    before: Calls, after: Calls, kernel: tuple[int, ...] | None, channels_first: bool, *, shrink: bool
) -> Facts:
    """What the sample input of a pair must look like."""
    counts = [count for calls in (before, after) for count in calls.counts(*CHANNELS) if count > 1]
    scale = _scale(counts) if shrink else 1
    for layout in before.values("data_format"):
        if isinstance(layout, str):
            channels_first = layout == "channels_first" or layout.startswith("NC")
    facts = Facts(channels_first=channels_first, kernel=kernel, scale=scale)
    groups = math.lcm(*(facts.scaled("groups", count) for count in before.counts("groups")))
    first = (facts.scaled("in_channels", count) for count in before.counts("in_channels"))
    return replace(facts, groups=groups, channels=next(first, math.lcm(DEFAULT_CHANNELS, groups)))


def _scale(counts: list[int]) -> int:
    """The number that divides all counts and leaves the smallest ones that are still telling."""
    if max(counts, default=0) <= SMALL:
        return 1
    common = math.gcd(*counts)
    return max((n for n in range(1, common // DEFAULT_CHANNELS + 1) if common % n == 0), default=1)
